"""How bots are kept in a run: what a league fixes, what a worker is told, and what is refused."""

from pathlib import Path
from typing import Any

import pytest

from referee.service.isolation import MIB
from tournaments.errors import InvalidLeague, TournamentError
from tournaments.integrity import seed_secret
from tournaments.leagues.league import create_league, open_league
from tournaments.leagues.settings import LeagueSettings, read_settings
from tournaments.terms import Terms
from tournaments.workers.housing import Housing, find_housing
from tournaments.workers.options import WorkerOptions, parse_options


def league_in(folder: Path, housing: Housing) -> Path:
    """Make a league in *folder* whose bots are kept as *housing* says, and return where it is."""
    settings = LeagueSettings("spring", Terms("simple"), 2, 5, None, housing=housing)
    return create_league(folder / "spring", settings, seed_secret(5)).folder


def test_a_referee_is_opened_with_what_was_decided() -> None:
    """The level, and the memory in bytes; the other limits are the usual ones."""
    isolation = Housing("limits", 200).to_isolation()
    assert (isolation.level, isolation.quota.memory) == ("limits", 200 * MIB)
    assert Housing() == Housing("none", 1024)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (
            ("docker", 1024),
            "wrong 'isolation': unknown level; got 'docker'; expected one of bwrap, limits, none",
        ),
        (("bwrap", 31), "wrong 'memory': out of range; got 31"),
        (("bwrap", 1 << 30), "wrong 'memory': out of range"),
    ],
)
def test_housing_that_makes_no_sense_is_refused(values: tuple[Any, int], reason: str) -> None:
    """By the name of the key and with what was expected."""
    with pytest.raises(TournamentError) as caught:
        Housing(*values)
    assert reason in str(caught.value)


def test_a_league_fixes_how_its_bots_are_kept(tmp_path: Path) -> None:
    """It stands in league.toml and is read back; once the league is made it cannot be changed."""
    folder = league_in(tmp_path, Housing("limits", 300))
    assert read_settings(folder).housing == Housing("limits", 300)
    text = (folder / "league.toml").read_text()
    for written, changed in (
        ('isolation = "limits"', 'isolation = "none"'),
        ("memory = 300", "memory = 400"),
    ):
        assert written in text
        (folder / "league.toml").write_text(text.replace(written, changed))
        with pytest.raises(InvalidLeague, match=f"changed league: '{written.split()[0]}'"):
            open_league(folder).open_store()


def test_a_league_that_is_older_than_isolation_goes_on_without(tmp_path: Path) -> None:
    """Where league.toml says nothing about it, nothing was isolated."""
    folder = league_in(tmp_path, Housing())
    path = folder / "league.toml"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith(("isolation", "memory"))))
    league = open_league(folder)
    league.open_store().close()
    assert league.settings.housing == Housing()


@pytest.mark.parametrize(
    "options",
    [WorkerOptions(), WorkerOptions(Housing("bwrap", 99), Path("/a b/log"), "spring --log x")],
)
def test_a_worker_reads_what_it_is_told(options: WorkerOptions) -> None:
    """To and from the words of a command are a pair."""
    assert parse_options(options.to_words()) == options


def test_a_wish_becomes_a_level_and_a_line_for_people() -> None:
    """What is asked for by name is told without reasons."""
    assert find_housing("none", 64) == (Housing("none", 64), "isolation none")
    housing, told = find_housing("auto", 64)
    assert told.startswith(f"isolation {housing.isolation}")
