"""`handfoot rules`: rulesets in words, compared, and house rules checked."""

import json
import tomllib
from pathlib import Path

import pytest
from typed_words import Handfoot

from referee.rules import BEGINNER, ONLINE, RULESETS, describe_rules, differences

KITCHEN = 'name = "kitchen table"\nbase = "beginner"\n[deal]\nhand = 11\n[pile]\nlimit = "whole"\n'


@pytest.fixture
def kitchen(tmp_path: Path) -> Path:
    """A file with house rules."""
    path = tmp_path / "kitchen.toml"
    path.write_text(KITCHEN)
    return path


def test_the_published_rulesets_are_listed(handfoot: Handfoot) -> None:
    """A line each, with what tells them apart; the default is marked in JSON."""
    lines = handfoot("rules", "list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["ruleset", *RULESETS]
    assert "4, 6, 8, 10, 12" in lines[3]
    rows = json.loads(handfoot("rules", "list", "--json").stdout)["rulesets"]
    assert [row["name"] for row in rows if row["default"]] == ["online"]
    assert [row["hash"] for row in rows] == [ruleset.hash for ruleset in RULESETS.values()]


@pytest.mark.parametrize("name", RULESETS)
def test_a_ruleset_is_shown_in_words(handfoot: Handfoot, name: str) -> None:
    """Every rule that has an effect, under its part."""
    told = handfoot("rules", "show", name).stdout
    assert told.startswith(f"published ruleset {name}, hash {RULESETS[name].hash}\n")
    for key, words in describe_rules(RULESETS[name]).items():
        assert f"  {key.rpartition('.')[2]} " in told
        assert words in told
    shown = json.loads(handfoot("rules", "show", name, "--json").stdout)
    assert (shown["name"], shown["hash"]) == (name, RULESETS[name].hash)
    assert shown["rules"]["deal"]["hand"] == RULESETS[name].deal.hand


@pytest.mark.parametrize("given", [*RULESETS, "kitchen.toml"])
def test_what_is_shown_as_toml_can_be_checked(handfoot: Handfoot, kitchen: Path, given: str) -> None:
    """It is the same game, under a name that is free."""
    text = handfoot("rules", "show", given, "--toml").stdout
    (kitchen.parent / "copy.toml").write_text(text)
    checked = handfoot("rules", "check", "copy.toml")
    assert checked.exit_code == 0
    assert handfoot("rules", "diff", given, "copy.toml").stdout.endswith(" are the same game\n")
    values = tomllib.loads(text)
    assert (values["name"], values["base"]) == (
        ("kitchen table", "beginner") if given == "kitchen.toml" else (f"my {given}", given)
    )


def test_house_rules_are_shown_like_published_ones(handfoot: Handfoot, kitchen: Path) -> None:
    """Only that they are called what they are."""
    told = handfoot("rules", "show", kitchen).stdout
    assert told.startswith("house rules kitchen table, hash ")
    assert "the whole pile is taken" in told


def test_two_rulesets_are_compared(handfoot: Handfoot, kitchen: Path) -> None:
    """Key by key in words, and as values in JSON."""
    told = handfoot("rules", "diff", "beginner", kitchen).stdout
    assert told.splitlines() == [
        "deal.hand",
        "  beginner       13 cards",
        "  kitchen table  11 cards",
        "pile.limit",
        "  beginner       the top 7 cards at most",
        "  kitchen table  the whole pile is taken",
    ]
    found = json.loads(handfoot("rules", "diff", "online", "beginner", "--json").stdout)
    assert found["a"] == {"name": "online", "hash": ONLINE.hash}
    assert [row["key"] for row in found["differences"]] == [
        key for key, _, _ in differences(ONLINE, BEGINNER)
    ]
    assert {"key": "pile.choice", "a": False, "b": True} in found["differences"]


def test_a_ruleset_is_the_same_game_as_itself(handfoot: Handfoot) -> None:
    """Then there is nothing to compare."""
    assert handfoot("rules", "diff", "online", "online").stdout == "online and online are the same game\n"
    assert json.loads(handfoot("rules", "diff", "online", "online", "--json").stdout)["differences"] == []


def test_house_rules_are_checked(handfoot: Handfoot, kitchen: Path) -> None:
    """What differs from the base is shown, so that nothing was meant otherwise."""
    told = handfoot("rules", "check", kitchen)
    assert told.exit_code == 0
    assert told.stdout.startswith("kitchen table: valid, for 4 seats, 2 differences from beginner, hash ")
    assert "  kitchen table  the whole pile is taken" in told.stdout
    checked = json.loads(handfoot("rules", "check", kitchen, "--json").stdout)
    assert (checked["valid"], checked["name"], checked["base"]) == (True, "kitchen table", "beginner")
    assert checked["problems"] == []


def test_everything_that_is_wrong_in_house_rules_is_named(handfoot: Handfoot, kitchen: Path) -> None:
    """With file and line, in text and in JSON."""
    kitchen.write_text(KITCHEN.replace("hand", "hnad").replace('"whole"', "0"))
    told = handfoot("rules", "check", "kitchen.toml")
    assert (told.exit_code, told.stdout) == (1, "")
    assert told.stderr.splitlines() == [
        "Error: invalid house rules kitchen.toml: 2 problems",
        "  line 4: unknown key 'deal.hnad'; expected 'deal.hand'",
        "  line 6: impossible ruleset: pile.limit must be between 1 and 100; got 0",
    ]
    told = handfoot("rules", "check", "kitchen.toml", "--json")
    assert told.exit_code == 1
    checked = json.loads(told.stdout)
    assert (checked["file"], checked["valid"]) == ("kitchen.toml", False)
    assert [(each["line"], each["key"]) for each in checked["problems"]] == [
        (4, "deal.hnad"),
        (6, "pile.limit"),
    ]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["show", "onlin"], 2, "there is none of that name and no such file; got 'onlin'; expected 'online'"),
        (["show", "gone.toml"], 1, "invalid house rules gone.toml: No such file or directory"),
        (["show", "online", "--toml", "--json"], 2, "--toml and --json do not go together"),
        (["diff", "online"], 2, "Missing argument 'B'"),
        (["diff", "online", "bad.toml"], 1, "invalid house rules bad.toml, line 3: unknown key 'x'"),
        (["check", "online"], 2, "File 'online' does not exist"),
        (["check", "bad.toml"], 1, "invalid house rules bad.toml, line 3: unknown key 'x'"),
    ],
)
def test_wrong_words_are_told(
    handfoot: Handfoot, tmp_path: Path, words: list[str], code: int, said: str
) -> None:
    """The message says what was wrong and what was expected; nothing goes to standard output."""
    (tmp_path / "bad.toml").write_text('name = "bad"\nbase = "online"\nx = 1\n')
    told = handfoot("rules", *words)
    assert (told.exit_code, told.stdout) == (code, "")
    assert said in told.stderr


@pytest.mark.parametrize(
    "words", [["scrimmage", "greedy", "random", "--rules"], ["league", "create", "spring", "--rules"]]
)
def test_wrong_house_rules_stop_what_would_be_played_by_them(
    handfoot: Handfoot, kitchen: Path, words: list[str]
) -> None:
    """Before anything is made."""
    kitchen.write_text(KITCHEN.replace("11", "110"))
    told = handfoot(*words, kitchen)
    assert (told.exit_code, told.stdout) == (1, "")
    assert f"invalid house rules {kitchen}, line 4: impossible ruleset: deal.hand" in told.stderr
    assert [path.name for path in kitchen.parent.iterdir()] == ["kitchen.toml"]


def test_a_league_is_made_by_house_rules(handfoot: Handfoot, kitchen: Path) -> None:
    """It has its own copy, and says their name."""
    told = handfoot("league", "create", "spring", "--rules", "kitchen.toml", "--seed", 1)
    assert "made league 'spring' of kitchen table" in told.stderr
    kitchen.write_text("changed")
    assert (kitchen.parent / "spring" / "house-rules.toml").read_text() == KITCHEN
    assert json.loads(handfoot("league", "status", "spring", "--json").stdout)["ruleset"] == "kitchen table"
