"""Deals that differ only in cards which one seat does not get to see in the part of a match that was played."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from random import Random

import pytest
from leak.exchange import rearranged

from referee.rules import (
    RANK_OF,
    Card,
    CardDiscarded,
    CardsDrawn,
    CardsMelded,
    Deal,
    Event,
    FootPickedUp,
    PileTaken,
    RedThreeLaid,
    Ruleset,
    transitions,
)
from referee.rules.state import Stock

UPCARD = -1
"""Where the upcard was dealt: seen by everybody, like whatever lies under the stock."""


class Tracker:
    """
    Where every card of a deal has gone, and which of them one seat has seen.

    Places count through the deal: all hands, all feet, then the stock from the top. Where a seat plays one of several
    equal cards, it is taken to be one that was seen before.
    """

    def __init__(self, deal: Deal, seat: int) -> None:
        seats = len(deal.hands)
        self.cards = [card for packet in (*deal.hands, *deal.feet, deal.stock) for card in packet]
        places = iter(range(len(self.cards)))
        self.holdings = [[next(places) for _ in hand] for hand in deal.hands]
        self.feet = [[next(places) for _ in foot] for foot in deal.feet]
        under = range(-2, -2 - len(deal.under), -1)
        self._faces = dict(enumerate(self.cards)) | dict(zip(under, deal.under, strict=True))
        self._stock = Stock(tuple(places), tuple(under), seats)  # type: ignore[arg-type]
        self._pile = [] if deal.upcard is None else [UPCARD]
        if deal.upcard is not None:
            self._faces[UPCARD] = deal.upcard
        self._seat = seat
        self.seen = {UPCARD, *under, *self.holdings[seat]}

    def follow(self, events: Iterable[Event]) -> None:
        """Move cards as the *events* of one action, or of the deal, say."""
        waiting: list[int] = []
        for event in events:
            match event:
                case CardsDrawn(seat, count):
                    self._receive(seat, list(self._stock.draw(seat, count)))
                case FootPickedUp(seat):
                    self._receive(seat, self.feet[seat])
                    self.feet[seat] = []
                case PileTaken(seat, cards):  # only the upcard is melded with what the seat held
                    taker, waiting = seat, self._pile[-len(cards) : -1]
                    self.holdings[seat].append(self._pile[-1])
                    del self._pile[-len(cards) :]
                case CardDiscarded(seat, card):
                    self._pile.append(self._play(seat, card))
                case RedThreeLaid(seat, card):
                    self._play(seat, card)
                case CardsMelded(seat, _, cards):
                    for card in cards:
                        self._play(seat, card)
        if waiting:
            self.holdings[taker] += waiting

    def _receive(self, seat: int, places: Sequence[int]) -> None:
        self.holdings[seat] += places
        if seat == self._seat:
            self.seen.update(places)

    def _play(self, seat: int, card: Card) -> int:
        alike = [place for place in self.holdings[seat] if self._faces[place] == card]
        place = min(alike, key=lambda place: place not in self.seen)
        self.holdings[seat].remove(place)
        self.seen.add(place)
        return place

    def owner(self, place: int) -> int | None:
        """Return the seat that holds the card of *place*, or in whose untouched foot it lies; None for the stock."""
        packets = enumerate(zip(self.holdings, self.feet, strict=True))
        return next((seat for seat, (held, foot) in packets if place in held or place in foot), None)

    def held(self, place: int) -> bool:
        """Return whether the card of *place* is in a holding."""
        return any(place in holding for holding in self.holdings)


Pooling = Callable[[Tracker, Ruleset, int], Hashable]
"""Tells places apart between which no cards are exchanged."""


def freely(tracker: Tracker, ruleset: Ruleset, place: int) -> Hashable:
    """Exchange all hidden cards with one another."""
    return None


def within_sides(tracker: Tracker, ruleset: Ruleset, place: int) -> Hashable:
    """Exchange cards that are left with one side, so that it is worth as much at the end."""
    owner = tracker.owner(place)
    return None if owner is None else owner % ruleset.sides(len(tracker.feet))


def within_ranks(tracker: Tracker, ruleset: Ruleset, place: int) -> Hashable:
    """Exchange suits only: neither what is legal nor what is scored looks at them."""
    return RANK_OF[tracker.cards[place]]


def exchange_deal(deal: Deal, tracker: Tracker, ruleset: Ruleset, pooling: Pooling, random: Random) -> Deal:
    """Return *deal* with the cards exchanged that *tracker* says were never seen."""
    places = [place for place in range(len(tracker.cards)) if place not in tracker.seen]
    laid = ruleset.red_threes == "laid"
    mixed = rearranged(
        [tracker.cards[place] for place in places],
        [pooling(tracker, ruleset, place) for place in places],
        [laid and tracker.held(place) for place in places],
        random,
    )
    cards = tracker.cards.copy()
    for place, card in zip(places, mixed, strict=True):
        cards[place] = card
    return _dealt(deal, cards)


def _dealt(deal: Deal, cards: list[Card]) -> Deal:
    dealt = iter(cards)
    hands, feet = (
        tuple(tuple(next(dealt) for _ in packet) for packet in packets) for packets in (deal.hands, deal.feet)
    )
    return Deal(hands, feet, tuple(dealt), deal.under, deal.upcard, deal.rejected, deal.first_seat)


@contextmanager
def dealing(deals: Sequence[Deal]) -> Iterator[None]:
    """Deal *deals*, whatever the keys are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transitions, "deal_round", lambda ruleset, seats, number, key: deals[number])
        yield
