"""What the processes of a bot use of the machine: CPU time and memory of the whole tree, read from outside."""

import os
import sys
import time
from collections import deque
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import psutil

KEPT_SAMPLES: Final = 1024
"""How many samples of a tree are kept: five minutes, at the pace of the watch."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The CPU time that a tree of processes had used at a certain time."""

    at: float
    cpu: float
    """Seconds."""


class Tree:
    """
    A bot's process and all that descend from it, as far as they have been met.

    A process that was met once stays one of them, also when it has lost its parent.
    """

    def __init__(self, root: int) -> None:
        """Begin with the process *root*, which is there."""
        self._members = {root: psutil.Process(root)}
        self._clocks: dict[int, float] = {}
        """The CPU seconds of each member itself."""
        self._gone = 0.0
        """The CPU seconds of those that are gone."""
        self._cpu = 0.0
        self.samples: deque[Sample] = deque(maxlen=KEPT_SAMPLES)
        """Oldest first."""

    @property
    def members(self) -> list[int]:
        """The ids of its processes."""
        return list(self._members)

    def meet(self) -> None:
        """Find those that have been started since."""
        waiting = self.members
        while waiting:
            new = [pid for pid in children_of(waiting.pop()) if pid not in self._members]
            waiting += [pid for pid in new if self.adopt(pid)]

    def adopt(self, pid: int) -> bool:
        """Count the process *pid* as one of them, and return whether it is there."""
        try:
            self._members[pid] = psutil.Process(pid)
        except psutil.Error:
            return False
        return True

    def sample(self, now: float) -> Sample:
        """
        Return the CPU time used until *now*, and keep it.

        Of processes that came and went unseen only those count whose parent has collected them.
        """
        collected = 0.0
        for pid, process in list(self._members.items()):
            try:
                own, children = _cpu_of(process)
            except (psutil.Error, OSError):
                self._forget(pid)
                continue
            self._clocks[pid] = own
            collected += own + children
        self._cpu = max(self._cpu, collected, self._gone + sum(self._clocks.values()))
        self.samples.append(Sample(now, self._cpu))
        return self.samples[-1]

    def _forget(self, pid: int) -> None:
        del self._members[pid]
        self._gone += self._clocks.pop(pid, 0.0)

    def cores(self, since: float, now: float) -> float:
        """Return how many cores it used, on the average, from the last sample before *since* until *now*."""
        last = self.sample(now)
        first = next((sample for sample in reversed(self.samples) if sample.at <= since), self.samples[0])
        return (last.cpu - first.cpu) / (last.at - first.at) if last.at > first.at else 0.0

    def memory(self, enough: int) -> int:
        """Return the bytes of memory in use; above *enough*, what several processes share is not counted twice."""
        rough = sum(map(_resident, self._members.values()))
        return rough if rough <= enough else sum(map(_proportional, self._members.values()))


def children_of(pid: int) -> list[int]:
    """Return the processes that the process *pid* has started; none if it is gone."""
    try:
        if _lists_children():
            return [child for thread in Path(f"/proc/{pid}/task").iterdir() for child in _children(thread)]
        return [child.pid for child in psutil.Process(pid).children()]
    except (psutil.Error, OSError):
        return []


def _children(thread: Path) -> list[int]:
    try:
        return list(map(int, (thread / "children").read_bytes().split()))
    except OSError:
        return []


@cache
def _lists_children() -> bool:
    """Return whether the kernel lists the children of a thread: it then need not be looked for among all processes."""
    return Path(f"/proc/self/task/{os.getpid()}/children").exists()


def _cpu_of(process: psutil.Process) -> tuple[float, float]:
    """Return the CPU seconds of *process*, and of all that it has started and collected; raises if it is gone."""
    times = process.cpu_times()
    own = _clock(process.pid) if sys.platform.startswith("linux") else times.user + times.system
    return own, times.children_user + times.children_system


def _clock(pid: int) -> float:
    """Return the CPU clock of another process: it counts nanoseconds where the table of processes counts hundredths."""
    return time.clock_gettime((~pid << 3) | 2)


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


def _proportional(process: psutil.Process) -> int:
    """Return the memory of *process*, each page divided by how many share it, where that is known."""
    try:
        return int(getattr(process.memory_full_info(), "pss", 0)) or _resident(process)
    except psutil.Error:
        return _resident(process)


class Meter:
    """
    The CPU time that a bot used in a match, and how much of it beyond one core while it was to move.

    What a bot uses while it plays several matches is divided among them.
    """

    __slots__ = ("_cpu", "_thinking", "idle", "total")

    def __init__(self, cpu: float) -> None:
        """Begin where the tree of the bot had used *cpu* seconds."""
        self._cpu, self._thinking = cpu, 0.0
        self.total = 0.0
        self.idle = 0.0
        """Seconds that do not fit into the time in which it was to move."""

    def read(self, cpu: float, thinking: float, matches: int = 1) -> None:
        """
        Take note of the *cpu* seconds of the tree, and of the seconds in which the seat was to move so far.

        Since it was last read the bot has played so many *matches*, this one among them.
        """
        used, moving = (cpu - self._cpu) / matches, thinking - self._thinking
        self._cpu, self._thinking = cpu, thinking
        self.total += used
        self.idle += max(0.0, used - moving)
