"""Scrimmages and leagues at tables of two, three and six seats, with real bots; matches are short."""

import json
from pathlib import Path
from typing import Any

import pytest
from authored import CRASHES, PLAYS_BY_CHANCE, write_bot
from command import handfoot_here, start_handfoot, wait_until

from referee.rules import from_bytes, replay
from tournaments.leagues.league import open_league

pytestmark = pytest.mark.slow

SHORT = """
name = "short {base}"
base = "{base}"
[deal]
seats = {seats}
solo = {solo}
packs = {packs}
hand = 11
foot = 11
[match]
rounds = 1
"""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run all commands in a folder that has nothing but house rules: one round with few packs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "online.toml").write_text(SHORT.format(base="online", seats=[2, 3], solo=[2, 3], packs=2))
    (tmp_path / "publisher.toml").write_text(SHORT.format(base="publisher", seats=[6], solo=[], packs=4))


def scrimmage(*words: object) -> dict[str, Any]:
    """Return what a scrimmage tells as JSON."""
    done = handfoot_here("scrimmage", *words, "--seed", 3, "--json")
    assert done.exit_code == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_three_bots_play_each_for_itself() -> None:
    """Three legs a unit, places by the sum of their scores, and the same result with one worker and with two."""
    words = ("greedy", "random", "greedy", "--rules", "online.toml", "--seats", 3, "--duplicates", 2)
    told = scrimmage(*words, "--workers", 1)
    for unit in told["results"]:
        assert len(unit["legs"]) == 3
        assert unit["scores"] == [
            sum(column) for column in zip(*(leg["scores"] for leg in unit["legs"]), strict=True)
        ]
        assert unit["places"] == [1 + sum(other > own for other in unit["scores"]) for own in unit["scores"]]
    assert told["summary"]["b"].startswith("random@")
    assert "+" not in told["summary"]["b"]
    assert told["faults"] == {"a": {}, "b": {}, "c": {}}
    assert scrimmage(*words, "--workers", 2) == told


def test_two_bots_play_each_for_itself() -> None:
    """It is a duplicate of two single bots, told by the contract of two sides."""
    told = scrimmage("greedy", "random", "--rules", "online.toml", "--seats", 2, "--duplicates", 2)
    for unit in told["results"]:
        assert unit["margin"] == sum(leg["scores"][0] - leg["scores"][1] for leg in unit["legs"])
        assert unit["places"] == ([1, 2] if unit["margin"] > 0 else [2, 1] if unit["margin"] < 0 else [1, 1])
    assert told["summary"]["wins"] + told["summary"]["draws"] + told["summary"]["losses"] == 2
    assert "+" not in told["summary"]["a"]


def test_three_partnerships_play_at_six_seats(tmp_path: Path) -> None:
    """A mixed partnership among them; each match leaves a record that replays."""
    words = ("greedy", "random", "greedy+random", "--rules", "publisher.toml", "--seats", 6)
    told = scrimmage(*words, "--duplicates", 1, "--records", "kept")
    [unit] = told["results"]
    assert told["summary"]["c"].count("@") == 2
    assert sorted(unit["places"])[0] == 1
    for leg in unit["legs"]:
        record = from_bytes(Path(leg["record"]).read_bytes())
        assert len(record.seats) == 6
        assert sorted(replay(record).totals) == sorted(leg["scores"])


def test_one_of_three_that_crashes_comes_last_and_stops_nobody(tmp_path: Path) -> None:
    """The referee plays on in its place in all legs, and the records say so and replay."""
    write_bot(tmp_path / "fragile", CRASHES)
    words = ("random", "fragile", "greedy", "--rules", "online.toml", "--seats", 3, "--duplicates", 1)
    told = scrimmage(*words, "--records", "kept")
    [unit] = told["results"]
    assert (unit["status"], unit["places"][1]) == ("forfeit", 3)
    assert [leg["forfeit"] for leg in unit["legs"]] == [["b"]] * 3
    assert all(len(leg["scores"]) == 3 for leg in unit["legs"])
    assert told["faults"] == {"a": {}, "b": {"crash": 1}, "c": {}}
    assert told["summary"]["entrants"][1]["place_mean"] == 3
    records = [from_bytes(Path(leg["record"]).read_bytes()) for leg in unit["legs"]]
    assert [record.seats.count("referee") for record in records] == [0, 1, 1]
    assert [len(record.forfeited) for record in records] == [1, 1, 1]
    assert handfoot_here("replay", "verify", "kept").exit_code == 0


def new_league(folder: Path) -> Path:
    """Make a league of three single bots, one of them an author's, and return where it is."""
    write_bot(Path("mine"), PLAYS_BY_CHANCE, more="seats = [2, 3]\nstateless = true\n")
    made = handfoot_here("league", "create", folder, "--rules", "online.toml", "--seats", 3, "--seed", 5)
    assert made.exit_code == 0, made.stderr
    for bot in ("greedy", "random", "mine"):
        assert handfoot_here("league", "submit", folder, bot).exit_code == 0
    return folder


def test_a_league_of_three_sides_is_played_resumed_and_published(tmp_path: Path) -> None:
    """Killed and run again with more workers it has the board of an undisturbed run; places are what is rated."""
    calm, broken = new_league(tmp_path / "calm"), new_league(tmp_path / "broken")
    assert handfoot_here("league", "run", calm, "--duplicates", 2, "--workers", 1).exit_code == 0
    running = start_handfoot("league", "run", broken, "--duplicates", 2, "--workers", 1, folder=tmp_path)
    wait_until(lambda: _stored(broken) > 0)
    running.kill()
    running.wait(10)
    assert handfoot_here("league", "run", broken, "--duplicates", 2, "--workers", 2).exit_code == 0
    boards = [
        json.loads(handfoot_here("league", "standings", each, "--json").stdout) for each in (calm, broken)
    ]
    assert boards[0] | {"league": ""} == boards[1] | {"league": ""}
    rows = boards[0]["rows"]
    assert (boards[0]["units"], {row["units"] for row in rows}) == (2, {2})
    assert rows[0]["partnership"].startswith("greedy@")
    for row in rows:
        assert (row["margin_mean"], row["los_next"]) == (None, None)
        assert row["low"] < row["mu"] < row["high"]
    status = json.loads(handfoot_here("league", "status", broken, "--json").stdout)
    assert (status["seats"], status["done"], status["pending"]) == (3, 2, 0)
    assert handfoot_here("publish", broken, "site").exit_code == 0
    assert len(list((tmp_path / "site" / "matches").iterdir())) == 6
    assert handfoot_here("replay", "verify", broken / "records").exit_code == 0


def _stored(folder: Path) -> int:
    with open_league(folder).open_store() as store:
        return len(store.unit_ids())
