"""What a league keeps of an entrant: a value, checked before it becomes a row."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from tournaments.store.errors import StoreError


class EntrantStatus(StrEnum):
    """Whether an entrant is scheduled."""

    ACTIVE = "active"
    SUSPENDED = "suspended"
    """Did not start; not scheduled until it is submitted again."""

    RETIRED = "retired"
    """Withdrawn; its results stay."""


@dataclass(frozen=True, slots=True)
class Entry:
    """
    An entrant of a league, as it was submitted.

    Raises:
        StoreError: a hash that is not 64 hex digits, or a time without a time zone.
    """

    name: str
    version: str
    language: str
    hash: str
    """SHA-256 of its content, 64 hex digits."""

    submitted_at: datetime
    """With its time zone; read back in UTC."""

    folder: str | None
    """Where its copy lies, relative to the league's folder; None for a house bot."""

    status: EntrantStatus = EntrantStatus.ACTIVE

    def __post_init__(self) -> None:
        if len(self.hash) != 64 or set(self.hash) - set("0123456789abcdef"):
            raise StoreError("invalid entry", "its hash is not 64 hex digits", got=self.hash)
        if self.submitted_at.tzinfo is None:
            raise StoreError("invalid entry", "its time has no time zone", got=self.submitted_at)

    @property
    def label(self) -> str:
        """Return ``name@version``, which is unique in a league."""
        return f"{self.name}@{self.version}"
