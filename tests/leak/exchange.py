"""Everything that a seat cannot see, exchanged for something else that it could not tell apart."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

from referee.rules import RANK_OF, Card, CardsDrawn, Event, FootPickedUp, RoundState
from referee.rules.cards import PACK_SIZE, RED_THREE, count_ranks
from referee.service.clock import SeatClock, TimeControl
from referee.service.table import Table


def rearranged(
    cards: Sequence[Card], pools: Sequence[Hashable], barred: Sequence[bool], random: Random
) -> list[Card]:
    """
    Return *cards* shuffled within each pool, one pool a place.

    A red three never goes to a place where it is *barred*, since there it would be laid on the table at once.
    """
    result = list(cards)
    for pool in dict.fromkeys(pools):
        places = [place for place, each in enumerate(pools) if each == pool]
        reds = [cards[place] for place in places if RANK_OF[cards[place]] == RED_THREE]
        others = [cards[place] for place in places if RANK_OF[cards[place]] != RED_THREE]
        for_reds = set(random.sample([place for place in places if not barred[place]], len(reds)))
        random.shuffle(others)
        random.shuffle(reds)
        for place in places:
            result[place] = reds.pop() if place in for_reds else others.pop()
    return result


def exchange_cards(state: RoundState, seat: int, random: Random) -> RoundState:
    """
    Return a round that looks the same to *seat*, with all cards shuffled that it cannot see.

    These are the others' holdings, all feet and the stock; what lies under the stock has been seen by everybody.
    """
    other = state.copy()
    holdings = [each.cards for number, each in enumerate(state.seats) if number != seat]
    stripes = zip(state.stock.stripes, state.stock.taken, strict=True)
    packets = [
        *holdings,
        *(each.foot for each in state.seats),
        *(stripe[taken:] for stripe, taken in stripes),
    ]
    cards = [card for packet in packets for card in packet]
    laid = state.ruleset.red_threes == "laid"
    barred = [laid and number < len(holdings) for number, packet in enumerate(packets) for _ in packet]
    mixed = iter(rearranged(cards, [None] * len(cards), barred, random))
    for number, each in enumerate(other.seats):
        if number != seat:
            each.cards = list(islice(mixed, len(each.cards)))
            each.counts = count_ranks(each.cards)
    for each in other.seats:
        each.foot = tuple(islice(mixed, len(each.foot)))
    other.stock.stripes = tuple(
        stripe[:taken] + tuple(islice(mixed, len(stripe) - taken))
        for stripe, taken in zip(state.stock.stripes, state.stock.taken, strict=True)
    )
    return other


def exchange_event(event: Event, seat: int, random: Random) -> Event:
    """Return *event* with other cards where *seat* was not shown them."""
    if isinstance(event, CardsDrawn | FootPickedUp) and event.seat != seat:
        return replace(event, cards=tuple(Card(random.randrange(PACK_SIZE)) for _ in event.cards))
    return event


def disguise(table: Table, seat: int, random: Random, now: float) -> None:
    """
    Exchange everything at *table* that *seat* cannot know, *now* being the time.

    Beside the cards that is what was drawn before, the keys of deals to come, and the clocks, strikes and protocol
    faults of others.
    """
    match = table.match
    match.state = exchange_cards(match.state, seat, random)
    match.keys = tuple(random.randbytes(32) for _ in match.keys)
    table.events = [exchange_event(event, seat, random) for event in table.events]
    table.log = [
        entry if entry.seat == seat else replace(entry, ms=7777, by_referee=not entry.by_referee)
        for entry in table.log
    ]
    for number, chair in enumerate(table.chairs):
        if number != seat:
            chair.clock = SeatClock(TimeControl(turn=77.0, bank=777.0))
            if chair.pending:
                chair.clock.start(now)
            chair.corrections, chair.strikes, chair.protocol_faults = 1, 1, 5
            chair.heard, chair.spent = 0, 77.0
