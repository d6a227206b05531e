"""Verifying records: each is dealt and played again, and what it says is compared with what comes out."""

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from referee.rules import InvalidRecord, replay
from tournaments.records import read_record


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of verifying a file."""

    file: str

    match: str | None
    """The id of the match; None if the file could not be read as a record, like all that follows."""

    ruleset: str | None
    rules_hash: str | None
    rounds: int | None
    """How many rounds were finished."""

    actions: int | None

    problem: str | None
    """Why the record is refused, in one line; None if it holds."""

    @property
    def holds(self) -> bool:
        """Whether the record replays to what it says."""
        return self.problem is None


def verify_records(files: Sequence[Path], workers: int) -> Iterator[Verdict]:
    """Yield the verdict on each of *files* in their order, with as many processes as *workers*."""
    if workers == 1 or len(files) < 2 * workers:
        yield from map(verify_record, files)
        return
    with ProcessPoolExecutor(workers, initializer=_leave_signals_to_the_parent) as pool:
        try:
            yield from pool.map(verify_record, files, chunksize=max(1, min(16, len(files) // (4 * workers))))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def verify_record(file: Path) -> Verdict:
    """Return the verdict on the record in *file*."""
    try:
        record = read_record(file)
    except (InvalidRecord, OSError) as error:
        reason = (
            error.strerror or str(error)
            if isinstance(error, OSError)
            else str(error).removeprefix(f"{file}: ")
        )
        return Verdict(str(file), None, None, None, None, None, reason)
    try:
        replay(record)
        problem = None
    except InvalidRecord as error:
        problem = str(error)
    rules = record.ruleset
    counts = (len(record.scores), len(record.actions))
    return Verdict(str(file), record.match, rules.name, rules.hash, *counts, problem)


def _leave_signals_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
