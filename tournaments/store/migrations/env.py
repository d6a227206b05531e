"""What alembic runs to migrate: on the connection that `tournaments.store.schema` hands over."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlmodel import AutoString

from tournaments.store.tables import Row
from tournaments.store.times import UtcDateTime


def render_plainly(kind: str, item: Any, _context: AutogenContext) -> str | Literal[False]:
    """Write types as SQLAlchemy's own, so that a migration depends on nothing that may change."""
    if kind == "type" and isinstance(item, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and isinstance(item, AutoString):
        return f"sa.String(length={item.length})"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Row.metadata,
    render_as_batch=True,
    render_item=render_plainly,
)
with context.begin_transaction():
    context.run_migrations()
