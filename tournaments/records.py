"""The files that hold the records of matches. What is in a record is the rules' business."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from referee.rules import InvalidRecord, MatchRecord, from_bytes, to_bytes
from tournaments.files import write_whole

SUFFIX: Final = ".hfr"
MOST_BYTES: Final = 16 * 1024 * 1024
"""Larger files are no records."""


def record_name(match: str) -> str:
    """Return the name of the file that holds the record of *match*."""
    return f"{match}{SUFFIX}"


def find_records(places: Iterable[Path]) -> tuple[Path, ...]:
    """
    Return the record files of *places*: files themselves, and of folders all records in them and below, each once.

    Raises:
        InvalidRecord: in a folder there are none, so that nothing could be said about it.
    """
    found: dict[Path, None] = {}
    for place in places:
        inside = sorted(place.rglob(f"*{SUFFIX}")) if place.is_dir() else [place]
        if not inside:
            raise InvalidRecord(f"no records in {place}; expected files whose names end in {SUFFIX}")
        found |= dict.fromkeys(inside)
    return tuple(found)


def read_record(path: Path) -> MatchRecord:
    """
    Return the record in the file *path*. Says nothing about whether it replays.

    Raises:
        InvalidRecord: it is no record, or a damaged one; the file is named.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise InvalidRecord(f"{path}: not a record: it has more than {MOST_BYTES} bytes")
    try:
        return from_bytes(content)
    except InvalidRecord as error:
        raise InvalidRecord(f"{path}: {error}") from None


def keep_record(folder: Path, match: str, record: MatchRecord) -> None:
    """
    Write *record* of *match* into *folder*, which is made if it is not there.

    Raises:
        OSError: it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / record_name(match), to_bytes(record))
