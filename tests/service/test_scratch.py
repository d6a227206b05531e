"""Tests of the folders for temporary files, and of what is swept of those whose owners are gone."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil
import pytest
from service.test_processes import gone, python, run

from referee.service.isolation import death_prefix
from referee.service.processes import BotProcess
from referee.service.scratch import OWNER, UNCLAIMED_SECONDS, make_scratch, open_scratch, sweep
from referee.service.strays import end_strays

MAKE = "from referee.service.scratch import make_scratch; print(make_scratch(), flush=True); input()"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def left_by(number: signal.Signals, folder: Path) -> Path:
    """Return the scratch folder of a process that was ended by a signal."""
    environment = os.environ | {"TMPDIR": str(folder)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", MAKE], env=environment, text=True, **pipes) as owner:  # type: ignore[call-overload]
        try:
            scratch = Path(owner.stdout.readline().strip())
            assert sweep(folder, time.time()) == []
        finally:
            owner.send_signal(number)
    return scratch


def test_a_folder_is_removed_at_the_end(tmp_path: Path) -> None:
    """Whatever is in it."""
    with open_scratch() as folder:
        assert folder.parent == tmp_path
        (folder / "home-x").mkdir()
        (folder / "home-x" / "note").touch()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_owner_left_is_swept_by_the_next_one(tmp_path: Path) -> None:
    """A folder lives as long as its owner; then whoever makes one removes it."""
    left = left_by(signal.SIGKILL, tmp_path)
    assert left.is_dir()
    mine = make_scratch()
    assert sorted(tmp_path.iterdir()) == [mine]
    assert make_scratch() != mine
    assert len(list(tmp_path.iterdir())) == 2


def test_a_process_id_that_is_used_again_owns_nothing(tmp_path: Path) -> None:
    """Another start time is another process; another container is none of ours to judge."""
    pid, started, space = (make_scratch() / OWNER).read_text().split()
    for name, stamp in {
        "reused": f"{pid} {float(started) - 100} {space}",
        "elsewhere": f"999999999 {started} pid:[1]",
        "gone": f"999999999 {started} {space}",
    }.items():
        (tmp_path / f"handfoot-{name}").mkdir()
        (tmp_path / f"handfoot-{name}" / OWNER).write_text(stamp)
    swept = {path.name for path in sweep(tmp_path, time.time())}
    assert swept == {"handfoot-reused", "handfoot-gone"}


def test_what_nobody_claims_is_left_for_a_while(tmp_path: Path) -> None:
    """A folder without a readable owner may just be made; other people's files and links are never touched."""
    for name in ("handfoot-new", "handfoot-torn", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "handfoot-torn" / OWNER).write_text("12")
    (tmp_path / "handfoot-link").symlink_to(tmp_path / "other")
    (tmp_path / "handfoot-file").touch()
    assert sweep(tmp_path, time.time()) == []
    later = sweep(tmp_path, time.time() + UNCLAIMED_SECONDS + 60)
    assert {path.name for path in later} == {"handfoot-new", "handfoot-torn"}
    assert (tmp_path / "other").is_dir()


@contextmanager
def sleeping(home: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Let a process live in *home*; it is ended and collected with the context, however that ends."""
    home.mkdir(parents=True)
    with subprocess.Popen(["/bin/sleep", "600"], env={"HOME": str(home)}, start_new_session=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_whoever_lives_in_a_folder_ends_with_it(tmp_path: Path) -> None:
    """A process whose home lies there is ended, wherever it has gone; one whose home only begins alike is not."""
    scratch = tmp_path / "scratch"
    with sleeping(scratch / "home-1") as within, sleeping(tmp_path / "scratch-2") as beside:
        assert end_strays(scratch) == 1
        assert within.wait(10) == -signal.SIGKILL
        assert beside.poll() is None
        assert end_strays(scratch) == 0


def test_who_is_slow_to_die_is_ended_and_counted_once(tmp_path: Path) -> None:
    """A killed process that is still there at the next look, as on a busy machine, is none of another kind."""
    homes = [tmp_path / "scratch" / f"home-{number}" for number in range(8)]
    with ExitStack() as stack:
        living = [stack.enter_context(sleeping(home)) for home in homes]
        assert end_strays(tmp_path / "scratch") == len(living)
        assert [process.wait(10) for process in living] == [-signal.SIGKILL] * len(living)


@pytest.mark.skipif(not death_prefix(), reason="setpriv cannot tie the life of a process to its parent here")
def test_what_a_bot_detached_ends_with_the_bot() -> None:
    """A grandchild in a session of its own, whose parent is gone, is found by its home."""
    code = "import subprocess; print(subprocess.Popen(['/bin/sleep', '600'], start_new_session=True).pid)"

    async def steps() -> int:
        bot = BotProcess(python(code), "t")
        bot.start("unix:/x")
        await bot.exited.wait()
        child = int(bot.stdout)
        assert not gone(psutil.Process(child))
        await bot.stop(patience=0)
        return child

    child = run(steps())
    if psutil.pid_exists(child):
        psutil.wait_procs([psutil.Process(child)], timeout=5)
    assert not psutil.pid_exists(child) or gone(psutil.Process(child))
