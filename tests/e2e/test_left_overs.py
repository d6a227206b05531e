"""Nothing that a bot started is left, however whoever started it ends."""

import secrets
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from authored import write_bot
from command import HANDFOOT, all_gone, descendants, start_handfoot, wait_until

from referee.service.isolation import probe

DETACHES: str = """
import os, time
from handfoot import Bot

for _ in range(2):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv("/bin/sleep", ["sleep", "{mark}"])
        os._exit(0)

class Mine(Bot):
    def act(self, view):
        time.sleep(0.01)
        return self.rng.choice(view.legal_actions)
"""
WORDS = ("random", "--rules", "simple", "--duplicates", "500", "--workers", "1")
LEVELS = [finding.level for finding in probe() if finding.works]


@contextmanager
def playing(*words: str, folder: Path, **options: int) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a scrimmage in *folder*; it is killed at the end of the context, if it still runs."""
    running = start_handfoot("scrimmage", *words, folder=folder, **options)
    try:
        yield running
    finally:
        running.kill()
        running.wait()


def asleep(mark: str) -> list[psutil.Process]:
    """Return the processes that sleep for *mark* seconds, wherever they are."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.cmdline()[1:] == [mark]:
                found.append(process)
        except psutil.Error:
            continue
    return found


def is_empty(folder: Path) -> bool:
    """Return whether nothing is in *folder*."""
    return not any(folder.iterdir())


def sleeper(folder: Path) -> str:
    """Make the bot `mine` in *folder*, which leaves processes behind, and return how these are known."""
    mark = f"6{secrets.randbelow(10**9):09d}"
    write_bot(folder / "mine", DETACHES.format(mark=mark))
    return mark


@pytest.mark.parametrize(
    ("level", "number"),
    [
        ("bwrap", signal.SIGINT),
        ("none", signal.SIGKILL),
        pytest.param("bwrap", signal.SIGKILL, marks=pytest.mark.slow),
        pytest.param("none", signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param("bwrap", signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param("limits", signal.SIGINT, marks=pytest.mark.slow),
        pytest.param("limits", signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param("limits", signal.SIGKILL, marks=pytest.mark.slow),
    ],
)
def test_no_process_of_a_bot_survives_a_signal(tmp_path: Path, level: str, number: signal.Signals) -> None:
    """Not even those that went into sessions of their own and whose parents are gone; nor a temporary file."""
    if level not in LEVELS:
        pytest.skip(f"the level {level} does not work here")
    mark = sleeper(tmp_path)
    with playing("./mine", *WORDS, "--isolation", level, folder=tmp_path) as running:
        wait_until(lambda: len(asleep(mark)) >= 4)
        started = [*descendants(running), *asleep(mark)]
        running.send_signal(number)
        assert running.wait(10) == (-number if number is signal.SIGKILL else 1)
        wait_until(lambda: all_gone(started) and not asleep(mark) and is_empty(tmp_path / "tmp"), 5)


@pytest.mark.slow
def test_nothing_survives_a_reader_that_leaves(tmp_path: Path) -> None:
    """Piped into `head -1` a scrimmage ends when that line is read, quietly, and its bots with it."""
    mark = sleeper(tmp_path)
    command = f"{HANDFOOT} scrimmage ./mine {' '.join(WORDS)} 2>&1 | head -1"
    shell = subprocess.Popen(
        ["/bin/sh", "-c", command], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    said, _ = shell.communicate(timeout=60)
    assert said.startswith("simple at 4 seats")
    assert said.count("\n") == 1
    wait_until(lambda: not asleep(mark), 5)


@pytest.mark.slow
def test_nothing_is_played_for_nobody(tmp_path: Path) -> None:
    """Where the output is closed from the start, the command ends long before its five hundred duplicates."""
    with playing("random", *WORDS, folder=tmp_path, stdout=-1, stderr=-1) as running:
        wait_until(lambda: len(descendants(running)) >= 9)
        started = descendants(running)
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        with running.stderr:
            assert b"Traceback" not in running.stderr.read()
        assert running.wait(10) == 1
        wait_until(lambda: all_gone(started) and is_empty(tmp_path / "tmp"), 5)


@pytest.mark.slow
def test_the_next_run_sweeps_what_two_killed_ones_left(tmp_path: Path) -> None:
    """If a command and its workers are killed at once, nobody is left to clean up; whoever comes next does."""
    mark = sleeper(tmp_path)
    with playing("./mine", *WORDS, "--isolation", "none", folder=tmp_path) as running:
        wait_until(lambda: len(asleep(mark)) >= 4)
        workers = psutil.Process(running.pid).children()
        for process in (psutil.Process(running.pid), *workers):
            process.kill()
        psutil.wait_procs(workers, timeout=5)
    left = asleep(mark)
    assert left
    assert not is_empty(tmp_path / "tmp")
    words = ("random", "random", "--rules", "simple", "--duplicates", "1", "--isolation", "none")
    with playing(*words, folder=tmp_path) as running:
        assert running.wait(60) == 0
    wait_until(lambda: all_gone(left) and is_empty(tmp_path / "tmp"), 5)
