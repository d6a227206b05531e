"""Tests of the sandbox, from inside: what a bot can reach there, and what it cannot."""

import asyncio
import ctypes
import json
import os
import socket
import sys
import uuid
from collections.abc import Iterator
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest
from requirement import skip_without
from service.prowler import attempt

from referee.service.isolation import Isolation, Quota, probe_bwrap
from referee.service.processes import BotProcess, BotSpec
from referee.service.sandbox import SOCKET, visible

PROWLER = Path(__file__).with_name("prowler.py")
SMALL = Isolation("bwrap", Quota(file_bytes=50 << 20))


@pytest.fixture(autouse=True, scope="module")
def _sandboxes() -> None:
    finding = probe_bwrap()
    if not finding.works:
        skip_without("bwrap", str(finding))


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[str]:
    """The address of a socket that somebody listens on."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s"))
        listening.listen()
        yield f"unix:{tmp_path / 's'}"


def bot_folder(folder: Path) -> Path:
    """Make *folder* that of a bot."""
    folder.mkdir()
    (folder / "prowler.py").write_text(PROWLER.read_text())
    return folder


async def prowl(tries: list[tuple[str, object]], folder: Path, address: str) -> dict[str, str]:
    """Return what came of *tries* of a bot in *folder*, within a sandbox."""
    command = (sys.executable, "prowler.py", json.dumps([[kind, str(value)] for kind, value in tries]))
    bot = BotProcess(BotSpec("prowler", "1", "python", command, str(folder)), "t", SMALL)
    bot.start(address)
    await asyncio.wait_for(bot.exited.wait(), 60)
    await bot.stop(patience=0)
    assert bot.exit_code == 0, bot.stderr
    told: dict[str, str] = json.loads(bot.stdout)
    return told


def test_nothing_of_the_machine_can_be_reached(tmp_path: Path, referee: str) -> None:
    """
    Rivals, the league, the home folder, processes, networks, sockets and shared memory are not there.

    Each try is made outside too: there it succeeds, so that its failure inside means something.
    """
    folder, rival = bot_folder(tmp_path / "mine"), bot_folder(tmp_path / "rival")
    league = tmp_path / "spring"
    league.mkdir()
    (league / "league.db").write_text("results")
    name = f"handfoot-{uuid.uuid4().hex}"
    libc = ctypes.CDLL(None)
    segment = libc.shmget(key := uuid.uuid4().int & 0x7FFFFFFF, 4096, 0o1666)
    with socket.create_server(("127.0.0.1", 0)) as loopback, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0{name}")
        abstract.listen()
        memory = SharedMemory(name, create=True, size=64)
        tries: list[tuple[str, object]] = [
            ("read", rival / "prowler.py"),
            ("read", league / "league.db"),
            ("read", "/etc/passwd"),
            ("read", f"/proc/{os.getpid()}/environ"),
            ("read", f"/dev/shm/{name}"),
            ("see", os.getpid()),
            ("connect", f"127.0.0.1:{loopback.getsockname()[1]}"),
            ("connect", f"@{name}"),
            ("connect", referee.removeprefix("unix:")),
            ("attach", key),
        ]
        outside = {f"{kind} {value}": attempt(kind, str(value)) for kind, value in tries}
        inside = asyncio.run(prowl(tries, folder, referee))
        memory.close()
        memory.unlink()
        libc.shmctl(segment, 0, None)
    assert not [each for each, came in outside.items() if came.endswith("Error")]
    assert not [each for each, came in inside.items() if not came.endswith("Error")]


def test_nothing_of_the_home_folder_is_there(tmp_path: Path, referee: str) -> None:
    """It is missing, or holds only the way to an interpreter that is installed in it."""
    told = asyncio.run(prowl([("read", Path.home())], bot_folder(tmp_path / "mine"), referee))
    [came] = told.values()
    ways = {
        path for prefix in (sys.prefix, sys.base_prefix) for path in (Path(prefix), *Path(prefix).parents)
    }
    assert came == "FileNotFoundError" or {Path(each) for each in came.split()} <= ways


def test_what_a_bot_needs_is_there(tmp_path: Path, referee: str) -> None:
    """Its folder, the SDK, programs of the system, a private folder, and the referee."""
    tries: list[tuple[str, object]] = [
        ("read", "prowler.py"),
        ("load", "handfoot"),
        ("load", "grpc"),
        ("load", "google.protobuf"),
        ("read", "/usr"),
        ("write", "/tmp/note"),
        ("write", "/dev/shm/note"),
        ("connect", SOCKET),
    ]
    told = asyncio.run(prowl(tries, bot_folder(tmp_path / "mine"), referee))
    assert not [each for each, came in told.items() if came.endswith("Error")]


def test_nothing_can_be_changed_or_filled(tmp_path: Path, referee: str) -> None:
    """Whatever is shown is read-only; what is private has a size; nobody becomes root of anything."""
    folder = bot_folder(tmp_path / "mine")
    tries: list[tuple[str, object]] = [
        ("write", folder / "note"),
        ("write", "/note"),
        ("write", "/usr/note"),
        ("write", "/dev/note"),
        ("write", "/run/note"),
        ("write", Path(sys.prefix) / "note"),
        ("grow", "/tmp/big"),
        ("fill", "/tmp"),
        ("fill", "/dev/shm"),
        ("nest", ""),
    ]
    told = asyncio.run(prowl(tries, folder, referee))
    assert [came for came in told.values() if not came.endswith("Error")] == []
    assert sorted(path.name for path in folder.iterdir()) == ["prowler.py"]


def test_the_two_legs_share_no_files(tmp_path: Path, referee: str) -> None:
    """What one process of a bot leaves in /tmp and in shared memory, another process of it does not find."""
    folder = bot_folder(tmp_path / "mine")

    async def both() -> tuple[dict[str, str], dict[str, str]]:
        paths = ["/tmp/note", "/dev/shm/note"]
        first = await prowl([("write", path) for path in paths], folder, referee)
        return first, await prowl([("read", path) for path in paths], folder, referee)

    left, found = asyncio.run(both())
    assert set(left.values()) == {"written"}
    assert set(found.values()) == {"FileNotFoundError"}


def test_a_bot_in_a_sandbox_is_told_of_its_signals(tmp_path: Path, referee: str) -> None:
    """How the bot itself ended is known, though it is a sandbox that is collected."""

    async def ending(code: str) -> tuple[int | None, str | None]:
        bot = BotProcess(BotSpec("b", "1", "python", (sys.executable, "-c", code)), "t", SMALL)
        bot.start(referee)
        await asyncio.wait_for(bot.exited.wait(), 60)
        await bot.stop(patience=0)
        return bot.exit_code, bot.host_failure

    assert asyncio.run(ending("import sys; sys.exit(9)")) == (9, None)
    assert asyncio.run(ending("import os; os.abort()")) == (-6, None)


def test_a_sandbox_that_cannot_be_made_is_not_the_bots_fault(tmp_path: Path) -> None:
    """Where the referee's socket is missing the sandbox fails, and the process says whose failure that is."""

    async def ending() -> str | None:
        bot = BotProcess(BotSpec("b", "1", "python", (sys.executable, "-c", "")), "t", SMALL)
        bot.start(f"unix:{tmp_path / 'nowhere'}")
        await asyncio.wait_for(bot.exited.wait(), 60)
        await bot.stop(patience=0)
        return bot.host_failure

    failure = asyncio.run(ending())
    assert failure is not None
    assert failure.startswith("the sandbox could not be made: ")
    assert "nowhere" in failure


class TestPrograms:
    """What is shown of the machine for a program to run."""

    def test_a_program_of_the_system_needs_nothing_more(self) -> None:
        """All of /usr is there anyway."""
        assert visible(Path("/usr/bin/env")) == set()
        assert visible(Path("/bin/sh")) == set()

    def test_an_installation_is_shown_as_a_whole(self, tmp_path: Path) -> None:
        """A folder with bin and lib is one; what it links to is shown as well."""
        for prefix in ("one", "two"):
            (tmp_path / prefix / "bin").mkdir(parents=True)
            (tmp_path / prefix / "lib").mkdir()
        (tmp_path / "two" / "bin" / "run").touch()
        (tmp_path / "one" / "bin" / "run").symlink_to(Path("../../two/bin/run"))
        assert visible(tmp_path / "one" / "bin" / "run") == {tmp_path / "one", tmp_path / "two"}

    def test_a_single_file_shows_nothing_beside_it(self, tmp_path: Path) -> None:
        """A program outside of an installation comes alone, and so do those of the home folder."""
        assert visible(tmp_path / "run") == {tmp_path / "run"}
        assert visible(tmp_path / "bin" / "run") == {tmp_path / "bin" / "run"}
        own = Path.home() / ".local" / "bin" / "run"
        assert visible(own) == {own}
        mine = Path.home() / "bin" / "run"
        assert visible(mine) == {mine}

    def test_a_program_outside_of_usr_runs(self, tmp_path: Path, referee: str) -> None:
        """A bot that is a program of its own needs no interpreter."""
        program = tmp_path / "copied"
        program.write_bytes(Path("/usr/bin/env").read_bytes())
        program.chmod(0o755)

        async def said() -> str:
            bot = BotProcess(BotSpec("b", "1", "c", (str(program), "echo", "hello")), "t", SMALL)
            bot.start(referee)
            await asyncio.wait_for(bot.exited.wait(), 60)
            await bot.stop(patience=0)
            return bot.stdout

        assert asyncio.run(said()) == "hello"


def test_starting_in_a_sandbox_is_quick(referee: str) -> None:
    """The sandbox itself costs little CPU time beside what an interpreter needs to start."""

    async def cost(isolation: Isolation) -> float:
        before = getrusage(RUSAGE_CHILDREN)
        for _ in range(5):
            bot = BotProcess(BotSpec("b", "1", "c", ("/usr/bin/true",)), "t", isolation)
            bot.start(referee)
            await bot.exited.wait()
            await bot.stop(patience=0)
        after = getrusage(RUSAGE_CHILDREN)
        return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / 5

    asyncio.run(cost(SMALL))
    assert asyncio.run(cost(SMALL)) - asyncio.run(cost(Isolation("none"))) < 0.1
