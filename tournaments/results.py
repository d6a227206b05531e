"""
What came out of a unit, as a value with one canonical text; from the view of ``unit.entities``.

Nothing here says how a result is played, stored, rated or shown.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from tournaments.errors import TournamentError
from tournaments.schedule import EntityHash, unit_id

Outcome = Literal["win", "draw", "loss"]

RATED: Final = frozenset({"rated", "forfeit"})
"""States of a unit that count for the board."""

UNRATED: Final = frozenset({"double_forfeit", "no_show", "given_up"})
"""States of a unit that is final and counts for nobody."""

FAULT_KINDS: Final = frozenset({"no_show", "timeout", "crash", "illegal", "protocol", "referee_error"})
"""The classes of faults, never mixed up."""


class InvalidResult(TournamentError):
    """A result that contradicts itself, or a text that is not the canonical text of a result."""


@dataclass(frozen=True, slots=True)
class FaultNote:
    """A strike or a match-ending fault, in one line."""

    entity: int
    """Whose fault: an index into the unit's entities."""

    kind: str
    """One of `FAULT_KINDS`."""

    ends_match: bool
    """Whether the match ended with it; a strike by itself ends none."""

    reason: str
    """One line that an author understands and that holds no hidden card."""

    round: int | None = None
    """The round of the match, from 0; None before the first."""


@dataclass(frozen=True, slots=True)
class LegResult:
    """What came out of one match of a unit. Tuples are by entity, not by side or seat."""

    match: str
    """The id of the match: the unit's id and the number of the leg."""

    scores: tuple[int, ...] | None
    """Points of each entity; None if the match was not played out."""

    rounds: int
    """How many rounds were finished."""

    went_out: tuple[int, ...]
    """How many rounds each entity ended by going out."""

    forfeit: tuple[int, ...] = ()
    """The entities that forfeited this match, sorted; usually none."""

    faults: tuple[FaultNote, ...] = ()
    """Strikes and match-ending faults in the order in which they happened."""

    record: str | None = None
    """The file name of the match record, if one was kept."""


@dataclass(frozen=True, slots=True)
class UnitResult:
    """The final result of a unit."""

    unit: str
    """The id of the unit."""

    duplicate: int
    """The duplicate number of the unit, from 0."""

    entities: tuple[EntityHash, ...]
    """The unit's entities, sorted, one per side."""

    legs: tuple[LegResult, ...]
    """The legs that were played, in order; with two sides a forfeit ends the unit."""

    status: str
    """One of `RATED` or `UNRATED`."""

    def __post_init__(self) -> None:
        """Raise `InvalidResult` for the first contradiction."""
        for holds, reason in _promises(self):
            if not holds:
                raise InvalidResult(f"invalid result of unit {self.unit}", reason)

    @property
    def rated(self) -> bool:
        """Whether the unit counts for the board."""
        return self.status in RATED

    @property
    def forfeited(self) -> tuple[int, ...]:
        """The entities that forfeited a leg, sorted."""
        return tuple(sorted({entity for leg in self.legs for entity in leg.forfeit}))

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each entity over all legs that were played out."""
        played = [leg.scores for leg in self.legs if leg.scores is not None]
        return tuple(map(sum, zip(*played, strict=True))) if played else (0,) * len(self.entities)

    @property
    def margin(self) -> int | None:
        """How many points the first of two entities made more; None unless both legs were played out."""
        if self.status != "rated" or len(self.entities) != 2:
            return None
        first, second = self.totals
        return first - second

    @property
    def places(self) -> tuple[int, ...] | None:
        """
        The place of each entity by its total, from 1, or None if the unit is not rated.

        Equal totals share a place. Whoever forfeited comes last, whatever the points; several share it.
        """
        if not self.rated:
            return None
        out = self.forfeited
        keys = [(0, 0) if index in out else (1, total) for index, total in enumerate(self.totals)]
        return tuple(1 + sum(other > key for other in keys) for key in keys)

    def outcome(self, entity: int) -> Outcome | None:
        """Return whether the *entity* of this index is the only first, one of several, or none."""
        places = self.places
        if places is None:
            return None
        if places[entity] > 1:
            return "loss"
        return "win" if places.count(1) == 1 else "draw"

    def to_json(self) -> str:
        """Return the canonical text: one line of JSON, keys sorted, no spaces, ASCII, no fractions."""
        value = {name: getattr(self, name) for name in self.__slots__} | {
            "legs": list(map(_plain_leg, self.legs))
        }
        return json.dumps(value, sort_keys=True, separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> "UnitResult":
        """
        Return the result whose canonical text is *text*.

        Raises:
            InvalidResult: not JSON, a missing or unknown key, a wrong type, a contradiction, not canonical.
        """
        try:
            result: UnitResult = _unit(json.loads(text))
        except (ValueError, RecursionError) as error:
            raise InvalidResult("unreadable result", f"not JSON: {error}") from None
        if result.to_json() != text:
            raise InvalidResult(f"unreadable result of unit {result.unit}", "not the canonical text")
        return result


def distinct(results: Iterable[UnitResult]) -> list[UnitResult]:
    """
    Return *results* in the order of their units' ids, each once, however often and in whatever order they come.

    Raises:
        InvalidResult: two different results of one unit.
    """
    unique: dict[str, UnitResult] = {}
    for result in results:
        if unique.setdefault(result.unit, result) != result:
            raise InvalidResult(f"invalid results of unit {result.unit}", "there are two that differ")
    return [unique[unit] for unit in sorted(unique)]


def _promises(result: UnitResult) -> tuple[tuple[bool, str], ...]:
    sides = len(result.entities)
    whole = len(result.legs) == sides and all(
        leg.scores is not None and not leg.forfeit for leg in result.legs
    )
    guilty = len(result.forfeited)
    faults = [fault for leg in result.legs for fault in leg.faults]
    return (
        (result.status in RATED | UNRATED, f"unknown status; got {result.status!r}"),
        (
            sides >= 2 and result.entities == tuple(sorted(result.entities)),
            "expected two or more entities, sorted",
        ),
        (result.unit == unit_id(result.duplicate, result.entities), "the id is not that of its entities"),
        (
            all(_fits(leg, sides) for leg in result.legs),
            f"expected one number for each of {sides} entities per leg",
        ),
        (all(fault.kind in FAULT_KINDS for fault in faults), "expected each fault in a class that is known"),
        (result.status != "rated" or whole, "rated, but a leg is missing, forfeited or not played out"),
        (
            result.status != "forfeit" or 0 < guilty < sides,
            "expected somebody who forfeited and somebody who did not",
        ),
        (result.status != "double_forfeit" or guilty > 1, "expected two who forfeited"),
    )


def _fits(leg: LegResult, sides: int) -> bool:
    indices = (*leg.forfeit, *(fault.entity for fault in leg.faults))
    return (
        len(leg.went_out) == sides
        and (leg.scores is None or len(leg.scores) == sides)
        and all(0 <= index < sides for index in indices)
    )


def _plain_leg(leg: LegResult) -> dict[str, object]:
    faults = [{name: getattr(fault, name) for name in fault.__slots__} for fault in leg.faults]
    return {name: getattr(leg, name) for name in leg.__slots__} | {"faults": faults}


Reader = Callable[[Any], Any]


def _reader(kind: type) -> Reader:
    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise InvalidResult("unreadable result", "a wrong type", got=value, expected=kind.__name__)
        return value

    return read


def _many(read: Reader) -> Reader:
    return lambda value: tuple(map(read, _reader(list)(value)))


def _maybe(read: Reader) -> Reader:
    return lambda value: None if value is None else read(value)


def _record(make: Callable[..., Any], fields: Mapping[str, Reader]) -> Reader:
    def read(value: Any) -> Any:
        if set(_reader(dict)(value)) != set(fields):
            raise InvalidResult(
                "unreadable result", "wrong keys", got=sorted(value), expected=f"{sorted(fields)}"
            )
        return make(**{name: read_field(value[name]) for name, read_field in fields.items()})

    return read


_int, _text, _flag = _reader(int), _reader(str), _reader(bool)
_fault = _record(
    FaultNote, {"entity": _int, "kind": _text, "ends_match": _flag, "reason": _text, "round": _maybe(_int)}
)
_leg = _record(
    LegResult,
    {
        "match": _text,
        "scores": _maybe(_many(_int)),
        "rounds": _int,
        "went_out": _many(_int),
        "forfeit": _many(_int),
        "faults": _many(_fault),
        "record": _maybe(_text),
    },
)
_unit = _record(
    UnitResult,
    {"unit": _text, "duplicate": _int, "entities": _many(_text), "legs": _many(_leg), "status": _text},
)
