"""`handfoot league` and `handfoot publish` without a match: making, entering, looking, and what is refused."""

import json
from pathlib import Path

import pytest
from authored import EXITS_AT_ONCE, PLAYS_BY_CHANCE, write_bot
from typed_words import Handfoot


def test_a_league_is_made_with_its_settings(handfoot: Handfoot, tmp_path: Path) -> None:
    """Without a seed, the settings are committed to a secret that only its owner reads."""
    assert handfoot("league", "create", "winter", "--rules", "beginner", "--time", "2s").exit_code == 0
    settings = (tmp_path / "winter" / "league.toml").read_text()
    for line in ('name = "winter"', 'ruleset = "beginner"', 'time = "2s+0s"', 'commitment = "'):
        assert line in settings
    assert "seed" not in settings
    assert (tmp_path / "winter" / "secret.key").stat().st_mode & 0o777 == 0o600


def test_a_seed_makes_a_league_without_a_secret(league: Path) -> None:
    """A reproducible league says so."""
    assert "seed = 7" in (league / "league.toml").read_text()
    assert not (league / "secret.key").exists()


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["create", "spring"], 1, "cannot create league: the folder is not empty"),
        (["create", "new", "--rules", "onlin"], 2, "expected 'online'"),
        (["create", "new", "--duplicates", "-3"], 2, "not in the range"),
        (["create", "new", "--seats", "5"], 2, "online is played with 2, 3, 4; got 5"),
        (["create", "new", "--rules", "beginner", "--seats", "3"], 2, "beginner is played with 4; got 3"),
        (
            ["submit", "spring", "gredy"],
            1,
            "unknown bot: neither a house bot nor a folder; got 'gredy'; expected 'greedy'",
        ),
        (["submit", "nowhere", "greedy"], 1, "not a league: there is no such folder; got 'nowhere'"),
        (["run", "."], 1, "not a league: it has no league.toml"),
        (["run", "spring", "--duplicates", "1000000"], 2, "not in the range"),
        (["status", "nowhere"], 1, "not a league"),
        (["standings", "nowhere"], 1, "not a league"),
    ],
)
def test_wrong_words_are_told_in_one_line(
    handfoot: Handfoot, league: Path, words: list[str], code: int, message: str
) -> None:
    """The message says what was wrong, nothing is printed as data, and nothing is left behind."""
    told = handfoot("league", *words)
    assert told.exit_code == code
    assert message in told.stderr
    assert told.stdout == ""
    assert [path.name for path in league.parent.iterdir()] == ["spring"]


def test_a_submitted_folder_is_copied_under_its_hash(handfoot: Handfoot, league: Path) -> None:
    """What is changed afterwards does not change what plays; the same content is entered once."""
    bot = write_bot(league.parent / "mine", PLAYS_BY_CHANCE)
    assert "mine@1 entered" in handfoot("league", "submit", "spring", bot).stderr
    [copy] = (league / "entrants").iterdir()
    (bot / "mine.py").write_text(EXITS_AT_ONCE)
    assert (copy / "mine.py").read_text() == PLAYS_BY_CHANCE
    (bot / "mine.py").write_text(PLAYS_BY_CHANCE)
    assert "was entered before" in handfoot("league", "submit", "spring", bot).stderr
    assert list((league / "entrants").iterdir()) == [copy]


def test_changed_content_needs_another_version(handfoot: Handfoot, league: Path) -> None:
    """Two bots of one name and version would be one on the board; nothing of the second one stays."""
    bot = write_bot(league.parent / "mine", PLAYS_BY_CHANCE)
    handfoot("league", "submit", "spring", bot)
    before = sorted((league / "entrants").iterdir())
    (bot / "mine.py").write_text(EXITS_AT_ONCE)
    told = handfoot("league", "submit", "spring", bot)
    assert told.exit_code == 1
    assert "another bot has this name and version; got 'mine@1'; expected a new version" in told.stderr
    assert sorted((league / "entrants").iterdir()) == before


def test_a_league_of_a_table_size_takes_only_bots_that_play_at_it(handfoot: Handfoot, tmp_path: Path) -> None:
    """Its settings name the seats; a bot that names others is refused, and too few for a table are counted."""
    assert handfoot("league", "create", "three", "--seats", "3", "--seed", "7").exit_code == 0
    assert "seats = 3" in (tmp_path / "three" / "league.toml").read_text()
    for name, more in (("four", "seats = [4]\n"), ("simple", 'rulesets = ["simple"]\n')):
        told = handfoot("league", "submit", "three", write_bot(tmp_path / name, PLAYS_BY_CHANCE, more=more))
        assert (told.exit_code, f"unfit bot {name}@1: it plays only" in told.stderr) == (1, True)
    assert list((tmp_path / "three" / "entrants").iterdir()) == []
    fits = write_bot(tmp_path / "fits", PLAYS_BY_CHANCE, more='seats = [3]\nrulesets = ["online"]\n')
    assert handfoot("league", "submit", "three", fits).exit_code == 0
    handfoot("league", "submit", "three", "greedy")
    told = handfoot("league", "run", "three")
    assert (told.exit_code, "it needs at least 3 entrants" in told.stderr) == (1, True)
    handfoot("league", "submit", "three", "random")
    assert json.loads(handfoot("league", "status", "three", "--json").stdout)["pending"] == 100
    board = json.loads(handfoot("league", "standings", "three", "--json").stdout)
    assert {row["partnership"].partition("@")[0] for row in board["rows"]} == {"fits", "greedy", "random"}
    assert not any("+" in row["partnership"] for row in board["rows"])


def test_a_league_of_one_cannot_be_played(handfoot: Handfoot) -> None:
    """The message says what to do."""
    handfoot("league", "create", "lonely")
    handfoot("league", "submit", "lonely", "greedy")
    told = handfoot("league", "run", "lonely")
    assert told.exit_code == 1
    assert "add them with `handfoot league submit`" in told.stderr


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "format = 1",
            "format = 2",
            "a newer version of handfoot made this league: its format is 2; expected 1",
        ),
        ("format = 1\n", "", "missing key 'format'"),
        ("seats = 4", "seat = 4", "missing key 'seats'"),
        ("seats = 4", "seats = 4\nseets = 4", "unknown key 'seets'; expected 'seats'"),
        ("seats = 4", 'seats = "four"', "wrong 'seats'; got 'four'; expected a number"),
        ("seats = 4", "seats = 5", "unsupported number of seats"),
        ("seed = 7", "seed = 8", "changed league: 'seed' is not what the league began with"),
        (
            'ruleset = "simple"',
            'ruleset = "online"',
            "changed league: 'rules_hash' is not what the league began with",
        ),
        ('ruleset = "simple"', "ruleset =", "line"),
        ("duplicates = 100", "duplicates = 0", "wrong 'duplicates'"),
    ],
)
def test_wrong_settings_are_named(handfoot: Handfoot, league: Path, old: str, new: str, message: str) -> None:
    """A settings file that somebody edited is read whole, and the wrong key is named."""
    settings = league / "league.toml"
    settings.write_text(settings.read_text().replace(old, new))
    told = handfoot("league", "status", "spring")
    assert told.exit_code == 1
    assert message in told.stderr


def test_a_secret_that_was_exchanged_is_found_out(handfoot: Handfoot, tmp_path: Path) -> None:
    """The deals of a league follow from the secret that it is committed to."""
    handfoot("league", "create", "winter")
    secret = tmp_path / "winter" / "secret.key"
    secret.write_text("00" * 32)
    told = handfoot("league", "status", "winter")
    assert told.exit_code == 1
    assert "secret.key is not what league.toml is committed to" in told.stderr


def test_a_league_in_which_nothing_was_played_has_a_board(handfoot: Handfoot, league: Path) -> None:
    """Status and standings are there from the beginning, as text and as JSON."""
    status = json.loads(handfoot("league", "status", "spring", "--json").stdout)
    assert (status["done"], status["pending"], status["given_up"]) == (0, 100, 0)
    standings = json.loads(handfoot("league", "standings", "spring", "--json").stdout)
    assert standings["league"] == "spring"
    assert standings["ruleset"] == "simple"
    assert standings["units"] == 0
    assert {row["mu"] for row in standings["rows"]} == {25.0}
    assert "greedy@" in handfoot("league", "standings", "spring").stdout
    assert "100" in handfoot("league", "status", "spring").stdout


def test_an_output_folder_that_cannot_be_written_is_named(handfoot: Handfoot, league: Path) -> None:
    """Nothing is half published."""
    (league.parent / "taken").write_text("a file")
    told = handfoot("publish", "spring", league.parent / "taken" / "out")
    assert told.exit_code in (1, 2)
    assert "taken" in told.stderr
    assert (league.parent / "taken").read_text() == "a file"


def test_a_database_that_is_none_is_told(handfoot: Handfoot, league: Path) -> None:
    """A damaged league is one clear message."""
    (league / "league.db").write_bytes(b"not a database, and long enough to look like a damaged one" * 100)
    told = handfoot("league", "status", "spring")
    assert told.exit_code == 1
    assert "league.db" in told.stderr
    assert "Traceback" not in told.stderr
