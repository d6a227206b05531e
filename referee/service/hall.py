"""Matches between bots that have dialled in already: no process is started or ended here."""

import asyncio
from collections.abc import Sequence
from typing import Final

from referee.service.entrance import Visitor
from referee.service.outcome import flush, report_of
from referee.service.reports import Limits, MatchReport, MatchSpec
from referee.service.runner import Runner
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
        await flush(visitors)
        labels = ["referee" if visitor is None else visitor.label for visitor in visitors]
        return report_of(runner, labels, ISOLATION)

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
