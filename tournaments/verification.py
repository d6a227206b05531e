"""Verifying records: each is dealt and played again, and what it says is compared with what comes out."""

from dataclasses import dataclass
from pathlib import Path

from referee.rules import InvalidRecord, replay
from tournaments.records import read_record


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of verifying a file."""

    file: str

    match: str | None = None
    """The id of the match; None if the file cannot be read as a record, like all that follows."""

    ruleset: str | None = None
    rules_hash: str | None = None
    rounds: int | None = None
    """How many rounds were finished."""

    actions: int | None = None

    problem: str | None = None
    """Why the record is refused, in one line; None if it replays to what it says."""

    @property
    def verified(self) -> bool:
        """Whether the record replays to what it says."""
        return self.problem is None


def verify_record(file: Path) -> Verdict:
    """Return the verdict on the record in *file*."""
    try:
        record = read_record(file)
    except InvalidRecord as error:
        return Verdict(str(file), problem=str(error).removeprefix(f"{file}: "))
    except OSError as error:
        return Verdict(str(file), problem=error.strerror or str(error))
    try:
        replay(record)
        problem = None
    except InvalidRecord as error:
        problem = str(error)
    rules = record.ruleset
    counts = (len(record.scores), len(record.actions))
    return Verdict(str(file), record.match, rules.name, rules.hash, *counts, problem)
