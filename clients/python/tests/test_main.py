"""What the command says when a bot cannot be begun."""

from pathlib import Path

import pytest
from handfoot.__main__ import load_bot, main

RANDOM = "handfoot.bots.random:RandomBot"

SOURCE = """
from handfoot import Bot
class Idle(Bot):
    pass
class Whole(Bot):
    def act(self, view):
        return ()
number = 3
"""


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module in the current folder that has bots and other things in it."""
    name = f"bots_{tmp_path.name}".replace("-", "_")
    (tmp_path / f"{name}.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["/nowhere"])
    return name


def test_a_class_of_the_current_folder_is_loaded(bots: str) -> None:
    """A module that only the current folder has is found."""
    assert load_bot(f"{bots}:Whole").__name__ == "Whole"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("my_bot", "expected MODULE:CLASS"),
        (":MyBot", "expected MODULE:CLASS"),
        ("no_such_module:MyBot", "no module no_such_module"),
        ("handfoot.bots.nobody:Bot", "no module handfoot.bots.nobody"),
        ("{bots}:MyBot", "has no MyBot"),
        ("{bots}:number", "number is no subclass of handfoot.Bot"),
        ("{bots}:Idle", "Idle has no method act"),
    ],
)
def test_what_is_no_bot_is_refused(
    bots: str, capsys: pytest.CaptureFixture[str], name: str, reason: str
) -> None:
    """A name that leads to no bot ends with exit code 2 and one line that says why."""
    assert main([name.format(bots=bots)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert reason in printed.err
    assert printed.err.startswith("handfoot: cannot load the bot: ")
    assert printed.err.count("\n") == 1


def test_an_error_inside_the_module_is_the_authors(bots: str, tmp_path: Path) -> None:
    """A module that needs something that is not installed says so itself."""
    (tmp_path / f"{bots}_needy.py").write_text("import no_such_library\n", encoding="utf-8")
    with pytest.raises(ModuleNotFoundError, match="no_such_library"):
        load_bot(f"{bots}_needy:MyBot")


@pytest.mark.parametrize("missing", ["HANDFOOT_ADDRESS", "HANDFOOT_TOKEN"])
def test_a_missing_variable_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], missing: str
) -> None:
    """Without address or token nothing is tried."""
    monkeypatch.setenv("HANDFOOT_ADDRESS", "unix:/nowhere")
    monkeypatch.setenv("HANDFOOT_TOKEN", "secret")
    monkeypatch.delenv(missing)
    assert main([RANDOM]) == 2
    assert capsys.readouterr().err.startswith(f"handfoot: cannot find the referee: {missing} is not set")


def test_an_unreadable_certificate_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A certificate file that is not there is an error, not a stream without TLS."""
    monkeypatch.setenv("HANDFOOT_ADDRESS", "localhost:1")
    monkeypatch.setenv("HANDFOOT_TOKEN", "secret")
    monkeypatch.setenv("HANDFOOT_CA", "/no/such.pem")
    assert main([RANDOM]) == 2
    assert "'/no/such.pem'" in capsys.readouterr().err


def test_a_wrong_flag_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    """Flags that mean nothing end with exit code 2."""
    for arguments in ([], [RANDOM, "--tables", "many"], [RANDOM, "--tables", "0"], [RANDOM, "--speed"]):
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 2
    assert "usage: python -m handfoot" in capsys.readouterr().err
