"""Databases to keep a league in: a SQLite file, and a PostgreSQL server of our own."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import pytest
from requirement import skip_without
from sqlalchemy import create_engine, make_url, text

from tournaments.store import Store, create_store

FACTS = {"name": "spring", "ruleset": "online"}
_numbers = count()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """
    Yield the URL of a PostgreSQL server that may be filled with databases.

    Taken from HANDFOOT_TEST_DATABASE_URL, else started here; not over the network.
    """
    if find_spec("psycopg") is None:
        skip_without("postgres", "psycopg is not installed (pip install '.[test]')")
    if url := os.environ.get("HANDFOOT_TEST_DATABASE_URL"):
        yield url
        return
    programs = max(
        Path("/usr/lib/postgresql").glob("*/bin"), default=None, key=lambda path: int(path.parent.name)
    )
    if programs is None and (found := shutil.which("initdb")):
        programs = Path(found).parent
    if programs is None:
        skip_without("postgres", "there is no initdb (apt-get install postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="hfpg-", dir="/tmp"))
    try:
        yield from _serve(programs, folder)
    finally:
        shutil.rmtree(folder)


def _serve(programs: Path, folder: Path) -> Iterator[str]:
    data = folder / "data"
    as_user: list[str] = []
    if os.geteuid() == 0:  # the server refuses to run as root
        shutil.chown(folder, "postgres", pwd.getpwnam("postgres").pw_gid)
        as_user = ["runuser", "-u", "postgres", "--"]
    _run(
        *as_user, programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"
    )
    options = f"-F -c listen_addresses='' -k {folder}"
    _run(*as_user, programs / "pg_ctl", "start", "-w", "-D", data, "-l", folder / "log", "-o", options)
    try:
        yield f"postgresql://postgres@/postgres?host={folder}"
    finally:
        _run(*as_user, programs / "pg_ctl", "stop", "-w", "-m", "immediate", "-D", data)


def _run(*command: str | Path) -> None:
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL, cwd="/")


@pytest.fixture(params=["sqlite", "postgres"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return where a new store can be made, on each kind of database."""
    if request.param == "sqlite":
        return str(tmp_path / "league.db")
    server: str = request.getfixturevalue("postgres_server")
    name = f"league_{os.getpid()}_{next(_numbers)}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE template0"))
    engine.dispose()
    return make_url(server).set(database=name).render_as_string(hide_password=False)


@pytest.fixture
def store(location: str) -> Iterator[Store]:
    """Yield the store of a new league, on each kind of database."""
    with create_store(location, FACTS) as made:
        yield made
