"""
What a decision costs, counted and not timed: calls of functions for fixed seeds, the same on every machine.

Counts are of CPython 3.11, built-in functions among them; other versions inline other calls, so that the bounds leave
a quarter of room. Each failure says what was counted. Where a change is worth its cost, raise the bound.
"""

import cProfile
import random
from collections.abc import Callable

import pytest
from handfoot.bots.greedy import GreedyBot
from in_process import play_match, spec_of
from played import entity, simulated

from referee.rules import RULESETS, begin_match, legal_actions, observe, play
from tournaments.ratings import rate
from tournaments.schedule import round_robin

ROOM = 1.25


def calls_of(run: Callable[[], int]) -> float:
    """Return how many function calls *run* makes for each of what it counts."""
    run()  # tables fill and modules load the first time
    profile = cProfile.Profile()
    done = profile.runcall(run)
    return sum(entry.callcount for entry in profile.getstats()) / done


def assert_within(measured: float, usual: float) -> None:
    """Fail if *measured* is far above what is *usual*, or so far below that the guard no longer guards."""
    assert measured < usual * ROOM, f"{measured:.1f} calls, usually {usual:.1f}"
    assert measured > usual / 2, f"{measured:.1f} calls, usually {usual:.1f}: lower the bound"


def random_decisions(name: str, *, observing: bool) -> Callable[[], int]:
    """Return a function that plays a random match of a ruleset, always the same, and returns its decisions."""
    ruleset = RULESETS[name]

    def run() -> int:
        dice, decisions = random.Random(7), 0
        match, _ = begin_match(ruleset, 4, [dice.randbytes(32) for _ in range(ruleset.rounds)])
        while not match.finished and decisions < 400:
            if observing:
                observe(match.state, match.state.decider, match.totals)
            play(match, legal_actions(match.state).sample(dice.random))
            decisions += 1
        return decisions

    return run


@pytest.mark.parametrize(
    ("name", "usual"), [("beginner", 52), ("online", 41), ("publisher", 41), ("simple", 38)]
)
def test_a_decision_of_random_play(name: str, usual: float) -> None:
    """Sampling and carrying out one action."""
    assert_within(calls_of(random_decisions(name, observing=False)), usual)


def test_observing() -> None:
    """Looking at the table from the decider's seat."""
    with_looking = calls_of(random_decisions("online", observing=True))
    assert_within(with_looking - calls_of(random_decisions("online", observing=False)), 18)


def test_a_decision_of_a_bot_through_the_table() -> None:
    """Encoding a request, a house bot's decision by the SDK, decoding and recording it; without gRPC."""

    def run() -> int:
        return len(play_match(spec_of(RULESETS["simple"], 4, "guard"), [GreedyBot] * 4).log)

    assert_within(calls_of(run), 276)


def test_a_unit_of_the_ratings() -> None:
    """All sweeps over a season of two sides."""
    names = [entity(str(number)) for number in range(6)]
    units = round_robin(names, 8)
    season = simulated(units, {name: 25 + number for number, name in enumerate(names)}, random.Random(3))

    def run() -> int:
        rate(season, names)
        return len(season)

    assert_within(calls_of(run), 117)
