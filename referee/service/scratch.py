"""
Folders for temporary files that say whose they are, so that what a killed process left is swept by the next one.

What is in them is not known here.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import psutil

from referee.service.strays import end_strays

PREFIX: Final = "handfoot-"
OWNER: Final = "owner"
"""The file in such a folder that says which process it belongs to."""

UNCLAIMED_SECONDS: Final = 3600.0
"""How long a folder may be without an owner: whoever makes it claims it at once."""

_SLACK_SECONDS: Final = 5.0
"""By how much the start of a process may seem to move when somebody sets the clock."""


@contextmanager
def open_scratch(parent: Path | None = None) -> Iterator[Path]:
    """Make a folder for temporary files in *parent*, or where they usually are; remove it at the end of the context."""
    folder = make_scratch(parent)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def make_scratch(parent: Path | None = None) -> Path:
    """Sweep what others left, and return a new folder of this process, which is to be removed by the caller."""
    parent = parent or Path(tempfile.gettempdir())
    sweep(parent, time.time())
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    (folder / OWNER).write_text(_stamp(psutil.Process()), encoding="ascii")
    return folder


def sweep(parent: Path, now: float) -> list[Path]:
    """Remove the folders in *parent* whose owners are gone, with what still runs of their bots, and return them."""
    swept = [folder for folder in parent.glob(f"{PREFIX}*") if _is_ours(folder) and _is_stale(folder, now)]
    for folder in swept:
        end_strays(folder)
        shutil.rmtree(folder, ignore_errors=True)
    return swept


def _is_ours(folder: Path) -> bool:
    with suppress(OSError):
        return folder.is_dir() and not folder.is_symlink() and folder.lstat().st_uid == os.getuid()
    return False


def _is_stale(folder: Path, now: float) -> bool:
    """Return whether nobody owns *folder* any more; the owner may also live where this process cannot see it."""
    try:
        pid, started, space = (folder / OWNER).read_text("ascii").split()
        if space != _pid_space():
            return False
        return abs(psutil.Process(int(pid)).create_time() - float(started)) > _SLACK_SECONDS
    except psutil.NoSuchProcess:
        return True
    except (OSError, ValueError):
        return _age(folder, now) > UNCLAIMED_SECONDS


def _age(folder: Path, now: float) -> float:
    with suppress(OSError):
        return now - folder.lstat().st_mtime
    return 0.0


def _stamp(process: psutil.Process) -> str:
    return f"{process.pid} {process.create_time()} {_pid_space()}"


def _pid_space() -> str:
    """Return what tells apart where process ids count; containers may share a folder, but not their processes."""
    with suppress(OSError):
        return Path("/proc/self/ns/pid").readlink().name
    return "-"
