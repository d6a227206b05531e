"""A site's folder changes in one step or not at all, and nobody's files are lost."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tournaments.site import SiteError, write_site

FIRST = [("index.html", "<p>first</p>"), ("matches/a.html", "a"), ("matches/b.html", "b")]
SECOND = [("index.html", "<p>second</p>"), ("matches/b.html", "B"), ("standings.json", "{}")]


def content(folder: Path) -> dict[str, str]:
    """Return what a reader of the site finds."""
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".handfoot-site"
    }


@pytest.fixture
def out(tmp_path: Path) -> Iterator[Path]:
    """Yield a folder to publish to, beside which nothing is left afterwards."""
    yield tmp_path / "public"
    assert {path.name for path in tmp_path.iterdir()} <= {"public"}


def test_a_site_is_written(out: Path) -> None:
    """A site is written with all its folders, readable as the umask has it."""
    write_site(FIRST, out)
    assert content(out) == dict(FIRST)
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(out.stat().st_mode) == 0o777 & ~umask
    assert stat.S_IMODE((out / "index.html").stat().st_mode) == 0o666 & ~umask


def test_publishing_again_replaces_the_whole_site(out: Path) -> None:
    """Pages that are not published any more are gone."""
    write_site(FIRST, out)
    write_site(SECOND, out)
    assert content(out) == dict(SECOND)


def test_an_empty_folder_is_filled(out: Path) -> None:
    """An empty folder may be published to, and keeps its permissions."""
    out.mkdir(mode=0o700)
    write_site(FIRST, out)
    assert content(out) == dict(FIRST)
    assert stat.S_IMODE(out.stat().st_mode) == 0o700


def test_folders_above_are_made(tmp_path: Path) -> None:
    """Folders above the site's are made."""
    write_site(FIRST, tmp_path / "a" / "b" / "c")
    assert content(tmp_path / "a" / "b" / "c") == dict(FIRST)


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    """A link is followed: the folder that it leads to is published to."""
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_site(FIRST, tmp_path / "link")
    write_site(SECOND, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert content(tmp_path / "real") == dict(SECOND)


@pytest.mark.parametrize("name", ["notes.txt", "matches/kept.html", ".git/HEAD"])
def test_somebody_elses_file_is_not_lost(out: Path, name: str) -> None:
    """A folder with a file that was not published is refused, named, and stays as it is, before and after a site."""
    (out / name).parent.mkdir(parents=True)
    (out / name).write_text("mine")
    with pytest.raises(SiteError) as caught:
        write_site(FIRST, out)
    assert str(caught.value) == (
        f"cannot publish: it holds a file that was not published: {name}; got {str(out)!r}; "
        "expected a new or empty folder"
    )
    assert content(out) == {name: "mine"}
    (out / name).unlink()
    write_site(FIRST, out)
    (out / name).parent.mkdir(parents=True, exist_ok=True)
    (out / name).write_text("mine")
    with pytest.raises(SiteError, match="was not published"):
        write_site(SECOND, out)
    assert content(out) == {**dict(FIRST), name: "mine"}


def test_what_file_managers_leave_is_no_obstacle(out: Path) -> None:
    """The litter of file managers is nobody's."""
    write_site(FIRST, out)
    (out / "matches" / ".DS_Store").write_bytes(b"\0\xff")
    write_site(SECOND, out)
    assert content(out) == dict(SECOND)


def test_a_site_that_cannot_be_made_changes_nothing(out: Path) -> None:
    """When making a page fails, what was published stays, and nothing is left beside it."""

    def failing() -> Iterator[tuple[str, str]]:
        yield SECOND[0]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_site(failing(), out)
    assert not out.exists()
    write_site(FIRST, out)
    with pytest.raises(ZeroDivisionError):
        write_site(failing(), out)
    assert content(out) == dict(FIRST)


@pytest.mark.parametrize("path", ["../evil", "/evil", "matches/../../evil", "", "a\nb"])
def test_no_path_leads_out_of_the_folder(out: Path, path: str) -> None:
    """A path that leads out of the folder is a mistake of ours, and nothing is written."""
    with pytest.raises(ValueError, match="leads out of the folder"):
        write_site([*FIRST, (path, "x")], out)
    assert not out.exists()


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    """A file in the place of the folder, or above it, is named and stays."""
    file = tmp_path / "file"
    file.write_text("mine")
    with pytest.raises(SiteError, match="it is not a folder"):
        write_site(FIRST, file)
    with pytest.raises(SiteError, match="file is not a folder"):
        write_site(FIRST, file / "public")
    assert content(tmp_path) == {"file": "mine"}


def test_a_place_that_cannot_be_written() -> None:
    """A place that cannot be written is named in one line."""
    with pytest.raises(SiteError) as caught:
        write_site(FIRST, Path("/proc/nowhere/public"))
    assert str(caught.value) == "cannot publish: No such file or directory; got '/proc/nowhere/public'"


def test_the_folder_in_use_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder is refused, since whoever is in it would be left in a folder that is gone."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SiteError, match="the folder in use cannot be replaced"):
        write_site(FIRST, Path())
    assert not list(tmp_path.iterdir())
