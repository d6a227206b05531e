"""The store of a league: what goes into its database and what comes out, as values."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from types import TracebackType

from sqlalchemy import func
from sqlmodel import Session, col, select

from tournaments.results import UnitResult
from tournaments.store.chain import GENESIS, first_break, next_head
from tournaments.store.database import WAIT, Database
from tournaments.store.entry import EntrantStatus, Entry
from tournaments.store.errors import AlreadyExists, NotFound, StoreError
from tournaments.store.invitation import Invitation
from tournaments.store.schema import make_schema, raise_schema
from tournaments.store.tables import EntrantRow, FactRow, InvitationRow, ResultRow


class Arrival(StrEnum):
    """What became of a result that was handed to the store."""

    STORED = "stored"
    """It is the first of its unit."""

    REPEATED = "repeated"
    """The same was stored before; nothing changed."""

    CONFLICTING = "conflicting"
    """Another result of the unit was stored before, and that one stays."""


class Store:
    """
    A league's database. Each method is one short transaction; a value that was returned is on disk.

    Any method raises `StoreError` when the database cannot be used: locked by another process for too long,
    damaged, full, out of reach.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __str__(self) -> str:
        """Return where it is, without a password."""
        return str(self._database)

    def close(self) -> None:
        """Close all connections."""
        self._database.close()

    def facts(self) -> dict[str, str]:
        """Return the named texts about the league."""
        with self._database.reading() as session:
            return {row.name: row.value for row in session.exec(select(FactRow))}

    def set_fact(self, name: str, value: str) -> None:
        """Store the text *value* under *name*, in place of what was there."""
        with self._database.writing() as session:
            session.merge(FactRow(name=name, value=value))

    def add_entrant(self, entry: Entry) -> bool:
        """
        Store *entry*, and return whether its hash is new to the league.

        One that is known stays as it was first submitted, but has the status of *entry* from now on: this is
        how a suspended bot comes back.

        Raises:
            AlreadyExists: other content has the same name and version; nothing changed.
        """
        with self._database.writing() as session:
            known = session.get(EntrantRow, entry.hash)
            if known is not None:
                known.status = entry.status
                return False
            _refuse_taken_label(session, entry)
            session.add(_entrant_row(entry))
            return True

    def set_status(self, entrant: str, status: EntrantStatus) -> None:
        """
        Give the entrant of this hash another *status*.

        Raises:
            NotFound: no entrant has this hash.
        """
        with self._database.writing() as session:
            row = session.get(EntrantRow, entrant)
            if row is None:
                raise NotFound("unknown entrant", "nothing was submitted with this hash", got=entrant)
            row.status = status

    def entrants(self) -> tuple[Entry, ...]:
        """Return all entrants, whatever their status, by name and version."""
        with self._database.reading() as session:
            entries = [_entry(row) for row in session.exec(select(EntrantRow))]
        return tuple(sorted(entries, key=lambda entry: (entry.name, entry.version)))

    def invite(self, name: str, token_hash: str, now: datetime) -> None:
        """
        Store that whoever has the token of this hash may dial in under *name*.

        Raises:
            AlreadyExists: an invitation of this name holds; nothing changed.
        """
        with self._database.writing() as session:
            if _holding_invitations(session, name):
                reason = "an invitation of this name holds; revoke it to replace a lost token"
                raise AlreadyExists("cannot invite", reason, got=name)
            session.add(InvitationRow(token_hash=token_hash, name=name, issued_at=now, revoked_at=None))

    def revoke(self, name: str, now: datetime) -> None:
        """
        End the invitation of *name*.

        Raises:
            NotFound: none of this name holds.
        """
        with self._database.writing() as session:
            holding = _holding_invitations(session, name)
            for row in holding:
                row.revoked_at = now
        if not holding:
            raise NotFound("cannot revoke", "no invitation of this name holds", got=name)

    def find_invitation(self, token_hash: str) -> Invitation | None:
        """Return the invitation whose token has this hash, revoked or not, if there is one."""
        with self._database.reading() as session:
            row = session.get(InvitationRow, token_hash)
            return None if row is None else Invitation(row.name, row.issued_at, row.revoked_at)

    def add_result(self, result: UnitResult, *, attempt: int, arrived: datetime) -> Arrival:
        """
        Store *result*, which took *attempt* tries (from 1), unless its unit has one; say what became of it.

        The first result of a unit stays for good. What is stored extends the hash chain.
        """
        line = result.to_json()
        with self._database.writing() as session:
            stored = session.exec(select(ResultRow.content).where(ResultRow.unit == result.unit)).first()
            if stored is not None:
                return Arrival.REPEATED if stored == line else Arrival.CONFLICTING
            sequence, head = _end_of_chain(session)
            row = ResultRow(
                sequence=sequence + 1,
                unit=result.unit,
                duplicate=result.duplicate,
                status=result.status,
                attempt=attempt,
                arrived_at=arrived,
                content=line,
                head=next_head(head, line),
            )
            session.add(row)
        return Arrival.STORED

    def unit_ids(self) -> frozenset[str]:
        """Return the ids of all units that have a result."""
        with self._database.reading() as session:
            return frozenset(session.exec(select(ResultRow.unit)))

    def results(self) -> tuple[UnitResult, ...]:
        """Return all results in the order of their unit ids, whatever the order of arrival was."""
        with self._database.reading() as session:
            lines = session.exec(select(ResultRow.unit, ResultRow.content)).all()
        return tuple(UnitResult.from_json(line) for _, line in sorted(lines))

    def tally(self) -> dict[str, int]:
        """Return how many results there are of each status that occurs."""
        counts = select(ResultRow.status, func.count()).group_by(ResultRow.status)
        with self._database.reading() as session:
            return dict(sorted(session.exec(counts).all()))

    def chain_head(self) -> str:
        """Return the head of the hash chain, 64 hex digits; `chain.GENESIS` where nothing is stored."""
        with self._database.reading() as session:
            return _end_of_chain(session)[1]

    def check_chain(self) -> None:
        """
        Raise unless all results are as they were stored, in the order in which they arrived.

        Raises:
            StoreError: one was changed, removed or moved since.
        """
        links = select(ResultRow.unit, ResultRow.content, ResultRow.head).order_by(col(ResultRow.sequence))
        with self._database.reading() as session:
            rows = session.exec(links).all()
        broken = first_break((line, head) for _, line, head in rows)
        if broken is not None:
            reason = "this result, or one before it, is not as it was stored"
            raise StoreError("broken hash chain", reason, got=rows[broken][0])


def create_store(location: str | Path, facts: Mapping[str, str]) -> Store:
    """
    Make the store of a new league at *location*, a path of a file or a PostgreSQL URL, or leave it as it was.

    Raises:
        AlreadyExists: the database holds tables already.
        StoreError: it cannot be used, or the URL is of an unknown kind.
    """
    with _closed_on_error(Database(location)) as database:
        with database.writing() as session:
            make_schema(session.connection(), str(database))
            session.add_all(FactRow(name=name, value=value) for name, value in facts.items())
        return Store(database)


def open_store(location: str | Path, *, wait: float = WAIT) -> Store:
    """
    Open the store of a league, bringing one of an older version up to date.

    Its methods *wait* that many seconds for another process that writes.

    Raises:
        NotFound: there is none.
        StoreError: it was made by a newer version, or cannot be used, or the URL is of an unknown kind.
    """
    with _closed_on_error(Database(location, wait)) as database:
        raise_schema(database)
        return Store(database)


@contextmanager
def _closed_on_error(database: Database) -> Iterator[Database]:
    try:
        yield database
    except BaseException:
        database.close()
        raise


def _end_of_chain(session: Session) -> tuple[int, str]:
    newest = select(ResultRow.sequence, ResultRow.head).order_by(col(ResultRow.sequence).desc()).limit(1)
    found = session.exec(newest).first()
    return (0, GENESIS) if found is None else (found[0], found[1])


def _holding_invitations(session: Session, name: str) -> list[InvitationRow]:
    named = select(InvitationRow).where(InvitationRow.name == name)
    return [row for row in session.exec(named) if row.revoked_at is None]


def _refuse_taken_label(session: Session, entry: Entry) -> None:
    named = select(EntrantRow).where(EntrantRow.name == entry.name, EntrantRow.version == entry.version)
    if session.exec(named).first() is not None:
        raise AlreadyExists(
            "cannot submit",
            "another bot has this name and version",
            got=entry.label,
            expected="a new version",
        )


def _entrant_row(entry: Entry) -> EntrantRow:
    return EntrantRow(
        hash=entry.hash,
        name=entry.name,
        version=entry.version,
        language=entry.language,
        submitted_at=entry.submitted_at,
        folder=entry.folder,
        status=entry.status,
    )


def _entry(row: EntrantRow) -> Entry:
    return Entry(
        row.name,
        row.version,
        row.language,
        row.hash,
        row.submitted_at,
        row.folder,
        EntrantStatus(row.status),
    )
