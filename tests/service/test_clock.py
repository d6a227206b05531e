"""Tests of the clock of a seat."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.service.clock import Reading, SeatClock, TimeControl, format_time, parse_time
from referee.service.errors import InvalidTime


@pytest.mark.parametrize(
    ("text", "turn", "bank"),
    [("1s+30s", 1.0, 30.0), ("500ms+10s", 0.5, 10.0), ("0.25s+1500ms", 0.25, 1.5), ("2s", 2.0, 0.0)],
)
def test_a_time_is_read_as_turn_and_bank(text: str, turn: float, bank: float) -> None:
    """A time control is a limit per turn and, behind a plus, a bank."""
    assert parse_time(text) == TimeControl(turn, bank)


@pytest.mark.parametrize(
    "text", ["", "1", "s", "1s+", "+3s", "1s+2s+3s", "-1s", "1m", "1s 2s", "0s", "1e3s", "999999999s"]
)
def test_an_unreadable_time_is_named(text: str) -> None:
    """What is no time control is refused in one line that says what was expected."""
    with pytest.raises(InvalidTime, match="expected") as caught:
        parse_time(text)
    assert "\n" not in str(caught.value)


@given(st.integers(1, 10**8), st.integers(0, 10**8))
def test_formatted_times_read_back(turn_ms: int, bank_ms: int) -> None:
    """Format and parse are a pair."""
    control = TimeControl(turn_ms / 1000, bank_ms / 1000)
    assert parse_time(format_time(control)) == control


def test_decisions_of_a_turn_share_its_limit() -> None:
    """What one decision leaves of the limit is all that the next one has."""
    clock = SeatClock(TimeControl(turn=1.0, bank=0.0))
    clock.start(10.0)
    clock.stop(10.75)
    clock.start(20.0)
    assert clock.deadline() == pytest.approx(20.25)
    assert clock.read(20.0) == Reading(turn_limit_ms=1000, bank_ms=0, used_ms=750)


def test_the_bank_pays_what_exceeds_the_limit() -> None:
    """A turn that takes longer than its limit lowers the bank, and a new turn has the whole limit again."""
    clock = SeatClock(TimeControl(turn=1.0, bank=3.0))
    clock.start(0.0)
    assert clock.deadline() == pytest.approx(4.0)
    clock.stop(2.5)
    assert clock.read(2.5) == Reading(1000, 1500, 2500)
    clock.renew()
    clock.start(5.0)
    assert clock.deadline() == pytest.approx(7.5)
    assert clock.read(5.0) == Reading(1000, 1500, 0)


@given(st.lists(st.lists(st.floats(0, 3), min_size=1, max_size=4), max_size=8))
def test_the_bank_never_grows_and_time_is_conserved(turns: list[list[float]]) -> None:
    """Whatever a seat uses, the bank only shrinks, by exactly what exceeded the limits."""
    clock = SeatClock(TimeControl(turn=1.0, bank=100.0))
    now = paid = 0.0
    for turn in turns:
        clock.renew()
        for seconds in turn:
            clock.start(now)
            now += seconds
            assert clock.stop(now) == pytest.approx(seconds)
        paid += max(0.0, sum(turn) - 1.0)
        assert clock.read(now).bank_ms == pytest.approx(1000 * (100 - paid), abs=1)
    assert clock.total == pytest.approx(now)


def test_a_clock_that_was_not_started_does_not_count() -> None:
    """Stopping a clock twice counts nothing twice."""
    clock = SeatClock(TimeControl())
    assert clock.deadline() is None
    clock.start(0.0)
    assert (clock.stop(1.0), clock.stop(9.0)) == (1.0, 0.0)
    assert clock.total == 1.0
