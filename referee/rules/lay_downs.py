"""The listed lay-downs: single entries, and for an opening the combinations from which no entry can be left out."""

from collections.abc import Iterator
from typing import NamedTuple

from referee.rules.actions import Entry, LayDown
from referee.rules.cards import JOKER, NATURALS, RANK_OF, TWO, WILD, Card, Rank
from referee.rules.growths import MOST_WILDS, Growth, growth_key
from referee.rules.legality import judge
from referee.rules.melds import judge_growth, judge_wild_growth
from referee.rules.ruleset import BOOK_SIZE
from referee.rules.state import RoundState, SeatState

Group = tuple[Rank, int | None, tuple[Growth, ...]]
"""Rank and target of a meld, and the ways in which it can grow by a single entry."""


class Part(NamedTuple):
    """One entry of an opening."""

    rank: Rank
    target: int | None
    growth: Growth
    points: int
    """Points of the cards it lays."""


def lowest(cards: list[Card], rank: int, number: int) -> list[Card]:
    """Return *number* of the *cards* of *rank*, lowest suits first."""
    alike = [card for card in cards if RANK_OF[card] == rank]
    alike.sort()
    return alike[:number]


def build_entry(seat: SeatState, rank: Rank, target: int | None, growth: Growth) -> Entry:
    """Return the entry by which a meld of *rank* grows by the lowest cards of *seat*."""
    naturals, twos, jokers = growth
    cards = lowest(seat.cards, rank, naturals) if naturals else []
    if twos:
        cards += lowest(seat.cards, TWO, twos)
    if jokers:
        cards += lowest(seat.cards, JOKER, jokers)
    return Entry(tuple(cards), target)


def build_entries(seat: SeatState, parts: tuple[tuple[Rank, int | None, Growth], ...]) -> tuple[Entry, ...]:
    """Return the entries of several parts; each takes the cards that those before it left."""
    rest = seat.copy()
    entries = []
    for part in parts:
        entries.append(build_entry(rest, *part))
        for card in entries[-1].cards:
            rest.cards.remove(card)
    return tuple(entries)


def natural_growths(state: RoundState) -> list[tuple[Growth, ...]]:
    """Return, by natural rank, the ways in which the unfinished or a new meld can grow by what the seat in turn has."""
    counts = state.seats[state.turn].counts
    table = state.growths[min(counts[TWO], MOST_WILDS), min(counts[JOKER], MOST_WILDS)]
    keys = state.sides[state.turn % len(state.sides)].keys
    return [table[key + at_hand] for key, at_hand in zip(keys, counts, strict=False)]


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
    if rule.books_grow and state.melds:
        _add_books(state, groups, counts, number)
    return groups


def nth_entry(
    state: RoundState, number: int, naturals: list[tuple[Growth, ...]], others: list[Group]
) -> Entry:
    """Return the single entry with that *number*, from 0, of those in *naturals* and then *others*."""
    seat = state.seats[state.turn]
    for rank, growths in enumerate(naturals):
        if number < len(growths):
            target = state.sides[state.turn % len(state.sides)].open_melds[rank]
            return build_entry(seat, Rank(rank), _target(target), growths[number])
        number -= len(growths)
    for of_meld, on_table, growths in others:
        if number < len(growths):
            return build_entry(seat, of_meld, on_table, growths[number])
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
    for number, meld in enumerate(state.melds):
        if meld.side == side and meld.is_book and meld.rank != WILD and counts[meld.rank]:
            growths = state.growths[0, 0][growth_key(BOOK_SIZE, 0, counts[meld.rank])]
            groups.append((meld.rank, number, growths))


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


def opening_parts(state: RoundState) -> Iterator[tuple[Part, ...]]:
    """Yield the combinations with which the seat in turn can open, none of whose parts can be left out."""
    counts = state.seats[state.turn].counts
    minimum = state.ruleset.opening.minimum(state.round)
    points = state.ruleset.scores.points
    within_reach = sum([points[rank] * counts[rank] for rank in range(TWO + 2)])
    if within_reach >= minimum:
        groups = opening_groups(state, state.turn)
        yield from combinations(groups, minimum, counts[TWO], counts[JOKER])


def opening_groups(state: RoundState, number: int) -> list[list[Part]]:
    """Return, for each rank in which seat *number* could open, the sets that are valid by themselves."""
    counts = state.seats[number].counts
    barred = 0
    if state.ruleset.opening.excludes_partner_ranks:
        for partner in state.partners(number):
            barred |= state.seats[partner].opening_ranks
    table = state.growths[min(counts[TWO], MOST_WILDS), min(counts[JOKER], MOST_WILDS)]
    groups = [
        _opening_group(state, number, Rank(rank), table[counts[rank]])
        for rank in range(NATURALS)
        if counts[rank] >= 2 and not barred >> rank & 1
    ]
    if state.ruleset.melds.wild_melds and not barred >> WILD & 1:
        growths = state.wild_growths[0, min(counts[TWO], BOOK_SIZE), min(counts[JOKER], BOOK_SIZE)]
        groups.append(_opening_group(state, number, WILD, growths))
    return [group for group in groups if group]


def _opening_group(state: RoundState, number: int, rank: Rank, growths: tuple[Growth, ...]) -> list[Part]:
    """Return the sets of one rank; they go to the unfinished meld of the rank, if the side has one that takes them."""
    points = state.ruleset.scores.points
    target = state.sides[state.side_of(number)].open_melds[rank]
    return [
        Part(
            rank,
            None if target < 0 else target,
            growth,
            points[rank] * growth.naturals + points[TWO] * growth.twos + points[JOKER] * growth.jokers,
        )
        for growth in growths
        if target < 0 or _joins(state, target, growth)
    ]


def _joins(state: RoundState, target: int, growth: Growth) -> bool:
    meld, rule = state.melds[target], state.ruleset.melds
    wilds = growth.twos + growth.jokers
    if meld.rank == WILD:
        return judge_wild_growth(rule, meld.wilds, growth.naturals, wilds) is None
    return judge_growth(rule, meld.naturals, meld.wilds, growth.naturals, wilds) is None


def combinations(
    groups: list[list[Part]], minimum: int, twos: int, jokers: int, base: int = 0
) -> Iterator[tuple[Part, ...]]:
    """
    Yield the combinations of parts, at most one a group, that reach *minimum* and from which none can be left out.

    *base* are points that are there anyway; *twos* and *jokers* is how many wild cards all parts together may use.
    """
    if minimum <= base:
        return iter([(part,) for group in groups for part in group])
    most = [0] * (len(groups) + 1)
    for place in range(len(groups) - 1, -1, -1):
        most[place] = most[place + 1] + max([part.points for part in groups[place]])
    return _extend(groups, most, minimum, (0, (), base, 10**9, twos, jokers))


_Chosen = tuple[int, tuple[Part, ...], int, int, int, int]
"""Next group, parts so far, their points with the base, the least of them, twos left, jokers left."""


def _extend(
    groups: list[list[Part]], most: list[int], minimum: int, chosen: _Chosen
) -> Iterator[tuple[Part, ...]]:
    place, parts, total, least, twos, jokers = chosen
    while place < len(groups) and total + most[place] >= minimum:
        for part in groups[place]:
            _, _, (_, part_twos, part_jokers), points = part
            spare = points if points < least else least
            if part_twos > twos or part_jokers > jokers or total + points - spare >= minimum:
                continue
            if total + points >= minimum:
                yield (*parts, part)
            elif total + points + most[place + 1] >= minimum:
                longer = (*parts, part)
                rest = (place + 1, longer, total + points, spare, twos - part_twos, jokers - part_jokers)
                yield from _extend(groups, most, minimum, rest)
        place += 1
