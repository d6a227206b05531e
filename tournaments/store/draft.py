"""
Drafts a migration: ``python -m tournaments.store.draft "what changes"``, after a change of `tables`.

It lands in ``migrations/versions``, to be read, corrected and formatted before it is committed.
"""

import sys
from pathlib import Path

from alembic import command
from sqlmodel import create_engine

from tournaments.store.schema import MIGRATIONS, alembic_for, scripts_in, upgrade


def draft(message: str, migrations: Path = MIGRATIONS) -> None:
    """Write a migration into *migrations* that turns what they make into what `tables` says."""
    number = len(list(scripts_in(migrations).walk_revisions())) + 1
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        upgrade(connection, migrations)
        alembic = alembic_for(connection, migrations)
        command.revision(alembic, message, autogenerate=True, rev_id=f"{number:04d}")
    engine.dispose()


if __name__ == "__main__":
    draft(" ".join(sys.argv[1:]))
