"""What one partnership achieved against another, in units, and the table of everybody against everybody."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.results import Outcome, UnitResult
from tournaments.schedule import EntityHash
from tournaments.statistics import Z95, mean_and_error

ENOUGH: Final = 10
"""With fewer units the normal interval of a margin is not to be trusted."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The units of two rivals, seen from one of them."""

    wins: int
    draws: int
    losses: int

    unrated: int
    """Units that count for nobody."""

    margin_mean: float | None
    """Mean margin in points over the units that were played out."""

    margin_se: float | None
    """Its standard error; None below two units."""

    @property
    def played(self) -> int:
        """How many units count."""
        return self.wins + self.draws + self.losses

    @property
    def leaning(self) -> str:
        """Whether the margin is beyond chance by its 95% interval: ``ahead``, ``behind`` or ``even``."""
        if self.margin_mean is None or self.margin_se is None or self.played < ENOUGH:
            return "even"
        if abs(self.margin_mean) <= Z95 * self.margin_se:
            return "even"
        return "ahead" if self.margin_mean > 0 else "behind"


def tally(results: Iterable[UnitResult], entity: EntityHash) -> Tally:
    """Return what *entity* achieved in *results*, all of which it took part in."""
    outcomes: list[Outcome | None] = []
    margins: list[int] = []
    for result in results:
        index = result.entities.index(entity)
        outcomes.append(result.outcome(index))
        if result.margin is not None:
            margins.append(-result.margin if index else result.margin)
    mean, error = mean_and_error(margins)
    return Tally(
        outcomes.count("win"),
        outcomes.count("draw"),
        outcomes.count("loss"),
        outcomes.count(None),
        mean,
        error,
    )


def crosstable(
    results: Iterable[UnitResult], order: Sequence[EntityHash]
) -> Mapping[EntityHash, Mapping[EntityHash, Tally]]:
    """Return, for each of *order*, what it achieved against each other one of them that it met."""
    met: dict[EntityHash, dict[EntityHash, list[UnitResult]]] = {entity: {} for entity in order}
    for result in results:
        one, *others = result.entities
        for other in set(others) - {one}:
            met[one].setdefault(other, []).append(result)
            met[other].setdefault(one, []).append(result)
    return {
        entity: {rival: tally(units, entity) for rival, units in rivals.items()}
        for entity, rivals in met.items()
    }
