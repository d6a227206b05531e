"""How sure differences are: against a slow second calculation, and by simulation."""

import math
import random
from statistics import NormalDist

import pytest
from played import entity, scored, simulated

from tournaments.errors import TournamentError
from tournaments.laplace import spreads
from tournaments.ratings import BETA, DRAW_MARGIN, MU, SIGMA, rate
from tournaments.schedule import round_robin

NORMAL = NormalDist()


def log_likelihood(difference: float, wins: int, draws: int, losses: int) -> float:
    """Return the log likelihood of a difference in skill between two, with its prior."""
    noise = math.sqrt(2) * BETA
    above = NORMAL.cdf((difference - DRAW_MARGIN) / noise)
    below = NORMAL.cdf((-difference - DRAW_MARGIN) / noise)
    counted = wins * math.log(above) + losses * math.log(below) + draws * math.log(1 - above - below)
    return counted - difference**2 / (4 * SIGMA**2)


@pytest.mark.parametrize(("wins", "draws", "losses"), [(7, 0, 3), (4, 2, 9), (0, 3, 0), (12, 0, 0)])
def test_two_entities_agree_with_a_search_on_a_line(wins: int, draws: int, losses: int) -> None:
    """For two, error and likelihood of superiority are those of the curve's peak, found by trying."""
    grid = [number / 500 for number in range(-15_000, 15_001)]
    peak = max(grid, key=lambda difference: log_likelihood(difference, wins, draws, losses))
    here, left, right = (log_likelihood(peak + step, wins, draws, losses) for step in (0, -0.05, 0.05))
    deviation = math.sqrt(-(0.05**2) / (left - 2 * here + right))
    leads = [1] * wins + [0] * draws + [-1] * losses
    season = [scored(number, {"a": lead, "b": 0}) for number, lead in enumerate(leads)]
    first, second = spreads(season, [entity("a"), entity("b")], [MU, MU])
    assert (first.error, second.error) == pytest.approx((deviation / 2, deviation / 2), rel=1e-3)
    assert first.los_next == pytest.approx(NORMAL.cdf(peak / deviation), abs=1e-3)
    assert second.los_next is None


def test_the_start_makes_no_difference() -> None:
    """The peak is the only one: another start ends there too."""
    season = [scored(number, {"a": number % 3, "b": 1}) for number in range(12)]
    order = [entity("a"), entity("b")]
    for one, other in zip(spreads(season, order, [25, 25]), spreads(season, order, [30, 22]), strict=True):
        assert one.error == pytest.approx(other.error, abs=1e-6)
        assert one.los_next == (None if other.los_next is None else pytest.approx(other.los_next, abs=1e-6))


def test_the_interval_covers_the_truth() -> None:
    """Of 150 skills drawn from the prior, about 95% lie in the interval round their centred rating."""
    rng = random.Random(21)
    entities = [entity(str(number)) for number in range(5)]
    hits = 0
    for _ in range(30):
        skills = {one: rng.gauss(MU, SIGMA) for one in entities}
        level = sum(skills.values()) / len(skills) - MU
        season = simulated(round_robin(entities, 10), skills, rng)
        rated = rate(season, entities)
        found = spreads(season, entities, [rated[one].mu for one in entities])
        hits += sum(
            abs(rated[one].mu + level - skills[one]) <= 1.96 * spread.error
            for one, spread in zip(entities, found, strict=True)
        )
    assert 0.9 <= hits / 150 <= 0.99


def test_a_start_beyond_the_numbers_is_an_error() -> None:
    """Numbers that cannot be worked out are an error in one line."""
    with pytest.raises(TournamentError, match="too unlikely to work with"):
        spreads([scored(0, {"a": 0, "b": 0})], [entity("a"), entity("b")], [1e9, -1e9])
