"""How a bot is started at a level of isolation: the words, where, and what it is told. Starting is `processes`' job."""

import shutil
from dataclasses import dataclass
from typing import Final

from referee.service.errors import HostError
from referee.service.isolation import Isolation, death_prefix, limit_prefix
from referee.service.priority import NICENESS
from referee.service.sandbox import HOME, SOCKET, SYSTEM_PATH, sandbox

_UNIX: Final = "unix:"


@dataclass(frozen=True, slots=True)
class Launch:
    """A command that is ready to be run."""

    words: tuple[str, ...]
    folder: str
    """Where it is run."""

    address: str
    """Where the bot finds the referee."""

    home: str
    """Where the bot finds its private folder."""

    tells_status: bool
    """Whether it writes to the descriptor that it was given whether the bot was reached."""


def launch(
    isolation: Isolation, command: tuple[str, ...], folder: str | None, home: str, address: str, status: int
) -> Launch:
    """
    Return how *command* is started in *folder*, or in its private *home* where that is None.

    Raises:
        HostError: the referee listens where nobody in a sandbox can reach it.
    """
    if isolation.level != "bwrap":
        limits = limit_prefix(isolation.quota) if isolation.level == "limits" else ()
        words = (*death_prefix(), *_nice_prefix(), *limits, *command)
        return Launch(words, folder or home, address, home, tells_status=False)
    if not address.startswith(_UNIX):
        reason = "a sandbox has no network, and TMPDIR may be too long for a socket"
        raise HostError(f"cannot isolate bots: {reason}; got {address!r}; expected a unix socket")
    boxed = sandbox(command, folder, address.removeprefix(_UNIX), isolation.quota.file_bytes, status)
    words = (*death_prefix(), *_nice_prefix(), *limit_prefix(isolation.quota), *boxed)
    return Launch(words, home, f"{_UNIX}{SOCKET}", HOME, tells_status=True)


def _nice_prefix() -> tuple[str, ...]:
    """Return the command prefix that has a process give way to the referee; empty if there is none."""
    nice = shutil.which("nice", path=SYSTEM_PATH)
    return () if nice is None else (nice, "-n", str(NICENESS))
