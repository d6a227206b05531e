"""Who is connected to an open league: its server tells that in a file of the league, for whoever asks."""

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Self

from tournaments.files import write_whole

PRESENCE: Final = "connected.json"
"""The file in the league's folder; it is there while the league is served."""


@dataclass(frozen=True, slots=True)
class Attendance:
    """The processes of an entrant that are connected."""

    entrant: str
    """Its label."""

    connected: int
    """How many processes there are."""

    needed: int
    """How many it takes to play: one for each seat of a side."""

    playing: int
    """In how many units it is just now; 0 while it waits."""

    @property
    def state(self) -> str:
        """
        Return in words what it does.

        >>> [Attendance("ann@1", *numbers).state for numbers in ((4, 2, 2), (2, 2, 0), (1, 2, 0))]
        ['playing 2 units', 'waiting', 'waiting for 1 more process']
        """
        if self.playing:
            return f"playing {self.playing} unit{'s' if self.playing > 1 else ''}"
        missing = self.needed - self.connected
        if missing <= 0:
            return "waiting"
        return f"waiting for {missing} more process{'es' if missing > 1 else ''}"


@dataclass(frozen=True, slots=True)
class Presence:
    """A server and who is connected to it."""

    pid: int
    address: str
    """What bots dial."""

    connected: tuple[Attendance, ...] = ()
    """By label."""

    def to_json(self) -> str:
        """Return the text that `from_json` reads."""
        return json.dumps(asdict(self), indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Self | None:
        """Return what *text* says, or None where it says nothing that is understood."""
        try:
            values = json.loads(text)
            connected = tuple(Attendance(**each) for each in values.pop("connected"))
            return cls(**values, connected=connected)
        except (ValueError, TypeError, KeyError, AttributeError):
            return None


def attendances(
    connected: Iterable[str], teams: Iterable[Iterable[str]], needed: int
) -> tuple[Attendance, ...]:
    """
    Return who is there, by label.

    Args:
        connected: the label of each process that is connected.
        teams: for each unit that is being played, the labels of those who play it.
        needed: how many processes it takes to play.
    """
    there = Counter(connected)
    playing = Counter(label for unit in teams for label in unit)
    labels = sorted(there.keys() | playing.keys())
    return tuple(Attendance(label, there[label], needed, playing[label]) for label in labels)


class Notice:
    """The file in which a server says who is connected. Made by `put_up`."""

    def __init__(self, folder: Path, address: str) -> None:
        self._path = folder / PRESENCE
        self._address = address
        self._said: tuple[Attendance, ...] | None = None

    def say(self, connected: tuple[Attendance, ...]) -> None:
        """Tell who is *connected*, if that has changed. A disk that is full stops no server."""
        if connected != self._said:
            self._said = connected
            text = Presence(os.getpid(), self._address, connected).to_json()
            with suppress(OSError):
                write_whole(self._path, text.encode())


@contextmanager
def put_up(folder: Path, address: str) -> Iterator[Notice]:
    """Yield what the server at *address* of the league in *folder* tells who asks; it is gone with the context."""
    notice = Notice(folder, address)
    notice.say(())
    try:
        yield notice
    finally:
        with suppress(OSError):
            (folder / PRESENCE).unlink(missing_ok=True)


def read_presence(folder: Path, owner: int | None) -> Presence | None:
    """
    Return who is connected to the server of the league in *folder*; None where no server is running.

    Args:
        owner: the process that owns the league now, by its lock, so that what a killed server left is not believed.
    """
    try:
        found = Presence.from_json((folder / PRESENCE).read_text("utf-8"))
    except OSError:
        return None
    return found if found is not None and found.pid == owner else None
