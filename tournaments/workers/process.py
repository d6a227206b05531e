"""
A worker as its engine sees it: a process that reads jobs and prints results, one line of JSON each, after a first
line that says it is ready.

The process leads a session of its own, so that what a terminal sends to the engine is the engine's to pass on. It
ends when its input does; so it also ends when the engine is killed.
"""

import asyncio
import contextlib
import json
import os
import signal
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Self

from tournaments.jobs import Job

LONGEST_LINE: Final = 16 * 1024 * 1024
TAIL_LINES: Final = 20
PATIENCE: Final = 5.0
"""Seconds that a worker gets to end its bots before it is killed."""


class WorkerProcess:
    """A running worker. Make one with `start`; `end` it in any case."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._complaints: deque[str] = deque(maxlen=TAIL_LINES)
        self._listener = asyncio.create_task(self._listen())

    @classmethod
    async def start(cls, command: Sequence[str], scratch: Path) -> Self:
        """Start a worker by *command*; temporary files of it and its bots go below *scratch*."""
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
            limit=LONGEST_LINE,
            env=os.environ | _environment(scratch),
        )
        return cls(process)

    async def send(self, job: Job) -> None:
        """Hand over *job*; the worker plays its jobs in the order in which it gets them."""
        assert self._process.stdin is not None
        with contextlib.suppress(ConnectionError):  # a dead worker is noticed by who reads
            self._process.stdin.write(f"{job.to_line()}\n".encode())
            await self._process.stdin.drain()

    async def read(self) -> dict[str, Any] | None:
        """Return the next thing the worker says, or None when it has ended."""
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line.endswith(b"\n"):
            return None
        said: dict[str, Any] = json.loads(line)
        return said

    async def end(self) -> tuple[str, ...]:
        """End the worker and its bots, and return in lines how it ended and what it said last."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(PATIENCE):
                await self._process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            await self._process.wait()
        await self._listener
        return (f"a worker ended with code {self._process.returncode}", *self._complaints)

    async def _listen(self) -> None:
        assert self._process.stderr is not None
        while line := await self._process.stderr.readline():
            self._complaints.append(line.decode("utf-8", "replace").rstrip())


def _environment(scratch: Path) -> dict[str, str]:
    """Return what tells a worker where its temporary files go, and whose they are."""
    return {"TMPDIR": str(scratch), "HANDFOOT_SCRATCH": str(scratch), "HANDFOOT_ENGINE": str(os.getpid())}
