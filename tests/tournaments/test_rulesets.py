"""Rulesets as people give them, and leagues that are played by house rules."""

from pathlib import Path

import pytest

from referee.rules import ONLINE, InvalidHouseRules, differences
from tournaments.errors import InvalidLeague, TournamentError
from tournaments.integrity import seed_secret
from tournaments.jobs import Job, job_of
from tournaments.leagues.league import League, create_league, open_league
from tournaments.leagues.settings import LeagueSettings, read_settings
from tournaments.rulesets import MOST_BYTES, find_rules, ruleset_of
from tournaments.schedule import Unit
from tournaments.terms import Terms

KITCHEN = '# ours\nname = "kitchen table"\nbase = "online"\n[pile]\nlimit = "whole"\n'


@pytest.fixture
def kitchen(tmp_path: Path) -> Path:
    """A file with house rules."""
    path = tmp_path / "kitchen.toml"
    path.write_text(KITCHEN)
    return path


@pytest.fixture
def league(tmp_path: Path, kitchen: Path) -> League:
    """A league that is played by them."""
    rules = find_rules(str(kitchen))
    terms = Terms(rules.name, house_rules=rules.text)
    return create_league(tmp_path / "spring", LeagueSettings("spring", terms, 2, 5, None), seed_secret(5))


def test_a_ruleset_is_given_by_name_or_by_file(kitchen: Path) -> None:
    """A published ruleset has no text of its own."""
    published, own = find_rules("online"), find_rules(str(kitchen))
    assert (published.ruleset, published.text) == (ONLINE, None)
    assert (own.name, own.text) == ("kitchen table", KITCHEN)
    assert differences(published.ruleset, own.ruleset) == (("pile.limit", 7, None),)


def test_a_file_may_have_any_name(tmp_path: Path) -> None:
    """What exists is read; what ends in .toml is meant to be a file."""
    (tmp_path / "rules").write_text(KITCHEN)
    assert find_rules(str(tmp_path / "rules")).name == "kitchen table"
    with pytest.raises(
        InvalidHouseRules, match=r"invalid house rules .*gone\.toml: No such file or directory"
    ):
        find_rules(str(tmp_path / "gone.toml"))
    with pytest.raises(TournamentError, match="no such file; got 'onlin'; expected 'online'"):
        find_rules("onlin")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe", "not a text: 'utf-8' codec can't decode byte 0xff"),
        (b"#" * (MOST_BYTES + 1), f"more than {MOST_BYTES} bytes are no house rules"),
        (b"PK, not rules", r"Expected .* \(at line 1, column"),
        (b"", "2 problems\n  missing key 'name'\n  missing key 'base'"),
    ],
)
def test_a_file_that_is_no_house_rules_is_refused(kitchen: Path, content: bytes, said: str) -> None:
    """The message names the file."""
    kitchen.write_bytes(content)
    with pytest.raises(InvalidHouseRules, match=f"invalid house rules {kitchen}: {said}"):
        find_rules(str(kitchen))


def test_a_folder_is_no_house_rules(tmp_path: Path) -> None:
    """Not even if it looks like a file."""
    (tmp_path / "odd.toml").mkdir()
    with pytest.raises(InvalidHouseRules, match="Is a directory"):
        find_rules(str(tmp_path / "odd.toml"))


def test_terms_carry_the_house_rules_to_workers() -> None:
    """A job travels as a line of text, and the worker needs no file."""
    terms = Terms("kitchen table", house_rules=KITCHEN)
    assert terms.rules.pile.limit is None
    assert (terms.rounds, terms.sides, terms.rules_hash) == (4, 2, terms.rules.hash)
    job = job_of(Unit("000000", 0, ()), terms, bytes(32), {}, None)
    read = Job.from_line(job.to_line())
    assert read.terms == terms
    assert read.terms.rules == terms.rules


def test_terms_need_the_rules_of_their_name() -> None:
    """A name without a text is a published one, and a text has its own name."""
    with pytest.raises(
        TournamentError, match="unknown ruleset: there is none of that name; got 'kitchen table'"
    ):
        Terms("kitchen table")
    with pytest.raises(
        TournamentError, match="they have another name; got 'kitchen table'; expected 'online'"
    ):
        ruleset_of("online", KITCHEN)
    with pytest.raises(TournamentError, match="kitchen table is played with 2, 3, 4; got 6"):
        Terms("kitchen table", 6, house_rules=KITCHEN)


def test_a_league_keeps_a_copy_of_its_house_rules(league: League, kitchen: Path) -> None:
    """What becomes of the file afterwards does not matter; comments are kept."""
    kitchen.unlink()
    assert (league.folder / "house-rules.toml").read_text() == KITCHEN
    assert 'ruleset = "house-rules.toml"' in (league.folder / "league.toml").read_text()
    opened = open_league(league.folder)
    assert opened.settings == league.settings
    assert opened.settings.terms.ruleset == "kitchen table"
    opened.open_store().close()


def test_a_league_whose_house_rules_were_changed_is_refused(league: League) -> None:
    """Its results would not be comparable; a comment may be added."""
    copy = league.folder / "house-rules.toml"
    copy.write_text(KITCHEN + "# more\n")
    open_league(league.folder).open_store().close()
    copy.write_text(KITCHEN.replace('"whole"', "5"))
    with pytest.raises(InvalidLeague, match="changed league: 'rules_hash' is not what the league began with"):
        open_league(league.folder).open_store()


def test_a_league_without_its_copy_is_refused(league: League) -> None:
    """The message names the file, and the line where something is wrong in it."""
    copy = league.folder / "house-rules.toml"
    copy.write_text(KITCHEN.replace("limit", "limits"))
    with pytest.raises(InvalidLeague, match=r"house-rules\.toml, line 5: unknown key 'pile\.limits'"):
        read_settings(league.folder)
    copy.unlink()
    with pytest.raises(InvalidLeague, match=r"house-rules\.toml: No such file"):
        read_settings(league.folder)


def test_a_league_of_a_published_ruleset_has_no_copy(tmp_path: Path) -> None:
    """Its name is enough."""
    made = create_league(
        tmp_path / "plain", LeagueSettings("plain", Terms("simple"), 2, 5, None), seed_secret(5)
    )
    assert not (made.folder / "house-rules.toml").exists()
