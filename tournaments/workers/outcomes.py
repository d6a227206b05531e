"""What the referee's reports, which are by side and seat, make of a leg and of a unit, which are by entity."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from referee.service.journal import note
from referee.service.reports import FaultReport, MatchReport, Termination
from tournaments.records import keep_record, record_name
from tournaments.results import FaultNote, LegResult, UnitResult
from tournaments.schedule import Leg, Unit, legs_of
from tournaments.workers.fault_reports import keep_fault_reports, report_path

logger = logging.getLogger(__name__)


def match_id(unit: Unit, leg: Leg) -> str:
    """Return the id of the match that is *leg* of *unit*."""
    return f"{unit.id}-{leg.number}"


def unit_status(last: Termination, out: int, sides: int) -> str:
    """Return what the *last* leg makes of a unit of so many *sides*, of which *out* have forfeited."""
    if last == "no_show":
        return "no_show"
    if last == "void":
        return "given_up"
    if not out:
        return "rated"
    return "forfeit" if out < sides else "double_forfeit"


def leg_result(unit: Unit, leg: Leg, report: MatchReport, *, recorded: bool) -> LegResult:
    """Return *report* as a result by entity; *recorded* says whether records are kept."""
    sides = [leg.seating.index(entity) for entity in range(len(leg.seating))]
    kept = recorded and report.record is not None
    return LegResult(
        match=match_id(unit, leg),
        scores=tuple(report.totals[side] for side in sides) if report.termination == "played" else None,
        rounds=report.rounds,
        went_out=tuple(report.went_out[side] for side in sides),
        forfeit=tuple(sorted(leg.seating[side] for side in report.forfeits)),
        faults=tuple(_fault_note(leg, fault) for fault in report.faults if fault.seat >= 0),
        record=record_name(match_id(unit, leg)) if kept else None,
    )


def keep_records(folder: Path | None, results: Sequence[LegResult], reports: Sequence[MatchReport]) -> None:
    """Write the records of matches that are final into *folder*, if there is one, and beside them what went wrong."""
    for result, report in zip(results, reports, strict=True):
        if folder is not None and report.record is not None:
            keep_record(folder, result.match, report.record)
            keep_fault_reports(folder, result.match, report)


def log_faults(results: Sequence[LegResult], reports: Sequence[MatchReport]) -> None:
    """Note why seats were at fault in matches that are final: a reason may name cards."""
    for result, report in zip(results, reports, strict=True):
        for fault in report.faults:
            who: dict[str, Any] = {"match": result.match, "seat": fault.seat, "entrant": fault.bot}
            where: dict[str, Any] = {"round": fault.round, "action": fault.action + 1}
            note(logger, "fault explained", **who, **where, kind=fault.kind, reason=fault.reason)


def conclude(
    unit: Unit, reports: Sequence[MatchReport], folder: Path | None, out: int
) -> tuple[UnitResult, str | None]:
    """
    Return the result of *unit*, of which *reports* are the final legs, and what authors should hear of it.

    Records go into *folder* if there is one; *out* entities have forfeited.
    """
    results = tuple(
        leg_result(unit, leg, report, recorded=folder is not None)
        for leg, report in zip(legs_of(unit), reports, strict=False)
    )
    keep_records(folder, results, reports)
    log_faults(results, reports)
    status = unit_status(reports[-1].termination, out, len(unit.entities))
    result = UnitResult(unit.id, unit.duplicate, unit.entities, results, status)
    return result, complaint_of(folder, results, reports)


def complaint_of(
    folder: Path | None, results: Sequence[LegResult], reports: Sequence[MatchReport]
) -> str | None:
    """
    Return what made a side lose a match, for people; what two seats have in common is told once.

    It names the report that is kept in *folder*, or says that there is none.
    """
    messages: dict[tuple[str, str, str], str] = {}
    for result, report in zip(results, reports, strict=True):
        for fault in report.faults:
            if fault.ends_match:
                text = f"{fault.message()}\n  report: {_where(folder, result.match, fault)}"
                messages.setdefault((fault.bot, fault.kind, fault.reason), text)
    return "\n".join(messages.values()) or None


def _where(folder: Path | None, match: str, fault: FaultReport) -> str:
    return "none, as records are not kept" if folder is None else str(report_path(folder, match, fault.seat))


def _fault_note(leg: Leg, fault: FaultReport) -> FaultNote:
    return FaultNote(leg.seating[fault.side], fault.kind, fault.ends_match, fault.reason, fault.round)
