"""Finding entrants and what starts them."""

import sys
from pathlib import Path

import pytest

from tournaments.entrants import bot_spec, entrant_in, find_entrant, refuse_unfit, resolve_command
from tournaments.errors import InvalidEntrant
from tournaments.partnerships import mirrored, mixed


def write_bot(folder: Path, command: str = '["python", "bot.py"]', more: str = "") -> Path:
    """Make a folder with a `bot.toml` and return it."""
    folder.mkdir(exist_ok=True)
    text = f'name = "{folder.name}"\nversion = "1"\nlanguage = "Python"\ncommand = {command}\n{more}'
    (folder / "bot.toml").write_text(text)
    return folder


def test_python_is_the_interpreter_that_runs_this(tmp_path: Path) -> None:
    """A bot written on the client package finds it without an environment of its own."""
    for word in ("python", "python3"):
        bot = entrant_in(write_bot(tmp_path / "bot", f'["{word}", "bot.py"]'))
        assert resolve_command(bot) == (sys.executable, "bot.py")


def test_a_word_is_looked_up_on_the_path(tmp_path: Path) -> None:
    """Other programs start by their full path, since bots get a short PATH of their own."""
    bot = entrant_in(write_bot(tmp_path / "bot", '["sh", "-c", "true"]'))
    program, *rest = resolve_command(bot)
    assert Path(program).is_absolute()
    assert Path(program).name == "sh"
    assert rest == ["-c", "true"]


def test_a_path_with_a_slash_is_inside_the_folder(tmp_path: Path) -> None:
    """A compiled bot brings its program along."""
    folder = write_bot(tmp_path / "bot", '["./run"]')
    (folder / "run").write_text("#!/bin/sh\n")
    (folder / "run").chmod(0o755)
    assert resolve_command(entrant_in(folder)) == (str(folder / "run"),)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ('["no-such-program"]', "there is no program 'no-such-program' on the PATH"),
        ('["./no-such-file"]', "there is no file './no-such-file'"),
        ('["../outside/run"]', "lies outside its folder"),
        ('["./bot.toml"]', "may not be executed"),
    ],
)
def test_a_command_that_cannot_start_is_shown(tmp_path: Path, command: str, reason: str) -> None:
    """The message has the command and the folder."""
    bot = entrant_in(write_bot(tmp_path / "bot", command))
    with pytest.raises(InvalidEntrant) as caught:
        resolve_command(bot)
    assert reason in str(caught.value)
    assert f"folder: {tmp_path / 'bot'}" in str(caught.value)
    assert f"command: {command.replace(chr(34), chr(39))}" in str(caught.value)


def test_a_program_that_is_missing_later_is_left_to_the_referee(tmp_path: Path) -> None:
    """A league does not stop for a bot that cannot start; the bot does not show."""
    bot = entrant_in(write_bot(tmp_path / "bot", '["no-such-program"]'))
    assert bot_spec(bot).command == ("no-such-program",)


def test_house_bots_are_found_by_name() -> None:
    """A house bot has no folder, and a hash of its own."""
    bots = [find_entrant(name) for name in ("greedy", "random", "searcher", "steady")]
    assert [bot.name for bot in bots] == ["greedy", "random", "searcher", "steady"]
    assert len({bot.hash for bot in bots}) == 4
    assert all(bot.folder is None and bot.manifest.stateless for bot in bots)


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        ("stedy", "unknown bot: neither a house bot nor a folder; got 'stedy'; expected 'steady'"),
        ("./nowhere", "unknown bot: neither a house bot nor a folder; got './nowhere'"),
    ],
)
def test_an_unknown_bot_gets_a_suggestion(bot: str, message: str) -> None:
    """A misspelt name is answered with the closest one."""
    with pytest.raises(InvalidEntrant) as caught:
        find_entrant(bot)
    assert str(caught.value).startswith(message)


def test_a_bot_is_refused_what_it_does_not_play(tmp_path: Path) -> None:
    """Rulesets and table sizes that a bot does not name are not asked of it."""
    bot = entrant_in(write_bot(tmp_path / "bot", more='rulesets = ["online"]\nseats = [4]\n'))
    refuse_unfit(bot, "online", 4)
    with pytest.raises(InvalidEntrant, match="it plays only online; got 'simple'"):
        refuse_unfit(bot, "simple", 4)
    with pytest.raises(InvalidEntrant, match="it plays only at 4 seats; got 2"):
        refuse_unfit(bot, "online", 2)


def test_a_mixed_partnership_does_not_depend_on_the_order_of_naming(tmp_path: Path) -> None:
    """A+B and B+A are one entity, and another one than A+A."""
    one, other = (entrant_in(write_bot(tmp_path / name)) for name in ("one", "other"))
    assert mixed([one, other], 2) == mixed([other, one], 2)
    assert mixed([one, other], 2).hash not in {mirrored(one, 2).hash, mirrored(other, 2).hash}
    assert mixed([other, one], 2).label == "one@1 + other@1"
    assert mixed([one, one], 2) == mirrored(one, 2)
    assert mirrored(one, 1).hash == one.hash
    with pytest.raises(InvalidEntrant, match="it needs 2 bots"):
        mixed([one], 2)
