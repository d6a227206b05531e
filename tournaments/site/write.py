"""From the files of a site to a folder, which changes in one step or not at all."""

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Final

from tournaments.errors import TournamentError

MARK: Final = ".handfoot-site"
"""The file that lists all files of a site, by which its folder is known as ours."""

LITTER: Final = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
"""What file managers leave in a folder that somebody looked at."""


class SiteError(TournamentError):
    """A folder that cannot be published to."""


def write_site(files: Iterable[tuple[str, str]], folder: Path) -> None:
    """
    Put *files*, pairs of a path and a text, into *folder* in place of what was published there before.

    The folder may be new, empty, or hold a site that was written here, which goes as a whole: pages that are not
    among *files* are gone afterwards. Folders above it are made.

    Raises:
        SiteError: the folder holds something that was not published, or cannot be written; then it is as it was.
        ValueError: a path leads out of the folder.
    """
    folder = folder.absolute().resolve()
    _refuse_foreign(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            _write(files, draft / "new")
            _swap(draft, folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        raise SiteError("cannot publish", error.strerror or str(error), got=str(folder)) from error


def _refuse_foreign(folder: Path) -> None:
    """Raise unless *folder* may be replaced as a whole."""
    if Path.cwd().is_relative_to(folder):
        raise SiteError("cannot publish", "the folder in use cannot be replaced", got=str(folder))
    try:
        for above in folder.parents:
            if above.exists() and not above.is_dir():
                raise SiteError("cannot publish", f"{above} is not a folder", got=str(folder))
        if not folder.exists():
            return
        if not folder.is_dir():
            raise SiteError("cannot publish", "it is not a folder", got=str(folder))
        ours = set(_listed(folder))
        for path in folder.rglob("*"):
            if (
                not path.is_dir()
                and path.relative_to(folder).as_posix() not in ours
                and path.name not in LITTER
            ):
                foreign = f"it holds a file that was not published: {path.relative_to(folder)}"
                raise SiteError("cannot publish", foreign, got=str(folder), expected="a new or empty folder")
    except OSError as error:
        raise SiteError("cannot publish", error.strerror or str(error), got=str(folder)) from error


def _listed(folder: Path) -> list[str]:
    try:
        return [MARK, *(folder / MARK).read_text("utf-8").splitlines()]
    except (FileNotFoundError, UnicodeDecodeError):
        return []


def _write(files: Iterable[tuple[str, str]], folder: Path) -> None:
    folder.mkdir()
    with (folder / MARK).open("w", encoding="utf-8", newline="\n") as listed:
        for path, text in files:
            parts = PurePosixPath(path).parts
            if not parts or path.startswith("/") or ".." in parts or "\n" in path:
                raise ValueError(f"invalid path: it leads out of the folder; got {path!r}")
            file = folder.joinpath(*parts)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode("utf-8", "replace"))
            listed.write(f"{path}\n")


def _swap(draft: Path, folder: Path) -> None:
    """Move the new folder in place of the old one; where that fails, put the old one back."""
    if not folder.exists():
        (draft / "new").rename(folder)
        return
    shutil.copymode(folder, draft / "new")
    folder.rename(draft / "old")
    try:
        (draft / "new").rename(folder)
    except OSError:
        (draft / "old").rename(folder)
        raise
