"""What the page of a partnership says, as a value."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tournaments.leaderboard import Row
from tournaments.results import LegResult, UnitResult
from tournaments.schedule import EntityHash
from tournaments.site.tally import Tally, tally
from tournaments.site.view import PartnershipView


@dataclass(frozen=True, slots=True)
class UnitLine:
    """A unit, seen from one partnership."""

    result: UnitResult
    outcome: str | None
    """``win``, ``draw`` or ``loss``; None if the unit counts for nobody."""

    margin: int | None
    """Points ahead over both legs; None unless two sides played both out."""

    place: int | None
    """The place by points, from 1; None if the unit counts for nobody."""

    legs: tuple[tuple[int, ...] | None, ...]
    """The points of each leg, one's own first, the others in the order of the unit; None if not played out."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """All units against the same rivals, by duplicate number."""

    rivals: tuple[PartnershipView, ...]
    tally: Tally
    units: tuple[UnitLine, ...]


@dataclass(frozen=True, slots=True)
class PartnershipPage:
    """A partnership as its page shows it."""

    partnership: PartnershipView
    row: Row | None
    encounters: tuple[Encounter, ...]
    """In the order of the board."""


def partnership_page_of(
    partnership: PartnershipView,
    row: Row | None,
    results: Iterable[UnitResult],
    order: Mapping[EntityHash, PartnershipView],
) -> PartnershipPage:
    """Return the page of *partnership*, given the *results* it took part in; *order* has rivals as they are shown."""
    places = {entity: number for number, entity in enumerate(order)}
    met: dict[tuple[int, ...], list[UnitResult]] = {}
    for result in results:
        rivals = sorted(places[entity] for entity in result.entities if entity != partnership.entity)
        met.setdefault(tuple(rivals), []).append(result)
    views = tuple(order.values())
    encounters = tuple(
        _encounter(partnership.entity, tuple(views[place] for place in rivals), units)
        for rivals, units in sorted(met.items())
    )
    return PartnershipPage(partnership, row, encounters)


def _encounter(
    entity: EntityHash, rivals: tuple[PartnershipView, ...], results: Sequence[UnitResult]
) -> Encounter:
    ordered = sorted(results, key=lambda result: result.duplicate)
    return Encounter(rivals, tally(ordered, entity), tuple(_unit_line(result, entity) for result in ordered))


def _unit_line(result: UnitResult, entity: EntityHash) -> UnitLine:
    index = result.entities.index(entity)
    margin, places = result.margin, result.places
    return UnitLine(
        result,
        result.outcome(index),
        None if margin is None else -margin if index else margin,
        None if places is None else places[index],
        tuple(_own_first(leg, index) for leg in result.legs),
    )


def _own_first(leg: LegResult, index: int) -> tuple[int, ...] | None:
    if leg.scores is None:
        return None
    return (leg.scores[index], *leg.scores[:index], *leg.scores[index + 1 :])
