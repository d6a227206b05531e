"""What all units of a run have in common and a worker is told once, as words of its command."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from referee.service.isolation import LEVELS
from tournaments.workers.housing import DEFAULT_MEMORY, Housing


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """How a worker plays, whatever it plays."""

    housing: Housing = field(default_factory=Housing)
    log: Path | None = None
    """The file to which it adds lines of JSON about what it does; None for no log."""

    league: str = ""
    """The name of the league, for the log; empty for a scrimmage."""

    tables: int = 1
    """How many units it plays at once; a process of a bot then plays up to that many matches."""

    def to_words(self) -> tuple[str, ...]:
        """Return words of a command that `parse_options` reads."""
        housing = ("--isolation", self.housing.isolation, "--memory", str(self.housing.memory))
        log = () if self.log is None else ("--log", str(self.log))
        league = ("--league", self.league) if self.league else ()
        return (*housing, *log, *league, *(("--tables", str(self.tables)) if self.tables > 1 else ()))


def parse_options(words: Sequence[str]) -> WorkerOptions:
    """Return the options that *words* are."""
    parser = argparse.ArgumentParser(prog="python -m tournaments.workers.worker")
    parser.add_argument("--isolation", choices=LEVELS, default="none")
    parser.add_argument("--memory", type=int, default=DEFAULT_MEMORY)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--league", default="")
    parser.add_argument("--tables", type=int, default=1)
    said = parser.parse_args(words)
    return WorkerOptions(Housing(said.isolation, said.memory), said.log, said.league, said.tables)
