"""`handfoot replay`: matches as text, verified, and for other programs."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from recorded import SMALL, forged, played
from typed_words import Handfoot

from referee.rules import RULESETS, export_record, from_bytes, narrate, show_at, to_bytes
from tournaments.cli.layout import WIDTH, laid_out

KEPT = Path(__file__).parents[1] / "golden" / "records"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The file of a small record."""
    return Path(shutil.copy(KEPT / "short-for-two.hfr", tmp_path / "small.hfr"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with three records, one of them further down, and another file."""
    below = tmp_path / "records" / "below"
    below.mkdir(parents=True)
    for place, name in ((below.parent, "one"), (below.parent, "two"), (below, "three")):
        (place / f"{name}.hfr").write_bytes(to_bytes(played(SMALL, 2, name)))
    (below / "notes.txt").write_text("no record")
    return below.parent


def test_a_match_is_told_as_text(handfoot: Handfoot, record: Path) -> None:
    """The whole match, one round of it, or the table at a moment."""
    match = from_bytes(record.read_bytes())
    assert handfoot("replay", "show", record).stdout.splitlines() == list(narrate(match))
    assert handfoot("replay", "show", record, "--round", 1).stdout.splitlines() == list(narrate(match, 0))
    assert handfoot("replay", "show", record, "--at", 24).stdout.splitlines() == list(show_at(match, 24))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--at", "67"], "no such action; got 67; expected a number from 1 to 66"),
        (["--at", "0"], "0 is not in the range x>=1"),
        (["--round", "2"], "no such round; got 2; expected a number from 1 to 1"),
        (["--round", "1", "--at", "2"], "--at and --round do not go together"),
    ],
)
def test_a_moment_that_there_is_not_is_wrong_usage(
    handfoot: Handfoot, record: Path, words: list[str], said: str
) -> None:
    """The message says what there is, and nothing is printed as data."""
    told = handfoot("replay", "show", record, *words)
    assert (told.exit_code, told.stdout) == (2, "")
    assert said in told.stderr


def test_a_folder_of_records_is_verified(handfoot: Handfoot, folder: Path) -> None:
    """Everything in it and below, each once; progress is no data."""
    told = handfoot("replay", "verify", folder, folder / "one.hfr")
    assert (told.exit_code, told.stdout) == (0, "3 records verified, 0 refused\n")
    assert told.stderr == "verify: 3 of 3 records\n"


def test_what_is_refused_is_named(handfoot: Handfoot, folder: Path) -> None:
    """Each with its file and the place, and the others are still verified."""
    whole = (folder / "one.hfr").read_bytes()
    (folder / "one.hfr").write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    changed = forged((folder / "two.hfr").read_bytes(), lambda record: record["totals"].reverse())
    (folder / "two.hfr").write_bytes(changed)
    told = handfoot("replay", "verify", folder)
    assert told.exit_code == 1
    lines = told.stdout.splitlines()
    assert lines[0].startswith(
        f"{folder / 'one.hfr'}: damaged record: the digest in the first line is not that of"
    )
    assert lines[1].startswith(
        f"{folder / 'two.hfr'}: the record does not replay: the list of totals differs; got ["
    )
    assert lines[2:] == ["1 record verified, 2 refused"]


def test_verdicts_are_there_as_json(handfoot: Handfoot, folder: Path) -> None:
    """Per file with its match and ruleset, and counted."""
    (folder / "two.hfr").write_text("no record")
    told = handfoot("replay", "verify", folder, "--json")
    assert told.exit_code == 1
    verdicts = json.loads(told.stdout)
    assert (verdicts["records"], verdicts["verified"], verdicts["refused"]) == (3, 2, 1)
    three, one, two = verdicts["files"]
    assert (three["file"], three["match"]) == (str(folder / "below" / "three.hfr"), "000000-three")
    assert (one["ruleset"], one["rules_hash"], one["rounds"]) == (SMALL.name, SMALL.hash, 1)
    assert one["actions"] == len(played(SMALL, 2, "one").actions)
    assert (one["verified"], one["problem"]) == (True, None)
    assert (two["verified"], two["match"]) == (False, None)
    assert two["problem"] == "not a record: the first line is not that of a record"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["verify"], 2, "Missing argument 'FILE|DIR...'"),
        (["verify", "nowhere"], 2, "Path 'nowhere' does not exist"),
        (["verify", "."], 1, "no records in .; expected files whose names end in .hfr"),
        (["show", "nowhere.hfr"], 2, "File 'nowhere.hfr' does not exist"),
        (["show", "."], 2, "File '.' is a directory"),
        (["show", "notes.txt"], 1, "notes.txt: not a record: the first line is not that of a record"),
        (["export", "notes.txt"], 1, "notes.txt: not a record"),
    ],
)
def test_what_is_no_record_is_told(
    handfoot: Handfoot, tmp_path: Path, words: list[str], code: int, said: str
) -> None:
    """An empty folder is not a verified one."""
    (tmp_path / "notes.txt").write_text("nothing")
    told = handfoot("replay", *words)
    assert (told.exit_code, told.stdout) == (code, "")
    assert said in told.stderr


def test_a_match_is_exported_as_json(handfoot: Handfoot, record: Path) -> None:
    """The same with and without --json, laid out so that a person can read it."""
    told = handfoot("replay", "export", record)
    assert json.loads(told.stdout) == export_record(from_bytes(record.read_bytes()))
    assert handfoot("replay", "export", record, "--json").stdout == told.stdout
    assert max(map(len, told.stdout.splitlines())) <= WIDTH
    assert '"upcard": "Qs",' in told.stdout


def test_a_record_that_does_not_replay_is_shown_to_there_and_not_exported(
    handfoot: Handfoot, record: Path
) -> None:
    """Whoever looks for the place sees what came before it."""
    match = from_bytes(record.read_bytes())
    actions = match.actions[:29] + match.actions[30:]
    record.write_bytes(to_bytes(replace(match, actions=actions)))
    shown = handfoot("replay", "show", record)
    assert shown.exit_code == 1
    assert shown.stdout.splitlines() == list(narrate(match))[: len(shown.stdout.splitlines())]
    assert shown.stdout.splitlines()[-1].startswith("   29 ")
    assert shown.stderr.startswith("Error: the record does not replay: ")
    assert "round 1 action 30" in shown.stderr
    exported = handfoot("replay", "export", record)
    assert (exported.exit_code, exported.stdout) == (1, "")
    assert "does not replay" in exported.stderr


@pytest.mark.parametrize(
    "value", [[], {}, {"a": []}, ["x" * 200], [["x" * 30] * 9], {"k" * 60: {"v" * 60: 1}}, "x" * 300, None]
)
@pytest.mark.parametrize("width", [20, 60, 110])
def test_laid_out_json_is_the_same_json(value: object, width: int) -> None:
    """Only blanks differ, and nothing is broken that would fit."""
    text = laid_out(value, width=width)
    assert json.loads(text) == value
    assert ("\n" in text) == (len(json.dumps(value)) >= width and bool(value) and not isinstance(value, str))


def test_a_large_export_keeps_its_lines_short(handfoot: Handfoot, tmp_path: Path) -> None:
    """A table of twelve has long lists."""
    path = tmp_path / "large.hfr"
    path.write_bytes(to_bytes(played(RULESETS["publisher"], 12, "large", most_actions=100)))
    told = handfoot("replay", "export", path)
    assert max(map(len, told.stdout.splitlines())) <= WIDTH
    assert len(json.loads(told.stdout)["rounds"][0]["hands"]) == 12
