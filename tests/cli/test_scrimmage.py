"""`handfoot scrimmage`: what is refused before anything is played. Playing is tested end to end."""

from pathlib import Path

import pytest
from authored import PLAYS_BY_CHANCE, write_bot
from typed_words import Handfoot


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (
            ["stedy", "random"],
            1,
            "unknown bot: neither a house bot nor a folder; got 'stedy'; expected 'steady'",
        ),
        ([], 2, "Missing argument 'BOT BOT [BOT]...'"),
        (["greedy"], 2, "online at 4 seats is played by 2 sides; got 1; expected 2, one for each side"),
        (["greedy", "random", "steady"], 2, "got 3; expected 2, one for each side, or --seats 3"),
        (["greedy", "random", "--seats", "3"], 2, "expected 3, one for each side, or --seats 2 or 4"),
        (["greedy", "random", "--seats", "5"], 2, "online is played with 2, 3, 4; got 5"),
        (["greedy", "random", "--rules", "publisher", "--seats", "3"], 2, "with 4, 6, 8, 10, 12; got 3"),
        (["greedy", "random", "--rules", "simple", "--seats", "2"], 2, "simple is played with 4; got 2"),
        (["greedy+random", "random", "--seats", "2"], 1, "invalid partnership: it needs 1 bot; got"),
        (["greedy", "random", "--rules", "onlin"], 2, "got 'onlin'; expected 'online'"),
        (["greedy", "random", "--duplicates", "0"], 2, "0 is not in the range"),
        (["greedy", "random", "--duplicates", "many"], 2, "'many' is not a valid integer"),
        (["greedy", "random", "--workers", "0"], 2, "0 is not in the range"),
        (["greedy", "random", "--seed", "-1"], 2, "-1 is not in the range"),
        (["greedy", "random", "--time", "soon"], 2, "expected TURN+BANK such as '1s+30s'"),
        (["greedy+random+random", "random"], 1, "invalid partnership: it needs 2 bots"),
        (["greedy", "random", "--jsn"], 2, "No such option"),
    ],
)
def test_wrong_words_are_told_in_one_line(
    handfoot: Handfoot, words: list[str], code: int, message: str
) -> None:
    """The message says what was wrong and what was expected; nothing goes to standard output."""
    told = handfoot("scrimmage", *words)
    assert told.exit_code == code
    assert message in told.stderr
    assert told.stdout == ""


def test_a_folder_that_is_no_bot_is_named(handfoot: Handfoot, tmp_path: Path) -> None:
    """Without a bot.toml there is no bot."""
    (tmp_path / "mine").mkdir()
    told = handfoot("scrimmage", "mine", "random")
    assert told.exit_code == 1
    assert told.stderr == f"Error: not a bot: {tmp_path / 'mine'}: it has no bot.toml\n"


def test_a_wrong_description_is_told_with_file_and_key(handfoot: Handfoot, tmp_path: Path) -> None:
    """Unknown keys are errors, the one for a later version too."""
    write_bot(tmp_path / "mine", PLAYS_BY_CHANCE, more='build = ["make"]\n')
    told = handfoot("scrimmage", "mine", "random")
    assert told.exit_code == 1
    assert f"invalid {tmp_path / 'mine' / 'bot.toml'}: unknown key 'build'" in told.stderr


def test_a_command_that_does_not_exist_is_shown(handfoot: Handfoot, tmp_path: Path) -> None:
    """The author sees the command and the folder before anything is played."""
    write_bot(tmp_path / "mine", PLAYS_BY_CHANCE, command='["gnuplayer", "--fast"]')
    told = handfoot("scrimmage", "mine", "random")
    assert told.exit_code == 1
    assert "cannot start mine@1: there is no program 'gnuplayer' on the PATH" in told.stderr
    assert "command: ['gnuplayer', '--fast']" in told.stderr
    assert f"folder: {tmp_path / 'mine'}" in told.stderr


def test_a_bot_that_does_not_play_the_ruleset_is_refused(handfoot: Handfoot, tmp_path: Path) -> None:
    """A bot says what it can play."""
    write_bot(tmp_path / "mine", PLAYS_BY_CHANCE, more='rulesets = ["simple"]\n')
    told = handfoot("scrimmage", "mine", "random", "--rules", "online")
    assert told.exit_code == 1
    assert "unfit bot mine@1: it plays only simple; got 'online'" in told.stderr


def test_a_bot_that_does_not_play_at_the_table_is_refused(handfoot: Handfoot, tmp_path: Path) -> None:
    """It names the numbers of seats that it is made for."""
    write_bot(tmp_path / "mine", PLAYS_BY_CHANCE, more="seats = [2, 4]\n")
    told = handfoot("scrimmage", "greedy", "mine", "random", "--seats", "3")
    assert told.exit_code == 1
    assert "unfit bot mine@1: it plays only at 2, 4 seats; got 3" in told.stderr


def test_records_need_a_folder_that_can_be_written(handfoot: Handfoot, tmp_path: Path) -> None:
    """It is told before anything is played."""
    (tmp_path / "taken").write_text("a file")
    told = handfoot("scrimmage", "greedy", "random", "--records", tmp_path / "taken" / "below")
    assert told.exit_code == 1
    assert "Not a directory" in told.stderr
