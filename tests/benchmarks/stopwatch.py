"""What the measured processes share: reading what is asked, and telling rates by wall clock and by CPU time."""

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence


def pin_to(core: int) -> None:
    """Keep this process, and those that it starts, on one core, counted among those it may use."""
    allowed = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {allowed[core % len(allowed)]})


async def each_line() -> AsyncIterator[float]:
    """Say that everything is ready, and yield the number of seconds on each line of standard input."""
    print("{}", flush=True)
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        yield float(line)


class Stopwatch:
    """Measures the wall clock, and the CPU time of this process and *others*."""

    def __init__(self, others: Sequence[int]) -> None:
        self._others = others
        self._began = (0.0, 0.0, 0.0)

    def start(self) -> None:
        """Measure from now."""
        self._began = self._read()

    def _read(self) -> tuple[float, float, float]:
        others = sum(time.clock_gettime((~pid << 3) | 2) for pid in self._others)
        return time.perf_counter(), time.process_time(), others

    def tell(self, count: float, times: Sequence[float] = (), parts: Mapping[str, int] | None = None) -> None:
        """Print how many there were a second and a CPU second, how slow the slow *times* are, and of what *parts*."""
        wall, own, others = (now - before for now, before in zip(self._read(), self._began, strict=True))
        ordered = sorted(times)
        slow = ordered[len(ordered) * 99 // 100] / ordered[len(ordered) // 2] if ordered else None
        told = {
            "wall": count / wall,
            "cpu": count / (own + others),
            "own": own / (own + others),
            "slow": slow,
            "parts": dict(parts or {}),
        }
        print(json.dumps(told), flush=True)
