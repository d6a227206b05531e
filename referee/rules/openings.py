"""With what a seat can open: the combinations of sets from which none can be left out."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from operator import mul
from typing import Final, NamedTuple

from referee.rules.cards import JOKER, NATURALS, TWO, WILD, Rank
from referee.rules.growths import Growth, growth_tables
from referee.rules.melds import judge_growth, judge_wild_growth
from referee.rules.ruleset import BOOK_SIZE, MeldRule
from referee.rules.state import RoundState


class Part(NamedTuple):
    """One entry of an opening."""

    rank: Rank
    joins: bool
    """Whether it goes to the unfinished meld of the rank; else it begins one."""

    growth: Growth
    points: int
    """Points of the cards it lays."""


Parts = tuple[Part, ...]

Option = tuple[Parts, int, int, int, int]
"""
What an opening can hold of one rank: a single part, or parts that each complete a book and one after them. Behind the
parts are the points of all, those of the part that has the least, twos and jokers.
"""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a rank."""

    rank: Rank
    each: tuple[Option, ...]
    clean: tuple[Option, ...]
    """Those without wild cards."""

    most: int
    """Points of the option that has the most; 0 if there is none."""

    most_clean: int
    """The same of the clean ones."""


_NATURAL_RANKS: Final = tuple(Rank(rank) for rank in range(NATURALS))

_Hand = tuple[Rank, int, int, int]
"""A rank, and how many of its naturals, of twos and of jokers are at hand."""

_HandAndMeld = tuple[Rank, int, int, int, int, int]
"""The same, and how many naturals and wild cards the unfinished meld of the rank has."""


class NewMelds(dict[_Hand, Options]):
    """The options of a rank by which new melds begin."""

    def __init__(self, rule: MeldRule, points: tuple[int, ...]) -> None:
        super().__init__()
        self.points = points
        self.mixed, self.wild, _ = growth_tables(rule)
        self.joined = JoinedMelds(rule, self)
        """Those by which one grows."""

    def __missing__(self, hand: _Hand) -> Options:
        parts = self.parts(hand)
        self[hand] = found = _options(hand[0], _stacks(parts, parts, hand[1:]))
        return found

    def parts(self, hand: _Hand) -> Parts:
        """Return each new meld by itself."""
        rank, naturals, twos, jokers = hand
        if rank == WILD:
            growths = self.wild[0, twos, jokers]
        else:
            growths = self.mixed[twos, jokers][naturals]
        return tuple(Part(rank, False, growth, self.worth(rank, growth)) for growth in growths)

    def worth(self, rank: int, growth: Growth) -> int:
        """Return the points of the cards of *growth*."""
        naturals, twos, jokers = growth
        return self.points[rank] * naturals + self.points[TWO] * twos + self.points[JOKER] * jokers


class JoinedMelds(dict[_HandAndMeld, Options]):
    """The options of a rank whose unfinished meld takes the sets: once it is a book, others are new ones."""

    def __init__(self, rule: MeldRule, new: NewMelds) -> None:
        super().__init__()
        self.rule, self.new = rule, new

    def __missing__(self, key: _HandAndMeld) -> Options:
        rank, at_hand, twos, jokers, naturals, wilds = key
        parts = self.new.parts((rank, at_hand, twos, jokers))
        joining = tuple(
            part._replace(joins=True) for part in parts if self._joins(rank, naturals, wilds, part.growth)
        )
        books = tuple(part for part in joining if part.growth.size + naturals + wilds >= BOOK_SIZE)
        self[key] = found = _options(rank, _stacks(joining, parts, (at_hand, twos, jokers), books))
        return found

    def _joins(self, rank: Rank, naturals: int, wilds: int, growth: Growth) -> bool:
        more_wilds = growth.twos + growth.jokers
        if rank == WILD:
            return judge_wild_growth(self.rule, wilds, growth.naturals, more_wilds) is None
        return judge_growth(self.rule, naturals, wilds, growth.naturals, more_wilds) is None


@cache
def new_melds(rule: MeldRule, points: tuple[int, ...]) -> NewMelds:
    """Return the table for *rule* and the *points* of each rank; it fills as it is used."""
    return NewMelds(rule, points)


def _stacks(
    firsts: Parts, others: Parts, at_hand: tuple[int, int, int], books: tuple[Part, ...] | None = None
) -> Iterator[Parts]:
    """
    Yield each of *firsts* by itself and, where it completes a book, followed by *others* for which cards are left.

    *books* are the firsts that complete one; None for those that have seven cards. Books come in order of their cards.
    """
    for part in firsts:
        yield (part,)
        if part not in books if books is not None else part.growth.size < BOOK_SIZE:
            continue
        left = tuple(have - laid for have, laid in zip(at_hand, part.growth, strict=True))
        later = tuple(
            other
            for other in others
            if all(laid <= have for laid, have in zip(other.growth, left, strict=True))
            and (other.growth.size < BOOK_SIZE or books is not None or other.growth >= part.growth)
        )
        for stack in _stacks(later, later, (left[0], left[1], left[2])):
            yield (part, *stack)


def _options(rank: Rank, stacks: Iterable[Parts]) -> Options:
    each = tuple(_option_of(stack) for stack in stacks)
    clean = tuple(option for option in each if not any(option[3:]))
    most, most_clean = (max((points for _, points, *_ in some), default=0) for some in (each, clean))
    return Options(rank, each, clean, most, most_clean)


def _option_of(parts: Parts) -> Option:
    points = [part.points for part in parts]
    twos, jokers = (sum(part.growth[kind] for part in parts) for kind in (1, 2))
    return parts, sum(points), min(points), twos, jokers


def opening_parts(state: RoundState) -> list[Parts]:
    """Return the combinations with which the seat in turn can open, none of whose parts can be left out."""
    counts = state.seats[state.turn].counts
    minimum = state.ruleset.opening.minimum(state.round)
    if sum(map(mul, state.ruleset.scores.points, counts)) < minimum:
        return []
    return combinations(opening_groups(state), minimum, counts[TWO], counts[JOKER])


def opening_groups(state: RoundState) -> list[Options]:
    """Return, for each rank in which the seat in turn could open, its options."""
    counts = state.seats[state.turn].counts
    twos, jokers = counts[TWO], counts[JOKER]
    table = new_melds(state.ruleset.melds, state.ruleset.scores.points)
    open_melds = state.sides[state.turn % len(state.sides)].open_melds
    groups = []
    for rank in _opening_ranks(state, counts):
        at_hand = counts[rank] if rank < NATURALS else 0
        if open_melds[rank] < 0:
            options = table[rank, at_hand, twos, jokers]
        else:
            meld = state.melds[open_melds[rank]]
            options = table.joined[rank, at_hand, twos, jokers, meld.naturals, meld.wilds]
        if options.each:
            groups.append(options)
    return groups


def _opening_ranks(state: RoundState, counts: list[int]) -> list[Rank]:
    """Return the ranks of which there may be sets among *counts*, those of the partner's opening left out."""
    ranks = [rank for rank in _NATURAL_RANKS if counts[rank] >= 2]
    if state.ruleset.melds.wild_melds:
        ranks.append(WILD)
    if not state.ruleset.opening.excludes_partner_ranks:
        return ranks
    barred = 0
    for partner in state.partners(state.turn):
        barred |= state.seats[partner].opening_ranks
    return [rank for rank in ranks if not barred >> rank & 1]


def combinations(groups: list[Options], minimum: int, twos: int, jokers: int, base: int = 0) -> list[Parts]:
    """
    Return the combinations of at most one option a group that reach *minimum* and from which no part can be left out.

    *base* are points that are there anyway; *twos* and *jokers* is how many wild cards all parts together may use.
    """
    if minimum <= base:
        return [parts for group in groups for parts, *_ in group.each if len(parts) == 1]
    most, most_clean = [0], [0]
    for group in reversed(groups):
        most.append(most[-1] + group.most)
        most_clean.append(most_clean[-1] + group.most_clean)
    everything = [group.each for group in groups], most[::-1]
    clean = [group.clean for group in groups], most_clean[::-1]
    found: list[Parts] = []
    _extend((everything, clean, minimum), (0, (), base, 10**9, twos, jokers), found)
    return found


_Reach = tuple[list[tuple[Option, ...]], list[int]]
"""The options of each group, and the points that those from each group on may add."""

_Search = tuple[_Reach, _Reach, int]
"""What is in reach, what is once the wild cards are used up, and the points that are needed."""

_Chosen = tuple[int, Parts, int, int, int, int]
"""Next group, parts so far, their points with the base, the least of them, twos left, jokers left."""


def _extend(search: _Search, chosen: _Chosen, found: list[Parts]) -> None:
    """Add to *found* every combination that continues *chosen*, whose points are too few."""
    everything, clean, minimum = search
    place, parts, total, least, twos, jokers = chosen
    groups, most = everything if twos or jokers else clean
    while total + most[place] >= minimum:
        options = groups[place]
        place += 1
        for more, points, its_least, its_twos, its_jokers in options:
            reached = total + points
            spare = its_least if its_least < least else least
            if reached - spare >= minimum or its_twos > twos or its_jokers > jokers:
                continue
            if reached >= minimum:
                found.append(parts + more)
                continue
            rest = (place, parts + more, reached, spare, twos - its_twos, jokers - its_jokers)
            _, most_after = everything if rest[4] or rest[5] else clean
            if reached + most_after[place] >= minimum:
                _extend(search, rest, found)
