"""What a `bot.toml` may say, and what is said of a wrong one."""

from pathlib import Path

import pytest

from tournaments.errors import InvalidEntrant
from tournaments.manifest import Manifest, parse_manifest, read_manifest

GOOD = {"name": "careful", "version": "1.2", "language": "Python", "command": ["python", "bot.py"]}


def test_four_keys_are_enough() -> None:
    """A bot that says no more plays every ruleset and table, and one match per process."""
    assert parse_manifest(GOOD, "bot.toml") == Manifest("careful", "1.2", "Python", ("python", "bot.py"))


def test_every_key_is_read(tmp_path: Path) -> None:
    """What a file says is what the manifest holds."""
    (tmp_path / "bot.toml").write_text(
        'name = "careful"\nversion = "1.2"\nlanguage = "C++"\ncommand = ["./careful", "-q"]\n'
        'rulesets = ["online"]\nseats = [2, 4]\ntables = 8\nlegal_actions = false\nstateless = true\n'
    )
    assert read_manifest(tmp_path) == Manifest(
        "careful", "1.2", "C++", ("./careful", "-q"), ("online",), (2, 4), 8, False, True
    )


@pytest.mark.parametrize("missing", sorted(GOOD))
def test_a_missing_key_is_named(missing: str) -> None:
    """The message has the file and the key."""
    values = {key: value for key, value in GOOD.items() if key != missing}
    with pytest.raises(InvalidEntrant, match=rf"^invalid some/bot.toml: missing key '{missing}'$"):
        parse_manifest(values, "some/bot.toml")


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("build", ["make"], "unknown key 'build'"),
        ("statelss", True, "unknown key 'statelss'; expected 'stateless'"),
        ("name", "two words", "wrong 'name': got 'two words'"),
        ("name", "x" * 41, "1 to 40 letters"),
        ("name", "carriage\r", "wrong 'name'"),
        ("name", "naïve", "wrong 'name'"),
        ("name", "newline\n", "wrong 'name'"),
        ("version", 1.2, "wrong 'version': got 1.2; expected a string"),
        ("version", "", "wrong 'version'"),
        ("language", "a\x1b[31m", "printable"),
        ("command", "python bot.py", "expected a list"),
        ("command", [], "at least one string"),
        ("command", ["python", 3], "at least one string"),
        ("rulesets", ["onlin"], "'online'"),
        ("rulesets", [["online"]], "names of rulesets"),
        ("seats", [4, True], "numbers from 2 to 12"),
        ("tables", True, "expected a number"),
        ("tables", 0, "at least 1"),
        ("tables", 2, "need stateless"),
        ("legal_actions", 1, "true or false"),
    ],
)
def test_a_wrong_value_is_named(key: str, value: object, expected: str) -> None:
    """The message has the key, what was found and what was expected."""
    with pytest.raises(InvalidEntrant) as caught:
        parse_manifest(GOOD | {key: value}, "bot.toml")
    assert expected in str(caught.value)


def test_all_problems_are_told_at_once() -> None:
    """An author need not run the check once per mistake."""
    with pytest.raises(InvalidEntrant) as caught:
        parse_manifest({"name": "a b", "extra": 1}, "bot.toml")
    lines = str(caught.value).splitlines()
    assert lines[0] == "invalid bot.toml: 5 problems"
    assert len(lines) == 6


def test_a_folder_without_the_file_is_no_bot(tmp_path: Path) -> None:
    """The message has the folder."""
    with pytest.raises(InvalidEntrant, match=rf"^not a bot: {tmp_path}: it has no bot.toml$"):
        read_manifest(tmp_path)


def test_a_file_that_is_not_toml_is_named_with_the_place(tmp_path: Path) -> None:
    """The message has the file and where in it the mistake is."""
    (tmp_path / "bot.toml").write_text('name = "a"\nversion\n')
    with pytest.raises(InvalidEntrant, match=r"bot.toml: .*line 2"):
        read_manifest(tmp_path)
