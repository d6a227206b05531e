"""Margins and Elo: values worked out by hand, and intervals that hold what they promise."""

import math
import random
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st
from played import broken_off, entity, scored

from tournaments.statistics import elo, mean_and_error, summarise, summarise_places

COUNTS = st.integers(0, 10**6)


def test_two_wins_by_hand() -> None:
    """Two wins and the added halves score 2.5 of 3, which is 400 log10(5)."""
    strength = elo(2, 0, 0)
    assert strength.elo == pytest.approx(279.588, abs=1e-3)
    # variance (2.5 (1/6)^2 + 0.5 (5/6)^2) / 3 = 0.138889; error sqrt(0.138889 / 3) = 0.215166
    assert strength.los == pytest.approx(0.939332, abs=1e-6)  # Phi(0.333333 / 0.215166)
    assert strength.low == pytest.approx(-400 * math.log10(1 / (0.833333 - 1.96 * 0.215166) - 1), abs=1e-2)
    assert strength.high is None


def test_wins_draws_and_losses_by_hand() -> None:
    """60 wins, 10 draws and 30 losses score 65.5 of 101, which is 106.41 Elo, in 42.31 to 178.49."""
    strength = elo(60, 10, 30)
    # variance (60.5 (0.351485)^2 + 10 (0.148515)^2 + 30.5 (0.648515)^2) / 101 = 0.203191; error 0.0448531
    assert strength.elo == pytest.approx(106.405, abs=1e-3)
    assert strength.low == pytest.approx(42.31, abs=0.01)
    assert strength.high == pytest.approx(178.49, abs=0.01)
    assert strength.los == pytest.approx(0.999535, abs=1e-6)


@given(COUNTS, COUNTS, COUNTS)
def test_no_value_is_infinite_and_sides_mirror(wins: int, draws: int, losses: int) -> None:
    """Whatever the counts, values are finite or None; seen from the other side they change sign."""
    mine, yours = elo(wins, draws, losses), elo(losses, draws, wins)
    for value in (mine.elo, mine.low, mine.high, mine.los):
        assert value is None or math.isfinite(value)
    for one, other in ((mine.elo, yours.elo), (mine.low, yours.high)):
        assert (one is None) == (other is None)
        assert one is None or other is None or one == pytest.approx(-other, abs=1e-6)
    if wins + draws + losses:
        assert mine.los is not None
        assert (mine.los > 0.5) == (wins > losses)


def test_margins_by_hand() -> None:
    """100, 300 and 500 have the mean 300 and the error 200 / sqrt(3)."""
    assert mean_and_error([100, 300, 500]) == (300.0, pytest.approx(115.4701, abs=1e-4))


@given(st.lists(st.integers(-(10**5), 10**5), min_size=2), st.randoms(use_true_random=False))
def test_the_order_of_margins_changes_no_bit(margins: list[int], rng) -> None:  # type: ignore[no-untyped-def]
    """Mean and error are those of the textbook, and bit for bit the same for shuffled margins."""
    mean, error = mean_and_error(margins)
    assert mean == pytest.approx(fmean(margins))
    assert error == pytest.approx(stdev(margins) / math.sqrt(len(margins)), abs=1e-9)
    assert mean_and_error(rng.sample(margins, len(margins))) == (mean, error)


def test_a_summary_counts_what_was_played() -> None:
    """Forfeits count as won or lost without a margin; unrated units count nowhere."""
    results = [
        scored(0, {"a": 500, "b": 100}),
        scored(1, {"a": 100, "b": 300}),
        scored(2, {"a": 7, "b": 7}),
        broken_off(3, "ab", "b", "forfeit", "timeout"),
        broken_off(4, "ab", "ab", "double_forfeit", "crash"),
        broken_off(5, "ab", "a", "no_show", "no_show"),
    ]
    index = results[0].entities.index(entity("a"))
    mine, yours = summarise(results, index), summarise(results, 1 - index)
    assert (mine.wins, mine.draws, mine.losses) == (2, 1, 1)
    assert (yours.wins, yours.draws, yours.losses) == (1, 1, 2)
    assert mine.margin_mean == pytest.approx(200 / 3)
    assert yours.margin_mean == pytest.approx(-200 / 3)
    assert mine.margin_se == yours.margin_se
    assert mine.strength == elo(2, 1, 1)


def test_nothing_played_is_nothing_known() -> None:
    """Without units every figure is undefined."""
    empty = summarise([], 0)
    assert (empty.wins, empty.margin_mean, empty.margin_se, empty.strength.elo, empty.strength.los) == (
        0,
        None,
        None,
        None,
        None,
    )


@pytest.mark.parametrize(("won", "drawn"), [(0.5, 0.0), (0.6, 0.01), (0.75, 0.1), (0.4, 0.5)])
def test_the_elo_interval_covers_the_truth(won: float, drawn: float) -> None:
    """Of 2,000 simulated pairings of 100 to 200 units, about 95% have the true value in their interval."""
    rng = random.Random(11)
    score = won + drawn / 2
    truth = 400 * math.log10(score / (1 - score))
    weights = (won, drawn, 1 - won - drawn)
    hits = 0
    for _ in range(2_000):
        outcomes = rng.choices("wdl", weights, k=rng.randint(100, 200))
        strength = elo(*(outcomes.count(letter) for letter in "wdl"))
        hits += (strength.low or -math.inf) <= truth <= (strength.high or math.inf)
    assert 0.93 <= hits / 2_000 <= 0.97


@pytest.mark.parametrize("together", [-0.66, 0.0, 0.66])
def test_the_margin_interval_covers_the_truth_when_legs_depend(together: float) -> None:
    """Legs on one set of deals depend on each other; the interval over units covers 95% all the same."""
    rng = random.Random(12)
    hits = 0
    for _ in range(2_000):
        margins = []
        for _ in range(60):
            first = rng.gauss(0, 1)
            second = together * first + math.sqrt(1 - together**2) * rng.gauss(0, 1)
            margins.append(round(1_000 * (first + second)) + 100)
        mean, error = mean_and_error(margins)
        assert mean is not None
        assert error is not None
        hits += abs(mean - 100) <= 1.96 * error
    assert 0.93 <= hits / 2_000 <= 0.97


def test_places_and_points_of_three_by_hand() -> None:
    """A shared first place is a draw, a forfeit comes last and stays out of the points, an unrated unit out of all."""
    results = [
        scored(0, {"a": 300, "b": 200, "c": 100}),
        scored(1, {"a": 500, "b": 500, "c": 600}),
        scored(2, {"a": 700, "b": 700, "c": 100}),
        broken_off(3, "abc", "a", "forfeit", "crash"),
        broken_off(4, "abc", "c", "no_show", "no_show"),
    ]
    achieved = summarise_places(results, results[0].entities.index(entity("a")))
    assert (achieved.wins, achieved.draws, achieved.losses) == (1, 1, 2)
    assert achieved.place_mean == fmean([1, 2, 1, 3])
    assert achieved.place_se == pytest.approx(stdev([1, 2, 1, 3]) / 2)
    assert achieved.score_mean == fmean([300, 500, 700])
    assert achieved.score_se == pytest.approx(stdev([300, 500, 700]) / math.sqrt(3))


def test_nothing_is_said_about_places_without_units() -> None:
    """What is not defined is None."""
    nothing = summarise_places([], 0)
    assert (nothing.place_mean, nothing.place_se, nothing.score_mean, nothing.score_se) == (None,) * 4
