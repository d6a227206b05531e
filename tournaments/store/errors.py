"""
The errors of the store. Each text is one line that names the place and never holds a password.

    StoreError              the league's database or folder cannot be used
    ├─ NotFound             there is no league, or no such entrant in it
    ├─ AlreadyExists        there is a league already, or another bot under that name and version
    └─ LeagueBusy           another process owns the league; carries .owner
"""

from tournaments.errors import TournamentError
from tournaments.store.owner import Owner


class StoreError(TournamentError):
    """A database or a league's folder that cannot be used."""


class NotFound(StoreError):
    """Something that has to be in the store and is not."""


class AlreadyExists(StoreError):
    """Something that the store holds already."""


class LeagueBusy(StoreError):
    """A league that another process owns."""

    def __init__(self, folder: str, owner: Owner | None) -> None:
        who = f"process {owner}" if owner else "a process that has not said yet who it is"
        super().__init__("cannot own league", f"{who} owns it", got=folder, expected="to be its only owner")
        self.owner = owner
