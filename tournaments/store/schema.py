"""
The schema of the store and how a database gets it: by alembic's migrations, which are part of the package.

`draft` writes a new one.
"""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from tournaments.store.database import Database
from tournaments.store.errors import AlreadyExists, NotFound, StoreError

MIGRATIONS = Path(__file__).parent / "migrations"


def make_schema(connection: Connection, shown: str) -> None:
    """
    Give the empty database of *connection*, which messages call *shown*, the newest schema.

    Raises:
        AlreadyExists: it holds tables already, of a league or of anything else.
    """
    if inspect(connection).get_table_names():
        raise AlreadyExists("cannot make store", "the database holds tables already", got=shown)
    upgrade(connection)


def raise_schema(database: Database, migrations: Path = MIGRATIONS) -> None:
    """
    Bring a league's database up to the newest schema of *migrations*, all the way or not at all.

    Raises:
        NotFound: it is not the database of a league.
        StoreError: it was made by a newer version, or cannot be used.
    """
    if database.file is not None and not database.file.is_file():
        raise NotFound("cannot open store", "no such file", got=str(database))
    if _is_newest(database, migrations):
        return
    with database.writing() as session:
        upgrade(session.connection(), migrations)


def upgrade(connection: Connection, migrations: Path = MIGRATIONS) -> None:
    """Run all *migrations* that *connection*'s database has not seen."""
    command.upgrade(alembic_for(connection, migrations), "head")


def _is_newest(database: Database, migrations: Path) -> bool:
    scripts = scripts_in(migrations)
    with database.reading() as session:
        found = MigrationContext.configure(session.connection()).get_current_heads()
    if len(found) != 1:
        raise NotFound("cannot open store", "it is not the database of a league", got=str(database))
    newest = scripts.get_current_head()
    if found[0] not in {script.revision for script in scripts.walk_revisions()}:
        reason = f"it was made by a newer version of handfoot (schema {found[0]})"
        raise StoreError("cannot open store", reason, got=str(database), expected=f"schema {newest} or older")
    return found[0] == newest


def scripts_in(migrations: Path) -> ScriptDirectory:
    """Return the *migrations* as alembic knows them."""
    return ScriptDirectory(str(migrations))


def alembic_for(connection: Connection, migrations: Path) -> Config:
    """Return what alembic's commands need to run *migrations* on *connection*."""
    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
