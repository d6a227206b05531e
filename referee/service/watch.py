"""
The watch of a referee: how late its own loop is, what its bots use of the machine, and who uses too much memory.

It looks a few times a second, beside the matches; what follows from it for a match is the runner's affair.
"""

import asyncio
import contextlib
import logging
import os
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import psutil

from referee.service.isolation import MIB, Quota
from referee.service.journal import note
from referee.service.processes import BotProcess
from referee.service.strays import end_orphan, is_starting, lives_in
from referee.service.usage import Tree, children_of

logger = logging.getLogger(__name__)

BEAT_SECONDS: Final = 0.1
SAMPLE_BEATS: Final = 3
SCAN_BEATS: Final = 10
"""After how many beats CPU and memory are read, and after how many the processes of the machine are looked through."""

LATE_SECONDS: Final = 0.25
"""A loop that is later than this in a turn lags: answers may have come in time and been read too late."""

MOST_CORES: Final = 1.1
"""A bot that used more than this has not kept to its core, allowing for how its time is measured."""

_KEPT_LAGS: Final = 64


@dataclass(frozen=True, slots=True)
class Lag:
    """A moment at which the loop was late."""

    at: float
    seconds: float


class Pulse:
    """How late the event loop is, by its own clock."""

    def __init__(self, now: float) -> None:
        self._due = now + BEAT_SECONDS
        self._lags: deque[Lag] = deque(maxlen=_KEPT_LAGS)

    def beat(self, now: float) -> float:
        """Note that a beat comes at *now*, and return when the next one is due."""
        if now - self._due > LATE_SECONDS:
            self._lags.append(Lag(now, now - self._due))
            note(logger, "the host is late", level=logging.WARNING, seconds=round(now - self._due, 3))
        self._due = now + BEAT_SECONDS
        return self._due

    def lateness(self, since: float, now: float) -> float:
        """Return by how many seconds the loop was late at most from *since* to *now*, the beat to come included."""
        return max([now - self._due, *(lag.seconds for lag in self._lags if lag.at >= since)])


def excuse(lateness: float, cores: Sequence[float]) -> str | None:
    """
    Return why a timeout does not count, if so: the host was late, and none of the match's bots caused it.

    >>> excuse(1.5, [0.9, 0.1])
    'the host was late by 1.50 s in this turn'
    >>> excuse(0.1, [0.9, 0.1]), excuse(1.5, [1.9, 0.1])
    (None, None)
    """
    if lateness <= LATE_SECONDS or any(each > MOST_CORES for each in cores):
        return None
    return f"the host was late by {lateness:.2f} s in this turn"


class Watch:
    """Looks after the bots of one referee while it runs."""

    def __init__(self, quota: Quota | None, *, adopts: bool) -> None:
        """
        Begin to look; needs a running loop.

        Args:
            quota: what bots may use; None to only take note.
            adopts: whether all children of this process are bots or what bots have left.
        """
        self._loop = asyncio.get_running_loop()
        self._quota = quota
        self._adopts = adopts
        self._trees: dict[BotProcess, Tree] = {}
        self._roots: set[int] = set()
        """The bots' own processes: collecting them is not the watch's affair."""
        self._beats = 0
        self._pulse = Pulse(self._loop.time())
        self._timer = self._loop.call_later(BEAT_SECONDS, self._beat)
        self.on_sample: Callable[[float], None] = lambda now: None
        """Called whenever CPU times have been read."""

    def add(self, bot: BotProcess) -> None:
        """Look after *bot* from now on, if it runs."""
        if bot.pid is not None:
            self._roots.add(bot.pid)
            with contextlib.suppress(psutil.Error):
                self._trees[bot] = Tree(bot.pid)

    def remove(self, bot: BotProcess) -> None:
        """Look after *bot*, which has ended, no longer."""
        self._trees.pop(bot, None)
        if bot.pid is not None:
            self._roots.discard(bot.pid)

    def cpu(self, bot: BotProcess) -> float:
        """Return the CPU seconds that *bot* has used, as of now; 0 where that is not known."""
        tree = self._trees.get(bot)
        if tree is None:
            return 0.0
        tree.meet()
        return tree.sample(self._loop.time()).cpu

    def last_cpu(self, bot: BotProcess) -> float:
        """Return the CPU seconds that *bot* had used when that was last read."""
        tree = self._trees.get(bot)
        return tree.samples[-1].cpu if tree is not None and tree.samples else 0.0

    def lateness(self, since: float) -> float:
        """Return how many seconds the loop has lost since *since*; 0 unless it lags."""
        late = self._pulse.lateness(since, self._loop.time())
        return late if late > LATE_SECONDS else 0.0

    def excuse(self, bots: Sequence[BotProcess], since: float) -> str | None:
        """Return why a timeout of a turn that began at *since*, in a match of *bots*, does not count, if so."""
        now = self._loop.time()
        lateness = self._pulse.lateness(since, now)
        if lateness <= LATE_SECONDS:
            return None
        self._scan()
        trees = [self._trees[bot] for bot in bots if bot in self._trees]
        return excuse(lateness, [tree.cores(since, now) for tree in trees])

    def close(self) -> None:
        """Look no more."""
        self._timer.cancel()

    def _beat(self) -> None:
        now = self._loop.time()
        self._timer = self._loop.call_at(self._pulse.beat(now), self._beat)
        self._beats += 1
        if self._beats % SCAN_BEATS == 0 and self._trees:
            self._scan()
        if self._beats % SAMPLE_BEATS == 0:
            for bot, tree in list(self._trees.items()):
                cpu = tree.sample(now).cpu
                if self._quota is not None:
                    self._judge(bot, tree, cpu, self._quota)
            self.on_sample(now)

    def _scan(self) -> None:
        """Look for processes that bots have started since, and for those that have lost their parents."""
        for tree in self._trees.values():
            tree.meet()
        if self._adopts:
            known = self._roots.union(*(tree.members for tree in self._trees.values()))
            for orphan in children_of(os.getpid()):
                if orphan not in known:
                    self._place(orphan)

    def _place(self, orphan: int) -> None:
        """Count *orphan* to the bot in whose home it lives; in none: end it, unless it is only being started."""
        for bot, tree in self._trees.items():
            if bot.home is not None and lives_in(orphan, bot.home):
                tree.adopt(orphan)
                return
        if not is_starting(orphan):
            end_orphan(orphan)

    def _judge(self, bot: BotProcess, tree: Tree, cpu: float, quota: Quota) -> None:
        """End *bot* if it uses more than it may."""
        bot.worn = cpu > quota.cpu_seconds / 2
        memory = tree.memory(quota.memory)
        if memory > quota.memory:
            bot.end(f"out of memory: {memory // MIB} MiB used; expected at most {quota.memory // MIB} MiB")
        elif len(tree.members) > quota.processes:
            bot.end(f"too many processes: {len(tree.members)} at once; expected at most {quota.processes}")
