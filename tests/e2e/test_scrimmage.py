"""Scrimmages with real bots, from the command line to the JSON."""

import asyncio
import json
import math
from pathlib import Path
from typing import Any

import psutil
import pytest
from authored import CRASHES, EXITS_AT_ONCE, PLAYS_BY_CHANCE, write_bot
from command import all_gone, handfoot, handfoot_here, wait_until

from referee.rules import from_bytes, replay
from tournaments.scrimmages.scrimmage import Scrimmage, find_partnership, play_scrimmage
from tournaments.scrimmages.summary import scrimmage_json
from tournaments.terms import Terms
from tournaments.workers.engine import LocalEngine

WORDS = ("scrimmage", "greedy", "random", "--rules", "simple", "--duplicates", "4", "--seed", "11", "--json")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What one scrimmage of four duplicates told, played by one worker."""
    done = handfoot(*WORDS, "--workers", 1, folder=tmp_path_factory.mktemp("scrimmage"))
    assert done.returncode == 0, done.stderr
    value: dict[str, Any] = json.loads(done.stdout)
    return value


def test_the_json_keeps_its_names(told: dict[str, Any]) -> None:
    """Programs that read a scrimmage find everything where it was promised."""
    assert {"ruleset", "seed", "duplicates", "results", "summary", "faults"} <= set(told)
    assert (told["ruleset"], told["seed"], told["duplicates"]) == ("simple", 11, 4)
    assert told["faults"] == {"a": {}, "b": {}}
    names = {
        "a",
        "b",
        "wins",
        "draws",
        "losses",
        "margin_mean",
        "margin_se",
        "elo",
        "elo_low",
        "elo_high",
        "los",
    }
    assert names <= set(told["summary"])
    assert told["summary"]["a"].startswith("greedy@")
    for unit in told["results"]:
        assert {"unit", "legs", "margin", "outcome"} <= set(unit)
        assert [leg["match"] for leg in unit["legs"]] == [f"{unit['unit']}-0", f"{unit['unit']}-1"]


def test_the_time_that_bots_used_is_told_beside_the_data() -> None:
    """It is measured and differs from run to run, so it goes to standard error and not into the result."""
    done = handfoot_here(
        "scrimmage", "random", "random", "--rules", "simple", "--duplicates", 1, "--seed", 1, "--json"
    )
    assert done.exit_code == 0, done.stderr
    assert "time of A" in done.stderr
    assert "usage" not in json.loads(done.stdout)


def test_the_numbers_agree_with_each_other(told: dict[str, Any]) -> None:
    """Margins are sums of scores, outcomes are signs of margins, and all of it is seen from A."""
    summary, results = told["summary"], told["results"]
    for unit in results:
        assert unit["margin"] == sum(leg["scores"][0] - leg["scores"][1] for leg in unit["legs"])
        assert unit["outcome"] == ("win" if unit["margin"] > 0 else "loss" if unit["margin"] < 0 else "draw")
    assert summary["wins"] + summary["draws"] + summary["losses"] == len(results) == 4
    assert math.isclose(summary["margin_mean"], sum(unit["margin"] for unit in results) / 4)
    assert summary["wins"] == 4, "greedy beats random"


def test_workers_and_dead_workers_change_nothing(told: dict[str, Any]) -> None:
    """Two workers, one of which is killed in the middle, tell what one undisturbed worker told."""
    terms = Terms("simple")
    sides = find_partnership("greedy", terms), find_partnership("random", terms)
    planned = Scrimmage(sides, terms, 4, 11)
    victims: list[psutil.Process] = []

    def kill_a_worker(_: object) -> None:
        if not victims:
            children = psutil.Process().children()
            worker = next(child for child in children if "tournaments.workers.worker" in child.cmdline())
            victims.extend([worker, *worker.children(recursive=True)])
            worker.kill()

    async def play() -> dict[str, Any]:
        async with LocalEngine(2) as engine:
            results = await play_scrimmage(planned, engine, None, kill_a_worker)
        return scrimmage_json(planned, results, None)

    of_this_run = {"isolation": told["isolation"]}
    assert asyncio.run(play()) | of_this_run == told
    assert len(victims) > 4
    wait_until(lambda: all_gone(victims), 5)


@pytest.mark.slow
def test_records_replay_to_the_scores(tmp_path: Path) -> None:
    """Each match leaves a record, named in the JSON, from which anybody gets the same score."""
    words = (
        "scrimmage",
        "random",
        "random",
        "--rules",
        "simple",
        "--duplicates",
        "1",
        "--json",
        "--records",
        "kept",
    )
    [unit] = json.loads(handfoot_here(*words).stdout)["results"]
    assert len(unit["legs"]) == 2
    for leg in unit["legs"]:
        path = Path(leg["record"])
        assert path.parent == tmp_path / "kept"
        record = from_bytes(path.read_bytes())
        assert record.match == leg["match"]
        assert sorted(replay(record).totals) == sorted(leg["scores"])


def test_a_bot_that_exits_at_once_stops_the_scrimmage(tmp_path: Path) -> None:
    """Its author sees command, folder, exit code and the last lines of what it said, and no traceback of ours."""
    write_bot(tmp_path / "broken", EXITS_AT_ONCE, command='["python", "mine.py"]')
    done = handfoot(
        "scrimmage", "broken", "random", "--rules", "simple", "--json", "--workers", 1, folder=tmp_path
    )
    assert done.returncode == 1
    assert done.stdout == ""
    for part in (
        "broken@1",
        "mine.py",
        str(tmp_path / "broken"),
        "exit code: 5",
        "no book found in book.txt",
    ):
        assert part in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bot_that_dies_in_a_match_forfeits(tmp_path: Path) -> None:
    """The leg has no scores and says who forfeited, the unit is lost, and the fault is counted by class."""
    write_bot(tmp_path / "fragile", CRASHES)
    words = ("scrimmage", "random", "fragile", "--rules", "simple", "--duplicates", "2", "--json")
    done = handfoot_here(*words, "--workers", 1, "--records", "kept")
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    for unit in told["results"]:
        [leg] = unit["legs"]
        assert (leg["scores"], leg["forfeit"]) == (None, "b")
        assert (unit["margin"], unit["outcome"]) == (None, "win")
    assert told["summary"]["wins"] == 2
    assert told["summary"]["margin_mean"] is None
    assert told["faults"] == {"a": {}, "b": {"crash": 2}}
    named = [Path(line.split(": ")[1]) for line in done.stderr.splitlines() if line.startswith("  report: ")]
    assert len(named) == 1, "the second one says the same, and is in the folder too"
    assert "crash in round 1" in named[0].read_text()
    assert len(list((tmp_path / "kept").glob("*.fault.txt"))) >= 2


def test_mixed_partnerships_of_authored_bots_play(tmp_path: Path) -> None:
    """A+B seats two bots on one side; bots that are not stateless get a fresh process per match."""
    write_bot(tmp_path / "mine", PLAYS_BY_CHANCE)
    words = ("scrimmage", "./mine+random", "random", "--rules", "simple", "--duplicates", "1", "--json")
    done = handfoot_here(*words)
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["summary"]["a"].split(" + ")[0] == "mine@1"
    assert told["faults"] == {"a": {}, "b": {}}
