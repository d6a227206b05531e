"""What the house bots promise to leagues: a clear order of strength, rounds that are played out, and no refusals."""

from itertools import count

import pytest
from handfoot import Bot
from handfoot.bots.greedy import GreedyBot
from handfoot.bots.random import RandomBot
from handfoot.bots.steady import SteadyBot
from in_process import Played, margin_of, play_duplicate, play_match, spec_of

from referee.rules import ONLINE, PUBLISHER, RULESETS, SIMPLE, Ruleset
from tournaments.statistics import elo

EVERY_RULESET = pytest.mark.parametrize(
    "ruleset",
    [
        pytest.param(ruleset, marks=() if name == "simple" else pytest.mark.slow, id=name)
        for name, ruleset in RULESETS.items()
    ],
)


def refusals_of(legs: tuple[Played, ...]) -> list[str]:
    """All refusals in several matches."""
    return [reason for leg in legs for reason in leg.refusals]


@EVERY_RULESET
@pytest.mark.parametrize(("better", "worse"), [(GreedyBot, RandomBot), (SteadyBot, GreedyBot)])
def test_each_is_stronger_than_the_one_before(ruleset: Ruleset, better: type[Bot], worse: type[Bot]) -> None:
    """Greedy beats random and steady beats greedy beyond doubt within a few duplicates, without a refusal."""
    margins: list[int] = []
    superior: float | None = None
    while not superior or superior <= 0.99:
        legs = play_duplicate(ruleset, 4, f"order {len(margins)}", better, worse)
        assert refusals_of(legs) == []
        margins.append(margin_of(legs))
        wins, losses = sum(margin > 0 for margin in margins), sum(margin < 0 for margin in margins)
        superior = elo(wins, len(margins) - wins - losses, losses).los
        assert len(margins) < 12, margins


@EVERY_RULESET
def test_steady_ends_its_rounds_by_going_out(ruleset: Ruleset) -> None:
    """Against itself steady goes out in most rounds, so that a round is seldom left to the stock."""
    went_out: list[int | None] = []
    for number in count():
        match = play_match(spec_of(ruleset, 4, f"ending {number}"), [SteadyBot] * 4)
        assert match.refusals == []
        went_out += match.went_out
        if len(went_out) >= 16:
            break
    assert went_out.count(None) < len(went_out) / 2, went_out


@pytest.mark.parametrize(("ruleset", "seats"), [(ONLINE, 2), (ONLINE, 3), (PUBLISHER, 6), (PUBLISHER, 12)])
def test_they_play_at_other_tables(ruleset: Ruleset, seats: int) -> None:
    """At every size of table all three play a match to its end, without a refusal."""
    mixed = [SteadyBot, GreedyBot, RandomBot]
    match = play_match(spec_of(ruleset, seats, "sizes"), [mixed[seat % 3] for seat in range(seats)])
    assert match.refusals == []
    assert match.match.finished


def test_a_match_can_be_repeated() -> None:
    """On the same deals and with the same seeds each of them plays as before."""
    spec = spec_of(SIMPLE, 4, "again")
    bots = [SteadyBot, RandomBot, GreedyBot, RandomBot]
    once, again = (play_match(spec, bots) for _ in range(2))
    assert once.match.state.melds == again.match.state.melds
    assert (once.totals, once.decisions) == (again.totals, again.decisions)
