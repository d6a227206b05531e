"""A league is open or hosted from its beginning, and the two kinds are never mixed."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tournaments.entrants import house_entrant
from tournaments.errors import InvalidLeague
from tournaments.integrity import seed_secret
from tournaments.leagues.league import DATABASE, League, create_league, open_league, submit
from tournaments.leagues.publication import league_view
from tournaments.leagues.run import plan_season
from tournaments.leagues.settings import SETTINGS, LeagueSettings
from tournaments.site import render_site
from tournaments.store import Entry, Store
from tournaments.terms import Terms

NOW = datetime(2026, 12, 1, tzinfo=UTC)


def league_in(folder: Path, *, is_open: bool) -> League:
    """Make a league of one kind or the other."""
    settings = LeagueSettings("spring", Terms("simple"), 2, 5, None, is_open)
    return create_league(folder / "spring", settings, seed_secret(5))


def test_an_open_league_is_read_back_as_one(tmp_path: Path) -> None:
    """The file of settings says it; that of a hosted league says nothing."""
    assert open_league(league_in(tmp_path / "one", is_open=True).folder).settings.is_open
    hosted = league_in(tmp_path / "other", is_open=False)
    assert not open_league(hosted.folder).settings.is_open
    assert "open" not in (hosted.folder / SETTINGS).read_text()


@pytest.mark.parametrize("is_open", [True, False])
def test_the_kind_of_a_league_cannot_be_changed(tmp_path: Path, is_open: bool) -> None:
    """A league that began as one kind is refused as the other, so that a board never mixes results."""
    folder = league_in(tmp_path, is_open=is_open).folder
    path = folder / SETTINGS
    said = path.read_text().replace("open = true\n", "")
    path.write_text(said if is_open else f"{said}open = true\n")
    with pytest.raises(InvalidLeague, match="'open' is not what the league began with"):
        open_league(folder).open_store()


def test_a_league_that_is_older_than_the_key_is_hosted(tmp_path: Path) -> None:
    """Stores that were made before there were open leagues open as before."""
    league = league_in(tmp_path, is_open=False)
    database = sqlite3.connect(league.folder / DATABASE)
    with closing(database), database:
        assert database.execute("DELETE FROM facts WHERE name = 'open'").rowcount == 1
    with open_league(league.folder).open_store() as store:
        assert "open" not in store.facts()


@pytest.mark.parametrize(
    "verb",
    [
        lambda league, store: submit(league, store, house_entrant("random"), NOW),
        lambda league, store: plan_season(league, store, 1),
    ],
    ids=["submit", "run"],
)
def test_an_open_league_runs_no_bots(tmp_path: Path, verb: Callable[[League, Store], object]) -> None:
    """Nothing is submitted to it or run in it; the message says what to do instead."""
    league = league_in(tmp_path, is_open=True)
    with league.open_store() as store, pytest.raises(InvalidLeague, match=r"the league is open.*`handfoot"):
        verb(league, store)


def test_the_pages_of_an_open_league_say_so(tmp_path: Path) -> None:
    """Its board is titled open, and nothing on its pages says that two matches had the same deals."""
    league = league_in(tmp_path, is_open=True)
    with league.open_store() as store:
        store.add_entrant(Entry("ann", "1", "Python", "a" * 64, NOW, None))
        pages = dict(render_site(league_view(league, store, NOW)))
    assert "spring (open league)" in pages["index.html"]
    assert '"league": "spring (open league)"' in pages["standings.json"]
    assert "same deals" not in pages["index.html"]
    assert "fresh deals" in pages["index.html"]
