"""
The lock by which one process owns a league.

The kernel holds it (flock), so it ends with its process, however that ends, and is never stale. The file
stays where it is: removing it would let two processes lock two files of one name.
"""

import fcntl
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from tournaments.store.errors import LeagueBusy, NotFound, StoreError
from tournaments.store.owner import Owner

LOCK_FILE = "owner.lock"
_LONGEST = 1000
_TRIES = 20
_PAUSE = 0.01


@contextmanager
def own_league(folder: Path, since: datetime) -> Iterator[Owner]:
    """
    Own the league in *folder* while the context lasts; *since* is what a second process is told.

    Child processes started meanwhile do not hold the lock.

    Raises:
        LeagueBusy: another process owns it; `.owner` says who, unless it took the lock this very moment.
        NotFound: there is no such folder.
        StoreError: the lock file cannot be written.
    """
    owner = Owner(os.getpid(), socket.gethostname(), since)
    file = _open(folder)
    try:
        _take_patiently(file, folder)
        _write(file, owner.to_json())
        yield owner
        _write(file, "")
    finally:
        os.close(file)


def find_owner(folder: Path) -> Owner | None:
    """
    Return who owns the league in *folder* now, or None where nobody does.

    Raises:
        NotFound: there is no such folder.
        StoreError: the lock file cannot be opened.
    """
    file = _open(folder)
    try:
        _take(file, folder, fcntl.LOCK_SH)
    except LeagueBusy as busy:
        return busy.owner
    finally:
        os.close(file)
    return None


def _open(folder: Path) -> int:
    if not folder.is_dir():
        raise NotFound("cannot find league", "no such folder", got=str(folder))
    try:
        return os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StoreError("cannot lock league", error.strerror, got=str(folder)) from error


def _take_patiently(file: int, folder: Path) -> None:
    """Take the lock, trying again for a moment: whoever only asks who owns the league holds it that long."""
    for _ in range(_TRIES - 1):
        try:
            return _take(file, folder, fcntl.LOCK_EX)
        except LeagueBusy:
            time.sleep(_PAUSE)
    return _take(file, folder, fcntl.LOCK_EX)


def _take(file: int, folder: Path, kind: int) -> None:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        said = os.pread(file, _LONGEST, 0).decode(errors="replace")
        raise LeagueBusy(str(folder), Owner.from_json(said)) from None
    except OSError as error:
        raise StoreError("cannot lock league", error.strerror, got=str(folder)) from error


def _write(file: int, text: str) -> None:
    os.ftruncate(file, 0)
    os.pwrite(file, text.encode(), 0)
