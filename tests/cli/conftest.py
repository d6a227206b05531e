"""What tests of the command line share."""

from pathlib import Path

import pytest
from command import handfoot_here
from typed_words import Handfoot


@pytest.fixture
def handfoot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Handfoot:
    """Run commands in an empty folder; a crash of the command is a crash of the test."""
    monkeypatch.chdir(tmp_path)
    return handfoot_here


@pytest.fixture
def league(handfoot: Handfoot, tmp_path: Path) -> Path:
    """A reproducible league of two bots of the house in which nothing was played."""
    for words in (["create", "spring", "--rules", "simple", "--seed", "7"], ["submit", "spring", "greedy"]):
        assert handfoot("league", *words).exit_code == 0
    assert handfoot("league", "submit", "spring", "random").exit_code == 0
    return tmp_path / "spring"
