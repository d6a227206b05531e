"""What came of a match, once its runner is over, whoever played it and wherever they came from."""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import replace

from referee.rules import MatchRecord, RecordedFault, score_lines
from referee.service.reports import MatchReport, SeatTime, Termination, count_went_out
from referee.service.runner import Runner
from referee.service.servicer import FLUSH_SECONDS
from referee.service.sessions import Session
from referee.service.table import Chair


async def flush(sessions: Sequence[Session | None]) -> None:
    """Wait until the seats of *sessions* have taken their results, but not for long."""
    streams = [session.stream for session in sessions if session is not None and session.stream is not None]
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(FLUSH_SECONDS):
            await asyncio.gather(*(stream.drain() for stream in streams))


def report_of(runner: Runner, labels: Sequence[str], isolation: str) -> MatchReport:
    """Return what came of the match of *runner*, between bots with these *labels*, one a seat, kept apart that way."""
    table = runner.table
    assert table.termination is not None
    return MatchReport(
        termination=table.termination,
        totals=tuple(table.match.totals),
        scores=tuple(table.match.scores),
        went_out=count_went_out(table.match.went_out, table.sides),
        rounds=len(table.match.scores),
        forfeits=tuple(sorted(table.forfeits)),
        faults=tuple(
            replace(fault, bot=labels[fault.seat] if fault.seat >= 0 else "") for fault in table.faults
        ),
        record=_record(runner, labels, table.termination, isolation),
        times=tuple(map(_time, table.chairs)),
    )


def _time(chair: Chair) -> SeatTime:
    return SeatTime(round(chair.clock.total * 1000), round(chair.clock.longest * 1000))


def _record(runner: Runner, labels: Sequence[str], termination: Termination, isolation: str) -> MatchRecord:
    table, spec = runner.table, runner.spec
    return MatchRecord(
        match=spec.label,
        ruleset=spec.ruleset,
        seats=tuple(labels),
        keys=spec.keys,
        actions=tuple(table.log),
        termination=termination,
        forfeited=tuple(sorted(table.forfeits)),
        scores=score_lines(table.match),
        totals=tuple(table.match.totals),
        faults=tuple(
            RecordedFault(fault.seat, fault.kind, fault.action, fault.reason) for fault in table.faults
        ),
        isolation=isolation,
    )
