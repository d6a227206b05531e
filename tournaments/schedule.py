"""
Which entities meet on which deals: units, their legs and the order of play.

Everything here is a pure function of entity hashes and numbers; nothing knows who an entity is, what was
played already, or when.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final, NewType

from tournaments.errors import TournamentError

EntityHash = NewType("EntityHash", str)
"""The content hash of what is rated, 64 hexadecimal digits."""

SHORT: Final = 12
"""How many digits of an entity hash stand in a unit id."""


@dataclass(frozen=True, slots=True)
class Unit:
    """All legs of one set of deals: what is played as one task, rated, and counted by error bars."""

    id: str
    """Stable name, also part of each deal key: it depends on the duplicate number and the entities only."""

    duplicate: int
    """The number of this set of deals among those of the same entities, from 0."""

    entities: tuple[EntityHash, ...]
    """One entity per side, sorted; equal ones are an entity that plays against itself."""


@dataclass(frozen=True, slots=True)
class Leg:
    """One match of a unit: who has which side on the unit's deals."""

    number: int
    """The place among the legs of the unit, from 0."""

    seating: tuple[int, ...]
    """``seating[side]`` is the index of that side's entity in ``unit.entities``."""


def unit_id(duplicate: int, entities: Iterable[EntityHash]) -> str:
    """
    Return the id of the unit that *entities* play on their deals number *duplicate*.

    >>> unit_id(7, [EntityHash("b" * 64), EntityHash("a" * 64)])
    '000007-aaaaaaaaaaaa-bbbbbbbbbbbb'
    """
    return "-".join((f"{duplicate:06d}", *(entity[:SHORT] for entity in sorted(entities))))


def unit_of(duplicate: int, entities: Iterable[EntityHash]) -> Unit:
    """Return the unit of *entities*, given in any order, on their deals number *duplicate*."""
    ordered = tuple(sorted(entities))
    return Unit(unit_id(duplicate, ordered), duplicate, ordered)


def legs_of(unit: Unit) -> tuple[Leg, ...]:
    """
    Return the legs of *unit* in order of play: every entity has every side once.

    Two sides swap. More sides rotate, and every other duplicate goes round the table the other way, so that
    nobody always plays after the same rival.

    >>> [leg.seating for leg in legs_of(unit_of(0, [EntityHash("a"), EntityHash("b")]))]
    [(0, 1), (1, 0)]
    >>> [leg.seating for leg in legs_of(unit_of(1, [EntityHash("a"), EntityHash("b"), EntityHash("c")]))]
    [(0, 2, 1), (1, 0, 2), (2, 1, 0)]
    """
    sides = len(unit.entities)
    step = -1 if unit.duplicate % 2 else 1
    turns = (tuple((number + step * side) % sides for side in range(sides)) for number in range(sides))
    return tuple(Leg(number, seating) for number, seating in enumerate(turns))


def single_pairing(entities: Sequence[EntityHash], duplicates: int) -> tuple[Unit, ...]:
    """
    Return *duplicates* units of the same *entities*, one per side; one entity may sit on several sides.

    Raises:
        TournamentError: fewer than two entities, no duplicates, or entities that a unit id cannot tell apart.
    """
    _check(entities, duplicates, len(entities))
    return tuple(unit_of(number, entities) for number in range(duplicates))


def round_robin(entities: Iterable[EntityHash], duplicates: int, sides: int = 2) -> tuple[Unit, ...]:
    """
    Return the units in which every *sides* of the *entities* meet *duplicates* times, in order of play.

    Duplicate numbers are played one after the other, and within one the order is that of `meetings`, so a
    season cut short anywhere has given everybody about the same number of units. Ids depend on nobody else: a
    newcomer adds units and changes none. The order in which *entities* are given does not matter.

    Raises:
        TournamentError: an entity given twice, fewer than two sides, no duplicates, or entities that a
            unit id cannot tell apart.
    """
    ordered = sorted(entities)
    _check(ordered, duplicates, sides)
    for one, other in pairwise(ordered):
        if one == other:
            raise TournamentError("no schedule", "an entity is entered twice", got=one)
    once = tuple(meetings(len(ordered), sides))
    return tuple(
        unit_of(number, [ordered[i] for i in group]) for number in range(duplicates) for group in once
    )


def meetings(count: int, sides: int) -> Iterator[tuple[int, ...]]:
    """
    Yield every group of *sides* out of *count* once, such that every prefix is fair.

    Two sides use the circle method: number 0 stays, the others go round it; an odd one out has a bye. At any
    time the numbers of meetings differ by one at most, or by two where there are byes. More sides take the
    groups by shape, each shape once around the circle, and the numbers differ by *sides* at most.

    >>> list(meetings(4, 2))
    [(0, 3), (1, 2), (0, 2), (3, 1), (0, 1), (2, 3)]
    """
    return _circle(count) if sides == 2 else _shapes(count, sides)


def _circle(count: int) -> Iterator[tuple[int, ...]]:
    ring = [*range(count), *([-1] * (count % 2))]
    half = len(ring) // 2
    for _ in ring[1:]:
        pairs = zip(ring[:half], reversed(ring[half:]), strict=True)
        yield from (pair for pair in pairs if -1 not in pair)
        ring[1:] = [ring[-1], *ring[1:-1]]


def _shapes(count: int, sides: int) -> Iterator[tuple[int, ...]]:
    def shape(group: tuple[int, ...]) -> tuple[list[int], int]:
        return min((sorted((member - turn) % count for member in group), turn) for turn in group)

    return iter(sorted(combinations(range(count), sides), key=shape))


def _check(entities: Sequence[EntityHash], duplicates: int, sides: int) -> None:
    if duplicates < 1 or sides < 2:
        numbers = f"{duplicates} duplicates, {sides} sides"
        raise TournamentError("no schedule", "too few to play", got=numbers, expected="1 and 2 at least")
    named: dict[str, EntityHash] = {}
    for entity in entities:
        other = named.setdefault(entity[:SHORT], entity)
        if other != entity:
            raise TournamentError("no schedule", f"two entities share {SHORT} digits", got=(other, entity))
