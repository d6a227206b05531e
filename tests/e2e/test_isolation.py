"""Isolation from the command line: what is chosen, told, kept in records and leagues, and refused."""

import json
import subprocess
import tomllib
from pathlib import Path

import pytest
from authored import write_bot
from command import HANDFOOT, handfoot_here
from requirement import skip_without

from referee.rules import from_bytes
from referee.service.isolation import probe, probe_bwrap

SNOOPS: str = """
from pathlib import Path
from handfoot import Bot

class Mine(Bot):
    def on_start(self, match):
        assert Path("{place}").exists() is {there}, "it is not as it should be"

    def act(self, view):
        return self.rng.choice(view.legal_actions)
"""
GREEDY_FOR_MEMORY: str = """
import os, time
from handfoot import Bot

class Mine(Bot):
    def act(self, view):
        self.block = bytearray(os.urandom(1 << 20)) * 500
        time.sleep(30)
"""
WITHOUT_SANDBOXES = ("bwrap", "--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--", HANDFOOT)
"""Runs the command where no further sandbox can be made."""


def need_bwrap() -> None:
    """Skip the test if no sandbox can be made here."""
    finding = probe_bwrap()
    if not finding.works:
        skip_without("bwrap", str(finding))


def test_the_best_level_is_used_told_and_recorded(tmp_path: Path) -> None:
    """Nothing need be said for it; bots see nothing of each other where it is a sandbox."""
    level = next(finding.level for finding in probe() if finding.works)
    other = write_bot(tmp_path / "other", "")
    mine = str(write_bot(tmp_path / "mine", SNOOPS.format(place=other / "bot.toml", there=level != "bwrap")))
    words = ("--rules", "simple", "--duplicates", 1, "--json", "--records", tmp_path / "records")
    done = handfoot_here("scrimmage", mine, "random", *words)
    assert done.exit_code == 0, done.stderr
    assert f"isolation {level}" in done.stderr
    told = json.loads(done.stdout)
    assert told["isolation"] == level
    assert told["faults"] == {"a": {}, "b": {}}
    records = [from_bytes(path.read_bytes()) for path in (tmp_path / "records").glob("*.hfr")]
    assert [record.isolation for record in records] == [level] * 2


@pytest.mark.slow
def test_where_no_sandbox_can_be_made_less_is_used_and_told_or_refused(tmp_path: Path) -> None:
    """The line says why and what would help; `require` plays nothing."""
    need_bwrap()
    words = ("scrimmage", "random", "random", "--rules", "simple", "--duplicates", "1")
    auto, required = (
        subprocess.run(
            [*WITHOUT_SANDBOXES, *words, *more], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        for more in ((), ("--isolation", "require"))
    )
    assert auto.returncode == 0, auto.stderr
    assert "isolation limits (bwrap: a sandbox cannot be made: " in auto.stderr
    assert "see docs/isolation.md" in auto.stderr
    assert required.returncode == 1
    assert required.stderr.startswith("Error: cannot isolate bots: a sandbox cannot be made: ")
    assert "got isolation 'require'; remedy: " in required.stderr
    assert required.stdout == ""


@pytest.mark.slow
def test_a_bot_over_its_memory_crashes_with_that_reason(tmp_path: Path) -> None:
    """The limit is an option; the author reads what was used and what was allowed."""
    if not probe()[1].works:
        pytest.skip("no level that limits memory works here")
    mine = str(write_bot(tmp_path / "mine", GREEDY_FOR_MEMORY))
    words = ("--rules", "simple", "--duplicates", 1, "--memory", 200, "--json")
    done = handfoot_here("scrimmage", "random", mine, *words)
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["faults"] == {"a": {}, "b": {"crash": 1}}
    assert "out of memory: " in done.stderr
    assert "expected at most 200 MiB" in done.stderr


@pytest.mark.slow
def test_a_league_keeps_its_level(tmp_path: Path) -> None:
    """It is fixed when the league is made, shown by its status, and a machine that cannot keep it plays nothing."""
    need_bwrap()
    league = tmp_path / "spring"
    words = ("league", "create", league, "--rules", "simple", "--seed", 1, "--memory", 500)
    assert "isolation bwrap" in handfoot_here(*words, "--isolation", "require").stderr
    settings = tomllib.loads((league / "league.toml").read_text())
    assert (settings["isolation"], settings["memory"]) == ("bwrap", 500)
    for bot in ("random", "greedy"):
        assert handfoot_here("league", "submit", league, bot).exit_code == 0
    refused = subprocess.run(
        [*WITHOUT_SANDBOXES, "league", "run", str(league), "--duplicates", "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 1
    assert refused.stderr.startswith("Error: cannot isolate bots: ")
    run = handfoot_here("league", "run", league, "--duplicates", 1)
    assert run.exit_code == 0, run.stderr
    assert json.loads(handfoot_here("league", "status", league, "--json").stdout)["isolation"] == "bwrap"
    assert "bots are isolated by: bwrap" in handfoot_here("league", "status", league).stdout
    [record, _] = [from_bytes(path.read_bytes()) for path in (league / "records").glob("*.hfr")]
    assert record.isolation == "bwrap"
