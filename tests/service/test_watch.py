"""Tests of the watch: the time and memory that trees of processes use, a late loop, and what is excused by it."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from service.sitting import spec
from service.test_matches import PATIENT, ROUND, run, stub
from service.test_processes import gone

from referee.service.clock import TimeControl
from referee.service.host import open_referee
from referee.service.isolation import Isolation, Quota, probe
from referee.service.reports import MatchReport
from referee.service.usage import Meter, Tree, children_of
from referee.service.watch import BEAT_SECONDS, Pulse, excuse

FOLDER = str(Path(__file__).parent)
LEVELS = [finding.level for finding in probe() if finding.works and finding.level != "none"]
TOO_MUCH = {"hog@3": "MiB used; expected at most 300 MiB", "multiply@3": "too many processes: "}
BUSY = "import time; end = time.process_time() + {seconds}\nwhile time.process_time() < end: pass"


@contextmanager
def running(code: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run *code* for the length of the context; it says so on its standard output when it has come to a point."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        text=True,
        start_new_session=True,
        **pipes,  # type: ignore[call-overload]
    )
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def said(process: "subprocess.Popen[str]") -> str:
    """Return the next line of *process*."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_the_time_of_children_counts() -> None:
    """What a child uses belongs to the tree while it runs, and after it was collected, once."""
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', sys.argv[1]], stdin=subprocess.PIPE)\n"
        "print(child.pid, flush=True); input(); child.communicate(); print('collected', flush=True); input()"
    )
    with running(code, BUSY.format(seconds=0.5) + "\nprint('busy', flush=True); input()") as process:
        tree = Tree(process.pid)
        child = int(said(process))
        assert said(process) == "busy"
        before = tree.sample(0.0).cpu
        tree.meet()
        assert set(tree.members) == {process.pid, child}
        during = tree.sample(1.0).cpu
        assert during > before + 0.45
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
        assert said(process) == "collected"
        after = tree.sample(2.0).cpu
        assert during <= after < during + 0.4
        tree.meet()
        assert tree.members == [process.pid]
        assert children_of(child) == []


def test_cores_are_counted_from_before_the_moment_that_is_asked_about() -> None:
    """The mean use since the last sample before it, in cores; nothing is used by who sleeps."""
    with running("print('up', flush=True); import time; time.sleep(600)") as process:
        assert said(process) == "up"
        tree = Tree(process.pid)
        tree.sample(0.0)
        tree.sample(10.0)
        assert tree.cores(12.0, 20.0) < 0.05
    with running("print('up', flush=True)\nwhile True: pass") as process:
        assert said(process) == "up"
        tree = Tree(process.pid)
        began = time.monotonic()
        tree.sample(began)
        time.sleep(0.3)
        assert 0 < tree.cores(began, time.monotonic()) < 1.2


def test_shared_memory_is_counted_once() -> None:
    """Processes that share their pages with their parent do not use it again."""
    code = (
        "import os, time\n"
        "block = bytearray(os.urandom(1 << 20)) * 100\n"
        "children = [os.fork() for _ in range(2)]\n"
        "os.write(1, b'up\\n'); time.sleep(600)"
    )
    with running(code) as process:
        for _ in range(4):
            assert said(process) == "up"
        tree = Tree(process.pid)
        while len(tree.members) < 4:
            tree.meet()
        rough = tree.memory(1 << 60)
        assert rough > 400 << 20
        assert 100 << 20 < tree.memory(200 << 20) < 200 << 20


def test_thinking_out_of_turn_is_what_does_not_fit_into_the_turns() -> None:
    """A bot may use a core while it is to move; what it uses beyond is counted, stretch by stretch."""
    meter = Meter(5.0)
    meter.read(5.2, 0.3)
    assert (round(meter.total, 6), meter.idle) == (0.2, 0.0)
    meter.read(6.2, 0.3)
    meter.read(6.3, 1.3)
    assert (round(meter.total, 6), round(meter.idle, 6)) == (1.3, 1.0)


def test_a_late_loop_is_noticed() -> None:
    """Lateness is that of the latest beat since a moment, or of the one that is still to come."""
    pulse = Pulse(0.0)
    assert pulse.beat(0.1) == 0.1 + BEAT_SECONDS
    assert pulse.lateness(0.0, 0.15) < 0
    assert round(pulse.lateness(0.0, 1.2), 6) == 1.0
    pulse.beat(1.2)
    assert round(pulse.lateness(0.5, 1.25), 6) == 1.0
    assert pulse.lateness(1.21, 1.25) < 0
    pulse.beat(1.5)
    assert round(pulse.lateness(0.0, 1.5), 6) == 1.0, "a beat that is a little late is none"


@pytest.mark.parametrize(
    ("late", "cores", "excused"),
    [
        (0.2, [0.1, 0.1], False),
        (0.3, [0.1, 0.1], True),
        (0.3, [1.0, 1.0, 0.0, 1.0], True),
        (3.0, [0.1, 1.5], False),
        (3.0, [], True),
    ],
)
def test_only_a_host_that_lags_by_itself_excuses(late: float, cores: list[float], excused: bool) -> None:
    """A bot that burns more than its core gets nothing for it, and neither does anybody else."""
    assert (excuse(late, cores) is not None) is excused


async def play_with_a_pause(pause: float) -> MatchReport:
    """Play a match during which the loop of the referee stands still for a while."""
    async with open_referee() as host:
        bots = [await host.start_bot(stub()), await host.start_bot(stub("freeze@5"))]
        playing = asyncio.create_task(host.play_match(spec(ROUND, 2, time=TimeControl(0.5, 0.5)), bots))
        frozen = psutil.Process(bots[1].pid)
        while frozen.status() != psutil.STATUS_STOPPED:
            await asyncio.sleep(0.01)
        time.sleep(pause)
        return await playing


@pytest.mark.slow
def test_a_timeout_on_a_host_that_lags_is_void() -> None:
    """If the loop itself was late in that turn, nobody loses; a loop in time excuses nobody."""
    report = run(play_with_a_pause(1.5))
    assert report.termination == "void"
    assert report.forfeits == ()
    [fault] = report.faults
    assert (fault.kind, fault.seat) == ("referee_error", -1)
    assert "the host was late by 1." in fault.reason


@pytest.mark.slow
def test_thinking_out_of_turn_is_reported() -> None:
    """A bot whose child is busy all the time has used much more than its turns; the other one has not."""

    async def steps() -> MatchReport:
        async with open_referee() as host:
            bots = [await host.start_bot(stub("dawdle@3")), await host.start_bot(stub("burn@1"))]
            return await host.play_match(spec(ROUND, 2, time=PATIENT), bots)

    fair, burning = run(steps()).times
    assert fair.cpu_ms is not None
    assert fair.idle_cpu_ms is not None
    assert burning.cpu_ms is not None
    assert burning.idle_cpu_ms is not None
    assert 0 <= fair.idle_cpu_ms <= fair.cpu_ms
    assert fair.idle_cpu_ms < burning.idle_cpu_ms <= burning.cpu_ms


@pytest.mark.parametrize(
    ("level", "trick"),
    [
        ("bwrap", "hog@3"),
        ("limits", "multiply@3"),
        pytest.param("bwrap", "multiply@3", marks=pytest.mark.slow),
        pytest.param("limits", "hog@3", marks=pytest.mark.slow),
    ],
)
def test_a_bot_that_takes_too_much_crashes(level: Any, trick: str) -> None:
    """Memory of all its processes together, and their number, are limited; the fault says what was too much."""
    if level not in LEVELS:
        pytest.skip(f"the level {level} does not work here")
    isolation = Isolation(level, Quota(memory=300 << 20, processes=20))

    async def steps() -> tuple[MatchReport, list[psutil.Process]]:
        async with open_referee(isolation=isolation) as host:
            bots = [await host.start_bot(stub(*tricks, folder=FOLDER)) for tricks in ((), (trick,))]
            playing = asyncio.create_task(host.play_match(spec(ROUND, 2, time=PATIENT), bots))
            family = [psutil.Process(bot.pid) for bot in bots]
            return await playing, family

    report, family = run(steps())
    assert report.termination == "forfeit"
    [fault] = report.faults
    assert (fault.kind, fault.seat) == ("crash", 1)
    assert TOO_MUCH[trick] in fault.reason
    assert report.record is not None
    assert report.record.isolation == level
    assert all(gone(process) for process in family)


def test_memory_is_not_limited_where_nothing_is() -> None:
    """At the level none a bot may use what there is."""

    async def steps() -> MatchReport:
        isolation = Isolation("none", Quota(memory=30 << 20))
        async with open_referee(isolation=isolation) as host:
            bots = [await host.start_bot(stub()) for _ in range(2)]
            return await host.play_match(spec(ROUND, 2, time=PATIENT), bots)

    report = run(steps())
    assert report.termination == "played"
    assert report.record is not None
    assert report.record.isolation == "none"


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="only Linux hands orphans to another process"
)
def test_a_process_that_forgot_its_home_is_ended_where_orphans_are_adopted() -> None:
    """What a bot detached, with an empty environment, is left to the referee's process, which ends it."""
    code = """
import asyncio, sys
from referee.service.host import open_referee
from referee.service.processes import BotSpec
from referee.service.usage import children_of
import os, psutil

DETACH = (
    "import os, sys, time\\n"
    "if os.fork() == 0:\\n"
    "    os.setsid()\\n"
    "    if os.fork() == 0: os.execve('/bin/sleep', ['sleep', '600'], {})\\n"
    "    os._exit(0)\\n"
    "time.sleep(600)"
)

async def main():
    async with open_referee(adopts=True) as host:
        bot = await host.start_bot(BotSpec("b", "1", "python", (sys.executable, "-c", DETACH)))
        while len(children_of(os.getpid())) < 2:
            await asyncio.sleep(0.01)
        stray = next(pid for pid in children_of(os.getpid()) if pid != bot.pid)
        while psutil.pid_exists(stray):
            await asyncio.sleep(0.05)
        assert psutil.pid_exists(bot.pid)

asyncio.run(asyncio.wait_for(main(), 30))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
