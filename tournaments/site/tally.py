"""What one partnership achieved, in units, and the table of everybody against everybody."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from tournaments.results import Outcome, UnitResult
from tournaments.schedule import EntityHash
from tournaments.statistics import Z95, mean_and_error

ENOUGH: Final = 10
"""With fewer units the normal interval of a margin is not to be trusted."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Units, seen from one of the rivals."""

    wins: int
    draws: int
    losses: int

    unrated: int
    """Units that count for nobody."""

    margin_mean: float | None
    """Mean margin in points, of two rivals, over the units that were played out."""

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
    """Return what *entity* achieved in *results*, all of which it took part in; margins are those of two sides."""
    outcomes: list[Outcome | None] = []
    margins: list[int] = []
    for result in results:
        index = result.entities.index(entity)
        outcomes.append(result.outcome(index))
        if result.margin is not None:
            margins.append(-result.margin if index else result.margin)
    return _tally(outcomes, margins)


def duel(results: Iterable[UnitResult], entity: EntityHash, rival: EntityHash) -> Tally:
    """
    Return how often *entity* came before *rival* (a win), level with it or behind it, and by how many points.

    Both took part in all *results*, maybe with others.
    """
    outcomes: list[Outcome | None] = []
    margins: list[int] = []
    for result in results:
        own, other = result.entities.index(entity), result.entities.index(rival)
        outcomes.append(_order(result.places, own, other))
        if result.status == "rated":
            margins.append(result.totals[own] - result.totals[other])
    return _tally(outcomes, margins)


def crosstable(
    results: Iterable[UnitResult], order: Sequence[EntityHash]
) -> Mapping[EntityHash, Mapping[EntityHash, Tally]]:
    """Return, for each of *order*, what it achieved against each other one of them that it met."""
    met: dict[EntityHash, dict[EntityHash, list[UnitResult]]] = {entity: {} for entity in order}
    for result in results:
        for one, other in permutations(sorted(set(result.entities)), 2):
            met[one].setdefault(other, []).append(result)
    return {
        entity: {rival: duel(units, entity, rival) for rival, units in rivals.items()}
        for entity, rivals in met.items()
    }


def _order(places: Sequence[int] | None, own: int, other: int) -> Outcome | None:
    if places is None:
        return None
    if places[own] == places[other]:
        return "draw"
    return "win" if places[own] < places[other] else "loss"


def _tally(outcomes: Sequence[Outcome | None], margins: Sequence[int]) -> Tally:
    mean, error = mean_and_error(margins)
    wins, draws, losses = (outcomes.count(outcome) for outcome in ("win", "draw", "loss"))
    return Tally(wins, draws, losses, outcomes.count(None), mean, error)
