"""
A worker: plays the units it is handed, one after the other or several at once, with a referee and bots of its own.

Jobs come as lines on standard input, results go as lines to standard output, each as soon as its unit is final.
It ends when its input ends, and its bots with it; so nothing is left when whoever started it is killed. An error
that nobody foresaw ends it too: the engine then has the unit played again by another worker.

Started by the engine as ``python -m tournaments.workers.worker``.
"""

import asyncio
import json
import os
import shutil
import signal
import sys
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import astuple
from typing import IO, Any, Final

from handfoot.loop import run

from referee.service.host import open_referee
from referee.service.journal import start_log
from tournaments.jobs import Job
from tournaments.play import PlayedUnit, play_unit
from tournaments.workers.bench import Bench
from tournaments.workers.options import WorkerOptions, parse_options

LONGEST_LINE: Final = 16 * 1024 * 1024
ENGINE: Final = "HANDFOOT_ENGINE"
"""The environment variable with the process id of the engine."""

SCRATCH: Final = "HANDFOOT_SCRATCH"
"""The environment variable with the engine's folder of temporary files, which also is TMPDIR."""


class Inbox:
    """The jobs that came and were not begun."""

    def __init__(self) -> None:
        self._jobs: deque[Job] = deque()
        self._more = asyncio.Event()

    def put(self, job: Job) -> None:
        """Add *job* behind those that wait."""
        self._jobs.append(job)
        self._more.set()

    def peek(self) -> Job | None:
        """Return the job that is next, if it is known yet."""
        return self._jobs[0] if self._jobs else None

    async def take(self) -> Job:
        """Return the next job as soon as there is one."""
        while not self._jobs:
            self._more.clear()
            await self._more.wait()
        return self._jobs.popleft()


async def work(inbox: Inbox, say: Callable[[str], None], options: WorkerOptions) -> None:
    """Play the jobs of *inbox* until cancelled, and *say* what came out of each as a line."""
    async with open_referee(isolation=options.housing.to_isolation(), adopts=True) as host:
        bench = Bench(host, tables=options.tables)
        say(json.dumps({"ready": host.address}))

        async def play() -> None:
            while True:
                job = await inbox.take()
                played = await play_unit(job, host, bench, inbox.peek)
                say(json.dumps(_told(played)))

        await _first_failure([asyncio.create_task(play()) for _ in range(options.tables)])


async def _first_failure(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Wait for *tasks*, of which none ends but by an error; it passes through, and the others are cancelled."""
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _told(played: PlayedUnit) -> dict[str, Any]:
    """Return what the engine hears of a unit, as plain JSON values."""
    usage = [astuple(each) for each in played.usage]
    return {"result": played.result.to_json(), "complaint": played.complaint, "usage": usage}


async def _work_for_engine(output: IO[str], options: WorkerOptions) -> None:
    inbox = Inbox()
    working = asyncio.create_task(work(inbox, lambda line: print(line, file=output, flush=True), options))
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, working.cancel)
    listening = asyncio.create_task(_listen(inbox))
    await asyncio.wait([working, listening], return_when=asyncio.FIRST_COMPLETED)
    for task in (working, listening):
        task.cancel()
    ends = await asyncio.gather(working, listening, return_exceptions=True)
    for end in ends:
        if isinstance(end, Exception) and not isinstance(end, BrokenPipeError):
            raise end


async def _listen(inbox: Inbox) -> None:
    """Put what comes on standard input into *inbox*, until it ends."""
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    while line := await reader.readline():
        inbox.put(Job.from_line(line.decode()))


def main() -> None:
    """Work until standard input ends; clean up for an engine that is no more."""
    options = parse_options(sys.argv[1:])
    start_log(options.log, **({"league": options.league} if options.league else {}), worker=os.getpid())
    engine, scratch = os.environ.get(ENGINE), os.environ.get(SCRATCH)
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else prints something cannot spoil the results
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        run(_work_for_engine(output, options))
    finally:
        if engine is not None and scratch is not None and os.getppid() != int(engine):
            shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
