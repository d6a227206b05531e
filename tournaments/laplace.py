"""
How sure the differences between ratings are: the Laplace approximation of the likelihood behind them.

For two sides, and for one connected component at a time. Nothing here decides a rank.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import mul
from typing import Final

from tournaments.errors import TournamentError
from tournaments.ratings import BETA, DRAW_MARGIN, MU, SIGMA, corrections
from tournaments.results import UnitResult
from tournaments.schedule import EntityHash
from tournaments.statistics import NORMAL

STEPS: Final = 50
"""How many Newton steps are tried; five are usual."""

STILL: Final = 1e-7
"""The step, in mu, below which the maximum is reached."""

_SPREAD: Final = math.sqrt(2) * BETA
_MARGIN: Final = DRAW_MARGIN / _SPREAD

Matrix = list[list[float]]
Tally = Mapping[tuple[int, int, bool], int]
"""How often the first of two members beat (or drew with) the second."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How sure the place of an entity in its component is."""

    error: float
    """The standard error of the distance to the component's mean, in mu."""

    los_next: float | None
    """The likelihood, 0..1, of being better than the next in order; None for the last."""


def spreads(
    results: Iterable[UnitResult], order: Sequence[EntityHash], start: Sequence[float]
) -> list[Spread]:
    """
    Return the spread of each entity of one connected component, in the component's *order*.

    *start* are ratings to start from; the maximum is unique, so they change nothing but the time it takes.
    Results of other components are ignored. The time grows with the cube of the number of entities.

    Raises:
        TournamentError: a result is too unlikely under *start* to work with.
    """
    tally = _tally(results, {entity: number for number, entity in enumerate(order)})
    try:
        means, root = _climb(tally, list(start))
    except ArithmeticError:
        raise TournamentError("no intervals of ratings", "a result is too unlikely to work with") from None
    diagonal, beside = _covariances(root)
    los = [
        NORMAL.cdf((means[i] - means[j]) / math.sqrt(diagonal[i] + diagonal[j] - 2 * beside[i]))
        for i, j in pairwise(range(len(order)))
    ]
    # The row sums of the covariance are all SIGMA^2, so centring takes SIGMA^2 / n from each variance.
    errors = [math.sqrt(max(0.0, variance - SIGMA**2 / len(order))) for variance in diagonal]
    return [Spread(error, chance) for error, chance in zip(errors, [*los, None], strict=True)]


def _tally(results: Iterable[UnitResult], numbers: Mapping[EntityHash, int]) -> Tally:
    tally: Counter[tuple[int, int, bool]] = Counter()
    for result in results:
        if result.places is not None and result.entities[0] in numbers:
            (place, one), (other_place, other) = sorted(zip(result.places, result.entities, strict=True))
            tally[numbers[one], numbers[other], place == other_place] += 1
    return tally


def _climb(tally: Tally, means: list[float]) -> tuple[list[float], Matrix]:
    """
    Return the most likely means and the Cholesky root of the curvature there.

    Newton steps, but with the root of an earlier curvature for as long as each step is at most half the last one:
    the root is what takes time.
    """
    root: Matrix = []
    last = 0.0
    for _ in range(STEPS):
        slope, curvature = _derivatives(tally, means)
        step = _solve(root, slope) if root else []
        if not root or _length(step) > last / 2:
            root = _cholesky(curvature)
            step = _solve(root, slope)
        last = _length(step)
        if last < STILL:
            break
        means = [mean + move for mean, move in zip(means, step, strict=True)]
    return means, _cholesky(curvature)


def _length(step: Sequence[float]) -> float:
    return max(map(abs, step))


def _derivatives(tally: Tally, means: Sequence[float]) -> tuple[list[float], Matrix]:
    """Return the slope of the log likelihood with its prior, and minus its second derivative."""
    count = len(means)
    slope = [(MU - mean) / SIGMA**2 for mean in means]
    curvature = [[0.0] * row + [1 / SIGMA**2] + [0.0] * (count - row - 1) for row in range(count)]
    for (one, other, drawn), times in tally.items():
        v, w = corrections((means[one] - means[other]) / _SPREAD, _MARGIN, drawn=drawn)
        slope[one] += times * v / _SPREAD
        slope[other] -= times * v / _SPREAD
        bend = times * w / _SPREAD**2
        curvature[one][one] += bend
        curvature[other][other] += bend
        curvature[one][other] -= bend
        curvature[other][one] -= bend
    return slope, curvature


def _cholesky(matrix: Matrix) -> Matrix:
    root: Matrix = []
    for number, row in enumerate(matrix):
        line: list[float] = []
        for other in range(number):
            line.append((row[other] - sum(map(mul, line, root[other]))) / root[other][other])
        line.append(math.sqrt(row[number] - sum(map(mul, line, line))))
        root.append(line)
    return root


def _solve(root: Matrix, right: Sequence[float]) -> list[float]:
    half: list[float] = []
    for row, value in zip(root, right, strict=True):
        half.append((value - sum(map(mul, row, half))) / row[-1])
    for number in reversed(range(len(half))):
        row = root[number]
        half[number] /= row[-1]
        for other in range(number):
            half[other] -= row[other] * half[number]
    return half


def _covariances(root: Matrix) -> tuple[list[float], list[float]]:
    """Return the diagonal of the inverse of the curvature, and the entries beside it."""
    count = len(root)
    columns: Matrix = []
    for start in range(count):
        column = [1 / root[start][start]]
        for row in root[start + 1 :]:
            column.append(-sum(map(mul, row[start:-1], column)) / row[-1])
        columns.append(column)
    diagonal = [sum(map(mul, column, column)) for column in columns]
    return diagonal, [sum(map(mul, one[1:], other)) for one, other in pairwise(columns)]
