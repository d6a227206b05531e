"""The files that hold the records of matches. What is in a record is the rules' business."""

from pathlib import Path

from referee.rules import MatchRecord, to_bytes
from tournaments.files import write_whole


def record_name(match: str) -> str:
    """Return the name of the file that holds the record of *match*."""
    return f"{match}.hfr"


def keep_record(folder: Path, match: str, record: MatchRecord) -> None:
    """
    Write *record* of *match* into *folder*, which is made if it is not there.

    Raises:
        OSError: it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / record_name(match), to_bytes(record))
