"""With what a seat can open: the combinations of sets from which none can be left out."""

from collections.abc import Iterator
from functools import cache
from operator import mul
from typing import NamedTuple

from referee.rules.cards import JOKER, NATURALS, TWO, WILD, Rank
from referee.rules.growths import Growth, growth_tables
from referee.rules.melds import judge_growth, judge_wild_growth
from referee.rules.ruleset import BOOK_SIZE, MeldRule
from referee.rules.state import RoundState


class Part(NamedTuple):
    """One entry of an opening."""

    rank: Rank
    target: int | None
    growth: Growth
    points: int
    """Points of the cards it lays."""


Parts = tuple[Part, ...]


class Option(NamedTuple):
    """What an opening can hold of one rank: a single part, or parts that each complete a book and one after them."""

    parts: Parts
    points: int
    """Of all parts."""

    least: int
    """Points of the part that has the least."""

    twos: int
    jokers: int


Options = tuple[Option, ...]
_Hand = tuple[int, int, int, int]
"""A rank, and how many of its naturals, of twos and of jokers are at hand."""


class NewMelds(dict[_Hand, Options]):
    """The options of a rank by which new melds begin."""

    def __init__(self, rule: MeldRule, points: tuple[int, ...]) -> None:
        super().__init__()
        self.points = points
        self.mixed, self.wild, _ = growth_tables(rule)

    def __missing__(self, hand: _Hand) -> Options:
        parts = self.parts(hand)
        self[hand] = found = tuple(option_of(stack) for stack in _stacks(parts, parts, hand[1:]))
        return found

    def parts(self, hand: _Hand) -> Parts:
        """Return each new meld by itself."""
        rank, naturals, twos, jokers = hand
        if rank == WILD:
            growths = self.wild[0, min(twos, BOOK_SIZE), min(jokers, BOOK_SIZE)]
        else:
            growths = self.mixed[twos, jokers][naturals]
        return tuple(Part(Rank(rank), None, growth, self.worth(rank, growth)) for growth in growths)

    def worth(self, rank: int, growth: Growth) -> int:
        """Return the points of the cards of *growth*."""
        naturals, twos, jokers = growth
        return self.points[rank] * naturals + self.points[TWO] * twos + self.points[JOKER] * jokers


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


def option_of(parts: Parts) -> Option:
    """Return *parts* of one rank as an option."""
    points = [part.points for part in parts]
    twos, jokers = (sum(part.growth[kind] for part in parts) for kind in (1, 2))
    return Option(parts, sum(points), min(points), twos, jokers)


def opening_parts(state: RoundState) -> list[Parts]:
    """Return the combinations with which the seat in turn can open, none of whose parts can be left out."""
    counts = state.seats[state.turn].counts
    minimum = state.ruleset.opening.minimum(state.round)
    if sum(map(mul, state.ruleset.scores.points, counts)) < minimum:
        return []
    return combinations(opening_groups(state, state.turn), minimum, counts[TWO], counts[JOKER])


def opening_groups(state: RoundState, number: int) -> list[Options]:
    """Return, for each rank in which seat *number* could open, its options."""
    counts = state.seats[number].counts
    twos, jokers = counts[TWO], counts[JOKER]
    barred = 0
    if state.ruleset.opening.excludes_partner_ranks:
        for partner in state.partners(number):
            barred |= state.seats[partner].opening_ranks
    table = new_melds(state.ruleset.melds, state.ruleset.scores.points)
    open_melds = state.sides[number % len(state.sides)].open_melds
    hands = [(rank, counts[rank], twos, jokers) for rank in range(NATURALS) if counts[rank] >= 2]
    if state.ruleset.melds.wild_melds:
        hands.append((WILD, 0, twos, jokers))
    groups = [
        table[hand] if open_melds[hand[0]] < 0 else _joining(state, table, hand, open_melds[hand[0]])
        for hand in hands
        if not barred >> hand[0] & 1
    ]
    return [group for group in groups if group]


def _joining(state: RoundState, table: NewMelds, hand: _Hand, target: int) -> Options:
    """Return the options of a rank whose unfinished meld takes the sets: once it is a book, others are new ones."""
    parts = table.parts(hand)
    joining = tuple(part._replace(target=target) for part in parts if _joins(state, target, part.growth))
    books = tuple(part for part in joining if part.growth.size + state.melds[target].size >= BOOK_SIZE)
    return tuple(option_of(stack) for stack in _stacks(joining, parts, hand[1:], books))


def _joins(state: RoundState, target: int, growth: Growth) -> bool:
    meld, rule = state.melds[target], state.ruleset.melds
    wilds = growth.twos + growth.jokers
    if meld.rank == WILD:
        return judge_wild_growth(rule, meld.wilds, growth.naturals, wilds) is None
    return judge_growth(rule, meld.naturals, meld.wilds, growth.naturals, wilds) is None


def combinations(groups: list[Options], minimum: int, twos: int, jokers: int, base: int = 0) -> list[Parts]:
    """
    Return the combinations of at most one option a group that reach *minimum* and from which no part can be left out.

    *base* are points that are there anyway; *twos* and *jokers* is how many wild cards all parts together may use.
    """
    if minimum <= base:
        return [option.parts for group in groups for option in group if len(option.parts) == 1]
    most = [0]
    for group in reversed(groups):
        most.append(most[-1] + max([option[1] for option in group]))
    most.reverse()
    found: list[Parts] = []
    _extend(groups, most, minimum, (0, (), base, 10**9, twos, jokers), found)
    return found


_Chosen = tuple[int, Parts, int, int, int, int]
"""Next group, parts so far, their points with the base, the least of them, twos left, jokers left."""


def _extend(
    groups: list[Options], most: list[int], minimum: int, chosen: _Chosen, found: list[Parts]
) -> None:
    """Add to *found* every combination that continues *chosen*; *most* is what the groups from each on may add."""
    place, parts, total, least, twos, jokers = chosen
    while place < len(groups) and total + most[place] >= minimum:
        after = most[place + 1]
        for more, points, its_least, its_twos, its_jokers in groups[place]:
            reached = total + points
            spare = its_least if its_least < least else least
            if reached - spare >= minimum or its_twos > twos or its_jokers > jokers:
                continue
            if reached >= minimum:
                found.append(parts + more)
            elif reached + after >= minimum:
                rest = (place + 1, parts + more, reached, spare, twos - its_twos, jokers - its_jokers)
                _extend(groups, most, minimum, rest, found)
        place += 1
