"""
The connection to a league's database: SQLite in a file, or PostgreSQL by URL.

Reading and writing are short transactions. A writing one takes the one write lock of the database at its
start (BEGIN IMMEDIATE; an advisory lock on PostgreSQL), so that what it read still holds when it writes.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlmodel import Session, create_engine

from tournaments.store.errors import StoreError

_WRITE_LOCK = 0x48414E44464F4F54  # "HANDFOOT", the key of our advisory lock
_PRAGMAS = ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON")
WAIT: Final = 10.0
"""How many seconds to wait for another's write lock."""


class Database:
    """The database at *location*, a path or a URL; nothing is read or made before the first use."""

    def __init__(self, location: str | Path, wait: float = WAIT) -> None:
        self.url = _url_of(location)
        self._wait = wait
        with self._reporting():
            self._engine = _connect(self.url, wait)
        self._writer = self._engine.execution_options(handfoot_writes=True)

    def __str__(self) -> str:
        """Return the place as a message may show it: without the password."""
        if self.file is not None:
            return str(self.file)
        return self.url.render_as_string(hide_password=True)

    @property
    def file(self) -> Path | None:
        """Return the file of a SQLite database, None for any other."""
        return Path(self.url.database or "") if self.url.get_backend_name() == "sqlite" else None

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Open a session that sees one state of the database."""
        with self._reporting(), Session(self._engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Open a session under the write lock; it is committed at the end, or undone by an exception."""
        with self._reporting(), Session(self._writer) as session, session.begin():
            session.connection()  # now, not at the first statement
            yield session

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise StoreError("cannot use store", _reason(error, self._wait), got=str(self)) from error
        except ModuleNotFoundError as error:
            reason = f"the driver {error.name} is not installed"
            raise StoreError(
                "cannot use store", reason, got=str(self), expected="the extra 'postgres'"
            ) from error


def _url_of(location: str | Path) -> URL:
    if isinstance(location, Path) or "://" not in location:
        return URL.create("sqlite", database=str(location))
    try:
        url = make_url(location)
        known = url.get_backend_name() in ("sqlite", "postgresql")
    except ArgumentError:
        known = False
    if not known or not url.database:
        kind = location.partition("://")[0]
        raise StoreError(
            "invalid store", "unknown kind of URL", got=kind, expected="a path or postgresql://USER@HOST/NAME"
        )
    return url


def _connect(url: URL, wait: float) -> Engine:
    if url.get_backend_name() == "sqlite":
        engine = create_engine(url, connect_args={"timeout": wait})
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    else:
        engine = create_engine(url, connect_args={"connect_timeout": round(WAIT)})
        event.listen(engine, "begin", partial(_begin_postgres, f"{wait * 1000:.0f}ms"))
    return engine


def _set_up_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = (
        None  # transactions begin where `_begin_sqlite` says, not where the driver thinks
    )
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if _writes(connection) else "BEGIN")


def _begin_postgres(wait: str, connection: Connection) -> None:
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{wait}'")
    if _writes(connection):
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITE_LOCK})")
    else:
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


def _writes(connection: Connection) -> bool:
    return bool(connection.get_execution_options().get("handfoot_writes"))


def _reason(error: DBAPIError, wait: float) -> str:
    """Return in one line what the driver said."""
    said = str(error.orig).strip().splitlines() or [type(error.orig).__name__]
    if "database is locked" in said[0] or "lock timeout" in said[0]:
        return f"another process holds it locked for more than {wait:g} s"
    return said[0]
