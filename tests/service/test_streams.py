"""Tests of streams and sessions: who is let in, what is refused, and coming back; over real sockets."""

import asyncio
from dataclasses import replace
from typing import Any

import grpc
import pytest
from handfoot.v1.referee_service_pb2 import Hello, PlayRequest, PlayResponse
from service.driven import LIMITS, ROUND, Client, decide, play_on, referee, run
from service.sitting import spec

from referee.rules import ONLINE
from referee.rules.ruleset import MatchRule
from referee.service.clock import TimeControl
from referee.service.runner import Runner
from referee.service.sessions import Session


@pytest.mark.parametrize(
    ("fields", "code", "reason"),
    [
        ({"token": "green"}, grpc.StatusCode.UNAUTHENTICATED, "unknown token"),
        ({"token": ""}, grpc.StatusCode.UNAUTHENTICATED, "unknown token"),
        ({"session_id": "guessed"}, grpc.StatusCode.NOT_FOUND, "unknown session"),
        ({"protocol_versions": [2, 3]}, grpc.StatusCode.FAILED_PRECONDITION, "speaks protocol versions 2, 3"),
        ({"protocol_versions": []}, grpc.StatusCode.FAILED_PRECONDITION, "versions none; expected 1"),
    ],
)
def test_who_may_not_come_in_is_told_why(fields: dict[str, Any], code: grpc.StatusCode, reason: str) -> None:
    """A wrong hello ends the stream with a status that says what is wrong."""

    async def steps() -> tuple[grpc.StatusCode, str]:
        async with referee() as served:
            client = served.client("red")
            hello = {"token": "red", "protocol_versions": [1]} | fields
            await client.send(PlayRequest(hello=Hello(**hello)))
            return await client.status()

    status, details = run(steps())
    assert status is code
    assert reason in details


@pytest.mark.parametrize(
    "data",
    [
        b"\xff garbage",
        b"",
        PlayRequest(ready=[{"table_id": "x"}]).SerializeToString(),
        PlayRequest(
            hello=Hello(token="red", protocol_versions=[1]), ready=[{"table_id": "x"}]
        ).SerializeToString(),
    ],
    ids=["garbage", "empty", "ready", "hello and more"],
)
def test_the_first_message_is_a_hello_and_nothing_else(data: bytes) -> None:
    """Anything else as the first message ends the stream."""

    async def steps() -> grpc.StatusCode:
        async with referee() as served:
            client = served.client("red")
            await client.call.write(data)
            return (await client.status())[0]

    assert run(steps()) is grpc.StatusCode.INVALID_ARGUMENT


def test_a_welcome_names_session_and_limits() -> None:
    """The answer to hello is the session to come back to, the version spoken, and the limits."""

    async def steps() -> PlayResponse:
        async with referee() as served:
            return await served.client("red").greet()

    welcome = run(steps()).welcome
    assert len(welcome.session_id) >= 16
    assert welcome.protocol_version == 1
    assert welcome.max_message_bytes == 1 << 20
    assert welcome.max_legal_actions == 1000


def test_messages_at_no_table_are_refused_and_end_the_session_at_last() -> None:
    """Outside of matches ten refused messages close the session; it is not let in again."""

    async def steps() -> tuple[list[str], grpc.StatusCode, grpc.StatusCode]:
        async with referee() as served:
            client = served.client("red")
            await client.greet()
            reasons = []
            for count in range(1, 10):
                await client.send(PlayRequest(hello=Hello(token="red", protocol_versions=[1])))
                refusal = await client.until("refusals")
                assert refusal.count == count
                reasons.append(refusal.reason)
            await client.send(PlayRequest(ready=[{"table_id": "x"}]))
            ended, _ = await client.status()
            again = served.client("red")
            await again.send(PlayRequest(hello=Hello(token="red", protocol_versions=[1])))
            return reasons, ended, (await again.status())[0]

    reasons, ended, refused = run(steps())
    assert reasons[0].startswith("unexpected hello")
    assert ended is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refused is grpc.StatusCode.UNAUTHENTICATED


def test_legal_actions_are_listed_unless_declined() -> None:
    """A hello that declines legal actions gets requests without them."""

    async def steps(wanted: bool) -> int:
        async with referee() as served:
            served.seat(spec(ROUND, 2))
            for session in served.sessions:
                client = served.client(session.token)
                hello = Hello(token=session.token, protocol_versions=[1], legal_actions=wanted)
                await client.send(PlayRequest(hello=hello))
                await client.send(PlayRequest(ready=[{"table_id": (await client.until("seated")).table_id}]))
            return len((await served.clients[0].until("requests")).legal_actions)

    assert run(steps(True)) > 0
    assert run(steps(False)) == 0


def test_coming_back_repeats_events_and_the_open_request() -> None:
    """A new stream of the session gets all events from the first and the same request; the clock never stopped."""

    async def steps() -> None:
        async with referee() as served:
            runner, (red, blue) = await served.begin(spec(ROUND, 2))
            first = await red.until("requests")
            await red.send(decide(first))
            second = await red.until("requests")
            deadline = runner.table.deadline()
            await red.close()
            back = served.client("red")
            await back.send(
                PlayRequest(hello=Hello(token="red", protocol_versions=[1], session_id=served.sessions[0].id))
            )
            again = await back.until("requests")
            assert (again.request_id, again.table_id) == (second.request_id, second.table_id)
            assert again.observation == second.observation
            assert [event.number for event in again.events] == list(range(1, len(runner.table.events) + 1))
            assert runner.table.deadline() == deadline
            await back.send(decide(again))
            await blue.until("requests")
            assert runner.table.chairs[0].protocol_faults == 0

    run(steps())


def test_the_newest_stream_wins() -> None:
    """While an older stream is still there, the newer one takes over, and the older ends with ABORTED."""

    async def steps() -> None:
        async with referee() as served:
            _, (red, _) = await served.begin(spec(ROUND, 2))
            request = await red.until("requests")
            newer = served.client("red")
            await newer.send(PlayRequest(hello=Hello(token="red", protocol_versions=[1])))
            assert (await red.status())[0] is grpc.StatusCode.ABORTED
            again = await newer.until("requests")
            assert again.request_id == request.request_id
            await newer.send(decide(again))
            assert (await newer.until("requests")).request_id == request.request_id + 1

    run(steps())


def test_a_decision_that_was_taken_before_the_stream_dropped_is_ignored() -> None:
    """Sending it again over the new stream is no fault; sending it a third time is one."""

    async def steps() -> None:
        async with referee() as served:
            runner, (red, _) = await served.begin(spec(ROUND, 2))
            answer = decide(await red.until("requests"))
            await red.send(answer)
            await red.until("requests")
            await red.close()
            back = served.client("red")
            await back.greet(session_id=served.sessions[0].id)
            await back.send(answer)
            await back.send(answer)
            refusal = await back.until("refusals")
            assert refusal.request_id == answer.decisions[0].request_id
            assert runner.table.chairs[0].protocol_faults == 1

    run(steps())


def test_a_request_tells_the_last_round_trip() -> None:
    """It is the time without what the bot says it thought; unknown without that, and on a new stream."""

    async def steps() -> None:
        async with referee() as served:
            runner, clients = await served.begin(spec(ROUND, 2))
            told: list[int | None] = []
            thinking: list[dict[str, int]] = [{}, {"thinking_us": 0}, {"thinking_us": 2**32 - 1}, {}]
            while len(told) < len(thinking):
                played, seat = len(runner.table.log), runner.table.match.state.decider
                request = await clients[seat].until("requests")
                if seat == 0:
                    told.append(request.round_trip_us if request.HasField("round_trip_us") else None)
                await clients[seat].send(decide(request, **(thinking[len(told) - 1] if seat == 0 else {})))
                while len(runner.table.log) == played:
                    await asyncio.sleep(0.001)
            assert told[:2] == [None, None]
            assert told[2] is not None
            assert 0 < told[2] < 10_000_000
            assert told[3] == 0, "who says too much is not told of a negative time"
            newer = served.client("red")
            await newer.greet()
            assert served.sessions[0].round_trip_us is None

    run(steps())


def test_coming_back_before_being_ready_seats_again() -> None:
    """A stream that drops before Ready is told its seat again."""

    async def steps() -> None:
        async with referee() as served:
            runner = served.seat(spec(ROUND, 2))
            first = served.client("red")
            await first.send(PlayRequest(hello=Hello(token="red", protocol_versions=[1])))
            seated = await first.until("seated")
            await first.close()
            back = served.client("red")
            await back.send(PlayRequest(hello=Hello(token="red", protocol_versions=[1])))
            assert await back.until("seated") == seated
            runner.abandon("enough")

    run(steps())


def test_coming_back_too_late_is_a_timeout() -> None:
    """A stream that is gone at the deadline loses like a bot that is silent; the other seat is told."""

    async def steps() -> None:
        async with referee() as served:
            limits = replace(LIMITS, time=TimeControl(0.2, 0.1))
            runner, (red, blue) = await served.begin(spec(ROUND, 2), limits)
            await red.until("requests")
            await red.close()
            await asyncio.wait_for(runner.over, 5)
            assert [(fault.kind, fault.seat) for fault in runner.table.faults] == [("timeout", 0)]
            ended = await blue.until("ended")
            assert ended.result.forfeited == 0
            assert ended.result.reason == "side 0 forfeited"

    run(steps())


def test_an_answer_that_crosses_the_end_is_no_fault() -> None:
    """The answer of a seat whose match has just ended is dropped without a word."""

    async def steps() -> None:
        async with referee() as served:
            runner, (red, _) = await served.begin(spec(ROUND, 2))
            request = await red.until("requests")
            runner.abandon("the test says so")
            await red.send(decide(request))
            await red.send(PlayRequest(ready=[{"table_id": "nowhere"}]))
            await red.until("ended")
            refusal = await red.until("refusals")
            assert (refusal.count, refusal.table_id) == (1, "")

    run(steps())


def test_a_bot_that_never_reads_blocks_only_itself() -> None:
    """It is read from no more while what it was sent waits, and the referee goes on with everybody else."""

    async def steps() -> None:
        async with referee() as served:
            _, (red, _) = await served.begin(spec(ROUND, 2))
            deaf = Session("deaf")
            served.registry.add(deaf)
            client = served.client("deaf")
            await client.greet()
            junk = PlayRequest(ready=[{"table_id": "x" * 1000}])
            for _ in range(200):
                try:
                    await asyncio.wait_for(client.send(junk), 0.2)
                except (TimeoutError, grpc.aio.AioRpcError, asyncio.InvalidStateError):
                    break
            await red.send(decide(await red.until("requests")))
            assert (await red.until("requests")).request_id == 2

    run(steps())


def test_an_answer_for_another_table_changes_nothing_there() -> None:
    """A bot that knows the id of a table at which it does not sit is refused; that match goes on as it was."""

    async def steps() -> None:
        async with referee() as served:
            runner, (red, blue) = await served.begin(spec(ROUND, 2))
            request = await red.until("requests")
            stranger = Session("stranger")
            served.registry.add(stranger)
            client = served.client("stranger")
            await client.greet()
            await client.send(decide(request))
            refusal = await client.until("refusals")
            assert refusal.reason.startswith("unknown table: no seat at it")
            await blue.send(decide(request))
            assert (await blue.until("refusals")).reason.startswith("unknown table")
            assert runner.table.log == []
            assert [chair.protocol_faults for chair in runner.table.chairs] == [0, 1]
            await red.send(decide(request))
            assert (await red.until("requests")).request_id == request.request_id + 1

    run(steps())


def test_sixty_four_tables_of_four_play_at_once() -> None:
    """A stream for each of 256 seats: every table goes on, and everybody is told how its match ended."""

    async def steps() -> None:
        async with referee() as served:
            tables = [await served.table(f"table {number}", 4) for number in range(64)]
            await asyncio.gather(*(answer_some(runner, clients, 6) for runner, clients in tables))
            for runner, clients in tables:
                assert len(runner.table.log) >= 6
                runner.abandon("enough")
                for client in clients:
                    assert (await client.until("ended")).result.reason == "the referee failed"

    run(steps())


async def answer_some(runner: Runner, clients: list[Client], count: int) -> None:
    """Answer requests at a table until so many actions are played."""
    while len(runner.table.log) < count:
        played, client = len(runner.table.log), clients[runner.table.match.state.decider]
        await client.send(decide(await client.until("requests")))
        while len(runner.table.log) == played:
            await asyncio.sleep(0.005)


def test_hundreds_of_streams_do_not_starve_a_match() -> None:
    """Streams that say nothing cost nothing to those who play."""

    async def steps() -> None:
        async with referee() as served:
            for _ in range(500):
                served.client("nobody")
            runner, clients = await served.begin(spec(ROUND, 2))
            await play_on(runner, clients)
            assert runner.table.termination == "played"

    run(steps())


def test_an_error_of_the_referee_voids_the_match() -> None:
    """If dealing the second round fails, nobody wins; both are told, and the fault is the referee's."""

    async def steps() -> None:
        async with referee() as served:
            match = spec(replace(ONLINE, match=MatchRule(rounds=2)), 2)
            runner, clients = await served.begin(replace(match, keys=(match.keys[0], b"short")))
            await play_on(runner, clients)
            for client in clients:
                ended = await client.until("ended")
                assert ended.result.reason == "the referee failed"
                assert list(ended.result.winners) == []
            assert runner.table.termination == "void"
            assert [fault.kind for fault in runner.table.faults] == ["referee_error"]

    run(steps())
