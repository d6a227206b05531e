"""`handfoot bot`, `handfoot completion` and `handfoot --version`."""

import json
from importlib.metadata import version

import pytest
from click.shell_completion import ShellComplete
from typed_words import Handfoot

from tournaments.cli import main


def test_the_house_bots_are_listed(handfoot: Handfoot) -> None:
    """The list has each bot with its version and how it plays, as text and as JSON."""
    text = handfoot("bot", "list")
    plain = json.loads(handfoot("bot", "list", "--json").stdout)
    assert [bot["name"] for bot in plain["bots"]] == ["greedy", "random", "searcher", "steady"]
    for bot in plain["bots"]:
        assert f"{bot['name']}" in text.stdout
        assert bot["description"] in text.stdout
        assert bot["description"].endswith(".")


def test_the_version_is_that_of_the_package(handfoot: Handfoot) -> None:
    """What is told is what is installed."""
    assert handfoot("--version").stdout == f"handfoot {version('handfoot')}\n"


@pytest.mark.parametrize("shell", ["bash", "fish", "zsh"])
def test_every_shell_gets_its_completion(handfoot: Handfoot, shell: str) -> None:
    """The script that a shell reads names the command."""
    told = handfoot("completion", shell)
    assert told.exit_code == 0
    assert "_HANDFOOT_COMPLETE" in told.stdout


@pytest.mark.parametrize(
    ("words", "incomplete", "expected"),
    [
        ([], "sc", ["scrimmage"]),
        (["league"], "st", ["standings", "status"]),
        (["scrimmage"], "gr", ["greedy", "gr"]),
        (["scrimmage", "greedy", "random", "--rules"], "p", ["publisher", "p"]),
        (["scrimmage"], "--dup", ["--duplicates"]),
    ],
)
def test_names_are_completed(words: list[str], incomplete: str, expected: list[str]) -> None:
    """Commands, options, house bots and rulesets are offered; for a bot folders too, for a ruleset files."""
    found = ShellComplete(main, {}, "handfoot", "_HANDFOOT_COMPLETE").get_completions(words, incomplete)
    assert [item.value for item in found] == expected


def test_a_misspelt_command_gets_a_suggestion(handfoot: Handfoot) -> None:
    """Wrong usage is exit code 2, and the closest command is named."""
    told = handfoot("scrimage", "greedy", "random")
    assert told.exit_code == 2
    assert "no such command 'scrimage'; expected 'scrimmage'" in told.stderr
