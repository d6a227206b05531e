"""
TrueSkill ratings of entities from a set of units; they depend on the set alone, not on any order of play.

TrueSkill as published depends on the order of results. Here expectation propagation sweeps over the units in id
order until the ratings stand still. The licence text of the trueskill package says that TrueSkill is for
non-commercial use; this is the only module that imports it. Nothing here ranks or rounds.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from trueskill import TrueSkill, calc_draw_margin

from tournaments.errors import TournamentError
from tournaments.results import UnitResult, distinct
from tournaments.schedule import EntityHash

MU: Final = 25.0
"""Mean of a new entity's skill, and of each connected component."""

SIGMA: Final = 25 / 3
"""Standard deviation of a new entity's skill."""

BETA: Final = 25 / 6
"""Standard deviation of one performance around the skill."""

TOLERANCE: Final = 0.001
"""The ratings stand still when no re-centred mean and no sigma moves by this much in a sweep."""

MAX_SWEEPS: Final = 300
"""How many sweeps are tried."""

_ENV: Final = TrueSkill(MU, SIGMA, BETA, tau=0, draw_probability=0.01, backend=None)

_ROOT_2: Final = math.sqrt(2)
_ROOT_2PI: Final = math.sqrt(2 * math.pi)

DRAW_MARGIN: Final[float] = calc_draw_margin(_ENV.draw_probability, 2, _ENV)
"""The difference of two performances below which they are a draw."""


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong an entity is, as a normal distribution."""

    mu: float
    """The mean."""

    sigma: float
    """The standard deviation."""

    component: int | None
    """The number, from 1, of the connected component; ratings of two components say nothing about each other.
    None before the first rated unit."""


Normal = tuple[float, float]
"""A mean and a variance."""

Natural = tuple[float, float]
"""The same as precision and precision times mean, in which products and quotients are sums and differences."""


@dataclass(slots=True)
class _Factor:
    """A unit as a factor of the joint distribution, with its last message to each member."""

    unit: str
    members: tuple[int, ...]
    places: tuple[int, ...]
    messages: list[Natural] = field(init=False)

    def __post_init__(self) -> None:
        self.messages = [(0.0, 0.0)] * len(self.members)


def rate(results: Iterable[UnitResult], entities: Iterable[EntityHash]) -> dict[EntityHash, Rating]:
    """
    Return the rating of each of *entities*; unrated units among *results* are left out.

    Raises:
        TournamentError: two results of one unit, an entity that is not among *entities* or plays against
            itself, a result too unlikely to work with, or ratings that do not stand still.
    """
    names = sorted(set(entities))
    numbers = {name: number for number, name in enumerate(names)}
    factors = [_factor(result, numbers) for result in distinct(results) if result.rated]
    components = _components(len(names), factors)
    beliefs = _settle(factors, components, len(names))
    means = _centred(beliefs, components)
    inside = {member: number for number, group in enumerate(components, 1) for member in group}
    return {
        name: Rating(means[number], math.sqrt(1 / beliefs[number][0]), inside.get(number))
        for name, number in numbers.items()
    }


def corrections(difference: float, margin: float, *, drawn: bool) -> tuple[float, float]:
    """
    Return what a win or a draw does to a standard normal difference of performances: v moves, w narrows.

    Herbrich, Minka, Graepel: TrueSkill, 2006. *difference* and *margin* are in standard deviations.

    Raises:
        FloatingPointError: the difference is too large to work with.
    """
    moved, narrowed = _drawn(difference, margin) if drawn else _won(difference - margin)
    if not 0 < narrowed < 1:
        raise FloatingPointError(f"a difference of {difference} is too large")
    return moved, narrowed


def _won(lead: float) -> tuple[float, float]:
    below = _cdf(lead)
    v = _pdf(lead) / below if below else -lead
    return v, v * (v + lead)


def _drawn(difference: float, margin: float) -> tuple[float, float]:
    high, low = margin - abs(difference), -margin - abs(difference)
    between = _cdf(high) - _cdf(low)
    if not between:
        return 0.0, 0.0
    v = (_pdf(low) - _pdf(high)) / between
    w = v * v + (high * _pdf(high) - low * _pdf(low)) / between
    return -v if difference < 0 else v, w


def _pdf(x: float) -> float:
    return math.exp(-x * x / 2) / _ROOT_2PI


def _cdf(x: float) -> float:
    return math.erfc(-x / _ROOT_2) / 2


def _factor(result: UnitResult, numbers: Mapping[EntityHash, int]) -> _Factor:
    unknown = [entity for entity in result.entities if entity not in numbers]
    if unknown or len(set(result.entities)) < len(result.entities):
        reason = "an unknown entity plays" if unknown else "an entity plays against itself"
        raise TournamentError(f"no ratings: unit {result.unit}", reason, got=(unknown or result.entities)[0])
    assert result.places is not None
    order = sorted(zip(result.places, (numbers[entity] for entity in result.entities), strict=True))
    return _Factor(result.unit, tuple(member for _, member in order), tuple(place for place, _ in order))


def _components(count: int, factors: Iterable[_Factor]) -> list[list[int]]:
    """Return the groups of members that units connect, the largest first, without those of no unit."""
    groups: list[list[int]] = [[number] for number in range(count)]
    for factor in factors:
        for member in factor.members[1:]:
            small, large = sorted((groups[member], groups[factor.members[0]]), key=len)
            if small is not large:
                large += small
                for moved in small:
                    groups[moved] = large
    unique = {min(group): sorted(group) for group in groups if len(group) > 1}
    return sorted(unique.values(), key=lambda group: (-len(group), group))


def _settle(factors: Sequence[_Factor], components: Sequence[Sequence[int]], count: int) -> list[Natural]:
    """Return the beliefs after sweeps over *factors* that at last moved no mean and no sigma by `TOLERANCE`."""
    beliefs: list[Natural] = [(1 / SIGMA**2, MU / SIGMA**2)] * count
    before = _readings(beliefs, components)
    for _ in range(MAX_SWEEPS):
        for factor in factors:
            _absorb(factor, beliefs)
        after = _readings(beliefs, components)
        if all(abs(new - old) < TOLERANCE for new, old in zip(after, before, strict=True)):
            return beliefs
        before = after
    raise TournamentError("no ratings", f"they do not stand still after {MAX_SWEEPS} sweeps over the units")


def _readings(beliefs: Sequence[Natural], components: Iterable[Sequence[int]]) -> list[float]:
    """Return the re-centred means and the sigmas: in a season of ties the sigmas alone move."""
    return [*_centred(beliefs, components), *(math.sqrt(1 / precision) for precision, _ in beliefs)]


def _absorb(factor: _Factor, beliefs: list[Natural]) -> None:
    """Take the last messages of *factor* out of *beliefs*, rate again, and keep the new messages."""
    try:
        (_absorb_duel if len(factor.members) == 2 else _absorb_many)(factor, beliefs)
    except ArithmeticError:
        raise TournamentError(
            f"no ratings: unit {factor.unit}", "its result is too unlikely to be rated"
        ) from None


def _absorb_many(factor: _Factor, beliefs: list[Natural]) -> None:
    pairs = zip(factor.members, factor.messages, strict=True)
    cavities = [(beliefs[m][0] - precision, beliefs[m][1] - shift) for m, (precision, shift) in pairs]
    before = [(shift / precision, 1 / precision) for precision, shift in cavities]
    for slot, (mean, variance) in enumerate(_update(before, factor.places)):
        after = 1 / variance, mean / variance
        beliefs[factor.members[slot]] = after
        factor.messages[slot] = (after[0] - cavities[slot][0], after[1] - cavities[slot][1])


def _absorb_duel(factor: _Factor, beliefs: list[Natural]) -> None:
    """Do what `_absorb_many` does, written out for two: this is what a board spends its time on."""
    one, other = factor.members
    (precision, shift), (other_precision, other_shift) = factor.messages
    cavity, level = beliefs[one][0] - precision, beliefs[one][1] - shift
    other_cavity, other_level = beliefs[other][0] - other_precision, beliefs[other][1] - other_shift
    (mean, variance), (other_mean, other_variance) = _duel(
        (level / cavity, 1 / cavity),
        (other_level / other_cavity, 1 / other_cavity),
        drawn=factor.places[0] == factor.places[1],
    )
    precision, other_precision = 1 / variance, 1 / other_variance
    shift, other_shift = mean * precision, other_mean * other_precision
    beliefs[one], beliefs[other] = (precision, shift), (other_precision, other_shift)
    factor.messages = [
        (precision - cavity, shift - level),
        (other_precision - other_cavity, other_shift - other_level),
    ]


def _update(before: Sequence[Normal], places: Sequence[int]) -> Sequence[Normal]:
    groups: list[tuple[Any]] = [(_ENV.create_rating(mean, math.sqrt(variance)),) for mean, variance in before]
    return [(rating.mu, rating.sigma**2) for (rating,) in _ENV.rate(groups, ranks=places)]


def _duel(better: Normal, worse: Normal, *, drawn: bool) -> tuple[Normal, Normal]:
    """Return what the package's `rate` returns for two, in closed form: fifty times as fast."""
    (mean, variance), (other_mean, other_variance) = better, worse
    total = 2 * BETA**2 + variance + other_variance
    spread = math.sqrt(total)
    v, w = corrections((mean - other_mean) / spread, DRAW_MARGIN / spread, drawn=drawn)
    return (
        (mean + variance * v / spread, variance * (1 - variance * w / total)),
        (other_mean - other_variance * v / spread, other_variance * (1 - other_variance * w / total)),
    )


def _centred(beliefs: Sequence[Natural], components: Iterable[Sequence[int]]) -> list[float]:
    """Return the means, each component moved to `MU`: results say nothing about the common level."""
    means = [shift / precision for precision, shift in beliefs]
    for group in components:
        excess = math.fsum(means[member] for member in group) / len(group) - MU
        for member in group:
            means[member] -= excess
    return means
