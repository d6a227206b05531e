"""Housing: how the bots of a scrimmage or league are kept apart on the machine, and how much memory each has."""

from dataclasses import dataclass
from typing import Final

from referee.service.isolation import LEVELS, MIB, Isolation, Level, Quota, choose, probe, tell
from tournaments.errors import TournamentError

DEFAULT_MEMORY: Final = 1024
"""MiB per bot."""

MEMORY_RANGE: Final = (32, 1024 * 1024)
"""MiB from which to which a bot can be given."""


@dataclass(frozen=True, slots=True)
class Housing:
    """
    How bots are kept, as it is fixed for a whole run.

    Raises:
        TournamentError: an unknown level, or an amount of memory that makes no sense.
    """

    isolation: Level = "none"
    memory: int = DEFAULT_MEMORY
    """MiB that all processes of a bot may use together, unless the level is `none`."""

    def __post_init__(self) -> None:
        if self.isolation not in LEVELS:
            raise TournamentError(
                "wrong 'isolation'",
                "unknown level",
                got=self.isolation,
                expected=f"one of {', '.join(LEVELS)}",
            )
        least, most = MEMORY_RANGE
        if not least <= self.memory <= most:
            raise TournamentError(
                "wrong 'memory'", "out of range", got=self.memory, expected=f"{least} to {most} MiB"
            )

    def to_isolation(self) -> Isolation:
        """Return what a referee is to be opened with."""
        return Isolation(self.isolation, Quota(memory=self.memory * MIB))


def find_housing(wish: str, memory: int) -> tuple[Housing, str]:
    """
    Return the housing that *wish*, which names a level or says ``auto`` or ``require``, means on this machine.

    With it comes a line for people: the level, and why it is not a better one.

    Raises:
        IsolationMissing: the wished level does not work here; the reason and the remedy are told.
    """
    findings = probe()
    level = choose(wish, findings)
    return Housing(level, memory), tell(level, findings if wish == "auto" else ())


def refuse_missing(housing: Housing) -> None:
    """
    Raise unless bots can be kept on this machine as *housing* says.

    Raises:
        IsolationMissing: they cannot; the reason and the remedy are told.
    """
    if housing.isolation != "none":
        choose(housing.isolation, probe())
