"""Scrimmages of authored bots that play several matches at once, from the command line."""

import json
from pathlib import Path
from typing import Any, Final

import pytest
from authored import PLAYS_BY_CHANCE, write_bot
from command import handfoot

SEVERAL: Final = "stateless = true\ntables = 4\n"
CRASHES_ONCE_IN_A_WHILE: Final = """
import os
from handfoot import Bot

class Mine(Bot):
    asked = 0

    def act(self, view):
        Mine.asked += 1
        if Mine.asked == 60:
            os._exit(7)
        return self.rng.choice(view.legal_actions)
"""
WORDS: Final = ("--rules", "simple", "--duplicates", 4, "--seed", 3, "--isolation", "none", "--json")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def told(folder: Path, *words: object) -> dict[str, Any]:
    """Return what a scrimmage against random told."""
    done = handfoot("scrimmage", "./mine", "random", *WORDS, *words, folder=folder)
    assert done.returncode == 0, done.stderr
    value: dict[str, Any] = json.loads(done.stdout)
    return value


@pytest.mark.slow
def test_tables_and_workers_change_nothing(tmp_path: Path) -> None:
    """The same seed gives the same result, whatever is played at once."""
    write_bot(tmp_path / "mine", PLAYS_BY_CHANCE, more=SEVERAL)
    alone = told(tmp_path, "--workers", 1, "--tables", 1)
    assert told(tmp_path, "--workers", 1, "--tables", 4) == alone
    assert told(tmp_path, "--workers", 2) == alone


def test_a_crash_at_several_tables_forfeits_each_and_stops_nothing(tmp_path: Path) -> None:
    """All units are told, and none counts as a bot that did not show."""
    write_bot(tmp_path / "mine", CRASHES_ONCE_IN_A_WHILE, more=SEVERAL)
    units = told(tmp_path, "--workers", 1)["results"]
    assert len(units) == 4
    assert {unit["status"] for unit in units} == {"forfeit"}
