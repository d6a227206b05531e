"""Laws of rounds: no card is lost, every round ends, scores add up, and the same play gives the same round."""

from collections import Counter
from dataclasses import fields

import pytest
from builders import snapshot
from hypothesis import given
from laws.playouts import Playout, Table, trace
from laws.seeds import default_playouts
from laws.strategies import playouts, some
from laws.tables import TABLES
from laws.zones import all_cards, check_melds

from referee.rules import RoundEnded, RoundScore, action_bound, apply, score_round
from referee.rules.cards import RANKS, count_ranks, pack_cards


@some()
@given(playouts())
def test_no_card_is_lost(playout: Playout) -> None:
    """After every action all packs are on the table, and what is counted is what is there."""
    packs = Counter(pack_cards(playout.table.ruleset.deal.packs_for(playout.table.seats)))
    for state, _ in trace(playout).walk():
        assert Counter(all_cards(state)) == packs
        assert len(state.stock.cards()) == state.stock.left
        for seat in state.seats:
            assert seat.counts == count_ranks(seat.cards)
            assert len(seat.counts) == RANKS
            assert not (seat.on_foot and seat.foot)


@some()
@given(playouts())
def test_what_is_kept_about_melds_is_true(playout: Playout) -> None:
    """Books and unfinished melds of a side are those that lie on the table, each as valid as it was when laid."""
    for state, _ in trace(playout).walk():
        check_melds(state)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_every_round_ends_within_its_bound(table: Table) -> None:
    """No playout has more actions than the bound of its table."""
    for playout in default_playouts(table):
        assert len(trace(playout).actions) <= action_bound(table.ruleset, table.seats)


@some()
@given(playouts())
def test_a_score_is_the_sum_of_its_lines(playout: Playout) -> None:
    """What a round ends with is the score of the table as it lies, line by line, and the lines make the total."""
    *_, (state, _) = trace(playout).walk()
    for score in score_round(state):
        assert score.total == sum(getattr(score, field.name) for field in fields(RoundScore))
    assert [score.going_out != 0 for score in score_round(state)] == [
        state.went_out is not None and state.side_of(state.went_out) == side
        for side in range(len(state.sides))
    ]


@some()
@given(playouts())
def test_a_round_follows_from_its_key_and_actions(playout: Playout) -> None:
    """Dealt again and played again, the round has the same events and ends in the same state."""
    played = trace(playout)
    ends, told = [], []
    for _ in range(2):
        state, events, _ = playout.begin()
        for action in played.actions:
            events += apply(state, action)
        ends.append(snapshot(state))
        told.append(events)
    assert ends[0] == ends[1]
    assert told[0] == told[1]
    assert isinstance(told[0][-1], RoundEnded)
