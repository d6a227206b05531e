"""Matches between bots that have dialled in already: no process is started or ended here."""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from referee.rules import MatchRecord, RecordedFault, score_lines
from referee.service.entrance import Visitor
from referee.service.reports import Limits, MatchReport, MatchSpec, SeatTime, count_went_out
from referee.service.runner import Runner
from referee.service.servicer import FLUSH_SECONDS
from referee.service.watch import BEAT_SECONDS, LATE_SECONDS, Pulse, excuse

ISOLATION: Final = "elsewhere"
"""What the record of such a match says of how its bots were kept apart."""


class Hall:
    """Where bots that dialled in meet; it keeps an eye on its own clock. Close it at the end."""

    def __init__(self) -> None:
        """Begin to look at the clock; needs a running loop."""
        self._loop = asyncio.get_running_loop()
        self._pulse = Pulse(self._loop.time())
        self._timer = self._loop.call_later(BEAT_SECONDS, self._beat)

    async def play_match(self, spec: MatchSpec, visitors: Sequence[Visitor | None]) -> MatchReport:
        """
        Play a match between *visitors*, one a seat (None where the referee plays), and report what came of it.

        A visitor whose stream is gone may come back as long as its clock runs. A match that is called off, or in which
        a seat is out of time because this machine was late, is void.
        """
        limits = Limits(time=spec.time, ready=spec.ready_limit)
        runner = Runner(
            spec, limits, visitors, ask_always=False, lateness=self._lateness, excuse=self._excuse
        )
        runner.begin()
        try:
            await asyncio.shield(runner.over)
        finally:
            runner.abandon("the match was called off")
        await _flush(visitors)
        return _report(runner, ["referee" if visitor is None else visitor.label for visitor in visitors])

    def close(self) -> None:
        """Look at the clock no more."""
        self._timer.cancel()

    def _beat(self) -> None:
        self._timer = self._loop.call_at(self._pulse.beat(self._loop.time()), self._beat)

    def _lateness(self, since: float) -> float:
        """Return how many seconds this machine has lost since *since*; 0 unless it lags."""
        late = self._pulse.lateness(since, self._loop.time())
        return late if late > LATE_SECONDS else 0.0

    def _excuse(self, since: float) -> str | None:
        """Return why a timeout of a turn that began at *since* does not count: bots elsewhere make nobody late here."""
        return excuse(self._pulse.lateness(since, self._loop.time()), ())


async def _flush(visitors: Sequence[Visitor | None]) -> None:
    """Wait until the seats have taken their results, but not for long."""
    streams = [visitor.stream for visitor in visitors if visitor is not None and visitor.stream is not None]
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(FLUSH_SECONDS):
            await asyncio.gather(*(stream.drain() for stream in streams))


def _report(runner: Runner, labels: Sequence[str]) -> MatchReport:
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
        record=_record(runner, labels),
        times=tuple(
            SeatTime(round(chair.clock.total * 1000), round(chair.clock.longest * 1000))
            for chair in table.chairs
        ),
    )


def _record(runner: Runner, labels: Sequence[str]) -> MatchRecord:
    table, spec = runner.table, runner.spec
    assert table.termination is not None
    return MatchRecord(
        match=spec.label,
        ruleset=spec.ruleset,
        seats=tuple(labels),
        keys=spec.keys,
        actions=tuple(table.log),
        termination=table.termination,
        forfeited=tuple(sorted(table.forfeits)),
        scores=score_lines(table.match),
        totals=tuple(table.match.totals),
        faults=tuple(
            RecordedFault(fault.seat, fault.kind, fault.action, fault.reason) for fault in table.faults
        ),
        isolation=ISOLATION,
    )
