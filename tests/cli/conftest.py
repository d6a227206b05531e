"""What tests of the command line share: a command is a list of words, and its result has text and exit code."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from typed_words import Handfoot

from tournaments.cli import main


@pytest.fixture
def handfoot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Handfoot:
    """Run a command in an empty folder; a crash of the command is a crash of the test."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str | Path) -> Result:
        result = CliRunner().invoke(main, [str(word) for word in words], prog_name="handfoot")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def league(handfoot: Handfoot, tmp_path: Path) -> Path:
    """A reproducible league of two bots of the house in which nothing was played."""
    for words in (["create", "spring", "--rules", "simple", "--seed", "7"], ["submit", "spring", "greedy"]):
        assert handfoot("league", *words).exit_code == 0
    assert handfoot("league", "submit", "spring", "random").exit_code == 0
    return tmp_path / "spring"
