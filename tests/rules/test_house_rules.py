"""House rules: what a text may say, and how everything that is wrong in it is named."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesets import rulesets

from referee.rules import (
    BEGINNER,
    ONLINE,
    PUBLISHER,
    RULESETS,
    InvalidHouseRules,
    InvalidRuleset,
    Problem,
    Ruleset,
    describe_rule,
    describe_rules,
    differences,
    flat_content,
    house_rules_text,
    parse_house_rules,
)
from referee.rules.content import ruleset_from_content
from referee.rules.wording import WORDS

few = settings(max_examples=25, deadline=None)

HEAD = 'name = "mine"\nbase = "online"\n'


def parse(text: str) -> Ruleset:
    """Return the house rules of *text*, which follows a head with the base `online`."""
    return parse_house_rules(HEAD + text, "mine.toml")


def problems(text: str) -> list[str]:
    """Return what is wrong with *text*, a line each."""
    with pytest.raises(InvalidHouseRules) as refused:
        parse_house_rules(text, "mine.toml")
    return [str(problem) for problem in refused.value.problems]


def test_only_what_is_named_differs_from_the_base() -> None:
    """Everything else is the base's, and the name is no part of the content."""
    found = parse('[deal]\nhand = 11\n[pile]\nlimit = "whole"\n[scores.points]\n8 = 5\n')
    assert differences(ONLINE, found) == (
        ("deal.hand", 13, 11),
        ("pile.limit", 7, None),
        ("scores.points.8", 10, 5),
    )
    assert found.name == "mine"
    assert parse("").hash == ONLINE.hash


@few
@given(rulesets())
def test_a_written_ruleset_is_read_back(ruleset: Ruleset) -> None:
    """Any ruleset can be written as house rules, whatever the base is."""
    for base in RULESETS:
        read = parse_house_rules(house_rules_text(ruleset, "mine", base), "mine.toml")
        assert read == replace(ruleset, name="mine")


@few
@given(rulesets())
def test_content_is_read_back(ruleset: Ruleset) -> None:
    """The plain values of a ruleset make the same ruleset, with the same hash."""
    read = ruleset_from_content(ruleset.name, ruleset.content())
    assert (read, read.hash) == (ruleset, ruleset.hash)


@few
@given(rulesets(), rulesets())
def test_differences_are_what_turns_one_into_the_other(one: Ruleset, other: Ruleset) -> None:
    """No difference, no other hash; and each difference names what both have."""
    found = differences(one, other)
    assert (not found) == (one.hash == other.hash)
    changed = flat_content(one) | {key: theirs for key, _, theirs in found}
    assert changed == flat_content(other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rounds = 3", "line 3: unknown key 'rounds'; expected 'match.rounds'"),
        ("[deal]\nhnad = 11", "line 4: unknown key 'deal.hnad'; expected 'deal.hand'"),
        (
            "[melds]\nsize = 3",
            "line 4: unknown key 'melds.size'; expected one of max_wilds, wild_melds, books_grow",
        ),
        ("[pile]\nred_threes = 'held'", "line 4: unknown key 'pile.red_threes'; expected 'red_threes'"),
        ("deal = 11", "line 3: wrong 'deal'; got 11; expected a table"),
        ("[deal]\n\nhand = '11'", "line 5: wrong 'deal.hand'; got '11'; expected a whole number"),
        ("deal.hand = true", "line 3: wrong 'deal.hand'; got true; expected a whole number"),
        ("deal = { hand = 11.0 }", "line 3: wrong 'deal.hand'; got 11.0; expected a whole number"),
        ("[deal]\n'seats' = 4", "line 4: wrong 'deal.seats'; got 4; expected a list"),
        ("deal . seats = [4, '6']", "line 3: wrong 'deal.seats[1]'; got '6'; expected a whole number"),
        ("red_threes = 'kept'", "line 3: wrong 'red_threes'; got 'kept'; expected 'laid' or 'held'"),
        ("[deal]\npacks = 'many'", "line 4: wrong 'deal.packs'; got 'many'; expected a whole number or 'seats+1'"),
        ("[pile]\nlimit = 'all'", "line 4: wrong 'pile.limit'; got 'all'; expected a whole number or 'whole'"),
        ("[match]\ntarget = 1.5", "line 4: wrong 'match.target'; got 1.5; expected a whole number or 'none'"),
        ("[scores.points]\n10 = 5", "line 4: unknown rank '10'; expected one of 4, 5, 6, 7, 8, 9, T, J, Q, K, A, 2"),
        ("[scores.points]\n'black 3' = 'x'", "line 4: wrong 'scores.points.black 3'; got 'x'; expected a whole number"),
        ("[scores.points]\nT = 10001", "line 4: impossible ruleset: scores.points.T must be between 0 and 10000"),
        ("[scores.points]\n'black 3' = -10001", "line 4: impossible ruleset: scores.points.black 3 must be"),
        ("[scores]\npoints = [1, 2]", "line 4: impossible ruleset: scores.points must be 14 numbers, one a rank"),
        ("[deal]\n'x.y' = 16", "line 4: unknown key 'deal.x.y'; expected one of seats, solo, packs"),
        ("[deal]\nhand = 16", "line 4: impossible ruleset: deal.hand must be between 11 and 15; got 16"),
        ("[deal]\nhand = 15\npacks = 2", "line 5: impossible ruleset: deal.packs must be enough for a stock of 27"),
        ("[deal]\nseats = [12]\nsolo = []\nfoot = 15\npacks = 6", "line 7: impossible ruleset: deal.packs must be"),
        ("[deal]\nseats = [4]", "line 4: impossible ruleset: deal.solo must be a part of deal.seats; got [2, 3]"),
        ("[going_out]\nwild_books = 1", "line 4: impossible ruleset: melds.wild_melds must be true where going_out"),
        ("[opening]\nunit = 'none'", "line 4: impossible ruleset: opening.minimums must be [0] where opening.unit"),
        ("[going_out]\nclean_book_ranks = ['3']", "line 4: impossible ruleset: going_out.clean_book_ranks must be a"),
        ("[match]\nrounds = 0", "line 4: impossible ruleset: match.rounds must be between 1 and 100; got 0"),
        ("deal.hand =\n", "Invalid value (at line 3, column 12)"),
        ("[deal]\n[deal]", "Cannot declare ('deal',) twice (at line 4, column 6)"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(text: str, expected: str) -> None:
    """A single problem says the line, the key, what was found and what was expected."""
    (found,) = problems(HEAD + text)
    assert found.startswith(expected)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("base = 'online'", ["missing key 'name'"]),
        ("name = 'mine'", ["missing key 'base'"]),
        ("", ["missing key 'name'", "missing key 'base'"]),
        ("base = 'onlin'\nname = 'mine'", ["line 1: wrong 'base'; got 'onlin'; expected one of beginner,"]),
        ("base = ['online']\nname = 'mine'", ["line 1: wrong 'base'; got ['online']"]),
        ("base = 'online'\nname = 'a/b'", ["line 2: wrong 'name'; got 'a/b'; expected at most 40 letters"]),
        ("base = 'online'\nname = 7", ["line 2: wrong 'name'; got 7"]),
        (
            "base = 'online'\nname = 'simple'",
            ["line 2: wrong 'name'; got 'simple'; expected one that no published ruleset has"],
        ),
    ],
)
def test_house_rules_have_a_name_of_their_own_and_a_published_base(head: str, expected: list[str]) -> None:
    """Nobody can pass house rules off as a published ruleset."""
    found = problems(head)
    assert len(found) == len(expected)
    assert all(one.startswith(beginning) for one, beginning in zip(found, expected, strict=True))


def test_everything_that_is_wrong_is_named_at_once() -> None:
    """The problems stand in the order of lines, whatever kind they are of."""
    text = 'base = "onlin"\n[deal]\nhand = 20\nfeet = 11\n[pile]\nlimit = "all"\n[scores.points]\nX = 1\n4 = "x"\n'
    assert [found.split(";")[0] for found in problems(text)] == [
        "missing key 'name'",
        "line 1: wrong 'base'",
        "line 3: impossible ruleset: deal.hand must be between 11 and 15",
        "line 4: unknown key 'deal.feet'",
        "line 6: wrong 'pile.limit'",
        "line 8: unknown rank 'X'",
        "line 9: wrong 'scores.points.4'",
    ]


def test_what_follows_from_something_wrong_is_not_told() -> None:
    """A value that is no value cannot be part of an impossible combination, too."""
    text = HEAD + "[melds]\nwild_melds = 'x'\n[pile]\nwild_upcard = true\n"
    assert problems(text) == ["line 4: wrong 'melds.wild_melds'; got 'x'; expected true or false"]


def test_the_text_of_an_error_names_the_file() -> None:
    """One problem is one line; several are listed below the file."""
    one = InvalidHouseRules("mine.toml", (Problem("unknown key 'x'", "x", 3),))
    assert str(one) == "invalid house rules mine.toml, line 3: unknown key 'x'"
    several = InvalidHouseRules("mine.toml", (Problem("bad", "x", 3), Problem("worse", None, None)))
    assert str(several) == "invalid house rules mine.toml: 2 problems\n  line 3: bad\n  worse"
    assert several.keys == ("x",)


@given(
    st.dictionaries(st.sampled_from(sorted(flat_content(ONLINE))), st.sampled_from(["x", 1, 99, True, []]))
)
def test_any_text_is_either_a_ruleset_or_refused(changes: dict[str, object]) -> None:
    """Values of any kind under known keys make a ruleset or a list of problems, each about one of those keys."""
    words = {"x": "'x'", "True": "true"}
    lines = [f"{_quoted(key)} = {words.get(str(value), value)}" for key, value in changes.items()]
    found, ruleset = [], ONLINE
    try:
        ruleset = parse("\n".join(lines))
    except InvalidHouseRules as error:
        found = [problem.line for problem in error.problems]
    assert None not in found
    assert len(set(found)) == len(found)
    assert {key for key, _, _ in differences(ONLINE, ruleset)} <= set(changes)


def _quoted(key: str) -> str:
    return key.replace("black 3", "'black 3'")


def test_content_that_is_no_ruleset_is_refused() -> None:
    """A missing part, a missing key and a name among the parts are no ruleset."""
    content = ONLINE.content()
    for broken in (
        {key: value for key, value in content.items() if key != "melds"},
        content | {"melds": {"wild_melds": True, "books_grow": True}},
        content | {"name": "online"},
    ):
        with pytest.raises(InvalidRuleset, match=r"missing key|unknown key 'name'"):
            ruleset_from_content("mine", broken)


@few
@given(rulesets())
def test_every_rule_can_be_said_in_words(ruleset: Ruleset) -> None:
    """Every key has words for every value, and those without effect are left out."""
    said = describe_rules(ruleset)
    assert all(said.values())
    assert ("pile.limit" in said) == ruleset.pile.allowed
    assert ("opening.minimums" in said) == (ruleset.opening.unit != "none")
    for key, value in flat_content(ruleset).items():
        assert describe_rule(key, value)


def test_words_cover_the_keys_exactly() -> None:
    """A new key needs words; the points of cards are said together."""
    keys = [key for key in flat_content(ONLINE) if not key.startswith("scores.points.")]
    assert set(WORDS) == {*keys, "scores.points"}


@pytest.mark.parametrize(
    ("ruleset", "key", "words"),
    [
        (BEGINNER, "pile.choice", "the seat decides how many"),
        (ONLINE, "deal.solo", "everybody plays alone with 2 or 3 seats, else partners sit opposite each other"),
        (ONLINE, "deal.packs", "one pack more than there are seats"),
        (PUBLISHER, "opening.minimums", "it needs 50, 70, 90 and 120 points, round by round; the last of these stays"),
        (PUBLISHER, "scores.points", "4 to 8: 5, 9 to K: 10, A and 2: 20, joker: 50, black 3: -5"),
        (PUBLISHER, "melds.max_wilds", "at most 1, 1, 2, 2 and 3 wild cards in melds of 3, 4, 5, 6 and 7"),
    ],
)  # fmt: skip
def test_rules_are_said_as_at_the_table(ruleset: Ruleset, key: str, words: str) -> None:
    """The words are those that a player would use."""
    assert describe_rules(ruleset)[key] == words
