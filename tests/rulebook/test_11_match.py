"""Chapter 11 of the rulebook: the match."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from rulebook.holding import holds_for, tables

from referee.rules import (
    ONLINE,
    SIMPLE,
    Action,
    LayDown,
    MatchState,
    RoundState,
    Ruleset,
    TakePile,
    action_bound,
    apply,
    begin_match,
    begin_round,
    fallback_action,
    legal_actions,
    play,
)
from referee.rules.ruleset import MatchRule

KEYS = tuple(bytes(31) + bytes([last]) for last in range(20))


def played(ruleset: Ruleset, seats: int) -> MatchState:
    """Return a match played to its end by drawing and discarding."""
    match, _ = begin_match(ruleset, seats, KEYS[: ruleset.rounds])
    while not match.finished:
        play(match, fallback_action(match.state))
    return match


@holds_for("HF-11.1")
def test_hf_11_1_rounds(ruleset: Ruleset) -> None:
    """A match has four rounds, one in simple; totals are the sums of its scores, rounds without a winner included."""
    match = played(ruleset, ruleset.seats[0])
    assert len(match.scores) == (1 if ruleset.name == "simple" else 4)
    for side, total in enumerate(match.totals):
        assert total == sum(scores[side].total for scores in match.scores)
    assert match.went_out == [None] * len(match.scores)


@pytest.mark.parametrize(
    ("totals", "winners"),
    [((7125, 7125), (0, 1)), ((6120, 6125), (1,)), ((5000, 5000, 4100), (0, 1)), ((-5, -10, -5), (0, 2))],
)
def test_hf_11_2_who_wins(totals: tuple[int, ...], winners: tuple[int, ...]) -> None:
    """The highest total wins, and sides that share it draw."""
    match, _ = begin_match(ONLINE, max(len(totals), 2), KEYS)
    match.totals = list(totals)
    assert match.winners == winners


@pytest.mark.parametrize("target", [100, 300, 500, 10_000])
def test_hf_11_3_a_target(target: int) -> None:
    """A match with a target ends with the first round after which a side has reached it, or with its last round."""
    house = replace(SIMPLE, name="house", match=MatchRule(rounds=4, target=target))
    full = played(replace(house, match=MatchRule(rounds=4)), 4)
    running = [[sum(s[side].total for s in full.scores[: n + 1]) for side in (0, 1)] for n in range(4)]
    reached = [number for number, totals in enumerate(running, start=1) if max(totals) >= target]
    assert len(played(house, 4).scores) == (reached[0] if reached else 4)


def eager(state: RoundState) -> Action:
    """Return the first action that takes the pile or lays down, else what the referee would play."""
    busy = (action for action in legal_actions(state) if isinstance(action, TakePile | LayDown))
    return next(busy, None) or fallback_action(state)


@tables()
@pytest.mark.parametrize("choose", [fallback_action, eager])
def test_hf_11_4_how_long_a_round_can_last(
    ruleset: Ruleset, seats: int, choose: Callable[[RoundState], Action]
) -> None:
    """Rounds of drawing and discarding only, and of taking and melding whatever one can, stay below the bound."""
    state, _ = begin_round(ruleset, seats, 0, KEYS[0])
    actions = 0
    while not state.over:
        apply(state, choose(state))
        actions += 1
    assert actions <= action_bound(ruleset, seats)
