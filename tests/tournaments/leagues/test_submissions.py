"""The hash of a bot's folder, and the copy that plays in a league."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tournaments.errors import InvalidEntrant
from tournaments.leagues.submissions import content_hash, keep_copy


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bot's folder with a program, a data file below, and a link between them."""
    bot = tmp_path / "bot"
    (bot / "data").mkdir(parents=True)
    (bot / "run").write_text("#!/bin/sh\n")
    (bot / "run").chmod(0o755)
    (bot / "data" / "book.txt").write_text("7h 7c 7d")
    (bot / "book").symlink_to("data/book.txt")
    return bot


def rename(folder: Path) -> None:
    (folder / "run").rename(folder / "start")


def alter(folder: Path) -> None:
    (folder / "data" / "book.txt").write_text("7h 7c 7s")


def disarm(folder: Path) -> None:
    (folder / "run").chmod(0o644)


def add(folder: Path) -> None:
    (folder / "empty").touch()


def relink(folder: Path) -> None:
    (folder / "book").unlink()
    (folder / "book").symlink_to("run")


@pytest.mark.parametrize("change", [rename, alter, disarm, add, relink])
def test_every_change_of_content_changes_the_hash(folder: Path, change: Callable[[Path], None]) -> None:
    """A bot at another version is another entrant, whatever it was that changed."""
    before = content_hash(folder)
    change(folder)
    assert content_hash(folder) != before


def test_what_tools_leave_behind_does_not_change_the_hash(folder: Path) -> None:
    """Running a bot, or keeping it under version control, does not make it another one."""
    before = content_hash(folder)
    for name in ("__pycache__", ".git"):
        (folder / "data" / name).mkdir()
        (folder / "data" / name / "junk").write_text("junk")
    os.utime(folder / "run", (0, 0))
    assert content_hash(folder) == before


def test_the_copy_has_the_hash_of_the_original(folder: Path, tmp_path: Path) -> None:
    """What is copied is all that is hashed; doing it twice changes nothing."""
    kept = tmp_path / "entrants"
    kept.mkdir()
    name = keep_copy(folder, kept)
    assert name == content_hash(folder) == content_hash(kept / name) == keep_copy(folder, kept)
    assert os.access(kept / name / "run", os.X_OK)
    assert (kept / name / "book").read_text() == "7h 7c 7d"
    assert [path.name for path in kept.iterdir()] == [name]


@pytest.mark.parametrize("target", ["../secret", "/etc/passwd", "data/../../secret"])
def test_a_link_out_of_the_folder_is_refused(folder: Path, tmp_path: Path, target: str) -> None:
    """A submission cannot bring along what is not its own, and nothing of it stays."""
    (folder / "spy").symlink_to(target)
    kept = tmp_path / "entrants"
    kept.mkdir()
    with pytest.raises(InvalidEntrant, match="link 'spy' leads out of the folder"):
        keep_copy(folder, kept)
    assert list(kept.iterdir()) == []


def test_a_loop_of_links_is_content_like_any_other(folder: Path) -> None:
    """Links that lead nowhere inside the folder harm nobody."""
    (folder / "a").symlink_to("b")
    (folder / "b").symlink_to("a")
    assert len(content_hash(folder)) == 64


def test_a_pipe_is_refused(folder: Path) -> None:
    """What cannot be copied is named instead of waited for."""
    os.mkfifo(folder / "pipe")
    with pytest.raises(InvalidEntrant, match="it holds something that is no file; got 'pipe'"):
        content_hash(folder)
