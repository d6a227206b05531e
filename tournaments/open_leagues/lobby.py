"""
The lobby of an open league: who is there, who plays, and which unit is next. Pure; time is a parameter.

An entity is there while one bot process for each seat of a side is. Of the pairings that can be played, the one that
was played least is next; of equals, the one whose entities have waited longest.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NewType

from tournaments.schedule import EntityHash, Unit, meetings, unit_id, unit_of

Guest = NewType("Guest", str)
"""A bot process; any text that is its own."""


@dataclass(frozen=True, slots=True)
class Call:
    """A unit that is to be begun, with who plays it."""

    unit: Unit

    teams: tuple[tuple[Guest, ...], ...]
    """Per entity of the unit, one guest for each seat of a side."""


class Lobby:
    """
    Guests and units of an open league.

    >>> lobby = Lobby(sides=2, side_size=1, units=1)
    >>> ann, bea = EntityHash("a" * 64), EntityHash("b" * 64)
    >>> lobby.arrive(Guest("first"), ann), lobby.call(now=0.0)
    (None, None)
    >>> lobby.arrive(Guest("second"), bea), lobby.call(now=1.0).teams
    (None, (('first',), ('second',)))
    """

    def __init__(self, sides: int, side_size: int, units: int, settled: Iterable[str] = ()) -> None:
        """Let *units* be played per pairing; those whose ids are *settled* were played before."""
        self._sides, self._side_size, self._units = sides, side_size, units
        self._settled = set(settled)
        self._entities: dict[Guest, EntityHash] = {}
        self._calls: dict[str, Call] = {}
        self._begun: dict[EntityHash, int] = {}
        self._number = 0
        self._first: dict[tuple[EntityHash, ...], int] = {}
        """The first number of a pairing that is not settled, as far as it was looked for."""
        self._resting: dict[EntityHash, float] = {}

    @property
    def guests(self) -> frozenset[Guest]:
        """Everybody who is there."""
        return frozenset(self._entities)

    @property
    def playing(self) -> int:
        """How many units are being played."""
        return len(self._calls)

    def arrive(self, guest: Guest, entity: EntityHash) -> None:
        """Note that *guest*, who plays for *entity*, is there."""
        self._entities[guest] = entity

    def leave(self, guest: Guest) -> None:
        """Note that *guest* is gone; a unit that it plays is not touched."""
        self._entities.pop(guest, None)

    def rest(self, entity: EntityHash, until: float) -> None:
        """Let *entity* play nothing before *until*."""
        self._resting[entity] = until

    def is_there(self, entity: EntityHash) -> bool:
        """Return whether there are as many guests of *entity* as a side has seats."""
        return list(self._entities.values()).count(entity) >= self._side_size

    def call(self, now: float) -> Call | None:
        """Begin the next unit that can be played, and return it; None while there is none."""
        free = self._free(now)
        ready = sorted(entity for entity, guests in free.items() if len(guests) >= self._side_size)
        units = [
            unit
            for group in meetings(len(ready), self._sides)
            if (unit := self._next([ready[index] for index in group])) is not None
        ]
        if not units:
            return None
        unit = min(units, key=self._urgency)
        teams = tuple(tuple(free[entity][: self._side_size]) for entity in unit.entities)
        return self._begin(Call(unit, teams))

    def finish(self, unit: str, *, settled: bool) -> None:
        """Note that *unit* is over; one that is not *settled* will be called again."""
        self._calls.pop(unit)
        if settled:
            self._settled.add(unit)

    def _free(self, now: float) -> dict[EntityHash, list[Guest]]:
        """Return the guests who could begin to play, by entity, in the order in which they came."""
        busy = {guest for call in self._calls.values() for team in call.teams for guest in team}
        free: dict[EntityHash, list[Guest]] = {}
        for guest, entity in self._entities.items():
            if guest not in busy and now >= self._resting.get(entity, now):
                free.setdefault(entity, []).append(guest)
        return free

    def _next(self, entities: list[EntityHash]) -> Unit | None:
        """Return the first unit of *entities* that is neither settled nor being played."""
        group = tuple(entities)
        first = self._first.get(group, 0)
        while first < self._units and unit_id(first, group) in self._settled:
            first += 1
        self._first[group] = first
        units = (unit_of(number, group) for number in range(first, self._units))
        free = (unit for unit in units if unit.id not in self._settled and unit.id not in self._calls)
        return next(free, None)

    def _urgency(self, unit: Unit) -> tuple[int, int, tuple[EntityHash, ...]]:
        waits = (self._begun.get(entity, 0) for entity in unit.entities)
        return unit.duplicate, max(waits), unit.entities

    def _begin(self, call: Call) -> Call:
        self._calls[call.unit.id] = call
        self._number += 1
        self._begun |= dict.fromkeys(call.unit.entities, self._number)
        return call
