"""What a seat hears of others who are late, at fault or gone: that a side lost, once the match is over for it."""

from collections.abc import Awaitable, Callable

import pytest
from handfoot.v1.referee_service_pb2 import PlayRequest, Ready
from laws.playouts import Table as Place
from leak.matches import illegal_action, spec_of
from leak.room import LIMITS, Room, Sent, run

from referee.rules import ONLINE, fallback_action

FOUR = Place(ONLINE, 4)
THREE = Place(ONLINE, 3)
"""A table of three sides, where the match goes on after a forfeit."""

Fault = Callable[[Room], Awaitable[None]]


async def play_turns(room: Room, turns: int) -> None:
    """Let the seats draw and discard for some turns, or until the match is over."""
    for _ in range(2 * turns):
        state = room.table.match.state
        if room.over:
            return
        await room.decide(state.decider, fallback_action(state))


async def get_ready(room: Room, seat: int) -> None:
    """Let one seat be ready."""
    await room.say(seat, PlayRequest(ready=[Ready(table_id=room.seatings[seat].table_id)]))


def told(room: Room, seat: int) -> list[bytes]:
    """Return what *seat* was sent beside the welcome and its seat."""
    return [sent.data for sent in room.sent(seat)[1:]]


# ---------------------------------------------------------------------- before the match begins


@pytest.mark.parametrize("others", [(), (1,), (1, 2, 3)], ids=str)
def test_nobody_learns_whether_others_are_ready(others: tuple[int, ...]) -> None:
    """A second Ready is refused in the same words, whether the match has begun meanwhile or not."""

    async def steps() -> str:
        room = Room(spec_of(FOUR, 0))
        for seat in (0, *others, 0):
            if seat == 0 and len(others) == 3 and room.table.chairs[0].ready:
                await play_turns(room, 1)
            await get_ready(room, seat)
        (refusal,) = [refusal for sent in room.sent(0) for refusal in sent.message.refusals]
        await room.close()
        return refusal.reason

    assert run(steps()) == "unexpected Ready: it was sent before"


async def exit_early(room: Room) -> None:
    """The process of seat 1 ends before it is ready."""
    await room.do(room.runner.leave, room.seatings[1], "exited with code 3")


async def start_slowly(room: Room) -> None:
    """Seat 1 is not ready in time."""
    await room.pass_time(LIMITS.ready)


def test_nobody_learns_why_another_was_never_ready() -> None:
    """The others hear the same of a bot that ended as of one that was slow."""

    async def steps(fault: Fault) -> list[list[bytes]]:
        room = Room(spec_of(FOUR, 0))
        for seat in (0, 2, 3):
            await get_ready(room, seat)
        await fault(room)
        await room.pass_time(LIMITS.settle)
        assert room.over
        return [told(room, seat) for seat in (0, 2, 3)]

    ended, slow = run(steps(exit_early)), run(steps(start_slowly))
    assert ended == slow
    assert all(len(messages) == 1 and b"a bot never became ready" in messages[0] for messages in ended)


# ---------------------------------------------------------------------- while it is being played


async def be_killed(room: Room) -> None:
    """The process of seat 1 is killed."""
    await room.do(room.runner.leave, room.seatings[1], "killed by SIGKILL")


async def exit_late(room: Room) -> None:
    """The process of seat 1 ends by itself."""
    await room.do(room.runner.leave, room.seatings[1], "exited with code 0")


async def fall_silent(room: Room) -> None:
    """Seat 1 answers nothing."""
    await room.pass_time(5_000.0)


async def insist(room: Room) -> None:
    """Seat 1 earns its third strike."""
    room.table.chairs[1].strikes = 2
    for _ in range(4):
        await room.decide(1, illegal_action(room.table.match.state))


async def babble(room: Room) -> None:
    """Seat 1 answers what was not asked, ten times."""
    for number in range(10):
        await room.decide(1, illegal_action(room.table.match.state), request_id=1_000 + number)


def test_nobody_learns_why_another_lost() -> None:
    """Whatever seat 1 did wrong, its partner and its opponents are sent the very same bytes."""

    async def steps(fault: Fault) -> list[list[bytes]]:
        room = await Room(spec_of(FOUR, 0), ask_always=True).get_ready()
        await play_turns(room, 5)
        await fault(room)
        await room.pass_time(LIMITS.settle)
        assert room.table.termination == "forfeit"
        assert room.table.match.state.decider == 1
        return [told(room, seat) for seat in (0, 2, 3)]

    heard = [run(steps(fault)) for fault in (be_killed, exit_late, fall_silent, insist, babble)]
    assert all(each == heard[0] for each in heard)
    assert all(b"side 1 forfeited" in messages[-1] for messages in heard[0])


def test_nobody_learns_during_the_match_for_whom_the_referee_plays() -> None:
    """At a table of three, seat 1 may be gone or play the same by itself: seat 0 cannot tell before the result."""

    async def steps(gone: bool) -> list[Sent]:
        room = await Room(spec_of(THREE, 0), ask_always=True, present=[0]).get_ready()
        await play_turns(room, 4)
        if gone:
            await room.do(room.runner.leave, room.seatings[1], "exited with code 3")
        while not room.over:
            await play_turns(room, 1)
        return room.sent(0)

    with_bot, without = run(steps(False)), run(steps(True))
    assert [sent.data for sent in with_bot[:-1]] == [sent.data for sent in without[:-1]]
    results = [sent[-1].message.ended[0].result for sent in (with_bot, without)]
    assert [result.HasField("forfeited") for result in results] == [False, True]
    for result in results:
        result.ClearField("forfeited")
        result.ClearField("winners")
    assert results[0] == results[1]


@pytest.mark.parametrize("asked", [0, 1])
def test_a_seat_that_is_sent_home_hears_nothing_of_what_follows(asked: int) -> None:
    """Its result holds the events up to its forfeit, not the cards that the referee then draws in its place."""

    async def steps() -> tuple[int, list[int]]:
        room = await Room(spec_of(THREE, 0), ask_always=True).get_ready()
        await play_turns(room, 3 + asked)
        assert room.table.match.state.decider == asked
        happened = len(room.table.events)
        await room.do(room.runner.leave, room.seatings[0], "exited with code 3")
        (ended,) = [ended for sent in room.sent(0) for ended in sent.message.ended]
        assert (len(room.table.events) > happened) == (asked == 0)
        await room.close()
        return happened, [event.number for event in ended.events]

    happened, numbers = run(steps())
    assert not numbers or numbers[-1] == happened
    assert all(number <= happened for number in numbers)
