"""
The docket of a league run: which unit is played next, and which result counts, as a pure state.

Units are begun in the order of the schedule and may finish in any. What is stored must not depend on that, and a
bot that does not show is suspended from the next duplicate number on. So units of later numbers are played ahead,
but their results are held back until every unit of the numbers before them is settled; those of a suspended entity
are then dropped, as if they had never been begun.
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping

from tournaments.results import UnitResult
from tournaments.schedule import EntityHash, Unit


class Docket:
    """
    The units of a run that are not settled.

    >>> from tournaments.schedule import round_robin
    >>> docket = Docket(round_robin([EntityHash("a" * 64), EntityHash("b" * 64)], 2), {})
    >>> docket.take().duplicate, docket.take().duplicate, docket.take()
    (0, 1, None)
    """

    def __init__(self, units: Iterable[Unit], suspended: Mapping[EntityHash, int]) -> None:
        """Begin with *units* in order of duplicate numbers; *suspended* says from which number an entity is out."""
        self._suspended = dict(suspended)
        self._waiting: deque[Unit] = deque()
        self._begun: dict[str, Unit] = {}
        self._held: dict[str, tuple[Unit, UnitResult]] = {}
        self._left: Counter[int] = Counter()
        self._dropped: list[Unit] = []
        self.given_up: list[Unit] = []
        """Units that are not played since an entity of theirs is suspended."""
        for unit in units:
            self._waiting.append(unit)
            self._left[unit.duplicate] += 1
        self._give_up()

    @property
    def begun(self) -> int:
        """How many units are begun and have no result."""
        return len(self._begun)

    @property
    def held(self) -> int:
        """How many results wait for units before them."""
        return len(self._held)

    def take(self) -> Unit | None:
        """Return the next unit to begin, or None if all are begun."""
        if not self._waiting:
            return None
        unit = self._waiting.popleft()
        self._begun[unit.id] = unit
        return unit

    def settle(self, result: UnitResult) -> tuple[UnitResult, ...]:
        """Take in the *result* of a unit that was begun, and return those that count from now on."""
        unit = self._begun.pop(result.unit, None)
        if unit is not None:
            self._held[unit.id] = (unit, result)
        released: list[UnitResult] = []
        while self._left and (ready := self._release(min(self._left))):
            released += ready
        return tuple(released)

    def take_dropped(self) -> tuple[Unit, ...]:
        """Return the units that were begun and do not count any more; each is returned once."""
        dropped, self._dropped = tuple(self._dropped), []
        return dropped

    def _release(self, duplicate: int) -> list[UnitResult]:
        """Let go of what is held of *duplicate*, the lowest number; after the last of it, judge who is out."""
        ready = [result for unit, result in self._held.values() if unit.duplicate == duplicate]
        for result in ready:
            del self._held[result.unit]
            self._left[duplicate] -= 1
            for entity in absent(result):
                self._suspended.setdefault(entity, duplicate + 1)
        if not self._left[duplicate]:
            del self._left[duplicate]
            self._give_up()
        return ready

    def _give_up(self) -> None:
        """Strike out whatever a suspended entity would play."""
        held = [unit for unit, _ in self._held.values()]
        out = [unit for unit in (*self._waiting, *self._begun.values(), *held) if self._is_out(unit)]
        self._dropped += [unit for unit in out if unit.id in self._begun]
        self._waiting = deque(unit for unit in self._waiting if not self._is_out(unit))
        for unit in out:
            self._begun.pop(unit.id, None)
            self._held.pop(unit.id, None)
            self._left[unit.duplicate] -= 1
        self._left = +self._left
        self.given_up += out

    def _is_out(self, unit: Unit) -> bool:
        return any(
            unit.duplicate >= self._suspended.get(entity, unit.duplicate + 1) for entity in unit.entities
        )


def absent(result: UnitResult) -> tuple[EntityHash, ...]:
    """Return the entities that did not show in the unit of *result*."""
    guilty = {fault.entity for leg in result.legs for fault in leg.faults if fault.kind == "no_show"}
    return tuple(result.entities[index] for index in sorted(guilty))
