"""Tests of the table: turns, requests, batches and clocks. Time is a number here."""

import pytest
from service.sitting import Sitting, requests

from referee.rules import (
    BEGINNER,
    ONLINE,
    PUBLISHER,
    SIMPLE,
    Discard,
    Phase,
    Ruleset,
    legal_actions,
    replay,
    sole_action,
)
from referee.rules.actions import DRAW_STOCK
from referee.service.effects import Ask
from referee.service.table import Stage


def test_nobody_is_asked_before_everybody_is_ready() -> None:
    """The last seat to be ready begins the match, and only then does a clock run."""
    sitting = Sitting(ready=False)
    for seat in (2, 0, 3):
        assert sitting.do(sitting.table.take_ready, seat) == []
    sitting.now = 20.0
    assert [type(effect) for effect in sitting.do(sitting.table.take_ready, 1)] == [Ask]
    assert sitting.asked.clock.used_ms == 0
    assert sitting.table.deadline() == pytest.approx(20.0 + 1.0 + 5.0)


@pytest.mark.parametrize("ruleset", [BEGINNER, ONLINE, PUBLISHER, SIMPLE], ids=lambda ruleset: ruleset.name)
def test_a_match_is_played_to_its_end(ruleset: Ruleset) -> None:
    """Every ruleset plays out, each seat gets its result once, and the totals are those of the rounds."""
    sitting = Sitting(ruleset, ask_always=False)
    sitting.play_on()
    results = sitting.results()
    assert sorted(results) == [0, 1, 2, 3]
    assert {finish.termination for finish in results.values()} == {"played"}
    totals = [sum(scores[side].total for scores in sitting.table.match.scores) for side in (0, 1)]
    assert list(results[0].totals) == totals
    assert results[0].winners == sitting.table.match.winners
    assert sitting.table.deadline() is None


@pytest.mark.parametrize(("ruleset", "seats"), [(ONLINE, 2), (ONLINE, 3), (PUBLISHER, 6), (PUBLISHER, 8)])
def test_other_tables_play_out(ruleset: Ruleset, seats: int) -> None:
    """Tables of two, three, six and eight seats are played like any other."""
    sitting = Sitting(ruleset, seats, ask_always=False)
    sitting.play_on()
    assert sorted(sitting.results()) == list(range(seats))
    assert sitting.table.faults == []


def test_request_ids_and_events_have_no_gaps() -> None:
    """Each seat counts its requests from 1, and hears each event of the match exactly once."""
    sitting = Sitting(ask_always=False)
    sitting.play_on()
    for seat in range(4):
        asked = [effect for effect in sitting.sent if isinstance(effect, Ask) and effect.seat == seat]
        assert [ask.request_id for ask in asked] == list(range(1, len(asked) + 1))
        heard = [ask.heard for ask in asked] + [sitting.results()[seat].heard]
        assert heard[0] == 0
        assert heard == sorted(heard)
        assert heard[-1] <= len(sitting.table.events)


def test_a_decision_without_a_choice_is_not_asked_for() -> None:
    """The referee plays the only legal action itself; the log says so, and no clock runs for it."""
    sitting = Sitting(ask_always=False)
    sitting.play_on()
    played = [entry for entry in sitting.table.log if entry.by_referee]
    assert any(entry.action == DRAW_STOCK for entry in played)
    assert all(entry.ms == 0 for entry in played)


def test_no_request_has_a_single_answer() -> None:
    """Whenever a seat is asked it has a choice, unless every decision is to be asked for."""
    sitting = Sitting(ask_always=False)
    while sitting.table.stage is not Stage.OVER:
        assert sole_action(sitting.table.match.state) is None
        sitting.answer(next(iter(legal_actions(sitting.table.match.state))))


def test_every_decision_is_asked_for_on_demand() -> None:
    """With that switch the referee plays nothing itself."""
    sitting = Sitting(ask_always=True)
    sitting.play_on()
    assert not any(entry.by_referee for entry in sitting.table.log)


def test_a_batch_ends_where_something_new_is_known() -> None:
    """The rest of a batch behind a draw is dropped, unjudged, and the seat is asked again under a new id."""
    sitting = Sitting()
    seat = sitting.asked.seat
    effects = sitting.answer(DRAW_STOCK, DRAW_STOCK, DRAW_STOCK)
    assert [entry.action for entry in sitting.table.log] == [DRAW_STOCK]
    (ask,) = requests(effects)
    assert (ask.seat, ask.request_id) == (seat, 2)
    assert sitting.table.match.state.phase is Phase.PLAY


def test_a_batch_ends_with_the_turn() -> None:
    """What a seat sends behind its discard does not count for its next turn."""
    sitting = Sitting()
    sitting.answer(DRAW_STOCK)
    discard = sitting.legal[-1]
    assert isinstance(discard, Discard)
    sitting.answer(discard, DRAW_STOCK, discard)
    assert [entry.action for entry in sitting.table.log] == [DRAW_STOCK, discard]
    assert sitting.asked.seat == 1


def test_what_was_applied_before_an_illegal_action_stands() -> None:
    """An illegal action in a batch is refused with its index; the request comes again under its id."""
    sitting = next(each for each in map(_before_a_lay_down, range(40)) if each is not None)
    lay_down = sitting.legal[0]
    before = len(sitting.table.log)
    refusal, ask = sitting.answer(lay_down, DRAW_STOCK, sitting.legal[-1])
    assert [entry.action for entry in sitting.table.log[before:]] == [lay_down]
    assert (refusal.index, refusal.corrections_left, refusal.count) == (1, 2, 0)
    assert refusal.clause
    assert ask.request_id == refusal.request_id


def _before_a_lay_down(salt: int) -> Sitting | None:
    sitting = Sitting(salt=salt)
    sitting.answer(DRAW_STOCK)
    kept = sitting.table.match.state.seats[0].cards
    return sitting if not isinstance(sitting.legal[0], Discard) and len(kept) > 4 else None


def test_a_request_is_answered_once() -> None:
    """A second answer to a request is a protocol fault and changes nothing."""
    sitting = Sitting()
    asked = sitting.asked
    sitting.answer(DRAW_STOCK)
    played = len(sitting.table.log)
    (refusal,) = sitting.answer(sitting.legal[-1], seat=asked.seat, request=asked.request_id)
    assert (refusal.fault, refusal.count, refusal.request_id) == ("protocol", 1, asked.request_id)
    assert len(sitting.table.log) == played


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_seat_that_was_not_asked_is_refused(seat: int) -> None:
    """Nobody plays out of turn, with whatever request id."""
    sitting = Sitting()
    for request in (0, 1, 2**32 - 1):
        (refusal,) = sitting.answer(DRAW_STOCK, seat=seat, request=request)
        assert refusal.fault == "protocol"
    assert sitting.table.log == []
    assert sitting.asked.seat == 0


def test_decisions_of_a_turn_share_its_clock() -> None:
    """The second request of a turn says what the first one used; the next turn has the whole limit again."""
    sitting = Sitting()
    sitting.now += 0.4
    sitting.answer(DRAW_STOCK)
    assert sitting.asked.clock.used_ms == 400
    sitting.now += 0.2
    sitting.answer(sitting.legal[-1])
    sitting.play_on(turns=3)
    assert sitting.asked.seat == 0
    assert sitting.asked.clock.used_ms == 0
    assert sitting.asked.clock.bank_ms == 5000


def test_the_bank_is_told_after_it_paid() -> None:
    """A turn of 2.5 s on a limit of 1 s leaves 3.5 s of a bank of 5 s."""
    sitting = Sitting()
    sitting.now += 2.5
    sitting.answer(DRAW_STOCK)
    sitting.answer(sitting.legal[-1])
    sitting.play_on(turns=3)
    assert sitting.asked.clock.bank_ms == 3500


def test_time_is_logged_with_the_action_that_used_it() -> None:
    """The first action of an answer carries its time; corrections count into the action that they led to."""
    sitting = Sitting()
    sitting.now += 0.3
    sitting.answer(sitting.illegal())
    sitting.now += 0.1
    sitting.answer(DRAW_STOCK)
    assert sitting.table.log[0].ms == 400
    assert sitting.table.chairs[0].clock.total == pytest.approx(0.4)


def test_an_answer_to_the_partner_has_its_own_limit() -> None:
    """The partner's thinking does not use the time of the seat that asked, nor that of its own next turn."""
    sitting = _asking_partner()
    asker, partner = 0, 2
    assert sitting.asked.seat == partner
    assert sitting.asked.clock.used_ms == 0
    sitting.now += 0.9
    sitting.answer(sitting.legal[1])
    assert sitting.asked.seat == asker
    assert sitting.asked.clock.used_ms == 500


def _asking_partner() -> Sitting:
    """Return a table where seat 0 has used 0.5 s of its turn and then asked whether it may go out."""
    from builders import books, round_with

    from referee.rules.actions import ASK_PARTNER

    sitting = Sitting(ONLINE)
    sitting.table.match.state = round_with(
        ONLINE,
        phase=Phase.PLAY,
        holding="4c 5c 6c",
        on_foot=True,
        others_on_foot=(2,),
        others_played_foot=(2,),
        melds=books(clean=2, dirty=2),
    )
    sitting.now += 0.5
    sitting.answer(ASK_PARTNER)
    return sitting


def test_a_record_of_the_log_replays() -> None:
    """What the table logged deals and plays the same match again."""
    from referee.rules import MatchRecord, score_lines

    sitting = Sitting(ONLINE, ask_always=False)
    sitting.play_on()
    table = sitting.table
    record = MatchRecord(
        match="m",
        ruleset=ONLINE,
        seats=("a", "b", "a", "b"),
        keys=table.match.keys,
        actions=tuple(table.log),
        termination="played",
        forfeited=(),
        scores=score_lines(table.match),
        totals=tuple(table.match.totals),
    )
    assert replay(record).totals == table.match.totals


def test_coming_back_repeats_everything_under_the_same_deadline() -> None:
    """A seat that returns hears all events again, and its open request with its id and its deadline."""
    sitting = Sitting()
    sitting.play_on(turns=5)
    asked, deadline = sitting.asked, sitting.table.deadline()
    sitting.now += 0.5
    (again,) = sitting.do(sitting.table.repeat, asked.seat)
    assert isinstance(again, Ask)
    assert (again.request_id, again.heard) == (asked.request_id, 0)
    assert again.clock.used_ms == asked.clock.used_ms + 500
    assert sitting.table.deadline() == deadline
    waiting = (asked.seat + 1) % 4
    assert sitting.do(sitting.table.repeat, waiting) == []
    sitting.play_on(turns=1)
    assert sitting.asked.seat == waiting
    assert sitting.asked.heard == 0


def test_nothing_happens_after_the_end() -> None:
    """A table that is over answers nobody, whatever arrives."""
    sitting = Sitting()
    sitting.play_on()
    table, told = sitting.table, len(sitting.sent)
    for seat in range(4):
        sitting.do(table.decide, seat, 1, [DRAW_STOCK])
        sitting.do(table.misbehave, seat, "late")
        sitting.do(table.leave, seat, "exited with code 0")
    sitting.pass_time(100.0)
    assert table.void("too late") == []
    assert len(sitting.sent) == told
    assert table.termination == "played"
    assert table.faults == []
