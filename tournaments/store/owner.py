"""Who owns a league: the process that says so in the league's lock file. Taking the lock lives in `lock`."""

import json
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Owner:
    """
    The process that runs a league.

    >>> from datetime import UTC
    >>> print(Owner(4711, "attic", datetime(2026, 12, 1, 8, 30, tzinfo=UTC)))
    4711 on attic, since 2026-12-01T08:30:00+00:00
    """

    pid: int
    host: str
    since: datetime
    """With its time zone."""

    def __str__(self) -> str:
        return f"{self.pid} on {self.host}, since {self.since.isoformat(timespec='seconds')}"

    def to_json(self) -> str:
        """Return the line that `from_json` reads."""
        return json.dumps({"host": self.host, "pid": self.pid, "since": self.since.isoformat()})

    @staticmethod
    def from_json(text: str) -> "Owner | None":
        """Return the owner that *text* names, or None where it names none (a lock taken this very moment)."""
        try:
            read = json.loads(text)
            return Owner(int(read["pid"]), str(read["host"]), datetime.fromisoformat(read["since"]))
        except (ValueError, TypeError, KeyError):
            return None
