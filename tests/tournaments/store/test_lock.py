"""One process owns a league, whatever becomes of it."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tournaments.store import LeagueBusy, NotFound, Owner, find_owner, own_league

SINCE = datetime(2026, 12, 1, 8, 30, tzinfo=UTC)

HOLDER = """
import subprocess, sys
from datetime import datetime
from pathlib import Path
from tournaments.store import own_league

with own_league(Path(sys.argv[1]), datetime.fromisoformat(sys.argv[2])):
    bot = subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL)
    print(bot.pid, flush=True)
    sys.stdin.readline()
bot.kill()
"""


@contextmanager
def holder(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start a process that owns the league of *folder*, and a child of it; both end with the context."""
    command = [sys.executable, "-c", HOLDER, str(folder), SINCE.isoformat()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        try:
            yield process, child
        finally:
            process.kill()
            os.kill(child, signal.SIGKILL)


def test_a_second_process_is_told_who_owns_the_league(tmp_path: Path) -> None:
    """A second owner is refused and told process, machine and since when."""
    with holder(tmp_path) as (process, _):
        owner = Owner(process.pid, socket.gethostname(), SINCE)
        with pytest.raises(LeagueBusy) as caught, own_league(tmp_path, SINCE):
            pass
        assert caught.value.owner == owner == find_owner(tmp_path)
        assert str(caught.value) == (
            f"cannot own league: process {process.pid} on {socket.gethostname()}, since 2026-12-01T08:30:00+00:00 "
            f"owns it; got {str(tmp_path)!r}; expected to be its only owner"
        )


def test_the_lock_ends_with_its_process(tmp_path: Path) -> None:
    """After SIGKILL of the owner the league is free at once, though a child of it lives on."""
    with holder(tmp_path) as (process, child):
        process.kill()
        process.wait()
        os.kill(child, 0)  # still there
        assert find_owner(tmp_path) is None
        with own_league(tmp_path, SINCE) as owner:
            assert owner == find_owner(tmp_path) == Owner(os.getpid(), socket.gethostname(), SINCE)


def test_a_league_is_free_after_its_run(tmp_path: Path) -> None:
    """A league is free before and after a run, be it one that failed."""
    assert find_owner(tmp_path) is None
    with pytest.raises(ZeroDivisionError), own_league(tmp_path, SINCE):
        _ = 1 / 0
    assert find_owner(tmp_path) is None
    with own_league(tmp_path, SINCE):
        pass


def test_there_is_nothing_to_own_without_a_folder(tmp_path: Path) -> None:
    """A league that is not there cannot be owned, and no folder is made."""
    with pytest.raises(NotFound, match="no such folder"), own_league(tmp_path / "typo", SINCE):
        pass
    assert not (tmp_path / "typo").exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}', '{"pid": "x", "host": "h", "since": "2026"}'])
def test_a_lock_file_that_says_nothing_names_nobody(text: str) -> None:
    """A lock file that is empty or half-written names no owner."""
    assert Owner.from_json(text) is None


def test_an_owner_survives_its_text() -> None:
    """An owner is read back from its text as it was."""
    owner = Owner(1, 'host "x"', SINCE)
    assert Owner.from_json(owner.to_json()) == owner
