"""
Folders of bots as content: one hash over everything in them, and copies that cannot be half there.

The hash covers each file's relative path, whether it may be executed, and its bytes; and each link's target. What
tools leave behind (`__pycache__`, `.git`, `.pytest_cache`) is neither hashed nor copied.
"""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tournaments.errors import InvalidEntrant

IGNORED: Final = frozenset({"__pycache__", ".git", ".pytest_cache"})


@dataclass(frozen=True, slots=True)
class Item:
    """A file or a link in a folder."""

    path: str
    """Relative to the folder, with ``/`` between its parts."""

    source: Path
    """Where it lies."""

    target: str | None
    """Where it points, for a link."""

    executable: bool
    """Whether its owner may execute it; never for a link."""


def content_hash(folder: Path) -> str:
    """
    Return the hash of everything in *folder*, as 64 hex digits.

    Raises:
        InvalidEntrant: a link leads out of the folder, or something is neither a file nor a link nor a folder.
    """
    digest = hashlib.sha256(b"HANDFOOT-ENTRANT-v1\0")
    for item in items(folder):
        for part in (os.fsencode(item.path), _mark(item), _fingerprint(item)):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def items(folder: Path) -> Iterator[Item]:
    """Yield what lies in *folder*, below it too, in the order of the paths' bytes."""
    yield from sorted(_walk(folder.resolve(), ""), key=lambda item: os.fsencode(item.path))


def keep_copy(folder: Path, entrants: Path) -> str:
    """
    Copy *folder* into *entrants* under its content hash, wholly or not at all, and return the hash.

    What is hashed is the copy, so that nothing can change in between. A copy that is there already stays.

    Raises:
        InvalidEntrant: as `content_hash` does, or the folder cannot be read.
    """
    incoming = Path(tempfile.mkdtemp(prefix=".incoming-", dir=entrants))
    try:
        _copy(folder, incoming / "bot")
        name = content_hash(incoming / "bot")
        if not (entrants / name).exists():
            (incoming / "bot").rename(entrants / name)
    except OSError as error:
        raise InvalidEntrant(f"cannot copy {folder}", str(error)) from None
    finally:
        shutil.rmtree(incoming, ignore_errors=True)
    return name


def _copy(folder: Path, into: Path) -> None:
    into.mkdir()
    for item in items(folder):
        destination = into / item.path
        destination.parent.mkdir(parents=True, exist_ok=True)
        if item.target is not None:
            destination.symlink_to(item.target)
        else:
            shutil.copyfile(item.source, destination)
            destination.chmod(0o555 if item.executable else 0o444)


def _walk(root: Path, below: str) -> Iterator[Item]:
    for source in (root / below).iterdir():
        path = f"{below}{source.name}"
        if source.name in IGNORED:
            continue
        if source.is_symlink():
            yield Item(path, source, _checked_target(root, path), executable=False)
        elif source.is_dir():
            yield from _walk(root, f"{path}/")
        elif source.is_file():
            yield Item(path, source, None, executable=bool(source.stat().st_mode & 0o100))
        else:
            raise InvalidEntrant(f"not a bot: {root}", "it holds something that is no file", got=path)


def _checked_target(root: Path, path: str) -> str:
    target = (root / path).readlink()
    leads_to = Path(os.path.realpath(root / path))  # Path.resolve raises on a loop of links
    if target.is_absolute() or not leads_to.is_relative_to(root):
        raise InvalidEntrant(f"not a bot: {root}", f"link {path!r} leads out of the folder", got=str(target))
    return str(target)


def _mark(item: Item) -> bytes:
    return b"link" if item.target is not None else b"executable" if item.executable else b"file"


def _fingerprint(item: Item) -> bytes:
    if item.target is not None:
        return os.fsencode(item.target)
    with item.source.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
