"""Times in the database: in UTC, on databases that keep the time zone and on those that drop it."""

from datetime import UTC, datetime

from sqlalchemy import DateTime
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """A point in time: written with any time zone, read back in UTC. One without a time zone is refused."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return *value* in UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"invalid time: no time zone; got {value!r}")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return *value* in UTC: SQLite dropped the zone, PostgreSQL turned it into the session's."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
