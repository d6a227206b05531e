"""Progress where there is no terminal, and where there is one."""

import os
import pty
import subprocess
import sys

import pytest

from tournaments.cli.progress import CLEAR_LINE, MOST_NOTES, Progress


def test_lines_are_plain_and_rare(capsys: pytest.CaptureFixture[str]) -> None:
    """In a log there is a line every ten seconds and one at the end; a resumed run counts on."""
    seconds = iter(range(0, 1000, 6))
    with Progress("spring", 8, done=2, now=lambda: next(seconds)) as progress:
        for _ in range(6):
            progress.advance()
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["spring: 4 of 8 units", "spring: 6 of 8 units", "spring: 8 of 8 units"]


def test_notes_are_told_once_and_end(capsys: pytest.CaptureFixture[str]) -> None:
    """A bot that fails in the same way a thousand times does not fill the log."""
    with Progress("spring", 1) as progress:
        for number in range(100):
            progress.note("the same")
            progress.note(f"note {number}")
    lines = capsys.readouterr().err.splitlines()
    assert lines[:3] == ["the same", "note 0", "note 1"]
    assert lines[-1] == "… and more of this kind"
    assert len(lines) == MOST_NOTES + 1


def test_a_terminal_gets_a_bar() -> None:
    """On a terminal the bar moves in place, and notes stand above it."""
    code = (
        "from tournaments.cli.progress import Progress\n"
        "with Progress('spring', 2) as progress:\n"
        "    progress.advance(); progress.note('a note'); progress.advance()\n"
    )
    ours, theirs = pty.openpty()
    subprocess.run([sys.executable, "-c", code], stderr=theirs, check=True)
    os.close(theirs)
    told = os.read(ours, 10_000).decode()
    os.close(ours)
    assert "spring" in told
    assert "2/2" in told
    assert "a note\r\n" in told


@pytest.mark.parametrize("on_terminal", [True, False])
def test_the_step_under_way_is_shown_on_a_terminal_only(on_terminal: bool) -> None:
    """On a terminal the name of the step that has begun stands there until it is done; a log gets none of it."""
    code = (
        "from tournaments.cli.progress import Announcement\n"
        "with Announcement(['starts', 'says hello']) as announcement:\n"
        "    announcement.advance(); announcement.advance()\n"
    )
    ours, theirs = pty.openpty() if on_terminal else os.pipe()
    subprocess.run([sys.executable, "-c", code], stderr=theirs, check=True)
    os.write(theirs, b"end")
    os.close(theirs)
    told = os.read(ours, 10_000).decode()
    os.close(ours)
    shown = [part.split("…")[-1].strip() for part in told.removesuffix("end").split(CLEAR_LINE)]
    assert shown == (["starts", "says hello", "", ""] if on_terminal else [""])
