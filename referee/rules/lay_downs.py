"""The listed lay-downs: single entries, and for an opening the combinations from which no entry can be left out."""

from collections.abc import Iterator
from typing import NamedTuple

from referee.rules.actions import Entry, LayDown
from referee.rules.cards import JOKER, NATURALS, RANK_OF, RANKS, TWO, WILD, Card, Rank, sort_cards
from referee.rules.legality import judge
from referee.rules.melds import judge_growth, judge_wild_growth
from referee.rules.ruleset import BOOK_SIZE
from referee.rules.state import RoundState


class Part(NamedTuple):
    """One possible entry, by counts."""

    rank: Rank
    naturals: int
    twos: int
    jokers: int
    target: int | None
    points: int
    """Points of the cards it lays."""


class Shelf:
    """The holding of a seat sorted by rank, from which entries take the lowest suits first."""

    __slots__ = ("by_rank", "counts")

    def __init__(self, state: RoundState, seat: int) -> None:
        self.counts = state.seats[seat].counts
        self.by_rank: list[list[Card]] = [[] for _ in range(RANKS)]
        for card in sort_cards(state.seats[seat].cards):
            self.by_rank[RANK_OF[card]].append(card)

    def cards(self, part: Part) -> tuple[Card, ...]:
        """Return the cards of *part*, naturals first."""
        naturals = self.by_rank[part.rank][: part.naturals] if part.naturals else []
        return (*naturals, *self.by_rank[TWO][: part.twos], *self.by_rank[JOKER][: part.jokers])

    def entries(self, parts: tuple[Part, ...]) -> tuple[Entry, ...]:
        """Return the entries of several parts; each takes the wild cards that those before it left."""
        twos = jokers = 0
        entries = []
        for part in parts:
            naturals = self.by_rank[part.rank][: part.naturals] if part.naturals else []
            wilds = (
                *self.by_rank[TWO][twos : twos + part.twos],
                *self.by_rank[JOKER][jokers : jokers + part.jokers],
            )
            entries.append(Entry((*naturals, *wilds), part.target))
            twos, jokers = twos + part.twos, jokers + part.jokers
        return tuple(entries)


def iterate_lay_downs(state: RoundState) -> Iterator[LayDown]:
    """Yield the listed lay-downs of the seat in turn."""
    seat = state.seats[state.turn]
    if not seat.opened:
        yield from _openings(state)
        return
    shelf = Shelf(state, state.turn)
    held = len(seat.cards)
    for part in single_parts(state, state.turn):
        action = LayDown((Entry(shelf.cards(part), part.target),))
        left = held - part.naturals - part.twos - part.jokers
        if left >= 2 or not seat.on_foot or judge(state, action) is None:
            yield action


def single_parts(state: RoundState, number: int) -> Iterator[Part]:
    """Yield each single entry that seat *number*, having opened, can lay by itself, by rank, target and counts."""
    counts = state.seats[number].counts
    side = state.side_of(number)
    open_melds = state.sides[side].open_melds
    rule = state.ruleset.melds
    books: dict[int, list[int]] = {}
    if rule.books_grow:
        for meld_number, meld in enumerate(state.melds):
            if meld.side == side and meld.is_book:
                books.setdefault(meld.rank, []).append(meld_number)
    for index in range(NATURALS):
        rank = Rank(index)
        open_meld = open_melds[rank]
        if counts[rank] >= 2 or (open_meld >= 0 and (counts[rank] or counts[TWO] or counts[JOKER])):
            yield from grow_parts(state, counts, rank, None if open_meld < 0 else open_meld)
        for book in books.get(rank, ()):
            for naturals in range(1, counts[rank] + 1):
                yield Part(rank, naturals, 0, 0, book, 0)
    if rule.wild_melds:
        yield from wild_parts(state, counts, None if open_melds[WILD] < 0 else open_melds[WILD])


def grow_parts(state: RoundState, counts: list[int], rank: Rank, target: int | None) -> Iterator[Part]:
    """Yield each way to begin a meld of *rank*, or to add to the unfinished meld *target*."""
    rule = state.ruleset.melds
    points = state.ruleset.scores.points
    naturals, wilds = 0, 0
    if target is not None:
        naturals, wilds = state.melds[target].naturals, state.melds[target].wilds
    most_wilds = min(counts[TWO] + counts[JOKER], BOOK_SIZE // 2 - wilds)
    for more in range(counts[rank] + 1):
        for more_wilds in range(most_wilds + 1):
            if not more + more_wilds or judge_growth(rule, naturals, wilds, more, more_wilds):
                continue
            for twos in range(max(0, more_wilds - counts[JOKER]), min(counts[TWO], more_wilds) + 1):
                jokers = more_wilds - twos
                value = points[rank] * more + points[TWO] * twos + points[JOKER] * jokers
                yield Part(rank, more, twos, jokers, target, value)


def wild_parts(state: RoundState, counts: list[int], target: int | None) -> Iterator[Part]:
    """Yield each way to begin a meld of wild cards, or to add to the unfinished one *target*."""
    rule = state.ruleset.melds
    points = state.ruleset.scores.points
    wilds = 0 if target is None else state.melds[target].wilds
    for more in range(1, min(counts[TWO] + counts[JOKER], BOOK_SIZE) + 1):
        if judge_wild_growth(rule, wilds, 0, more):
            continue
        for twos in range(max(0, more - counts[JOKER]), min(counts[TWO], more) + 1):
            jokers = more - twos
            yield Part(WILD, 0, twos, jokers, target, points[TWO] * twos + points[JOKER] * jokers)


def _openings(state: RoundState) -> Iterator[LayDown]:
    seat = state.seats[state.turn]
    shelf = Shelf(state, state.turn)
    minimum = state.ruleset.opening.minimum(state.round)
    groups = opening_groups(state, state.turn, seat.counts)
    for parts in combinations(groups, minimum, seat.counts[TWO], seat.counts[JOKER]):
        action = LayDown(shelf.entries(parts))
        left = len(seat.cards) - sum(part.naturals + part.twos + part.jokers for part in parts)
        if left >= 2 or not seat.on_foot or judge(state, action) is None:
            yield action


def opening_groups(state: RoundState, number: int, counts: list[int]) -> list[list[Part]]:
    """Return, for each rank in which seat *number* could open, the new melds that are valid by themselves."""
    barred = 0
    if state.ruleset.opening.excludes_partner_ranks:
        for partner in state.partners(number):
            barred |= state.seats[partner].opening_ranks
    groups = []
    for index in range(NATURALS):
        rank = Rank(index)
        if counts[rank] >= 2 and not barred >> rank & 1:
            groups.append(_joined(state, number, rank, list(grow_parts(state, counts, rank, None))))
    if state.ruleset.melds.wild_melds and not barred >> WILD & 1:
        groups.append(_joined(state, number, WILD, list(wild_parts(state, counts, None))))
    return [group for group in groups if group]


def _joined(state: RoundState, number: int, rank: Rank, parts: list[Part]) -> list[Part]:
    """Send *parts* to the unfinished meld of their rank, if the side has one, and drop those that it cannot take."""
    target = state.sides[state.side_of(number)].open_melds[rank]
    if target < 0:
        return parts
    meld, rule = state.melds[target], state.ruleset.melds
    fits = [
        part
        for part in parts
        if not (
            judge_wild_growth(rule, meld.wilds, 0, part.twos + part.jokers)
            if rank == WILD
            else judge_growth(rule, meld.naturals, meld.wilds, part.naturals, part.twos + part.jokers)
        )
    ]
    return [part._replace(target=target) for part in fits]


def combinations(
    groups: list[list[Part]], minimum: int, twos: int, jokers: int, base: int = 0
) -> Iterator[tuple[Part, ...]]:
    """
    Yield the combinations of parts, at most one a group, that reach *minimum* and from which none can be left out.

    *base* are points that are there anyway; *twos* and *jokers* is how many wild cards all parts together may use.
    """
    most = [0] * (len(groups) + 1)
    for place in range(len(groups) - 1, -1, -1):
        most[place] = most[place + 1] + max(part.points for part in groups[place])

    def extend(
        place: int, chosen: tuple[Part, ...], total: int, least: int, twos: int, jokers: int
    ) -> Iterator[tuple[Part, ...]]:
        if total + most[place] < minimum or place == len(groups):
            return
        for part in groups[place]:
            reached, spare = total + part.points, min(least, part.points)
            if part.twos > twos or part.jokers > jokers or reached - spare >= minimum:
                continue
            if reached >= minimum:
                yield (*chosen, part)
            else:
                yield from extend(
                    place + 1, (*chosen, part), reached, spare, twos - part.twos, jokers - part.jokers
                )
        yield from extend(place + 1, chosen, total, least, twos, jokers)

    if minimum <= base:
        yield from ((part,) for group in groups for part in group)
        return
    yield from extend(0, (), base, 10**9, twos, jokers)
