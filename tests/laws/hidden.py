"""The same round with everything exchanged that one seat cannot see."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

from referee.rules import RANK_OF, Card, RoundState
from referee.rules.cards import RED_THREE, count_ranks


class Place(NamedTuple):
    """Where a face-down card lies."""

    zone: str
    """holding, foot or stripe."""

    owner: int
    number: int
    """The index in the zone."""


def hidden_places(state: RoundState, seat: int) -> Iterator[Place]:
    """Yield the places of all cards that *seat* cannot see; what lies under the stock has been seen by everybody."""
    for number, each in enumerate(state.seats):
        if number != seat:
            yield from (Place("holding", number, index) for index in range(len(each.cards)))
        yield from (Place("foot", number, index) for index in range(len(each.foot)))
    for number, (stripe, taken) in enumerate(zip(state.stock.stripes, state.stock.taken, strict=True)):
        yield from (Place("stripe", number, index) for index in range(taken, len(stripe)))


def card_at(state: RoundState, place: Place) -> Card:
    """Return the card at *place*."""
    match place.zone:
        case "holding":
            return state.seats[place.owner].cards[place.number]
        case "foot":
            return state.seats[place.owner].foot[place.number]
    return state.stock.stripes[place.owner][place.number]


def exchange(state: RoundState, places: Iterable[Place], random: Random) -> RoundState:
    """Return a copy of *state* in which the cards at *places* have been shuffled among these."""
    listed = list(places)
    cards = [card_at(state, place) for place in listed]
    random.shuffle(cards)
    return put(state, dict(zip(listed, cards, strict=True)))


def put(state: RoundState, cards: dict[Place, Card]) -> RoundState:
    """Return a copy of *state* with other cards at some places."""
    copy = state.copy()
    feet = [list(each.foot) for each in copy.seats]
    stripes = [list(stripe) for stripe in copy.stock.stripes]
    for (zone, owner, number), card in cards.items():
        zones = {"holding": copy.seats[owner].cards, "foot": feet[owner], "stripe": stripes[owner]}
        zones[zone][number] = card
    copy.stock.stripes = tuple(tuple(stripe) for stripe in stripes)
    for each, foot in zip(copy.seats, feet, strict=True):
        each.foot = tuple(foot)
        each.counts = count_ranks(each.cards)
    return copy


def is_red_three(state: RoundState, place: Place) -> bool:
    """Return whether a red three lies at *place*, which shows as soon as it is laid."""
    return RANK_OF[card_at(state, place)] == RED_THREE
