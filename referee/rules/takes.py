"""The listed ways to take the discard pile: for each number of cards the smallest sufficient melds."""

from collections.abc import Iterator

from referee.rules.actions import Entry, TakePile
from referee.rules.cards import JOKER, NATURALS, RANK_OF, TWO, WILD, Rank
from referee.rules.lay_downs import (
    Part,
    Shelf,
    combinations,
    grow_parts,
    opening_groups,
    single_parts,
    wild_parts,
)
from referee.rules.legality import counts_of_pile, judge, judge_upcard
from referee.rules.state import RoundState


def iterate_takes(state: RoundState) -> Iterator[TakePile]:
    """Yield the listed ways in which the seat in turn takes the pile, were it to draw now."""
    seat = state.seats[state.turn]
    if not state.pile or seat.counts[RANK_OF[state.pile[-1]]] < 2 or judge_upcard(state):
        return
    shelf = Shelf(state, state.turn)
    melds = tuple(_smallest(state, shelf) if seat.opened else _openings(state, shelf))
    for count in counts_of_pile(state):
        found = False
        for entries in melds:
            action = TakePile(count, entries)
            if judge(state, action) is None:
                found = True
                yield action
        if not found and seat.on_foot and len(seat.cards) <= 3 + len(melds):
            yield from _emptying(state, shelf, count)


def _target(state: RoundState) -> int | None:
    rank = RANK_OF[state.pile[-1]]
    number = state.sides[state.side_of(state.turn)].open_melds[rank if rank < NATURALS else WILD]
    return None if number < 0 else number


def _pair(state: RoundState) -> Part:
    """Return the two cards of the upcard's rank."""
    rank = RANK_OF[state.pile[-1]]
    twos, jokers = (2 if rank == TWO else 0), (2 if rank == JOKER else 0)
    points = 3 * state.ruleset.scores.points[rank]
    if rank < NATURALS:
        return Part(rank, 2, 0, 0, _target(state), points)
    return Part(WILD, 0, twos, jokers, _target(state), points)


def _smallest(state: RoundState, shelf: Shelf) -> Iterator[tuple[Entry, ...]]:
    pair = _pair(state)
    yield (Entry(shelf.cards(pair), pair.target),)


def _openings(state: RoundState, shelf: Shelf) -> Iterator[tuple[Entry, ...]]:
    """Yield the melds around the upcard with the further ones that an opening needs, none of which can be left out."""
    minimum = state.ruleset.opening.minimum(state.round)
    several = state.ruleset.pile.opening_counts == "all_melds"
    counts = shelf.counts
    groups = opening_groups(state, state.turn, counts) if several else []
    for first in _first_melds(state, counts):
        if first.points >= minimum:
            if not _shrinkable(state, first, minimum):
                yield shelf.entries((first,))
            continue
        others = [group for group in groups if group[0].rank != first.rank]
        twos, jokers = counts[TWO] - first.twos, counts[JOKER] - first.jokers
        for parts in combinations(others, minimum, twos, jokers, first.points):
            total = first.points + sum(part.points for part in parts)
            if not _shrinkable(state, first, minimum - total + first.points):
                yield shelf.entries((first, *parts))


def _first_melds(state: RoundState, counts: list[int]) -> Iterator[Part]:
    """Yield the melds around the upcard that are valid by themselves, their points with those of the upcard."""
    pair = _pair(state)
    rank = RANK_OF[state.pile[-1]]
    value = state.ruleset.scores.points[rank]
    with_upcard = counts.copy()
    with_upcard[rank] += 1
    if rank < NATURALS:
        for part in grow_parts(state, with_upcard, Rank(rank), None):
            if part.naturals >= 3:
                yield part._replace(naturals=part.naturals - 1, target=pair.target)
        return
    for part in wild_parts(state, with_upcard, None):
        if rank == TWO and part.twos >= 3:
            yield part._replace(twos=part.twos - 1, target=pair.target)
        if rank == JOKER and part.jokers >= 3:
            yield part._replace(jokers=part.jokers - 1, target=pair.target)
    assert value >= 0


def _shrinkable(state: RoundState, first: Part, minimum: int) -> bool:
    """Whether a card could be left out of the meld around the upcard and *minimum* points would still be reached."""
    points = state.ruleset.scores.points
    rank = RANK_OF[state.pile[-1]]
    spare = [points[TWO]] * (first.twos > (2 if rank == TWO else 0))
    spare += [points[JOKER]] * (first.jokers > (2 if rank == JOKER else 0))
    spare += [points[rank]] * (first.naturals > 2 and not first.twos + first.jokers)
    return any(first.points - value >= minimum for value in spare)


def _emptying(state: RoundState, shelf: Shelf, count: int) -> Iterator[TakePile]:
    """Yield the takes that become legal because they lay one more card: a seat on its foot goes out by them."""
    pair = _pair(state)
    pair_cards = list(shelf.cards(pair))
    rest = state.seats[state.turn].cards.copy()
    for card in pair_cards:
        rest.remove(card)
    for card in rest:
        yield from _if_legal(state, TakePile(count, (Entry((*pair_cards, card), pair.target),)))
    for part in single_parts(state, state.turn):
        extra = shelf.cards(part)
        if all(card in rest for card in extra):
            entries = (Entry(tuple(pair_cards), pair.target), Entry(extra, part.target))
            yield from _if_legal(state, TakePile(count, entries))


def _if_legal(state: RoundState, action: TakePile) -> Iterator[TakePile]:
    if judge(state, action) is None:
        yield action
