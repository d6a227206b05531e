"""The schema: migrations make exactly what the tables say, on both databases."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, create_engine, inspect, text

from tournaments.store import Store, StoreError, open_store
from tournaments.store.database import Database
from tournaments.store.draft import draft
from tournaments.store.schema import MIGRATIONS, raise_schema, upgrade
from tournaments.store.tables import Row


@pytest.fixture
def empty() -> Iterator[Engine]:
    """Yield an empty database."""
    engine = create_engine("sqlite://")
    yield engine
    engine.dispose()


def test_the_migrations_make_what_the_tables_say(store: Store, location: str) -> None:
    """After all migrations nothing differs from the tables, types among it."""
    database = Database(location)
    with database.reading() as session:
        context = MigrationContext.configure(session.connection(), opts={"compare_type": True})
        assert compare_metadata(context, Row.metadata) == []
    database.close()


def test_all_constraints_have_the_names_of_the_convention(store: Store, location: str) -> None:
    """Each constraint has a name, so that later migrations can say which they mean."""
    database = Database(location)
    with database.reading() as session:
        found = inspect(session.connection())
        names = {
            constraint["name"]
            for table in ("entrants", "results", "facts", "invitations")
            for constraint in (found.get_pk_constraint(table), *found.get_unique_constraints(table))
        }
    database.close()
    primary = {"pk_entrants", "pk_results", "pk_facts", "pk_invitations"}
    assert names == primary | {"uq_entrants_name", "uq_results_unit"}


def test_an_older_store_is_brought_up_to_date(store: Store, location: str, tmp_path: Path) -> None:
    """A store of an older version gets the newest schema when it is opened, and keeps what it held."""
    folder = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, folder)
    (folder / "versions" / "9999_more.py").write_text(
        'import sqlalchemy as sa\nfrom alembic import op\nrevision = "9999"\ndown_revision = "0002"\n'
        'def upgrade() -> None:\n    op.add_column("facts", sa.Column("more", sa.Integer()))\n'
    )
    database = Database(location)
    raise_schema(database, folder)
    with database.reading() as session:
        rows = session.connection().execute(text("SELECT name, value, more FROM facts")).all()
    assert {name: value for name, value, _ in rows} == store.facts() != {}
    assert {more for _, _, more in rows} == {None}
    raise_schema(database, folder)
    with pytest.raises(StoreError, match="newer version"):
        raise_schema(database)
    database.close()


def test_a_store_of_the_first_schema_is_opened_as_it_is(tmp_path: Path) -> None:
    """A league of the first release keeps its facts and takes invitations."""
    folder = tmp_path / "migrations"
    later = [path.name for path in (MIGRATIONS / "versions").glob("0*.py") if path.name >= "0002"]
    shutil.copytree(MIGRATIONS, folder, ignore=lambda _, names: later)
    database = Database(tmp_path / "league.db")
    with database.writing() as session:
        upgrade(session.connection(), folder)
        session.connection().execute(text("INSERT INTO facts VALUES ('name', 'spring')"))
    database.close()
    with open_store(tmp_path / "league.db") as store:
        store.invite("ann", "a" * 64, datetime(2026, 12, 1, tzinfo=UTC))
        assert store.facts() == {"name": "spring"}
        assert store.find_invitation("a" * 64) is not None


def test_a_drafted_migration_runs_as_it_is(empty: Engine, tmp_path: Path) -> None:
    """A drafted migration needs no change to make what the tables say."""
    folder = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, folder, ignore=shutil.ignore_patterns("0*.py"))
    draft("Everything", folder)
    with empty.begin() as connection:
        upgrade(connection, folder)
        assert compare_metadata(MigrationContext.configure(connection), Row.metadata) == []
