"""Tests of the table: corrections, strikes, faults and the ways in which a match can end. Time is a number here."""

import pytest
from service.sitting import LIMITS, Sitting, requests

from referee.rules import ONLINE, PUBLISHER, SIMPLE, AnswerPartner, Phase
from referee.rules.actions import DRAW_STOCK
from referee.service.effects import Ask, Finish, Refuse
from referee.service.table import Stage


def test_an_illegal_action_may_be_corrected() -> None:
    """A refusal names clause and reason and says how many corrections are left; the request comes again."""
    sitting = Sitting()
    refusal, ask = sitting.answer(sitting.illegal())
    assert isinstance(refusal, Refuse)
    assert (refusal.fault, refusal.index, refusal.corrections_left, refusal.count) == ("illegal", 0, 2, 0)
    assert refusal.clause.startswith("HF-")
    assert refusal.clause in refusal.reason
    assert isinstance(ask, Ask)
    assert ask.request_id == refusal.request_id == 1
    sitting.answer(DRAW_STOCK)
    assert sitting.table.faults == []


def test_corrections_count_per_request() -> None:
    """A new request has three corrections again."""
    sitting = Sitting()
    for _ in range(3):
        sitting.answer(sitting.illegal())
    sitting.answer(DRAW_STOCK)
    refusal, _ = sitting.answer(sitting.illegal())
    assert refusal.corrections_left == 2


def test_the_fourth_illegal_answer_is_a_strike() -> None:
    """The referee then plays the rest of the turn: a draw, and the lowest natural as discard."""
    sitting = Sitting()
    for _ in range(3):
        sitting.answer(sitting.illegal())
    effects = sitting.answer(sitting.illegal())
    assert (effects[0].corrections_left, effects[0].count) == (0, 1)
    assert [type(entry.action).__name__ for entry in sitting.table.log] == ["DrawStock", "Discard"]
    assert all(entry.by_referee for entry in sitting.table.log)
    assert [ask.seat for ask in requests(effects)] == [1]
    (fault,) = sitting.table.faults
    assert (fault.kind, fault.seat, fault.side, fault.ends_match) == ("illegal", 0, 0, False)
    assert fault.clause == effects[0].clause


def test_a_seat_decides_again_after_its_strike() -> None:
    """A strike costs one turn; in the next one the seat is asked again."""
    sitting = Sitting()
    _strike(sitting)
    sitting.play_on(turns=3)
    assert sitting.asked.seat == 0
    assert sitting.asked.request_id == 2


def test_three_strikes_forfeit() -> None:
    """A bot that is always illegal loses in a bounded time, by the broken clause, and the other side wins."""
    sitting = Sitting()
    for _ in range(3):
        _strike(sitting)
        if sitting.table.stage is Stage.PLAYING:
            sitting.play_on(turns=3)
    assert sitting.table.stage is Stage.SETTLING
    sitting.pass_time(LIMITS.settle)
    assert sitting.table.termination == "forfeit"
    assert sitting.results()[1].winners == (1,)
    assert [fault.ends_match for fault in sitting.table.faults] == [False, False, True]
    assert sitting.table.faults[-1].clause
    assert len(sitting.refusals(0)) == 12


def test_a_strike_on_an_answer_says_no() -> None:
    """Who cannot answer the partner legally is taken to say no; the turn goes on with the seat that asked."""
    sitting = Sitting()
    _let_partner_be_asked(sitting)
    for _ in range(4):
        sitting.do(sitting.table.decide, 2, sitting.asked.request_id, [DRAW_STOCK])
    assert sitting.table.log[-1].action == AnswerPartner(agree=False)
    assert sitting.asked.seat == 0


def _strike(sitting: Sitting) -> None:
    for _ in range(4):
        sitting.answer(sitting.illegal())


def _let_partner_be_asked(sitting: Sitting) -> None:
    """Put a round on the table in which seat 0 has just asked seat 2."""
    from builders import books, round_with

    from referee.rules.actions import ASK_PARTNER

    sitting.table.match.state = round_with(
        ONLINE,
        phase=Phase.PLAY,
        holding="4c 5c 6c",
        on_foot=True,
        others_on_foot=(2,),
        others_played_foot=(2,),
        melds=books(clean=2, dirty=2),
    )
    sitting.answer(ASK_PARTNER)
    assert sitting.asked.seat == 2


def test_a_late_answer_is_a_timeout() -> None:
    """An answer behind limit and bank forfeits as timeout, legal or not, and is never called illegal."""
    for action in (DRAW_STOCK, None):
        sitting = Sitting()
        sitting.now += 6.001
        sitting.answer(action or sitting.illegal())
        sitting.pass_time(LIMITS.settle)
        assert [fault.kind for fault in sitting.table.faults] == ["timeout"]
        assert sitting.table.log == []


def test_silence_is_a_timeout() -> None:
    """A seat that never answers loses when limit and bank are used up, and not before."""
    sitting = Sitting()
    assert sitting.pass_time(5.999) == []
    assert sitting.table.stage is Stage.PLAYING
    sitting.pass_time(0.001)
    assert sitting.table.stage is Stage.SETTLING
    results = sitting.pass_time(LIMITS.settle)
    assert len(results) == 4
    assert sitting.results()[0].reason.startswith("timeout")


def test_corrections_do_not_stop_the_clock() -> None:
    """Whoever keeps sending illegal actions runs out of time like everybody else."""
    sitting = Sitting()
    sitting.now += 5.0
    sitting.answer(sitting.illegal())
    assert sitting.table.deadline() == pytest.approx(6.0)
    sitting.pass_time(1.0)
    assert sitting.table.faults[-1].kind == "timeout"


def test_the_tenth_protocol_fault_forfeits() -> None:
    """Nine unreadable messages are refused by name; the tenth loses the match."""
    sitting = Sitting()
    for count in range(1, 10):
        (refusal,) = sitting.do(sitting.table.misbehave, 3, "unreadable message")
        assert (refusal.fault, refusal.count) == ("protocol", count)
    assert sitting.table.stage is Stage.PLAYING
    sitting.do(sitting.table.misbehave, 3, "unreadable message")
    sitting.pass_time(LIMITS.settle)
    (fault,) = sitting.table.faults
    assert (fault.kind, fault.seat, fault.side) == ("protocol", 3, 1)


def test_an_unreadable_answer_is_asked_for_again() -> None:
    """A refusal that answers the open request is followed by that request; the clock runs on."""
    sitting = Sitting()
    sitting.now += 0.5
    effects = sitting.table.misbehave(0, "unreadable decision", sitting.now, 1)
    assert [type(effect) for effect in effects] == [Refuse, Ask]
    assert effects[1].request_id == 1
    assert sitting.table.deadline() == pytest.approx(6.0)


def test_a_process_that_ends_crashes() -> None:
    """The end of a process forfeits whoever is to move; everybody is told, and only the seat itself learns why."""
    for seat in (0, 3):
        sitting = Sitting()
        sitting.do(sitting.table.leave, seat, "exited with code 7")
        sitting.pass_time(LIMITS.settle)
        results = sitting.results()
        assert sorted(results) == [0, 1, 2, 3]
        assert {finish.termination for finish in results.values()} == {"forfeit"}
        assert {finish.winners for finish in results.values()} == {((seat + 1) % 2,)}
        assert {finish.forfeited for finish in results.values()} == {seat % 2}
        assert "exited with code 7" in results[seat].reason
        for other in {0, 1, 2, 3} - {seat}:
            assert results[other].reason == f"side {seat % 2} forfeited"


def test_both_sides_at_fault_forfeit_both() -> None:
    """If the other side is at fault before the first one is judged, both lose."""
    sitting = Sitting()
    sitting.do(sitting.table.leave, 0, "killed by SIGKILL")
    sitting.now += LIMITS.settle / 2
    sitting.do(sitting.table.leave, 1, "killed by SIGKILL")
    assert sitting.table.termination == "double_forfeit"
    assert {finish.winners for finish in sitting.results().values()} == {()}
    assert {finish.forfeited for finish in sitting.results().values()} == {None}


def test_partners_at_fault_forfeit_once() -> None:
    """Two seats of one side that fail together are one forfeit."""
    sitting = Sitting()
    sitting.do(sitting.table.leave, 0, "killed by SIGKILL")
    sitting.do(sitting.table.leave, 2, "killed by SIGKILL")
    sitting.pass_time(LIMITS.settle)
    assert sitting.table.termination == "forfeit"
    assert sitting.results()[1].winners == (1,)


def test_nobody_loses_time_while_a_fault_is_judged() -> None:
    """The clock of the seat that was thinking stops when the other side fails; its answer is not judged."""
    sitting = Sitting()
    sitting.now += 5.95
    sitting.do(sitting.table.leave, 1, "exited with code 0")
    sitting.now += 0.06
    assert sitting.answer(sitting.illegal(), seat=0, request=1) == []
    sitting.pass_time(LIMITS.settle)
    assert sitting.table.termination == "forfeit"
    assert [fault.side for fault in sitting.table.faults] == [1]


def test_a_bot_that_is_never_ready_is_a_no_show() -> None:
    """The match is given up when the limit is over; nobody forfeits, and those who were ready are told."""
    sitting = Sitting(ready=False)
    for seat in (0, 1, 3):
        sitting.do(sitting.table.take_ready, seat)
    assert sitting.pass_time(29.9) == []
    sitting.pass_time(0.1)
    assert sitting.table.termination == "no_show"
    assert sitting.table.forfeits == set()
    (fault,) = sitting.table.faults
    assert (fault.kind, fault.seat, fault.ends_match) == ("no_show", 2, True)
    assert sitting.results()[0].reason == "a bot never became ready"


def test_a_bot_that_ends_before_it_is_ready_is_a_no_show() -> None:
    """Exiting before Ready gives the match up at once; every bot that did so is named."""
    sitting = Sitting(ready=False)
    sitting.do(sitting.table.take_ready, 0)
    sitting.do(sitting.table.leave, 1, "exited with code 1")
    sitting.do(sitting.table.leave, 3, "exited with code 1")
    sitting.pass_time(LIMITS.settle)
    assert sitting.table.termination == "no_show"
    assert [(fault.kind, fault.seat) for fault in sitting.table.faults] == [("no_show", 1), ("no_show", 3)]


def test_a_bot_that_ends_after_it_was_ready_crashes() -> None:
    """Once ready, the end of a process forfeits, even if others are still getting ready."""
    sitting = Sitting(ready=False)
    sitting.do(sitting.table.take_ready, 0)
    sitting.do(sitting.table.leave, 0, "exited with code 1")
    sitting.pass_time(LIMITS.settle)
    assert sitting.table.termination == "forfeit"
    assert [(fault.kind, fault.seat) for fault in sitting.table.faults] == [("crash", 0)]


@pytest.mark.parametrize("when", ["before", "twice", "after"])
def test_an_unexpected_ready_or_decision_is_refused(when: str) -> None:
    """A decision before the match begins, and a second Ready, are protocol faults."""
    sitting = Sitting(ready=when == "after")
    table = sitting.table
    if when == "before":
        (refusal,) = sitting.do(table.decide, 0, 1, [DRAW_STOCK])
    else:
        if when == "twice":
            sitting.do(table.take_ready, 0)
        (refusal,) = sitting.do(table.take_ready, 0)
    assert (refusal.fault, refusal.count) == ("protocol", 1)


def test_a_failing_referee_voids_the_match() -> None:
    """Nobody wins or loses a void match, and everybody is told."""
    sitting = Sitting()
    sitting.play_on(turns=4)
    effects = sitting.table.void("KeyError: 7")
    assert [type(effect) for effect in effects] == [Finish] * 4
    assert sitting.table.termination == "void"
    assert [(fault.kind, fault.seat) for fault in sitting.table.faults] == [("referee_error", -1)]
    assert all(finish.winners == () and "KeyError" not in finish.reason for finish in effects)


def test_being_ready_while_a_match_is_given_up_is_no_fault() -> None:
    """Who gets ready after somebody else was missed is not blamed for it."""
    sitting = Sitting(ready=False)
    sitting.do(sitting.table.leave, 1, "exited with code 1")
    assert sitting.do(sitting.table.take_ready, 2) == []
    sitting.pass_time(LIMITS.settle)
    assert sitting.table.termination == "no_show"
    assert sitting.refusals(2) == []


def test_a_match_that_is_given_up_or_void_has_no_loser() -> None:
    """A crash beside a no-show, or before a failure of the referee, forfeits nothing."""
    sitting = Sitting(ready=False)
    sitting.do(sitting.table.take_ready, 0)
    sitting.do(sitting.table.leave, 0, "exited with code 1")
    sitting.do(sitting.table.leave, 1, "exited with code 1")
    sitting.pass_time(LIMITS.settle)
    assert (sitting.table.termination, sitting.table.forfeits) == ("no_show", set())
    sitting = Sitting()
    sitting.do(sitting.table.leave, 0, "exited with code 1")
    sitting.table.void("KeyError: 7")
    assert (sitting.table.termination, sitting.table.forfeits) == ("void", set())


class TestThreeSides:
    """With three or more sides a match is played on without those who forfeited."""

    def test_the_match_goes_on(self) -> None:
        """A side that forfeits is told at once; the others play all rounds, and one of them wins."""
        sitting = Sitting(ONLINE, 3, ask_always=False)
        sitting.play_on(turns=2)
        effects = sitting.do(sitting.table.leave, 1, "exited with code 1")
        assert isinstance(effects[0], Finish)
        assert (effects[0].seat, effects[0].termination, effects[0].forfeited) == (1, "forfeit", 1)
        before = len(sitting.sent)
        sitting.play_on()
        assert sitting.table.termination == "played"
        assert sitting.table.forfeits == {1}
        assert all(ask.seat != 1 for ask in requests(sitting.sent[before:]))
        assert 1 not in sitting.results()[0].winners
        assert len(sitting.table.match.scores) == ONLINE.rounds

    def test_a_seat_that_runs_out_of_time_is_replaced(self) -> None:
        """The referee goes on for the seat that was to move."""
        sitting = Sitting(ONLINE, 3, ask_always=False)
        late = sitting.asked.seat
        sitting.pass_time(6.0)
        assert sitting.table.stage is Stage.PLAYING
        assert sitting.asked.seat != late
        assert sitting.table.log[0].by_referee

    def test_the_partner_of_a_seat_at_fault_is_dismissed_too(self) -> None:
        """A side goes as a whole."""
        sitting = Sitting(PUBLISHER, 6)
        effects = sitting.do(sitting.table.leave, 2, "exited with code 1")
        assert sorted(effect.seat for effect in effects if isinstance(effect, Finish)) == [2, 5]
        sitting.play_on()
        assert sorted(sitting.results()) == list(range(6))

    def test_a_match_that_everybody_forfeits_ends(self) -> None:
        """When the last side forfeits there is nothing left to play."""
        sitting = Sitting(ONLINE, 3)
        for seat in (0, 1, 2):
            sitting.do(sitting.table.leave, seat, "exited with code 1")
        assert sitting.table.termination == "forfeit"
        assert sorted(sitting.results()) == [0, 1, 2]
        assert sitting.results()[2].winners == ()

    def test_a_side_that_forfeited_an_earlier_leg_is_played_by_the_referee(self) -> None:
        """Its seats need not be ready, are never asked, and the match is played out."""
        sitting = Sitting(ONLINE, 3, referee_sides=frozenset({0}))
        sitting.play_on()
        assert sitting.table.termination == "played"
        assert sorted(sitting.results()) == [1, 2]
        assert all(entry.by_referee for entry in sitting.table.log if entry.seat == 0)

    def test_the_last_bot_to_be_awaited_may_be_the_one_that_fails(self) -> None:
        """If the only seat that is not ready belongs to a side that forfeits, the match begins."""
        sitting = Sitting(PUBLISHER, 6, ready=False)
        for seat in range(5):
            sitting.do(sitting.table.take_ready, seat)
        effects = sitting.do(sitting.table.leave, 2, "exited with code 1")
        assert isinstance(effects[-1], Ask)


def test_a_forfeit_ends_the_match_for_sides_of_one() -> None:
    """Two seats that play for themselves are two sides like any other."""
    sitting = Sitting(ONLINE, 2)
    sitting.do(sitting.table.leave, 0, "exited with code 1")
    sitting.pass_time(LIMITS.settle)
    assert sitting.table.termination == "forfeit"
    assert sitting.results()[1].winners == (1,)
    assert SIMPLE.sides(4) == 2
