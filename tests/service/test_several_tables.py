"""Several matches at once in the same processes: what travels together, and what a fault at one table costs."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Self

import grpc
from handfoot.v1.referee_service_pb2 import Hello, PlayRequest, PlayResponse
from service.sitting import Sitting, spec
from service.test_matches import stub

from referee.rules import ONLINE
from referee.rules.ruleset import MatchRule
from referee.service.clock import TimeControl
from referee.service.codec import answer_about
from referee.service.host import open_referee
from referee.service.reports import Limits, MatchReport
from referee.service.runner import Runner
from referee.service.server import serve
from referee.service.servicer import Servicer
from referee.service.sessions import Registry, Session

PLAY = "/handfoot.v1.RefereeService/Play"
ROUND = replace(ONLINE, match=MatchRule(rounds=1))
PATIENT = TimeControl(turn=60, bank=60)
LIMITS = Limits(time=PATIENT, settle=0.01)
TABLES = 3


def run(steps: Coroutine[Any, Any, Any]) -> Any:
    """Run *steps* to their end, but not for ever."""
    return asyncio.run(asyncio.wait_for(steps, 120))


@dataclass
class Player:
    """A bot at several tables, driven by hand: what it was sent, and a stream."""

    call: Any
    seated: dict[str, int] = field(default_factory=dict)
    """The seat at each table."""

    requests: list[Any] = field(default_factory=list)
    """Those that it has not answered, in the order in which they came."""

    sizes: list[int] = field(default_factory=list)
    """How many requests each message held."""

    refusals: list[Any] = field(default_factory=list)
    ended: list[Any] = field(default_factory=list)

    async def send(self, **fields: Any) -> None:
        """Send a message."""
        await self.call.write(PlayRequest(**fields).SerializeToString())

    async def read(self) -> Self:
        """Take in one message."""
        data = await asyncio.wait_for(self.call.read(), 30)
        assert data is not grpc.aio.EOF, "the stream is over"
        response = PlayResponse.FromString(data)
        self.seated |= {seated.table_id: seated.seat for seated in response.seated}
        self.requests += response.requests
        self.sizes += [len(response.requests)] if response.requests else []
        self.refusals += response.refusals
        self.ended += response.ended
        return self

    async def answer(self, *requests: Any, **changes: Any) -> None:
        """Answer *requests*, or all that are open, in one message; *changes* spoil some fields."""
        chosen = requests or tuple(self.requests)
        self.requests = [request for request in self.requests if request not in chosen]
        await self.send(decisions=[decision(request, **changes) for request in chosen])


def decision(request: Any, **changes: Any) -> dict[str, Any]:
    """Return an answer to *request*: its last legal action."""
    named = {name: getattr(request, name) for name in ("table_id", "seat", "request_id")}
    return named | {"actions": [request.legal_actions[-1]]} | changes


@dataclass
class Room:
    """Two bots that are ready at several tables."""

    runners: list[Runner]
    players: list[Player]
    channels: list[grpc.aio.Channel]

    @property
    def asked(self) -> Player:
        """The one whose turn it is at all tables, when they begin."""
        return self.players[self.runners[0].table.match.state.decider]


@asynccontextmanager
async def room(tables: int = TABLES) -> AsyncIterator[Room]:
    """Begin the same match at several tables between two bots."""
    registry = Registry()
    sessions = [Session(token, label=token, tables=tables) for token in ("red", "blue")]
    own = [("grpc.use_local_subchannel_pool", 1)]
    async with (
        serve(Servicer(registry)) as address,
        grpc.aio.insecure_channel(address, own) as red,
        grpc.aio.insecure_channel(address, own) as blue,
    ):
        players = []
        for session, channel in zip(sessions, (red, blue), strict=True):
            registry.add(session)
            players.append(Player(channel.stream_stream(PLAY)()))
            await players[-1].send(hello=Hello(token=session.token, protocol_versions=[1]))
            await players[-1].read()
        runners = [Runner(spec(ROUND, 2), LIMITS, sessions, ask_always=True) for _ in range(tables)]
        for runner in runners:
            runner.begin()
        for player in players:
            while len(player.seated) < tables:
                await player.read()
            await player.send(ready=[{"table_id": table_id} for table_id in player.seated])
        yield Room(runners, players, [red, blue])
        for player in players:
            player.call.cancel()


def named(request: Any) -> tuple[str, int]:
    """Return what tells *request* from others."""
    return request.table_id, request.request_id


def table_of(runner: Runner, seat: int) -> str:
    """Return what *seat* knows the table of *runner* by."""
    return runner.seatings[seat].table_id


def test_what_is_pending_together_travels_in_one_message() -> None:
    """The first requests of all tables come in one message, and their answers may, too."""

    async def steps() -> tuple[list[int], list[int]]:
        async with room() as tables:
            player = await tables.asked.read()
            first = list(player.sizes)
            await player.answer()
            await player.read()
            return first, [len(runner.table.log) for runner in tables.runners]

    first, played = run(steps())
    assert first == [TABLES]
    assert played == [1] * TABLES


def test_answers_may_come_one_by_one_and_in_any_order() -> None:
    """Nobody waits for the other tables of its bot."""

    async def steps() -> list[int]:
        async with room() as tables:
            player = await tables.asked.read()
            for request in reversed(list(player.requests)):
                await player.answer(request)
            while sum(len(runner.table.log) for runner in tables.runners) < TABLES:
                await player.read()
            return [len(runner.table.log) for runner in tables.runners]

    assert run(steps()) == [1] * TABLES


def test_who_thinks_at_one_table_keeps_nobody_waiting_at_another() -> None:
    """Requests gather for a moment only: the other bot is asked although this one still owes an answer."""

    async def steps() -> int:
        async with room(2) as tables:
            player = await tables.asked.read()
            other = next(each for each in tables.players if each is not player)
            slow, quick = player.requests
            runner = next(each for each in tables.runners if table_of(each, quick.seat) == quick.table_id)
            while runner.table.match.state.decider == quick.seat:
                played = len(runner.table.log)
                await player.answer(player.requests[-1])
                while len(runner.table.log) == played:
                    await asyncio.sleep(0)
                if runner.table.match.state.decider == quick.seat:
                    await player.read()
            await other.read()
            assert player.requests == [slow]
            return len(other.requests)

    assert run(steps()) == 1


def test_an_illegal_action_is_refused_at_its_table_only() -> None:
    """The refusal names the table; at the others the game goes on."""

    async def steps() -> None:
        async with room() as tables:
            player = await tables.asked.read()
            spoilt, *others = player.requests
            await player.answer(spoilt, actions=[{"answer_partner": {"agree": True}}])
            while not player.refusals:
                await player.read()
            assert [refusal.table_id for refusal in player.refusals] == [spoilt.table_id]
            await player.answer(*others)
            while sum(len(runner.table.log) for runner in tables.runners) < TABLES - 1:
                await player.read()

    run(steps())


def test_an_answer_for_another_table_is_a_protocol_fault_of_that_table() -> None:
    """It answers what was not asked there; the table that it was meant for still waits."""

    async def steps() -> list[tuple[bool, int]]:
        async with room(2) as tables:
            player = await tables.asked.read()
            meant, other = player.requests
            await player.answer(other)
            while sum(len(runner.table.log) for runner in tables.runners) < 1:
                await player.read()
            wrong = decision(meant, table_id=other.table_id, request_id=77)
            await player.send(decisions=[wrong])
            while not player.refusals:
                await player.read()
            assert player.refusals[0].table_id == other.table_id
            assert "late or unknown request" in player.refusals[0].reason
            seat = meant.seat
            return [
                (table_of(runner, seat) == meant.table_id, runner.table.chairs[seat].protocol_faults)
                for runner in tables.runners
            ]

    assert sorted(run(steps())) == [(False, 1), (True, 0)]


def test_a_table_that_there_is_not_is_a_fault_at_all_tables() -> None:
    """Nobody can tell which one was meant."""

    async def steps() -> list[int]:
        async with room() as tables:
            player = await tables.asked.read()
            await player.answer(player.requests[0], table_id="nowhere")
            while len(player.refusals) < TABLES:
                await player.read()
            return [max(chair.protocol_faults for chair in runner.table.chairs) for runner in tables.runners]

    assert run(steps()) == [1] * TABLES


def test_who_comes_back_is_asked_again_at_every_table() -> None:
    """A new stream of the session gets all requests that are open, under the same ids."""

    async def steps() -> None:
        async with room() as tables:
            player = await tables.asked.read()
            seat = player.requests[0].seat
            session = tables.runners[0].seatings[seat].session
            again = Player(tables.channels[seat].stream_stream(PLAY)())
            await again.send(hello=Hello(token=session.token, protocol_versions=[1], session_id=session.id))
            while len(again.requests) < TABLES:
                await again.read()
            assert sorted(map(named, again.requests)) == sorted(map(named, player.requests))

    run(steps())


def test_a_process_that_dies_loses_at_all_its_tables() -> None:
    """Each of its matches is forfeited as a crash, and the other bot is told so at each of them."""

    async def steps() -> list[MatchReport]:
        async with open_referee() as host:
            more = {"stateless": True, "tables": TABLES}
            bots = [await host.start_bot(stub(**more)), await host.start_bot(stub("exit@12", **more))]
            matches = [spec(ROUND, 2, salt=salt, time=PATIENT) for salt in range(TABLES)]
            return await asyncio.gather(*(host.play_match(match, bots) for match in matches))

    reports = run(steps())
    assert [report.termination for report in reports] == ["forfeit"] * TABLES
    assert [report.forfeits for report in reports] == [(1,)] * TABLES
    assert {fault.kind for report in reports for fault in report.faults} == {"crash"}


def test_as_many_matches_as_tables_are_played_by_the_same_processes() -> None:
    """All of them are played out, and the CPU time of the processes is divided among them."""

    async def steps() -> list[MatchReport]:
        async with open_referee() as host:
            bots = [await host.start_bot(stub(stateless=True, tables=TABLES)) for _ in range(2)]
            matches = [spec(ROUND, 2, salt=salt, time=PATIENT) for salt in range(TABLES)]
            return await asyncio.gather(*(host.play_match(match, bots) for match in matches))

    reports = run(steps())
    assert [report.termination for report in reports] == ["played"] * TABLES
    assert all(time.cpu_ms is not None for report in reports for time in report.times)


def test_a_bot_that_has_shown_at_another_table_does_not_count_as_absent() -> None:
    """If it ends or hangs before it is ready here, it loses; it is no no-show, which would stop a scrimmage."""
    crashed = Sitting(seats=4, ready=False)
    crashed.table.chairs[1].shown = True
    crashed.do(crashed.table.leave, 1, "it ended")
    assert [fault.kind for fault in crashed.table.faults] == ["crash"]

    hung = Sitting(seats=4, ready=False)
    for seat in (0, 2, 3):
        hung.do(hung.table.take_ready, seat)
    hung.table.chairs[1].shown = True
    hung.now = 31.0
    hung.do(hung.table.tick)
    assert [fault.kind for fault in hung.table.faults] == ["timeout"]
    assert (hung.table.termination, hung.table.forfeits) == ("forfeit", {1})


def test_at_a_table_of_three_sides_the_others_begin_without_who_hangs_elsewhere() -> None:
    """The referee plays its seat from the beginning."""
    hung = Sitting(ONLINE, seats=3, ready=False)
    for seat in (0, 2):
        hung.do(hung.table.take_ready, seat)
    hung.table.chairs[1].shown = True
    hung.now = 31.0
    hung.do(hung.table.tick)
    assert hung.table.forfeits == {1}
    assert hung.table.termination is None
    assert hung.asked.seat in (0, 2)


def test_a_report_of_a_fault_tells_what_was_said_at_its_table_only() -> None:
    """What the bot said of its other matches in the same message stays out: those are not final."""
    said = [{"table_id": name, "seat": 1, "request_id": 5} for name in "ab"]
    both = PlayRequest(decisions=said).SerializeToString()
    assert PlayRequest.FromString(answer_about("b", both)) == PlayRequest(decisions=said[1:])
    assert answer_about("c", both) == both
    assert answer_about("b", b"\xff\xfe") == b"\xff\xfe"
