"""
Playing a unit: its legs in order, each by a referee with processes from the bench, and what comes out of them.

Knows what a fault means for the unit; finding faults is the referee's job.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.service.clock import parse_time
from referee.service.host import Host
from referee.service.processes import BotProcess
from referee.service.reports import FaultReport, MatchReport, MatchSpec
from tournaments.bench import Bench, Chair, chairs_of
from tournaments.integrity import bot_seed
from tournaments.jobs import Job
from tournaments.records import keep_record, record_name
from tournaments.results import FaultNote, LegResult, UnitResult
from tournaments.schedule import Leg, legs_of

REPLAYS: Final = 3
"""How often a voided leg is played again, on the same deal."""

STATUS: Final = {"played": "rated", "void": "given_up"}
"""What the termination of its last leg makes of a unit of two sides, where the two are named differently."""


@dataclass(frozen=True, slots=True)
class PlayedUnit:
    """The result of a unit, and what authors should hear of a match that ended before its time."""

    result: UnitResult
    complaint: str | None


async def play_unit(job: Job, host: Host, bench: Bench, next_job: Callable[[], Job | None]) -> PlayedUnit:
    """
    Play the legs of *job* and return what came out of its unit.

    A match of two sides that is not played out ends the unit. Records are written once all legs are final. While a
    leg is played, the bots of the leg after it get ready, be it of this job or of *next_job*.
    """
    legs = legs_of(job.unit)
    reports: list[MatchReport] = []
    for leg in legs:
        coming = chairs_of(job, legs[leg.number + 1]) if leg is not legs[-1] else _first_chairs(next_job())
        reports.append(await _play_leg(job, leg, host, bench, coming))
        if reports[-1].termination != "played":
            break
    results = tuple(_leg_result(job, leg, report) for leg, report in zip(legs, reports, strict=False))
    _keep_records(job, results, reports)
    last = reports[-1].termination
    unit = job.unit
    result = UnitResult(unit.id, unit.duplicate, unit.entities, results, STATUS.get(last, last))
    return PlayedUnit(result, _complaint(reports[-1]))


async def _play_leg(job: Job, leg: Leg, host: Host, bench: Bench, coming: Sequence[Chair]) -> MatchReport:
    """Play *leg*, again with fresh processes as long as it is void; three times at most."""
    chairs = chairs_of(job, leg)
    report = await _play_match(job, leg, host, bench, await bench.take(chairs), coming)
    for _ in range(REPLAYS):
        if report.termination != "void":
            break
        report = await _play_match(job, leg, host, bench, await bench.start(chairs), coming)
    return report


async def _play_match(
    job: Job, leg: Leg, host: Host, bench: Bench, bots: list[BotProcess], coming: Sequence[Chair]
) -> MatchReport:
    await bench.prepare(coming)
    report = await host.play_match(_match(job, leg), bots)
    if report.termination == "played":
        await bench.give(chairs_of(job, leg), bots)
    else:
        await bench.send_away(bots)
    return report


def match_id(job: Job, leg: Leg) -> str:
    """Return the id of the match that is *leg* of the job's unit."""
    return f"{job.unit.id}-{leg.number}"


def _match(job: Job, leg: Leg) -> MatchSpec:
    return MatchSpec(
        ruleset=job.terms.rules,
        seats=job.terms.seats,
        keys=job.keys,
        bot_seeds=tuple(bot_seed(job.keys[0], seat) for seat in range(job.terms.seats)),
        time=parse_time(job.terms.time),
        label=match_id(job, leg),
    )


def _first_chairs(job: Job | None) -> tuple[Chair, ...]:
    return () if job is None else chairs_of(job, legs_of(job.unit)[0])


def _leg_result(job: Job, leg: Leg, report: MatchReport) -> LegResult:
    """Return *report*, which is by side, as a result by entity."""
    sides = [leg.seating.index(entity) for entity in range(len(leg.seating))]
    kept = job.records is not None and report.record is not None
    return LegResult(
        match=match_id(job, leg),
        scores=tuple(report.totals[side] for side in sides) if report.termination == "played" else None,
        rounds=report.rounds,
        went_out=tuple(report.went_out[side] for side in sides),
        forfeit=tuple(sorted(leg.seating[side] for side in report.forfeits)),
        faults=tuple(_fault_note(leg, fault) for fault in report.faults if fault.seat >= 0),
        record=record_name(match_id(job, leg)) if kept else None,
    )


def _fault_note(leg: Leg, fault: FaultReport) -> FaultNote:
    return FaultNote(leg.seating[fault.side], fault.kind, fault.ends_match, fault.reason, fault.round)


def _keep_records(job: Job, results: Sequence[LegResult], reports: Sequence[MatchReport]) -> None:
    for result, report in zip(results, reports, strict=True):
        if job.records is not None and report.record is not None:
            keep_record(Path(job.records), result.match, report.record)


def _complaint(report: MatchReport) -> str | None:
    """Return what ended the match before its time, for people; what two seats have in common is told once."""
    messages: dict[tuple[str, str, str], str] = {}
    for fault in report.faults:
        if fault.ends_match:
            messages.setdefault((fault.bot, fault.kind, fault.reason), fault.message())
    return "\n".join(messages.values()) or None
