"""
What the results of rivals say: margins, Elo and likelihood of superiority of two, places and points of any number.

The sample is the unit, never the leg: two legs on the same deals are not independent. No value is ever infinite or
NaN: what is not defined is None. Nothing here ranks.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from tournaments.results import Outcome, UnitResult

Z95: Final = 1.96
"""Half the width of a 95% interval, in standard errors."""

NORMAL: Final = NormalDist()


@dataclass(frozen=True, slots=True)
class Elo:
    """An estimate of the difference in strength, in Elo per unit."""

    elo: float | None
    """The estimate; positive for the side that it is seen from."""

    low: float | None
    """The lower end of the 95% interval; None if it has no end there."""

    high: float | None
    """The upper end of the 95% interval; None if it has no end there."""

    los: float | None
    """The likelihood of superiority, 0..1."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What one entity of a pairing achieved, seen from its side."""

    wins: int
    """Units won."""

    draws: int
    """Units drawn."""

    losses: int
    """Units lost, forfeited ones among them."""

    margin_mean: float | None
    """Mean margin in points per unit, over the units that were played out."""

    margin_se: float | None
    """The standard error of that mean; None below two units."""

    strength: Elo
    """What the units say about the difference in strength."""


def summarise(results: Iterable[UnitResult], entity: int) -> Summary:
    """Return what the *entity* of this index achieved in *results*, which are all of one pairing."""
    final = list(results)
    outcomes: list[Outcome | None] = [result.outcome(entity) for result in final]
    wins, draws, losses = (outcomes.count(outcome) for outcome in ("win", "draw", "loss"))
    sign = -1 if entity else 1
    margins = [sign * result.margin for result in final if result.margin is not None]
    return Summary(wins, draws, losses, *mean_and_error(margins), elo(wins, draws, losses))


@dataclass(frozen=True, slots=True)
class Placing:
    """What one entity achieved among any number of them."""

    wins: int
    """Units in which it alone came first."""

    draws: int
    """Units in which it shared the first place."""

    losses: int
    """All other units that count."""

    place_mean: float | None
    """Its mean place, from 1, over the units that count."""

    place_se: float | None
    """The standard error of that mean; None below two units."""

    score_mean: float | None
    """Mean points per unit, summed over its legs, over the units in which nobody forfeited."""

    score_se: float | None
    """The standard error of that mean."""


def summarise_places(results: Iterable[UnitResult], entity: int) -> Placing:
    """Return what the *entity* of this index achieved in *results*, which are all of the same entities."""
    rated = [result for result in results if result.rated]
    outcomes = [result.outcome(entity) for result in rated]
    wins, draws, losses = (outcomes.count(outcome) for outcome in ("win", "draw", "loss"))
    places = [result.places[entity] for result in rated if result.places is not None]
    scores = [result.totals[entity] for result in rated if not result.forfeited]
    return Placing(wins, draws, losses, *mean_and_error(places), *mean_and_error(scores))


def mean_and_error(values: Iterable[int]) -> tuple[float | None, float | None]:
    """
    Return the mean of *values* and its standard error; None where there are too few.

    Sums are exact, so the order of the values makes no difference.

    >>> mean_and_error([100, 300, 500])[0], mean_and_error([7]), mean_and_error([])
    (300.0, (7.0, None), (None, None))
    """
    count = total = squares = 0
    for value in values:
        count, total, squares = count + 1, total + value, squares + value * value
    if count < 2:
        return (float(total) if count else None), None
    variance = (count * squares - total * total) / (count * (count - 1))
    return total / count, math.sqrt(variance / count)


def elo(wins: int, draws: int, losses: int) -> Elo:
    """
    Return the Elo difference that these units show, with its 95% interval and the likelihood of superiority.

    Units score 1, 1/2 and 0. Half a win and half a loss are added, so that one-sided results stay finite; the
    interval is the mean score plus and minus 1.96 standard errors, on the scale of 400 log10(s / (1 - s)), and
    has no end where that leaves the scale. Without units nothing is defined.

    >>> elo(5, 3, 5).elo, elo(5, 3, 5).los, elo(0, 0, 0).elo, elo(20, 0, 0).high
    (0.0, 0.5, None, None)
    """
    if not wins + draws + losses:
        return Elo(None, None, None, None)
    won, lost, count = wins + 0.5, losses + 0.5, wins + draws + losses + 1
    score = (won + draws / 2) / count
    variance = (won * (1 - score) ** 2 + draws * (0.5 - score) ** 2 + lost * score**2) / count
    error = math.sqrt(variance / count)
    low, high = _on_scale(score - Z95 * error), _on_scale(score + Z95 * error)
    return Elo(_on_scale(score), low, high, NORMAL.cdf((score - 0.5) / error))


def _on_scale(score: float) -> float | None:
    return 400 * math.log10(score / (1 - score)) if 0 < score < 1 else None
