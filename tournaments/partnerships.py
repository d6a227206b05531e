"""Partnerships: the entrants of one side, which are rated and ranked together."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournaments.entrants import Entrant, refuse_unfit
from tournaments.errors import InvalidEntrant
from tournaments.schedule import EntityHash


@dataclass(frozen=True, slots=True)
class Partnership:
    """The entrants of one side, in the order of its seats."""

    entrants: tuple[Entrant, ...]

    @property
    def hash(self) -> EntityHash:
        """64 hex digits that stand for these entrants."""
        return entity_hash([entrant.hash for entrant in self.entrants])

    @property
    def label(self) -> str:
        """What people read: ``name@version + name@version``."""
        return " + ".join(entrant.label for entrant in self.entrants)


def entity_hash(entrants: Sequence[str]) -> EntityHash:
    """Return the hash of the side that is played by *entrants*, given by hash; a side of one is its entrant."""
    return EntityHash(
        entrants[0] if len(entrants) == 1 else hashlib.sha256("".join(entrants).encode()).hexdigest()
    )


def mirrored(entrant: Entrant, size: int) -> Partnership:
    """Return the partnership of *size* seats that are all played by *entrant*."""
    return Partnership((entrant,) * size)


def mixed(entrants: Iterable[Entrant], size: int) -> Partnership:
    """
    Return the partnership of *entrants*, in an order that does not depend on theirs.

    Raises:
        InvalidEntrant: there are not as many entrants as seats.
    """
    chosen = tuple(sorted(entrants, key=lambda entrant: (entrant.label, entrant.hash)))
    if len(chosen) != size:
        labels = " + ".join(entrant.label for entrant in chosen)
        needed = "1 bot" if size == 1 else f"{size} bots"
        raise InvalidEntrant("invalid partnership", f"it needs {needed}", got=labels)
    return Partnership(chosen)


def refuse_unfit_partners(partnership: Partnership, ruleset: str, seats: int) -> None:
    """
    Raise unless everybody in *partnership* says that it can play *ruleset* at a table of *seats*.

    Raises:
        InvalidEntrant: somebody cannot.
    """
    for entrant in partnership.entrants:
        refuse_unfit(entrant, ruleset, seats)
