"""The listed lay-downs: single entries, and for an opening what `referee.rules.openings` combines."""

from collections.abc import Iterator
from operator import add
from typing import Final

from referee.rules.actions import Entry, LayDown
from referee.rules.cards import JOKER, NATURALS, TWO, WILD, Card, lowest_cards
from referee.rules.growths import Growth, growth_key
from referee.rules.legality import judge
from referee.rules.openings import Parts, opening_parts
from referee.rules.ruleset import BOOK_SIZE
from referee.rules.state import RoundState, SeatState

Group = tuple[int, int, tuple[Growth, ...]]
"""Rank of a meld, its number or -1 for a new one, and the ways in which it can grow by a single entry."""

_KEY_OF_BOOK: Final = growth_key(BOOK_SIZE, 0, 0)


def build_entry(held: list[Card], rank: int, target: int, growth: Growth) -> Entry:
    """Return the entry by which meld *target*, a new one if it is -1, of *rank* grows by the lowest cards *held*."""
    naturals, twos, jokers = growth
    cards = lowest_cards(held, rank, naturals) if naturals else []
    if twos:
        cards += lowest_cards(held, TWO, twos)
    if jokers:
        cards += lowest_cards(held, JOKER, jokers)
    return Entry(tuple(cards), None if target < 0 else target)


def build_entries(state: RoundState, parts: Parts) -> tuple[Entry, ...]:
    """Return the entries of *parts* for the seat in turn; each takes the cards that those before it left."""
    held = state.seats[state.turn].cards.copy()
    open_melds = state.sides[state.turn % len(state.sides)].open_melds
    entries = []
    for rank, joins, growth, _ in parts:
        entry = build_entry(held, rank, open_melds[rank] if joins else -1, growth)
        for card in entry.cards:
            held.remove(card)
        entries.append(entry)
    return tuple(entries)


def natural_growths(state: RoundState) -> Iterator[tuple[Growth, ...]]:
    """Yield, by natural rank, the ways in which the unfinished or a new meld can grow by what the seat in turn has."""
    counts = state.seats[state.turn].counts
    table = state.growths[counts[TWO], counts[JOKER]]
    return map(table.__getitem__, map(add, state.sides[state.turn % len(state.sides)].keys, counts))


def natural_growth_count(state: RoundState) -> int:
    """Return how many `natural_growths` there are."""
    counts = state.seats[state.turn].counts
    numbers = state.growths[counts[TWO], counts[JOKER]].numbers
    count = 0
    for rank, key in enumerate(state.sides[state.turn % len(state.sides)].keys):
        count += numbers[key + counts[rank]]
    return count


def single_groups(state: RoundState, others: list[Group]) -> list[Group]:
    """Return what the seat in turn, having opened, can lay by single entries; *others* are its `other_groups`."""
    open_melds = state.sides[state.turn % len(state.sides)].open_melds
    naturals = zip(range(NATURALS), open_melds, natural_growths(state), strict=False)
    groups = [group for group in naturals if group[2]] + others
    if state.ruleset.melds.books_grow:
        groups.sort()
    return groups


def other_groups(state: RoundState) -> list[Group]:
    """Return what `natural_growths` leave out: the meld of wild cards, and books where they grow."""
    rule = state.ruleset.melds
    groups: list[Group] = []
    if rule.wild_melds:
        _add_wild_group(state, groups)
    if rule.books_grow:
        _add_books(state, groups)
    return groups


def nth_entry(state: RoundState, number: int, naturals: int, others: list[Group]) -> Entry:
    """Return the single entry with that *number*, from 0, of *naturals* `natural_growths` and the `other_groups`."""
    if others and (number >= naturals or state.ruleset.melds.books_grow):
        return _nth_of_groups(state, number, others)
    seat, side = state.seats[state.turn], state.sides[state.turn % len(state.sides)]
    counts = seat.counts
    growths = state.growths[counts[TWO], counts[JOKER]]
    numbers = growths.numbers
    for rank, key in enumerate(side.keys):
        key += counts[rank]
        if number < numbers[key]:
            return build_entry(seat.cards, rank, side.open_melds[rank], growths[key][number])
        number -= numbers[key]
    raise AssertionError("a number below the count names an entry")


def _nth_of_groups(state: RoundState, number: int, others: list[Group]) -> Entry:
    for rank, target, growths in single_groups(state, others):
        if number < len(growths):
            return build_entry(state.seats[state.turn].cards, rank, target, growths[number])
        number -= len(growths)
    raise AssertionError("a number below the count names an entry")


def _add_wild_group(state: RoundState, groups: list[Group]) -> None:
    counts = state.seats[state.turn].counts
    twos, jokers = counts[TWO], counts[JOKER]
    if not (twos or jokers):
        return
    target = state.sides[state.turn % len(state.sides)].open_melds[WILD]
    wilds = 0 if target < 0 else state.melds[target].wilds
    if growths := state.wild_growths[wilds, twos, jokers]:
        groups.append((WILD, target, growths))


def _add_books(state: RoundState, groups: list[Group]) -> None:
    counts = state.seats[state.turn].counts
    melds, table = state.melds, state.growths[0, 0]
    for number in state.sides[state.turn % len(state.sides)].complete:
        rank = melds[number].rank
        if counts[rank]:
            groups.append((rank, number, table[_KEY_OF_BOOK + counts[rank]]))


def is_tight(seat: SeatState) -> bool:
    """Return whether single entries of *seat*, on its foot, may leave it too few cards: each is to be judged then."""
    *of_naturals, twos, jokers, _, _ = seat.counts
    return len(seat.cards) - 2 < max(of_naturals) + twos + jokers


def iterate_lay_downs(state: RoundState) -> Iterator[LayDown]:
    """Yield the listed lay-downs of the seat in turn."""
    seat = state.seats[state.turn]
    if not seat.opened:
        yield from _openings(state)
        return
    spare = len(seat.cards) - 2 if seat.on_foot else len(seat.cards)
    for rank, target, growths in single_groups(state, other_groups(state)):
        for growth in growths:
            action = LayDown((build_entry(seat.cards, rank, target, growth),))
            if growth.size <= spare or judge(state, action) is None:
                yield action


def _openings(state: RoundState) -> Iterator[LayDown]:
    seat = state.seats[state.turn]
    for parts in opening_parts(state):
        action = LayDown(build_entries(state, parts))
        left = len(seat.cards) - sum(part.growth.size for part in parts)
        if left >= 2 or not seat.on_foot or judge(state, action) is None:
            yield action
