"""
Processes of bots that got away from their group: found by where they live, or by being left to this process.

A bot may start processes in sessions of their own. Without a pid space of its own (`bwrap`) they outlive its group.
Each process inherits HOME, which is a private folder of its bot; and what has lost its parent is handed to the
worker, if it asked for that, so that also a process that has forgotten its home is found.
"""

import contextlib
import ctypes
import os
import signal
import sys
import time
from pathlib import Path
from typing import Final

import psutil

_SET_CHILD_SUBREAPER: Final = 36
"""The number of prctl's PR_SET_CHILD_SUBREAPER."""

_ROUNDS: Final = 5
"""How often to look again for what was started while the others were ended."""

_PAUSE_SECONDS: Final = 0.01
"""How long to wait for a process that is just being started."""


def adopt_orphans() -> bool:
    """Have processes that lose their parents, below this one, become its children; return whether that is possible."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        return bool(ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False


def end_strays(folder: Path) -> int:
    """
    Kill every process whose home is *folder* or lies below it, and return how many there were.

    A killed process may be there for a moment yet; it is counted once.
    """
    ended: set[int] = set()
    for _ in range(_ROUNDS):
        others = [pid for pid in psutil.pids() if pid not in ended]
        found = {pid for pid in others if _end_in(pid, folder)}
        ended |= found
        if any(is_starting(pid) for pid in others):
            time.sleep(_PAUSE_SECONDS)
        elif not found:
            break
    return len(ended)


def _end_in(pid: int, folder: Path) -> bool:
    """Kill the process *pid* if it lives in *folder*, and return whether it did."""
    if not lives_in(pid, folder):
        return False
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if not hasattr(os, "pidfd_open"):
            os.kill(pid, signal.SIGKILL)
            return True
        held = os.pidfd_open(pid)
        try:
            if lives_in(pid, folder):  # still: an id that is used again by now is not meant
                signal.pidfd_send_signal(held, signal.SIGKILL)
        finally:
            os.close(held)
    return True


def lives_in(pid: int, folder: Path) -> bool:
    """Return whether the home of the process *pid* is *folder* or lies below it; this process itself never does."""
    home = os.fsencode(folder)
    return pid != os.getpid() and any(
        entry == b"HOME=" + home or entry.startswith(b"HOME=" + home + b"/") for entry in _environment(pid)
    )


def is_starting(pid: int) -> bool:
    """Return whether the process *pid* runs a new program this very moment, so that its home cannot be read yet."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        known = any(Path(f"/proc/{pid}/{what}").read_bytes() for what in ("environ", "cmdline"))
        return not known and bool(
            Path(f"/proc/{pid}/exe").readlink()
        )  # a kernel thread and a zombie have none
    except OSError:
        return False


def _environment(pid: int) -> list[bytes]:
    """Return with what the process *pid* was started; nothing where that may not be read, or if it is gone."""
    try:
        if sys.platform.startswith("linux"):
            return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        environment = psutil.Process(pid).environ()
        return [os.fsencode(f"{name}={value}") for name, value in environment.items()]
    except (psutil.Error, OSError):
        return []


def end_orphan(pid: int) -> None:
    """Kill the process *pid*, a child of this one that nobody knows, and collect it, if not now then the next time."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
