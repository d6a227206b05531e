"""House rules with real bots: what was played by them can be verified without their file."""

import json
from pathlib import Path

import pytest
from command import handfoot_here

from referee.rules import parse_house_rules

KITCHEN = """\
name = "kitchen table"
base = "simple"
red_threes = "held"

[deal]
hand = 11
packs = 4

[pile]
limit = "whole"

[going_out]
final_discard = "required"
"""


def test_a_scrimmage_by_house_rules_is_recorded_and_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bots are told the rules, records hold them, and replay, show and export need nothing else."""
    monkeypatch.chdir(tmp_path)
    rules = tmp_path / "kitchen.toml"
    rules.write_text(KITCHEN)
    words = ("--rules", rules, "--duplicates", 1, "--seed", 5, "--records", "kept", "--json")
    done = handfoot_here("scrimmage", "greedy", "random", *words)
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["ruleset"], told["faults"]) == ("kitchen table", {"a": {}, "b": {}})
    rules.unlink()
    verified = handfoot_here("replay", "verify", "kept", "--json")
    assert verified.exit_code == 0, verified.stdout
    files = json.loads(verified.stdout)["files"]
    assert {each["rules_hash"] for each in files} == {parse_house_rules(KITCHEN, "kitchen").hash}
    legs = {leg["match"]: leg for leg in told["results"][0]["legs"]}
    for each in files:
        exported = json.loads(handfoot_here("replay", "export", each["file"], "--json").stdout)
        assert sorted(exported["totals"]) == sorted(legs[each["match"]]["scores"])
        assert {len(hand) for hand in exported["rounds"][0]["hands"]} == {11}
        shown = handfoot_here("replay", "show", each["file"]).stdout
        assert "\nhouse rules kitchen table (" in shown
