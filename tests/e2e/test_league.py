"""Leagues with real bots: interrupted, resumed, with bots that do not show, and published."""

import json
import os
import signal
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from authored import EXITS_AT_ONCE, PLAYS_BY_CHANCE, write_bot
from command import all_gone, descendants, handfoot_here, start_handfoot, wait_until

from tournaments.entrants import find_entrant
from tournaments.integrity import seed_secret
from tournaments.leaderboard import standings_json
from tournaments.leagues.league import create_league, open_league, submit
from tournaments.leagues.publication import league_board
from tournaments.leagues.settings import LeagueSettings
from tournaments.store import own_league
from tournaments.terms import Terms


def new_league(folder: Path, *bots: str) -> Path:
    """Make a reproducible league of *bots* in *folder*, and return where it is."""
    settings = LeagueSettings("spring", Terms("simple"), 4, 5, None)
    league = create_league(folder / "spring", settings, seed_secret(5))
    for bot in bots:
        enter(league.folder, bot)
    return league.folder


def enter(folder: Path, bot: str) -> None:
    """Submit *bot* to the league in *folder*."""
    league = open_league(folder)
    with league.open_store() as store:
        submit(league, store, find_entrant(bot), datetime.now(UTC))


def standings(folder: Path) -> str:
    """Return the board of the league in *folder*, as text."""
    league = open_league(folder)
    with league.open_store() as store:
        return standings_json(league_board(league, store))


def stored(folder: Path) -> int:
    """Return how many units the league in *folder* has stored."""
    with open_league(folder).open_store() as store:
        return len(store.unit_ids())


def status(folder: Path) -> dict[str, Any]:
    """Return what `league status --json` says of the league in *folder*."""
    found: dict[str, Any] = json.loads(handfoot_here("league", "status", folder, "--json").stdout)
    return found


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The board of a league of two bots that was played at once by one worker."""
    folder = new_league(tmp_path_factory.mktemp("undisturbed"), "greedy", "random")
    run = handfoot_here("league", "run", folder, "--workers", 1)
    assert run.exit_code == 0, run.stderr
    return standings(folder)


@pytest.mark.parametrize(
    "ends",
    [
        [(signal.SIGKILL, 3, 2)],
        pytest.param([(signal.SIGTERM, 3, 2), (signal.SIGKILL, 4, 1)], marks=pytest.mark.slow),
    ],
    ids=["once", "twice"],
)
def test_a_league_that_is_killed_goes_on_where_it_was(
    tmp_path: Path, undisturbed: str, ends: list[tuple[signal.Signals, int, int]]
) -> None:
    """Stopped, killed, resumed and extended, it has each unit once and the board of an undisturbed run."""
    folder = new_league(tmp_path, "greedy", "random")
    for number, duplicates, workers in ends:
        before = stored(folder)
        running = start_handfoot(
            "league", "run", folder, "--duplicates", duplicates, "--workers", workers, folder=tmp_path
        )
        wait_until(lambda: stored(folder) > before)  # noqa: B023 (called at once)
        started = descendants(running)
        running.send_signal(number)
        running.wait(10)
        wait_until(lambda: all_gone(started), 5)  # noqa: B023 (called at once)
    assert handfoot_here("league", "run", folder, "--workers", 1).exit_code == 0
    assert standings(folder) == undisturbed
    again = handfoot_here("league", "run", folder)
    assert (again.exit_code, "nothing to play" in again.stderr) == (0, True)


def test_a_second_run_is_told_who_plays(tmp_path: Path) -> None:
    """One process plays a league; looking at it and entering bots is possible meanwhile."""
    folder = new_league(tmp_path, "greedy", "random")
    with own_league(folder, datetime.now(UTC)):
        second = handfoot_here("league", "run", folder)
        assert (second.exit_code, f"process {os.getpid()}" in second.stderr) == (1, True)
        assert status(folder)["running"].startswith(str(os.getpid()))
        enter(folder, "steady")
    assert len(status(folder)["partnerships"]) == 3


@pytest.mark.slow
def test_a_bot_that_does_not_show_stops_nobody(tmp_path: Path) -> None:
    """
    Its units are given up and named, all others are played, and it comes back when it is submitted again.

    What makes it stay away lies outside of its folder, as a missing library would.
    """
    library = tmp_path / "library"
    code = f"import pathlib\nassert pathlib.Path({str(library)!r}).exists(), 'no library'\n{PLAYS_BY_CHANCE}"
    absent = str(write_bot(tmp_path / "absent", code))
    folder = new_league(tmp_path, "greedy", "random", absent)
    words = ("league", "run", folder, "--workers", 1, "--duplicates")
    run = handfoot_here(*words, 1)
    assert run.exit_code == 3
    assert "no library" in run.stderr
    assert "2 units given up" in run.stderr
    found = status(folder)
    assert (found["done"], found["pending"], found["given_up"]) == (1, 0, 2)
    rows = {row["partnership"].partition("@")[0]: row for row in found["partnerships"]}
    assert (rows["absent"]["given_up"], list(rows["absent"]["faults"])) == (2, ["no_show"])
    assert "submit it again" in rows["absent"]["out"]
    assert (rows["greedy"]["done"], rows["greedy"]["out"]) == (1, None)
    library.touch()
    enter(folder, absent)
    again = handfoot_here(*words, 2)
    assert again.exit_code == 3, "what it missed before stays given up"
    found = status(folder)
    assert (found["done"], found["pending"], found["given_up"]) == (4, 0, 2)


def test_a_copy_that_was_changed_does_not_play(tmp_path: Path) -> None:
    """What plays is what was submitted, or nothing."""
    folder = new_league(tmp_path, "greedy", str(write_bot(tmp_path / "mine", PLAYS_BY_CHANCE)))
    [copy] = (folder / "entrants").iterdir()
    (copy / "mine.py").unlink()
    (copy / "mine.py").write_text(EXITS_AT_ONCE)
    run = handfoot_here("league", "run", folder, "--duplicates", 1)
    assert run.exit_code == 3
    assert "changed bot mine@1: it is not what was submitted" in run.stderr
    assert stored(folder) == 0


def test_the_demo_goes_the_whole_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It plays, prints the board, publishes, and says where and what to type next; a folder that is there stays."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "handfoot-demo").mkdir()
    done = handfoot_here("demo", "--duplicates", 1)
    assert done.exit_code == 0, done.stderr
    assert "3 of 3 units" in done.stderr
    assert "open handfoot-demo-2/site/index.html" in done.stdout
    assert " league run handfoot-demo-2/league --duplicates" in done.stdout
    assert list((tmp_path / "handfoot-demo").iterdir()) == []
    site = tmp_path / "handfoot-demo-2" / "site"
    assert {"index.html", "standings.json", "standings.csv"} <= {path.name for path in site.iterdir()}
    board = json.loads((site / "standings.json").read_text())
    assert all(row["partnership"] in done.stdout for row in board["rows"])
    names = {"rank", "partnership", "mu", "sigma", "conservative", "units", "wins", "draws", "losses"}
    assert names | {"margin_mean", "margin_se", "forfeits"} <= set(board["rows"][0])
