"""What the searcher promises: legal play everywhere, the same play from the same seed, and strength from playouts."""

import pytest
from handfoot import Bot
from handfoot.bots.greedy import GreedyBot
from handfoot.bots.steady import SteadyBot
from in_process import margin_of, play_duplicate, play_match, spec_of
from laws.playouts import Table
from laws.tables import TABLES

from referee.bots.searcher import SearcherBot
from referee.rules import ONLINE, SIMPLE


class Brisk(SearcherBot):
    """A searcher that makes few playouts."""

    playouts = 6


LONG = pytest.mark.slow
"""Matches that take many seconds."""


@pytest.mark.parametrize(
    "table",
    [pytest.param(table, marks=() if str(table) in ("simple-4", "hasty-2") else LONG) for table in TABLES],
    ids=str,
)
def test_it_plays_at_every_table(table: Table) -> None:
    """A whole match of every ruleset and number of seats, house rules among them, without a refusal."""
    bots: list[type[Bot]] = [Brisk if seat < 2 else GreedyBot for seat in range(table.seats)]
    match = play_match(spec_of(table.ruleset, table.seats, "every table"), bots)
    assert match.refusals == []
    assert match.match.finished


def test_a_match_can_be_repeated() -> None:
    """Its effort is a number of playouts, not a time, so the same seeds give the same match."""
    spec = spec_of(SIMPLE, 4, "again")
    once, again = (play_match(spec, [Brisk, SteadyBot] * 2) for _ in range(2))
    assert [step.action for step in once.log] == [step.action for step in again.log]


def test_playouts_change_what_it_plays() -> None:
    """What is played follows from the playouts: many of them overrule plans that one would have kept."""

    class Thorough(SearcherBot):
        caution = 0.5

    class Thoughtless(SearcherBot):
        playouts = 0

    spec = spec_of(SIMPLE, 4, "thinking")
    one, other = (play_match(spec, [bot, SteadyBot] * 2) for bot in (Thorough, Thoughtless))
    assert [step.action for step in one.log] != [step.action for step in other.log]


@pytest.mark.slow
def test_it_beats_greedy() -> None:
    """It is stronger than a bot without a plan; how it does against `steady`, the benchmark plays out."""
    margins = [
        margin_of(play_duplicate(ONLINE, 4, f"searcher and greedy {number}", SearcherBot, GreedyBot))
        for number in range(5)
    ]
    assert sum(margin > 0 for margin in margins) > sum(margin < 0 for margin in margins), margins
    assert sum(margins) > 0, margins
