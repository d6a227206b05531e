"""Stores that cannot be used say what is wrong in one line."""

import sqlite3
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from unit_results import played

from tournaments.store import NotFound, StoreError, create_store, open_store

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def message(caught: pytest.ExceptionInfo[StoreError]) -> str:
    """Return what was said, which is one line."""
    text = str(caught.value)
    assert len(text.splitlines()) == 1
    return text


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    """A file that is no database is named, and stays as it was."""
    file = tmp_path / "league.db"
    file.write_text("not a database, but longer than the header of one would be: " + "." * 100)
    for use in (open_store, lambda path: create_store(path, {})):
        with pytest.raises(StoreError) as caught:
            use(file)
        assert message(caught) == f"cannot use store: file is not a database; got {str(file)!r}"
    assert file.read_text().startswith("not a database")


def test_a_folder_in_place_of_the_file(tmp_path: Path) -> None:
    """A folder is no store."""
    with pytest.raises(NotFound, match="no such file"):
        open_store(tmp_path)
    with pytest.raises(StoreError, match="cannot use store: unable to open database file"):
        create_store(tmp_path, {})


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    """A store is not made in a folder that is not there."""
    with pytest.raises(StoreError, match="unable to open database file"):
        create_store(tmp_path / "nowhere" / "league.db", {})
    assert not (tmp_path / "nowhere").exists()


def test_a_damaged_file(tmp_path: Path) -> None:
    """A database whose pages were overwritten is an error, not a shorter list of results."""
    file = tmp_path / "league.db"
    with create_store(file, {}) as store:
        for number in range(200):
            store.add_result(played(number, (1, 2), (3, 4)), attempt=1, arrived=NOON)
    content = bytearray(file.read_bytes())
    content[8192:] = b"\xff" * (len(content) - 8192)
    file.write_bytes(content)
    with open_store(file) as store, pytest.raises(StoreError) as caught:
        store.results()
    assert "malformed" in message(caught)


def test_an_empty_file_is_no_store_and_can_become_one(tmp_path: Path) -> None:
    """An empty file is what a crash before the first write leaves: no store, but the place for one."""
    file = tmp_path / "league.db"
    file.touch()
    with pytest.raises(NotFound, match="not the database of a league"):
        open_store(file)
    create_store(file, {"name": "spring"}).close()
    with open_store(file) as store:
        assert store.facts() == {"name": "spring"}


def test_a_failed_making_leaves_no_tables(tmp_path: Path) -> None:
    """A store is made wholly or not at all: a fact that cannot be kept leaves an empty database."""
    file = tmp_path / "league.db"
    with pytest.raises(StoreError):
        create_store(file, {"name": None})  # type: ignore[dict-item]
    connection = sqlite3.connect(file)
    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    connection.close()


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("mysql://a:secret@b/c", "mysql"),
        ("postgresql://a:secret@b", "postgresql"),
        ("://", ""),
        ("sqlite://", "sqlite"),
    ],
)
def test_an_unknown_kind_of_url(url: str, kind: str) -> None:
    """A URL of an unknown kind, or without a database, is refused without showing its password."""
    with pytest.raises(StoreError) as caught:
        open_store(url)
    assert f"got {kind!r}; expected a path or postgresql://" in message(caught)


def test_a_server_that_is_not_there_and_a_password() -> None:
    """A server that does not answer is named without the password."""
    pytest.importorskip("psycopg")
    with pytest.raises(StoreError) as caught:
        open_store("postgresql://ann:secret@127.0.0.1:1/league")
    assert "postgresql://ann:***@127.0.0.1:1/league" in message(caught)
    assert "secret" not in message(caught)


def test_postgres_without_its_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the driver the message names the extra to install."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError) as caught:
        open_store("postgresql://ann@127.0.0.1:1/league")
    assert "psycopg is not installed" in message(caught)
    assert "expected the extra 'postgres'" in message(caught)
