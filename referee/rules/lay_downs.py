"""The listed lay-downs: single entries, and for an opening what `referee.rules.openings` combines."""

from collections.abc import Iterator
from operator import add

from referee.rules.actions import Entry, LayDown
from referee.rules.cards import IS_OF, JOKER, TWO, WILD, Rank
from referee.rules.growths import Growth, growth_key
from referee.rules.legality import judge
from referee.rules.openings import opening_parts
from referee.rules.ruleset import BOOK_SIZE
from referee.rules.state import RoundState, SeatState

Group = tuple[Rank, int | None, tuple[Growth, ...]]
"""Rank and target of a meld, and the ways in which it can grow by a single entry."""


def build_entry(seat: SeatState, rank: Rank, target: int | None, growth: Growth) -> Entry:
    """Return the entry by which a meld of *rank* grows by the lowest cards of *seat*."""
    naturals, twos, jokers = growth
    cards = sorted(filter(IS_OF[rank], seat.cards))[:naturals] if naturals else []
    if twos:
        cards += sorted(filter(IS_OF[TWO], seat.cards))[:twos]
    if jokers:
        cards += sorted(filter(IS_OF[JOKER], seat.cards))[:jokers]
    return Entry(tuple(cards), target)


def build_entries(seat: SeatState, parts: tuple[tuple[Rank, int | None, Growth], ...]) -> tuple[Entry, ...]:
    """Return the entries of several parts; each takes the cards that those before it left."""
    first = build_entry(seat, *parts[0])
    if len(parts) == 1:
        return (first,)
    rest = seat.copy()
    for card in first.cards:
        rest.cards.remove(card)
    return first, *build_entries(rest, parts[1:])


def natural_growths(state: RoundState) -> list[tuple[Growth, ...]]:
    """Return, by natural rank, the ways in which the unfinished or a new meld can grow by what the seat in turn has."""
    counts = state.seats[state.turn].counts
    table = state.growths[counts[TWO], counts[JOKER]]
    keys = state.sides[state.turn % len(state.sides)].keys
    return list(map(table.__getitem__, map(add, keys, counts)))


def natural_growth_count(state: RoundState) -> int:
    """Return how many `natural_growths` there are."""
    counts = state.seats[state.turn].counts
    table = state.growths[counts[TWO], counts[JOKER]].numbers
    return sum(map(table.__getitem__, map(add, state.sides[state.turn % len(state.sides)].keys, counts)))


def single_groups(state: RoundState) -> list[Group]:
    """Return what the seat in turn, having opened, can lay by single entries, by rank and target."""
    open_melds = state.sides[state.turn % len(state.sides)].open_melds
    groups = [
        (Rank(rank), _target(open_melds[rank]), growths)
        for rank, growths in enumerate(natural_growths(state))
        if growths
    ]
    groups += other_groups(state)
    if state.ruleset.melds.books_grow:
        groups.sort(key=lambda group: (group[0], -1 if group[1] is None else group[1]))
    return groups


def other_groups(state: RoundState) -> list[Group]:
    """Return what `natural_growths` leave out: the meld of wild cards, and books where they grow."""
    rule = state.ruleset.melds
    if not rule.wild_melds and not rule.books_grow:
        return []
    groups: list[Group] = []
    counts = state.seats[state.turn].counts
    number = state.turn % len(state.sides)
    if rule.wild_melds and counts[TWO] + counts[JOKER]:
        _add_wild_group(state, groups, counts, state.sides[number].open_melds[WILD])
    if rule.books_grow:
        _add_books(state, groups, counts, number)
    return groups


def nth_entry(state: RoundState, number: int) -> Entry:
    """Return the single entry with that *number*, from 0, of the `natural_growths`."""
    for rank, growths in enumerate(natural_growths(state)):
        if number < len(growths):
            target = state.sides[state.turn % len(state.sides)].open_melds[rank]
            return build_entry(state.seats[state.turn], Rank(rank), _target(target), growths[number])
        number -= len(growths)
    raise AssertionError("a number below the count names an entry")


def nth_of_groups(state: RoundState, number: int) -> Entry:
    """Return the single entry with that *number*, from 0, of all `single_groups`."""
    for rank, target, growths in single_groups(state):
        if number < len(growths):
            return build_entry(state.seats[state.turn], rank, target, growths[number])
        number -= len(growths)
    raise AssertionError("a number below the count names an entry")


def _target(number: int) -> int | None:
    return None if number < 0 else number


def _add_wild_group(state: RoundState, groups: list[Group], counts: list[int], target: int) -> None:
    wilds = 0 if target < 0 else state.melds[target].wilds
    growths = state.wild_growths[wilds, min(counts[TWO], BOOK_SIZE), min(counts[JOKER], BOOK_SIZE)]
    if growths:
        groups.append((WILD, _target(target), growths))


def _add_books(state: RoundState, groups: list[Group], counts: list[int], side: int) -> None:
    for number in state.sides[side].complete:
        rank = state.melds[number].rank
        if counts[rank]:
            groups.append((rank, number, state.growths[0, 0][growth_key(BOOK_SIZE, 0, counts[rank])]))


def is_tight(state: RoundState) -> bool:
    """Return whether some of the listed lay-downs of the seat in turn may leave too few cards: each is to be judged."""
    seat = state.seats[state.turn]
    return seat.on_foot and (len(seat.cards) - 2 < BOOK_SIZE or state.ruleset.melds.books_grow)


def iterate_lay_downs(state: RoundState) -> Iterator[LayDown]:
    """Yield the listed lay-downs of the seat in turn."""
    seat = state.seats[state.turn]
    if not seat.opened:
        yield from _openings(state)
        return
    spare = len(seat.cards) - 2 if seat.on_foot else len(seat.cards)
    for rank, target, growths in single_groups(state):
        for growth in growths:
            action = LayDown((build_entry(seat, rank, target, growth),))
            if growth.size <= spare or judge(state, action) is None:
                yield action


def _openings(state: RoundState) -> Iterator[LayDown]:
    seat = state.seats[state.turn]
    for parts in opening_parts(state):
        action = LayDown(build_entries(seat, tuple(part[:3] for part in parts)))
        left = len(seat.cards) - sum(part.growth.size for part in parts)
        if left >= 2 or not seat.on_foot or judge(state, action) is None:
            yield action
