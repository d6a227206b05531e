"""
The local engine: units played by worker processes, as many at once as there are workers.

Submit jobs, take what is finished, cancel, close. A worker that dies loses nothing: its job is played again, by a
fresh worker, three times in all. No result depends on the number of workers or on who played what.
"""

import asyncio
import shutil
import sys
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from referee.service.scratch import make_scratch, sweep
from referee.service.strays import end_strays
from tournaments.errors import EngineFailed
from tournaments.jobs import Job
from tournaments.results import UnitResult
from tournaments.workers.options import WorkerOptions
from tournaments.workers.process import WorkerProcess
from tournaments.workers.usage import Usage

ATTEMPTS: Final = 3
AHEAD: Final = 1
"""Jobs that a worker holds beside those it plays: their bots get ready meanwhile."""

WORKER: Final = (sys.executable, "-P", "-m", "tournaments.workers.worker")


@dataclass(frozen=True, slots=True)
class Finished:
    """A unit that is over, one way or the other."""

    result: UnitResult
    """What came out; given up, without legs, if no worker survived it."""

    attempt: int
    """How many workers it took, from 1."""

    complaint: str | None
    """What a bot or a worker said last, for people, in several lines; None where there is nothing to say."""

    usage: tuple[Usage, ...] = ()
    """What each entity of the unit used; nothing if it was given up."""


class LocalEngine:
    """Plays jobs with worker processes of its own; an asynchronous context that leaves no process behind."""

    def __init__(
        self, workers: int, command: Sequence[str] = WORKER, options: WorkerOptions | None = None
    ) -> None:
        """Make an engine of so many *workers*, each started by *command* and told *options*."""
        self._workers = workers
        self._command = (*command, *(() if options is None else options.to_words()))
        self._tables = 1 if options is None else options.tables
        self._jobs: deque[Job] = deque()
        self._more = asyncio.Event()
        self._attempts: Counter[str] = Counter()
        self._open: set[str] = set()
        self._finished: asyncio.Queue[Finished | BaseException | None] = asyncio.Queue()
        self._slots: list[asyncio.Task[None]] = []
        self.scratch = Path()
        """The folder of all temporary files of the workers and their bots."""

    async def __aenter__(self) -> Self:
        self.scratch = make_scratch()
        self._slots = [asyncio.create_task(self._fill_slot()) for _ in range(self._workers)]
        for slot in self._slots:
            slot.add_done_callback(self._report_broken_slot)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def submit(self, job: Job) -> None:
        """Have *job* played; jobs begin in the order in which they are submitted."""
        self._open.add(job.unit.id)
        self._jobs.append(job)
        self._more.set()

    def cancel(self, unit: str) -> None:
        """Forget the job of *unit*; if it is being played, its result is dropped."""
        self._open.discard(unit)
        self._jobs = deque(job for job in self._jobs if job.unit.id != unit)
        self._finished.put_nowait(None)

    async def as_completed(self) -> AsyncIterator[Finished]:
        """
        Yield what is finished, as it comes, until nothing that was submitted is left.

        Raises:
            EngineFailed: no worker can be started.
        """
        while self._open:
            finished = await self._finished.get()
            if isinstance(finished, EngineFailed):
                raise finished
            if isinstance(finished, BaseException):
                raise EngineFailed("cannot play", f"no worker can be started: {finished}") from finished
            if finished is not None and finished.result.unit in self._open:
                self._open.discard(finished.result.unit)
                yield finished

    async def close(self) -> None:
        """End all workers and their bots; what is not finished is lost."""
        for slot in self._slots:
            slot.cancel()
        await asyncio.gather(*self._slots, return_exceptions=True)
        await asyncio.to_thread(_clear, self.scratch)

    async def _fill_slot(self) -> None:
        """Keep one worker at work; the next one takes over where it dies."""
        while True:
            await self._wait_for_jobs()
            worker = await WorkerProcess.start(self._command, self.scratch)
            held: deque[Job] = deque()
            try:
                ready = await worker.read()
                if ready is not None:
                    await self._keep_busy(worker, held)
            finally:
                complaint = await worker.end()
                await asyncio.to_thread(sweep, self.scratch, time.time())
            if ready is None:
                raise EngineFailed("cannot play", "a worker ended before it was ready", details=complaint)
            self._take_back(held, "\n".join(complaint))

    async def _keep_busy(self, worker: WorkerProcess, held: deque[Job]) -> None:
        """Give jobs to *worker* and take results until it dies; *held* is then what it leaves undone."""
        while True:
            while self._may_take(held):
                held.append(self._jobs.popleft())
                await worker.send(held[-1])
            if not held:
                await self._wait_for_jobs()
                continue
            said = await worker.read()
            if said is None:
                return
            result = UnitResult.from_json(said["result"])
            job = next(job for job in held if job.unit.id == result.unit)
            held.remove(job)
            self._finish(job, result, said)

    def _finish(self, job: Job, result: UnitResult, said: Mapping[str, Any]) -> None:
        usage = tuple(Usage(*each) for each in said["usage"])
        attempt = self._attempts[job.unit.id] + 1
        self._finished.put_nowait(Finished(result, attempt, said["complaint"], usage))

    def _may_take(self, held: deque[Job]) -> bool:
        """
        Whether a worker that holds these jobs gets one more: ahead only if nobody goes without.

        A job whose worker died has a worker for itself, so that no other pays for it when that one dies too.
        """
        if not self._jobs or not held:
            return bool(self._jobs)
        if self._attempts[held[0].unit.id] or self._attempts[self._jobs[0].unit.id]:
            return False
        if len(held) < self._tables:
            return True
        return len(held) < self._tables + AHEAD and len(self._jobs) >= self._workers

    def _take_back(self, held: deque[Job], complaint: str) -> None:
        """Have jobs played that a dead worker left undone; those that it was playing have been tried."""
        again: list[Job] = []
        for job in islice(held, self._tables):
            self._attempts[job.unit.id] += 1
            if self._attempts[job.unit.id] < ATTEMPTS:
                again.append(job)
            else:
                result = UnitResult(job.unit.id, job.unit.duplicate, job.unit.entities, (), "given_up")
                self._finished.put_nowait(Finished(result, ATTEMPTS, complaint))
        again += islice(held, self._tables, None)
        self._jobs.extendleft(reversed(again))
        self._more.set()

    async def _wait_for_jobs(self) -> None:
        while not self._jobs:
            self._more.clear()
            await self._more.wait()

    def _report_broken_slot(self, slot: asyncio.Task[None]) -> None:
        if not slot.cancelled() and (error := slot.exception()) is not None:
            self._finished.put_nowait(error)


def _clear(scratch: Path) -> None:
    """Remove *scratch*, and end whoever lives in it: bots whose worker was killed, or what they left."""
    end_strays(scratch)
    shutil.rmtree(scratch, ignore_errors=True)
