"""Parametrisation of tests by the rulesets for which the rulebook says that a clause holds."""

from functools import cache

import pytest
from rulebook.clauses import Clause, read_clauses

from referee.rules import RULESETS


@cache
def _clauses() -> dict[str, Clause]:
    return read_clauses()


def holds_for(number: str) -> pytest.MarkDecorator:
    """Run a test with each published ruleset for which clause *number* holds."""
    return _with([name for name in RULESETS if name in _clauses()[number].holds_for])


def not_for(number: str) -> pytest.MarkDecorator:
    """Run a test with each published ruleset for which clause *number* does not hold."""
    return _with([name for name in RULESETS if name not in _clauses()[number].holds_for])


def _with(names: list[str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("ruleset", [RULESETS[name] for name in names], ids=names)


def tables() -> pytest.MarkDecorator:
    """Run a test with each published ruleset at each of its tables."""
    pairs = [(ruleset, seats) for ruleset in RULESETS.values() for seats in ruleset.seats]
    return pytest.mark.parametrize(
        ("ruleset", "seats"), pairs, ids=[f"{ruleset.name}-{seats}" for ruleset, seats in pairs]
    )
