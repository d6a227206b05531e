"""Tests of matches on a machine that lags: nobody loses by it, and nobody gains by causing it."""

import asyncio
import time
from dataclasses import replace
from typing import Any

import pytest
from handfoot.v1.referee_service_pb2 import Hello, PlayRequest
from service.driven import LIMITS, ROUND, Client, Referee, decide, referee, run
from service.sitting import Sitting, spec

from referee.service.clock import SeatClock, TimeControl
from referee.service.runner import CALM_STREAMS, Runner
from referee.service.sessions import MAX_ENTRIES, MAX_STREAMS

SHORT = replace(LIMITS, time=TimeControl(0.3, 0.0))


async def begin(served: Referee, **lag: Any) -> tuple[Runner, list[Client]]:
    """Begin a match of two clients, in which a lag is told as the test wants it, under a short limit."""
    runner = Runner(spec(ROUND, 2), SHORT, served.sessions, ask_always=True, **lag)
    runner.begin()
    clients = [served.client(session.token) for session in served.sessions]
    for client in clients:
        await client.send(PlayRequest(hello=Hello(token=client.token, protocol_versions=[1])))
        await client.send(PlayRequest(ready=[{"table_id": (await client.until("seated")).table_id}]))
    return runner, clients


def test_a_clock_gives_back_what_the_machine_lost() -> None:
    """A credit lengthens one turn and costs the bank nothing; the next turn has its usual limit."""
    clock = SeatClock(TimeControl(turn=1.0, bank=5.0))
    clock.start(0.0)
    clock.credit(2.0)
    assert clock.deadline() == 8.0
    clock.stop(2.5)
    assert clock.read(2.5).bank_ms == 5000
    clock.renew()
    clock.start(10.0)
    assert clock.deadline() == 16.0


def test_a_credit_is_given_to_whoever_is_asked() -> None:
    """Its answer is then in time; once the match is over there is nobody to give it to."""
    sitting = Sitting()
    sitting.table.credit(3.0)
    assert sitting.pass_time(8.9) == []
    sitting.pass_time(0.2)
    assert [fault.kind for fault in sitting.table.faults] == ["timeout"]
    sitting.table.credit(3.0)


def test_an_answer_that_was_read_late_is_in_time() -> None:
    """If the machine stood still while the answer was on its way, the match goes on."""

    async def steps() -> None:
        async with referee() as served:
            runner, (red, _) = await begin(served, lateness=lambda since: 1.0)
            sending = asyncio.create_task(red.send(decide(await red.until("requests"))))
            await asyncio.sleep(0)
            time.sleep(0.5)
            await sending
            while not runner.table.log:
                await asyncio.sleep(0.01)
            assert runner.table.faults == []
            assert runner.table.log[0].ms >= 300
            runner.abandon("enough")

    run(steps())


def test_a_credit_is_given_once_a_turn() -> None:
    """A seat that stays silent has what the machine lost, and no more."""

    async def steps() -> float:
        async with referee() as served:
            runner, (red, _) = await begin(served, lateness=lambda since: 0.4)
            await red.until("requests")
            began = time.monotonic()
            await asyncio.wait_for(runner.over, 10)
            assert [fault.kind for fault in runner.table.faults] == ["timeout"]
            return time.monotonic() - began

    assert 0.6 < run(steps()) < 5


async def _garbage(client: Client, served: Referee) -> None:
    await client.call.write(b"\xff garbage")


async def _many_streams(client: Client, served: Referee) -> None:
    for _ in range(CALM_STREAMS + 1):
        newer = served.client(client.token)
        await newer.greet()


@pytest.mark.parametrize("disturb", [None, _garbage, _many_streams], ids=["silent", "garbage", "streams"])
def test_who_disturbs_the_referee_is_not_excused_by_its_lag(disturb: Any) -> None:
    """A silent bot on a late host makes the match void; one that floods the host in that turn has lost."""

    async def steps() -> str | None:
        async with referee() as served:
            runner, (red, _) = await begin(served, excuse=lambda since: "the host was late")
            await red.until("requests")
            if disturb is not None:
                await disturb(red, served)
            await asyncio.wait_for(runner.over, 10)
            return runner.table.termination

    assert run(steps()) == ("void" if disturb is None else "forfeit")


def test_a_message_says_only_so_much() -> None:
    """A megabyte of empty answers is one fault, not half a million, and is refused in a moment."""

    async def steps() -> None:
        async with referee() as served:
            runner, (red, _) = await served.begin(spec(ROUND, 2))
            request = await red.until("requests")
            empty = PlayRequest(decisions=[{}] * 400_000)
            began = time.monotonic()
            await red.send(empty)
            refusal = await red.until("refusals")
            assert "too much in it; got 400000 entries" in refusal.reason
            assert refusal.count == 1
            assert time.monotonic() - began < 3
            await red.send(PlayRequest(decisions=[{"table_id": request.table_id}] * (MAX_ENTRIES + 1)))
            assert (await red.until("refusals")).count == 2
            runner.abandon("enough")

    run(steps())


def test_coming_back_without_end_loses() -> None:
    """A bot may come back often, and forfeits when it does nothing else."""

    async def steps() -> None:
        async with referee() as served:
            runner, (red, _) = await served.begin(spec(ROUND, 2))
            await red.until("requests")
            session = served.sessions[0]
            [seating] = session.seatings.values()
            seating.streams = MAX_STREAMS - 1
            await served.client("red").greet()
            assert runner.table.chairs[0].protocol_faults == 0
            for count in range(1, 11):
                await served.client("red").greet()
                assert runner.table.chairs[0].protocol_faults == count
            await asyncio.wait_for(runner.over, 5)
            [fault] = runner.table.faults
            assert (fault.kind, fault.seat) == ("protocol", 0)
            assert f"stream {MAX_STREAMS + 10} in one match" in fault.reason

    run(steps())
