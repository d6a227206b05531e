"""Tests of bot processes: what they are given, how they are watched, and that nothing of them is left."""

import asyncio
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import psutil
import pytest

from referee.service.errors import HostError
from referee.service.isolation import death_prefix
from referee.service.processes import BotProcess, BotSpec

SLEEP = "import time; print('up', flush=True); time.sleep(600)"


def python(code: str, folder: Path | None = None) -> BotSpec:
    """Return a bot that runs *code*."""
    return BotSpec(
        "bot", "1", "python", (sys.executable, "-c", code), None if folder is None else str(folder)
    )


def run(steps: Coroutine[Any, Any, Any]) -> Any:
    """Run *steps* to their end, but not for ever."""
    return asyncio.run(asyncio.wait_for(steps, 30))


def gone(process: psutil.Process) -> bool:
    """Return whether *process* has ended, collected or not."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


async def started(spec: BotSpec) -> BotProcess:
    """Return a process of *spec*."""
    bot = BotProcess(spec, "the-token")
    bot.start("unix:/the/address")
    return bot


async def until_up(bot: BotProcess) -> None:
    """Wait until the bot, or a child that shares its output, has said so."""
    while bot.stdout != "up":
        await asyncio.sleep(0.01)


def test_a_spec_reads_back() -> None:
    """To and from plain JSON values are a pair; a missing or unknown key is named."""
    spec = BotSpec("a", "1", "go", ("/bin/a", "-x"), "/f", stateless=True, legal_actions=False, tables=3)
    assert BotSpec.from_dict(json.loads(json.dumps(spec.to_dict()))) == spec
    with pytest.raises(HostError, match="unreadable bot"):
        BotSpec.from_dict(spec.to_dict() | {"colour": "red"})


def test_a_bot_sees_nothing_but_what_it_needs(tmp_path: Path) -> None:
    """The environment holds five names; the bot runs in its folder, in a session of its own, and cannot be asked."""
    code = (
        "import json, os, sys; print(json.dumps({'env': dict(os.environ), 'cwd': os.getcwd(), "
        "'sid': os.getsid(0), 'stdin': sys.stdin.read(), 'home': os.listdir(os.environ['HOME'])}))"
    )

    async def steps() -> tuple[dict[str, Any], int]:
        bot = await started(python(code, tmp_path))
        await bot.exited.wait()
        await bot.stop(patience=0)
        assert bot.exit_code == 0
        return json.loads(bot.stdout), os.getsid(0)

    os.environ["HANDFOOT_SECRET_OF_THE_LEAGUE"] = "x"
    said, own_session = run(steps())
    del os.environ["HANDFOOT_SECRET_OF_THE_LEAGUE"]
    said["env"].pop("LC_CTYPE", None)  # the interpreter sets it itself
    home = said["env"].pop("HOME")
    assert said["env"] == {
        "HANDFOOT_ADDRESS": "unix:/the/address",
        "HANDFOOT_TOKEN": "the-token",
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
    }
    assert said["cwd"] == str(tmp_path)
    assert said["sid"] != own_session
    assert (said["stdin"], said["home"]) == ("", [])
    assert not Path(home).exists()


def test_a_bot_without_a_folder_runs_in_its_private_home() -> None:
    """Files that it writes there go with it."""

    async def steps() -> str:
        bot = await started(python("import os; open('note', 'w').close(); print(os.getcwd())"))
        await bot.exited.wait()
        assert (Path(bot.stdout) / "note").exists()
        await bot.stop(patience=0)
        return bot.stdout

    assert not Path(run(steps())).exists()


def test_an_exit_is_noticed_at_once_and_told_once() -> None:
    """The end of a process is known in a moment, with its code and its last words."""

    async def steps() -> None:
        told: list[str] = []
        bot = BotProcess(python("import sys; print('last words', file=sys.stderr); sys.exit(9)"), "t")
        bot.on_exit = lambda: told.append(bot.ending())
        bot.start("unix:/x")
        await asyncio.wait_for(bot.exited.wait(), 10)
        await bot.stop(patience=0)
        assert told == ["exited with code 9"]
        assert (bot.exit_code, bot.stderr) == (9, "last words")

    run(steps())


@pytest.mark.parametrize(
    "command",
    [("/nonexistent/program",), ("/etc/passwd",), ("/tmp",)],
    ids=["missing", "not executable", "folder"],
)
def test_what_cannot_be_started_says_so(command: tuple[str, ...]) -> None:
    """Nothing is raised; the failure is kept, and the process counts as ended."""

    async def steps() -> None:
        bot = await started(BotSpec("b", "1", "c", command))
        assert bot.exited.is_set()
        assert bot.ending().startswith("cannot be started")
        assert command[0] in bot.ending()
        await bot.stop(patience=0)

    run(steps())


def test_a_folder_that_is_gone_says_so(tmp_path: Path) -> None:
    """A missing folder is a failure to start, not an error of the referee."""

    async def steps() -> None:
        bot = await started(python("pass", tmp_path / "gone"))
        assert bot.ending().startswith("cannot be started")
        await bot.stop(patience=0)

    run(steps())


def test_a_machine_that_has_nothing_left_is_no_fault_of_the_bot() -> None:
    """Without file descriptors for a process the referee says so, and leaves nothing behind."""

    async def steps() -> None:
        own = psutil.Process()
        bot = BotProcess(python(SLEEP), "t")
        death_prefix()
        before, limits = own.num_fds(), resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (before + 2, limits[1]))
        try:
            with pytest.raises(HostError, match="cannot start processes"):
                bot.start("unix:/x")
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        assert bot.failure is None
        await bot.stop(patience=0)
        assert own.num_fds() == before

    run(steps())


def test_a_machine_without_room_for_a_folder_is_not_the_bots_fault(tmp_path: Path) -> None:
    """Where no private folder can be made nothing is started, and the caller is told."""

    async def steps() -> None:
        bot = BotProcess(python("pass"), "t", scratch=tmp_path / "gone")
        with pytest.raises(HostError, match="cannot make a folder for a bot"):
            bot.start("unix:/x")
        assert bot.failure is None
        await bot.stop(patience=0)

    run(steps())


@pytest.mark.parametrize(
    "code",
    [
        SLEEP,
        f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEP}",
        "import os, signal; print('up', flush=True); os.kill(os.getpid(), signal.SIGSTOP)",
        f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {SLEEP!r}]).wait()",
    ],
    ids=["asleep", "deaf", "frozen", "parent"],
)
def test_a_stopped_bot_is_gone_with_all_it_started(code: str) -> None:
    """Whatever it does about signals, the process and its children end."""

    async def steps() -> None:
        bot = await started(python(code))
        await until_up(bot)
        assert bot.pid is not None
        family = [psutil.Process(bot.pid), *psutil.Process(bot.pid).children(recursive=True)]
        await bot.stop(patience=0.1)
        assert bot.exit_code is not None
        assert bot.exit_code < 0
        assert bot.ending().startswith("killed by SIG")
        await asyncio.to_thread(psutil.wait_procs, family, 2)
        assert all(gone(process) for process in family)

    run(steps())


def test_what_a_bot_leaves_behind_when_it_exits_is_ended() -> None:
    """A child that outlives its bot is ended at once."""
    code = f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', {SLEEP!r}]).pid)"

    async def steps() -> None:
        bot = await started(python(code))
        await bot.exited.wait()
        child = int(bot.stdout)
        for _ in range(100):
            if not psutil.pid_exists(child) or gone(psutil.Process(child)):
                break
            await asyncio.sleep(0.02)
        else:
            raise AssertionError("the child lives")
        await bot.stop(patience=0)

    run(steps())


def test_output_is_drained_and_only_its_end_is_kept() -> None:
    """A megabyte of output does not stop its writer, and memory holds the end of it."""
    code = "import sys; [print('x' * 99) for _ in range(10_000)]; print('the end'); sys.exit(4)"

    async def steps() -> None:
        bot = await started(python(code))
        await asyncio.wait_for(bot.exited.wait(), 10)
        await bot.stop(patience=0)
        assert bot.exit_code == 4
        assert bot.stdout.splitlines()[0] == "[the last of 1000008 bytes]"
        assert bot.stdout.splitlines()[-1] == "the end"
        assert len(bot.stdout.splitlines()) == 21

    run(steps())


def test_starting_and_stopping_leaks_nothing() -> None:
    """After many bots there are no more file descriptors, threads or folders than before."""

    async def steps() -> None:
        own = psutil.Process()

        async def once() -> None:
            bots = [await started(python("pass")) for _ in range(4)]
            await asyncio.gather(*(bot.exited.wait() for bot in bots))
            await asyncio.gather(*(bot.stop(patience=0) for bot in bots))

        await once()
        before = own.num_fds()
        for _ in range(5):
            await once()
        assert own.num_fds() == before
        assert own.children() == []

    run(steps())


@pytest.mark.skipif(not death_prefix(), reason="setpriv cannot tie the life of a process to its parent here")
def test_no_bot_survives_the_killing_of_its_referee(tmp_path: Path) -> None:
    """SIGKILL of the process that started a bot ends the bot too."""
    code = f"""
import asyncio, sys
from referee.service.processes import BotProcess, BotSpec

async def main():
    bot = BotProcess(BotSpec("b", "1", "python", (sys.executable, "-c", {SLEEP!r})), "t")
    bot.start("unix:/x")
    while bot.stdout != "up":
        await asyncio.sleep(0.01)
    print(bot.pid, flush=True)
    await bot.exited.wait()

asyncio.run(main())
"""
    env = os.environ | {"TMPDIR": str(tmp_path)}  # whoever is killed cleans nothing up
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=env) as parent:
        try:
            assert parent.stdout is not None
            bot = psutil.Process(int(parent.stdout.readline()))
            assert not gone(bot)
        finally:
            parent.send_signal(signal.SIGKILL)
    psutil.wait_procs([bot], timeout=5)
    assert gone(bot)
