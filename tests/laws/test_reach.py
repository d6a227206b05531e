"""What the laws are tested on: the default playouts reach everything that they are meant to hold for."""

import pytest
from laws.playouts import Table
from laws.strategies import TAGS, tagged
from laws.tables import PUBLISHED, TABLES

NEVER = {
    "publisher": {
        "red three",
        "take",
        "ask",
        "answer",
        "allowed",
        "refused",
        "take or pass",
        "stranded",
        "passed by itself",
    },
    "simple": {"opening", "ask", "answer", "allowed", "refused", "passed by itself"},
    "online": {"stranded"},
    "beginner": {"stranded"},
}
"""What cannot happen under a ruleset, or so seldom that house rules have to stand in for it."""


@pytest.mark.parametrize("tag", sorted(set(TAGS)))
def test_each_situation_is_reached(tag: str) -> None:
    """Some playout reaches the situation; where none does any more, `tests/laws/seeds.py` finds others."""
    assert tagged(TABLES, tag)


@pytest.mark.parametrize("name", NEVER)
def test_each_published_ruleset_reaches_its_situations(name: str) -> None:
    """Under each published ruleset every situation that can come up does."""
    tables = tuple(table for table in PUBLISHED if table.ruleset.name == name)
    assert {tag for tag in TAGS if not tagged(tables, tag)} == NEVER[name]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_each_table_reaches_the_foot(table: Table) -> None:
    """At every table somebody plays from the foot."""
    assert tagged((table,), "foot")
