"""Laws of the list of legal actions: its order, what is on it, and that nothing that matters is missing."""

from dataclasses import replace
from itertools import combinations, islice, pairwise
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st
from laws.exhaustive import most_points, most_points_around
from laws.strategies import Position, positions
from laws.tables import TABLES

from referee.rules import (
    RANK_OF,
    Action,
    AnswerPartner,
    AskPartner,
    Discard,
    DrawStock,
    Entry,
    LayDown,
    Pass,
    Phase,
    RoundState,
    TakePile,
    format_action,
    judge,
    legal_actions,
    sole_action,
)
from referee.rules.legal_actions import can_take
from referee.rules.legality import counts_of_pile, judge_upcard

KINDS = (DrawStock, TakePile, LayDown, AskPartner, AnswerPartner, Discard, Pass)
"""The order of kinds on the list."""

SIDES = tuple(table for table in TABLES if table.ruleset.opening.unit == "side")
"""The tables at which sides open."""


def without_suits(action: Action) -> object:
    """Return what is left of *action* when suits are not told apart."""
    match action:
        case Discard(card):
            return "discard", RANK_OF[card]
        case LayDown(melds):
            return "lay", _ranks(melds)
        case TakePile(count, melds):
            return "take", count, _ranks(melds)
    return action


def _ranks(melds: tuple[Entry, ...]) -> tuple[object, ...]:
    return tuple((entry.target, tuple(sorted(RANK_OF[card] for card in entry.cards))) for entry in melds)


@given(positions())
def test_the_list_has_a_fixed_order_and_no_duplicates(position: Position) -> None:
    """Kinds come in their order, takes by number, discards by rank; actions that differ in suits come once."""
    state = position.state
    listed = list(legal_actions(state))
    assert listed == list(legal_actions(state.copy()))
    assert len({without_suits(action) for action in listed}) == len(listed)
    kinds = [KINDS.index(type(action)) for action in listed]
    assert kinds == sorted(kinds)
    takes = [action.count for action in listed if isinstance(action, TakePile)]
    assert takes == sorted(takes)
    discards = [RANK_OF[action.card] for action in listed if isinstance(action, Discard)]
    assert discards == sorted(discards)


@given(positions(tags=("play", "foot")))
def test_single_lay_downs_come_by_rank(position: Position) -> None:
    """Lay-downs of a seat that has opened are single entries, by rank, then by target, then by counts."""
    state = position.state
    assume(state.seats[state.turn].opened)
    lay_downs = [action.melds for action in legal_actions(state) if isinstance(action, LayDown)]
    assert all(len(melds) == 1 for melds in lay_downs)
    keys = [_key(state, melds[0]) for melds in lay_downs]
    assert all(before < following for before, following in pairwise(keys))


def _key(state: RoundState, entry: Entry) -> tuple[int, ...]:
    ranks = sorted(RANK_OF[card] for card in entry.cards)
    rank = min(ranks[0], 11) if entry.target is None else state.melds[entry.target].rank
    naturals = sum(rank < 11 for rank in ranks)
    twos = sum(rank == 11 for rank in ranks)
    target = -1 if entry.target is None else entry.target
    return rank, target, naturals, len(ranks) - naturals, twos


@given(positions(), st.randoms(use_true_random=False))
def test_the_list_does_not_depend_on_how_a_hand_is_sorted(position: Position, random: Random) -> None:
    """The same cards in another order give the same list."""
    state = position.state
    listed = list(legal_actions(state))
    for seat in state.seats:
        random.shuffle(seat.cards)
    assert list(legal_actions(state)) == listed
    assert sole_action(state) in (None, listed[0])


@given(positions())
def test_a_sample_is_taken_from_the_list(position: Position) -> None:
    """Each number from 0 up to 1 picks the action at its place, so that equal shares go to each."""
    state = position.state
    listed = list(islice(legal_actions(state), 300))
    if len(listed) < 300:
        view = legal_actions(state)
        numbers = iter([(place + 0.5) / len(listed) for place in range(len(listed))])
        assert [view.sample(numbers.__next__) for _ in listed] == listed


@given(positions())
def test_a_sole_action_leaves_no_choice(position: Position) -> None:
    """Where the rules name no sole action there are two legal ones; where they name one, no other is listed."""
    state = position.state
    sole, listed = sole_action(state), list(islice(legal_actions(state), 2))
    if sole is not None:
        assert listed == [sole]
        return
    cards = sorted(set(state.seats[state.turn].cards))
    discards = [Discard(card) for card in cards] if state.phase is Phase.PLAY else []
    assert len({*listed, *(action for action in discards if judge(state, action) is None)}) >= 2


@given(positions(tags=("draw", "take", "take or pass", "foot")))
def test_a_pile_that_can_be_taken_is_listed(position: Position) -> None:
    """A seat that has opened can take the pile iff the pair, or the pair and a further card or two, lies legally."""
    state = position.state
    seat = state.seats[state.turn]
    assume(state.phase is Phase.DRAW and seat.opened and state.pile and not judge_upcard(state))
    rank, side = RANK_OF[state.pile[-1]], state.sides[state.side_of(state.turn)]
    pair = [card for card in seat.cards if RANK_OF[card] == rank][:2]
    rest = seat.cards.copy()
    for card in pair:
        rest.remove(card)
    more = {(), *((card,) for card in rest), *combinations(sorted(rest), 2)}
    targets = [None, *(number for number in side.open_melds if number >= 0)]
    legal = any(
        judge(state, TakePile(count, (Entry((*pair, *cards), target),))) is None
        for count in counts_of_pile(state)
        for cards in more
        for target in targets
    )
    assert can_take(state) is legal
    assert any(isinstance(action, TakePile) for action in legal_actions(state)) is legal


@given(positions(SIDES, ("opening", "unopened")))
def test_an_opening_that_is_possible_is_listed(position: Position) -> None:
    """Where the side opens, an opening is listed iff the best melds of the holding reach the minimum."""
    state = position.state
    assume(state.phase is Phase.PLAY)
    listed = [action for action in legal_actions(state) if isinstance(action, LayDown)]
    reached = max(1, state.ruleset.opening.minimum(state.round)) <= most_points(state)
    assert bool(listed) is reached
    for action in listed[:50]:
        for left_out in range(len(action.melds)):
            fewer = action.melds[:left_out] + action.melds[left_out + 1 :]
            assert judge(state, LayDown(fewer)) is not None, format_action(action)


@given(positions(SIDES, ("unopened draw",)))
def test_an_opening_with_the_pile_that_is_possible_is_listed(position: Position) -> None:
    """Where the side opens, a take is listed iff the upcard and the best melds of the holding reach the minimum."""
    state = position.state
    seat = state.seats[state.turn]
    assume(not seat.on_foot)
    whole = state.ruleset.pile.opening_counts == "all_melds"
    most = most_points(state, state.pile[-1]) if whole else most_points_around(state, state.pile[-1])
    assert can_take(state) is (most >= state.ruleset.opening.minimum(state.round))


@given(positions(SIDES, ("unopened draw",)))
def test_an_opening_with_the_pile_is_as_small_as_it_can_be(position: Position) -> None:
    """While the seat has to open, no card around the upcard and no further meld of a listed take can be left out."""
    state = position.state
    for action in [action for action in legal_actions(state) if isinstance(action, TakePile)][:20]:
        first, *others = action.melds
        cards = [first.cards[:place] + first.cards[place + 1 :] for place in range(len(first.cards))]
        fewer = [(replace(first, cards=left), *others) for left in cards]
        fewer += [(first, *others[:place], *others[place + 1 :]) for place in range(len(others))]
        for melds in fewer:
            assert judge(state, TakePile(action.count, melds)) is not None, format_action(action)
