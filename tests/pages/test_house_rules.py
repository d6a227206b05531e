"""docs/house-rules.md says what house rules can say, and everything in it is right."""

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pages.house_rules import PAGE, PARTS, described_keys, field_docs
from pages.written import rewritten
from recorded import played

from referee.rules import (
    InvalidHouseRules,
    Ruleset,
    differences,
    find_ruleset,
    flat_content,
    parse_house_rules,
    replay,
)
from referee.rules.content import known_keys


def customs() -> Iterator[tuple[str, str]]:
    """Yield title and file of each custom on the page."""
    text = PAGE.read_text(encoding="utf-8")
    inside = text[text.index("<!-- begin customs") : text.index("<!-- end customs")]
    for part in re.split(r"(?m)^### ", inside)[1:]:
        title, _, rest = part.partition("\n")
        (block,) = re.findall(r"```toml\n(.*?)```", rest, re.DOTALL)
        yield title, block


CUSTOMS = list(customs())


def test_the_page_is_current(golden: Callable[[Path, str], None]) -> None:
    """Its marked parts are what the rules say now."""
    golden(PAGE, rewritten(PAGE, PARTS))


def test_every_field_of_a_ruleset_is_described() -> None:
    """Each has its own words, in one line."""
    docs = field_docs()
    assert list(described_keys()) == known_keys()
    assert all("\n" not in doc and doc.endswith(".") for doc in docs.values())
    assert len(set(docs.values())) == len(docs)


@pytest.mark.parametrize(("title", "text"), CUSTOMS, ids=[title for title, _ in CUSTOMS])
def test_a_custom_is_valid_differs_as_it_says_and_can_be_played(title: str, text: str) -> None:
    """Each key in it changes something, nothing else is changed, and matches by it end and replay."""
    ruleset = parse_house_rules(text, title)
    values = tomllib.loads(text)
    base = find_ruleset(values.pop("base"))
    del values["name"]
    changed = {key for key, _, _ in differences(base, ruleset)}
    assert changed == set(_flat(values)) - {
        key for key, value in _flat(values).items() if _is(base, key, value)
    }
    assert changed
    for seats in ruleset.seats[-1:]:
        record = played(ruleset, seats, title, most_actions=400)
        assert tuple(replay(record).totals) == record.totals


def _flat(values: dict[str, object], path: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for key, value in values.items():
        flat |= _flat(value, f"{path}{key}.") if isinstance(value, dict) else {path + key: value}
    return flat


def _is(ruleset: Ruleset, key: str, value: object) -> bool:
    found = flat_content(ruleset)[key]
    return (list(found) if isinstance(found, tuple) else found) == value


def test_the_customs_that_people_have_can_be_expressed() -> None:
    """What the page promises stands on it."""
    rulesets = {title: parse_house_rules(text, title) for title, text in CUSTOMS}
    assert len(rulesets) == len(CUSTOMS) == len({ruleset.name for ruleset in rulesets.values()})
    assert {ruleset.pile.limit for ruleset in rulesets.values()} >= {3, 5, 7, None}
    assert {ruleset.going_out.permission for ruleset in rulesets.values()} == {"none", "optional", "required"}
    assert any(ruleset.going_out.clean_book_ranks == ("7",) for ruleset in rulesets.values())
    assert [
        ruleset.opening.minimum(5) for ruleset in rulesets.values() if 60 in ruleset.opening.minimums
    ] == [150]


RANGES = [
    (key, int(found[1]), int(found[2]))
    for key, (_, doc) in described_keys().items()
    if (found := re.search(r"(-?\d+) to (\d+)", doc))
]


@pytest.mark.parametrize(("key", "least", "most"), RANGES, ids=[key for key, _, _ in RANGES])
def test_the_ranges_on_the_page_are_those_that_are_checked(key: str, least: int, most: int) -> None:
    """The ends of a range are allowed, what lies beyond is not."""
    expected = f"between {least} and {most}; got"
    for value, fits in ((least - 1, False), (least, True), (most, True), (most + 1, False)):
        assert (expected in _said_about(key, value)) is not fits, value


def _said_about(key: str, value: int) -> str:
    """Return what is said about house rules in which *key* is *value*, in a list or table where it has to be."""
    shown = f"[{value}]" if key in ("deal.seats", "opening.minimums") else str(value)
    line = f"scores.points.4 = {value}" if key == "scores.points" else f"{key} = {shown}"
    try:
        parse_house_rules(f'name = "x"\nbase = "simple"\n{line}', "x")
    except InvalidHouseRules as error:
        return str(error).replace("scores.points.4", "scores.points")
    return ""


def test_every_number_has_its_range_on_the_page() -> None:
    """Nobody has to try how far a number can go."""
    without = [
        key for key, (kind, _) in described_keys().items() if int in (kind, *getattr(kind, "__args__", ()))
    ]
    assert set(without) - {key for key, _, _ in RANGES} == {"deal.solo", "melds.max_wilds"}
