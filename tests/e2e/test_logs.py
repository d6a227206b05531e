"""Logs of whole runs, from the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from authored import write_bot
from command import handfoot_here

DISCARDS_ALWAYS: str = """
from handfoot import Bot
from handfoot.actions import discard

class Mine(Bot):
    def act(self, view):
        return discard(view.holding[0])
"""


def lines(log: Path) -> list[dict[str, Any]]:
    """Return the lines of *log*, read."""
    return [json.loads(line) for line in log.read_text().splitlines()]


@pytest.mark.slow
def test_a_league_is_logged_and_reasons_come_when_units_are_final(tmp_path: Path) -> None:
    """Lines name where and who; why somebody lost comes after the last match of a unit."""
    league, log = tmp_path / "spring", tmp_path / "log"
    mine = write_bot(tmp_path / "mine", DISCARDS_ALWAYS)
    handfoot_here("league", "create", league, "--rules", "simple", "--isolation", "none")
    for bot in ("random", mine):
        handfoot_here("league", "submit", league, bot)
    run = handfoot_here("league", "run", league, "--duplicates", 2, "--workers", 1, "--log", log)
    assert run.exit_code == 0, run.stderr
    told = lines(log)
    assert {line["league"] for line in told} == {"spring"}
    explained = [line for line in told if line["event"] == "fault explained"]
    assert len(explained) >= 2 * 3, "a seat has three strikes in each of two units, and its partner some"
    for line in explained:
        assert {"match", "round", "action", "seat", "entrant", "kind", "reason"} <= set(line)
        assert line["entrant"] == "mine@1"
        ends = [
            place
            for place, end in enumerate(told)
            if end.get("match") == line["match"] and end["event"] == "match ends"
        ]
        assert max(ends) < told.index(line)
    assert not [line for line in told if "reason" in line and line["event"] != "fault explained"]


def test_a_log_that_cannot_be_written_is_told_at_once(tmp_path: Path) -> None:
    """Nothing is played for it."""
    words = ("scrimmage", "random", "random", "--rules", "simple", "--log", tmp_path / "no" / "log")
    done = handfoot_here(*words)
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: cannot write the log: No such file or directory; got '")
    assert done.stderr.count("\n") == 1
