"""Laws of records and rulesets as values: what is written down reads as the same, and replays to the same."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.playouts import Table
from laws.tables import HOUSE
from recorded import played
from rulesets import rulesets

from referee.rules import Ruleset, from_bytes, replay, to_bytes
from referee.rules.content import ruleset_from_content


@given(rulesets())
def test_a_ruleset_is_its_content(ruleset: Ruleset) -> None:
    """A ruleset built from its content is the same, hash included; its name is no part of that."""
    again = ruleset_from_content("again", ruleset.content())
    assert again.content() == ruleset.content()
    assert again.hash == ruleset.hash


@pytest.mark.parametrize("table", HOUSE, ids=str)
def test_a_match_under_house_rules_replays(table: Table) -> None:
    """A match played to its end is the same after writing, reading and replaying it."""
    record = played(table.ruleset, table.seats, "law")
    assert from_bytes(to_bytes(record)) == record
    match = replay(record)
    assert (match.finished, tuple(match.totals)) == (True, record.totals)


@settings(max_examples=20)
@given(rulesets(), st.integers(0, 99))
def test_a_match_that_breaks_off_replays(ruleset: Ruleset, seed: int) -> None:
    """So is the beginning of a match, under any ruleset."""
    record = played(ruleset, ruleset.seats[seed % len(ruleset.seats)], seed, 60)
    assert from_bytes(to_bytes(record)) == record
    assert tuple(replay(record).totals) == record.totals
