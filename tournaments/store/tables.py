"""
The rows of the store. They hold values that were built and checked before; table models check nothing.

A change here needs a migration: ``python -m tournaments.store.draft "what changes"`` drafts one.
"""

from datetime import datetime
from typing import ClassVar

from sqlalchemy import MetaData, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from tournaments.store.times import UtcDateTime

NAMES_OF_CONSTRAINTS = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Row(SQLModel):
    """The base of all rows, with metadata of its own, which other users of SQLModel stay out of."""

    metadata: ClassVar[MetaData] = MetaData(naming_convention=NAMES_OF_CONSTRAINTS)


class EntrantRow(Row, table=True):
    """An entrant of the league."""

    __tablename__ = "entrants"
    __table_args__ = (UniqueConstraint("name", "version"),)

    hash: str = Field(primary_key=True, max_length=64)
    name: str
    version: str
    language: str
    submitted_at: datetime = Field(sa_type=UtcDateTime)
    folder: str | None
    status: str


class ResultRow(Row, table=True):
    """The result of a unit, with its place in the order of arrival and its link of the hash chain."""

    __tablename__ = "results"

    sequence: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    unit: str = Field(unique=True)
    duplicate: int
    status: str
    attempt: int
    arrived_at: datetime = Field(sa_type=UtcDateTime)
    content: str = Field(sa_type=Text)
    head: str = Field(max_length=64)


class FactRow(Row, table=True):
    """A named text about the league."""

    __tablename__ = "facts"

    name: str = Field(primary_key=True)
    value: str = Field(sa_type=Text)


class InvitationRow(Row, table=True):
    """An invitation to an open league; of the token there is only a hash."""

    __tablename__ = "invitations"

    token_hash: str = Field(primary_key=True, max_length=64)
    name: str = Field(index=True)
    issued_at: datetime = Field(sa_type=UtcDateTime)
    revoked_at: datetime | None = Field(sa_type=UtcDateTime)
