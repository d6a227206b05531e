"""The listed ways to take the discard pile: for each number of cards the smallest sufficient melds."""

from collections.abc import Iterator, Sequence
from operator import le
from typing import Final

from referee.rules.actions import Entry, TakePile
from referee.rules.cards import JOKER, NATURALS, RANK_OF, TWO, WILD
from referee.rules.growths import Growth
from referee.rules.lay_downs import build_entries
from referee.rules.legality import counts_of_pile, judge, judge_upcard
from referee.rules.melds import judge_wild_growth
from referee.rules.openings import Options, Part, Parts, combinations, new_melds, opening_groups
from referee.rules.ruleset import BOOK_SIZE
from referee.rules.state import Meld, RoundState

_PAIRS: Final = (*[Growth(2, 0, 0)] * NATURALS, Growth(0, 2, 0), Growth(0, 0, 2))
"""By rank, two cards of it."""


def in_reach(state: RoundState) -> bool:
    """Return whether the pile can be taken by somebody and the seat in turn holds the pair for it."""
    pile = state.pile
    return (
        bool(pile) and state.seats[state.turn].counts[RANK_OF[pile[-1]]] >= 2 and judge_upcard(state) is None
    )


def iterate_takes(state: RoundState) -> Iterator[TakePile]:
    """Yield the listed ways in which the seat in turn takes the pile, were it to draw now."""
    counts, ways = ways_to_take(state)
    melds = [build_entries(state, parts) for parts in ways]
    if not state.seats[state.turn].on_foot:
        yield from (TakePile(count, entries) for count in counts for entries in melds)
        return
    for count in counts:
        yield from _from_foot(state, count, melds)


def ways_to_take(state: RoundState) -> tuple[Sequence[int], list[Parts]]:
    """
    Return the numbers of cards in which the pile can be taken, and the smallest sufficient melds, without the upcard.

    From the hand all combinations are legal, as it does not matter what stays there; from the foot some may not be.
    """
    if not in_reach(state):
        return (), []
    seat = state.seats[state.turn]
    if seat.opened:
        pair = _pair(state)
        if not seat.on_foot and not _lies(state, pair):
            return (), []
        return counts_of_pile(state), [(pair,)]
    counts, ways = counts_of_pile(state), list(_openings(state))
    if not seat.on_foot and state.ruleset.opening.unit == "seat":
        first = counts[0]
        ways = [way for way in ways if judge(state, TakePile(first, build_entries(state, way))) is None]
    return counts, ways


def _lies(state: RoundState, pair: Part) -> bool:
    """Return whether *pair* and the upcard can go to their meld: from an opened hand nothing else is asked."""
    meld = _unfinished(state, pair)
    naturals, wilds = (meld.naturals, meld.wilds) if meld else (0, 0)
    if pair.rank == WILD:
        return judge_wild_growth(state.ruleset.melds, wilds, 0, 3) is None
    return state.growth_faults[naturals, wilds, 3, 0] is None


def _from_foot(state: RoundState, count: int, melds: list[tuple[Entry, ...]]) -> Iterator[TakePile]:
    found = False
    for entries in melds:
        action = TakePile(count, entries)
        if judge(state, action) is None:
            found = True
            yield action
    seat = state.seats[state.turn]
    if not found and seat.opened and len(seat.cards) <= 3:
        yield from _emptying(state, count)


def _pair(state: RoundState) -> Part:
    """Return the two cards of the upcard's rank as they go to their meld; their points do not matter."""
    rank = RANK_OF[state.pile[-1]]
    of_meld = rank if rank < NATURALS else WILD
    joins = state.sides[state.side_of(state.turn)].open_melds[of_meld] >= 0
    return Part(of_meld, joins, _PAIRS[rank], 0)


def _unfinished(state: RoundState, part: Part) -> Meld | None:
    """Return the meld to which *part* goes; None for a new one."""
    if not part.joins:
        return None
    return state.melds[state.sides[state.side_of(state.turn)].open_melds[part.rank]]


def _openings(state: RoundState) -> Iterator[Parts]:
    """Yield the melds around the upcard with the further ones that an opening needs, none of which can be left out."""
    counts = state.seats[state.turn].counts
    minimum = state.ruleset.opening.minimum(state.round)
    firsts = list(_first_melds(state))
    several = state.ruleset.pile.opening_counts == "all_melds"
    groups = opening_groups(state) if several and firsts else []
    for first in firsts:
        if first.points >= minimum:
            if not _shrinkable(first, firsts, minimum):
                yield (first,)
            continue
        twos, jokers = counts[TWO] - first.growth.twos, counts[JOKER] - first.growth.jokers
        others = [group for group in groups if group.rank != first.rank]
        if several and _is_book(state, first):
            others = _with_second(state, first, others)
        for parts in combinations(others, minimum, twos, jokers, first.points):
            alike = firsts
            if parts[0].rank == first.rank:
                alike = [other for other in firsts if _is_book(state, other)]
            if not _shrinkable(first, alike, minimum - sum([part.points for part in parts])):
                yield (first, *parts)


def _is_book(state: RoundState, first: Part) -> bool:
    """Whether *first*, with the upcard, completes a book."""
    meld = _unfinished(state, first)
    before = meld.size if meld else 0
    return before + first.growth.size + 1 >= BOOK_SIZE


def _with_second(state: RoundState, first: Part, others: list[Options]) -> list[Options]:
    """Return *others* behind the options of a further meld of the rank of *first*, which completes a book."""
    counts = state.seats[state.turn].counts
    naturals = counts[first.rank] - first.growth.naturals if first.rank < NATURALS else 0
    twos, jokers = counts[TWO] - first.growth.twos, counts[JOKER] - first.growth.jokers
    table = new_melds(state.ruleset.melds, state.ruleset.scores.points)
    second = table[first.rank, naturals, twos, jokers]
    return [second, *others] if second.each else others


def _first_melds(state: RoundState) -> Iterator[Part]:
    """Yield the melds around the upcard that are valid by themselves, without it but with its points."""
    rank = RANK_OF[state.pile[-1]]
    points = state.ruleset.scores.points
    of_meld, joins, pair, _ = _pair(state)
    counts = state.seats[state.turn].counts.copy()
    counts[rank] += 1
    if rank < NATURALS:
        growths = state.growths[counts[TWO], counts[JOKER]][counts[rank]]
    else:
        growths = state.wild_growths[0, counts[TWO], counts[JOKER]]
    for naturals, twos, jokers in growths:
        own = Growth(naturals - (rank < NATURALS), twos - (rank == TWO), jokers - (rank == JOKER))
        if all(map(le, pair, own)):
            value = points[of_meld] * own.naturals + points[TWO] * own.twos + points[JOKER] * own.jokers
            yield Part(of_meld, joins, own, value + points[rank])


def _shrinkable(first: Part, firsts: Sequence[Part], minimum: int) -> bool:
    """Whether some of the cards of *first* make a meld around the upcard that has *minimum* points as well."""
    return any(
        other is not first and other.points >= minimum and all(map(le, other.growth, first.growth))
        for other in firsts
    )


def _emptying(state: RoundState, count: int) -> Iterator[TakePile]:
    """Yield the takes that become legal because one more card goes with the pair: a seat on its foot goes out so."""
    (pair,) = build_entries(state, (_pair(state),))
    rest = state.seats[state.turn].cards.copy()
    for card in pair.cards:
        rest.remove(card)
    for card in rest:
        action = TakePile(count, (Entry((*pair.cards, card), pair.target),))
        if judge(state, action) is None:
            yield action
