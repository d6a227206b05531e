"""Laws of actions: what is judged legal is carried out, and what is not leaves no trace."""

import pytest
from builders import snapshot
from hypothesis import given
from laws.strategies import Position, attempts, positions
from laws.zones import all_cards, check_melds

from referee.rules import (
    Action,
    IllegalAction,
    LayDown,
    RoundState,
    TakePile,
    after,
    apply,
    check,
    fallback_action,
    format_action,
    judge,
    legal_actions,
    parse_action,
    sole_action,
)


@given(attempts())
def test_judge_membership_and_application_agree(attempt: tuple[RoundState, Action]) -> None:
    """An action is in the view iff the judge finds nothing, iff it can be carried out, and then nothing is lost."""
    state, action = attempt
    fault = judge(state, action)
    assert (action in legal_actions(state)) is (fault is None)
    if fault is None:
        cards = sorted(all_cards(state))
        check(state, action)
        apply(state, action)
        check_melds(state)
        assert sorted(all_cards(state)) == cards
        return
    for carry_out in (check, apply, after):
        with pytest.raises(IllegalAction) as refused:
            carry_out(state, action)
        assert (refused.value.clause, refused.value.reason) == (fault.clause, fault.reason)


@given(attempts())
def test_an_illegal_action_leaves_no_trace(attempt: tuple[RoundState, Action]) -> None:
    """Neither judging nor a refused application changes anything; a copy that goes on leaves the original alone."""
    state, action = attempt
    before = snapshot(state)
    if judge(state, action) is None:
        assert snapshot(after(state, action)) != before
    else:
        with pytest.raises(IllegalAction):
            apply(state, action)
    assert snapshot(state) == before


@given(positions())
def test_looking_leaves_no_trace(position: Position) -> None:
    """Listing and asking for the only or the fallback action changes nothing."""
    state = position.state
    before = snapshot(state)
    list(legal_actions(state))
    sole_action(state)
    fallback_action(state)
    assert snapshot(state) == before


@given(positions())
def test_listed_actions_are_legal(position: Position) -> None:
    """Everything on the list can be carried out."""
    state = position.state
    for action in legal_actions(state):
        assert judge(state, action) is None, format_action(action)
        after(state, action)


@given(positions())
def test_there_is_always_a_listed_action(position: Position) -> None:
    """A round that is not over has a listed action, and the one that the referee would play is legal."""
    state = position.state
    assert next(iter(legal_actions(state)), None) is not None
    assert fallback_action(state) in legal_actions(state)


@given(attempts())
def test_actions_keep_their_meaning_in_writing(attempt: tuple[RoundState, Action]) -> None:
    """What an action is written as reads as the same action, and as nothing else."""
    _, action = attempt
    entries = action.melds if isinstance(action, LayDown | TakePile) else ()
    writable = all(entry.cards and (entry.target is None or entry.target >= 0) for entry in entries)
    if writable and (entries or not isinstance(action, LayDown | TakePile)):
        assert parse_action(format_action(action)) == action
