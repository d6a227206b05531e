"""Results as they come out of units, built by hand for tests."""

import hashlib
import random
from collections.abc import Iterable, Mapping, Sequence

from tournaments.results import FaultNote, LegResult, UnitResult
from tournaments.schedule import EntityHash, Unit, unit_of


def entity(name: str) -> EntityHash:
    """Return the hash of an entity that a test calls *name*."""
    return EntityHash(hashlib.sha256(name.encode()).hexdigest())


def played(unit: Unit, totals: Sequence[int]) -> UnitResult:
    """Return the result of *unit* that gives its entities these *totals*, all made in the first leg."""
    nothing = (0,) * len(totals)
    legs = [
        LegResult(f"{unit.id}-{i}", tuple(totals) if i == 0 else nothing, 1, nothing)
        for i in range(len(totals))
    ]
    return UnitResult(unit.id, unit.duplicate, unit.entities, tuple(legs), "rated")


def scored(duplicate: int, totals: Mapping[str, int]) -> UnitResult:
    """Return a rated result by the names of its entities."""
    unit = unit_of(duplicate, map(entity, totals))
    by_hash = {entity(name): total for name, total in totals.items()}
    return played(unit, [by_hash[one] for one in unit.entities])


def broken_off(
    duplicate: int, names: Iterable[str], guilty: Iterable[str], status: str, kind: str
) -> UnitResult:
    """Return the result of a unit that ended in its first leg, with a fault of *kind* for each of *guilty*."""
    unit = unit_of(duplicate, map(entity, names))
    indices = tuple(sorted(unit.entities.index(entity(name)) for name in guilty))
    faults = tuple(
        FaultNote(index, kind, ends_match=True, reason="as the test wants it") for index in indices
    )
    forfeit = indices if status != "no_show" else ()
    leg = LegResult(f"{unit.id}-0", None, 0, (0,) * len(unit.entities), forfeit, faults)
    return UnitResult(unit.id, duplicate, unit.entities, (leg,), status)


def simulated(
    units: Iterable[Unit], skills: Mapping[EntityHash, float], rng: random.Random
) -> list[UnitResult]:
    """Return results as the model behind the ratings makes them: each performance is a skill and noise of 25/6."""
    return [
        played(unit, [round(100 * (skills[one] + rng.gauss(0, 25 / 6))) for one in unit.entities])
        for unit in units
    ]
