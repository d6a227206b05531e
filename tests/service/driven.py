"""A referee and the streams to it, driven by hand over real sockets."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import grpc
from handfoot.v1.referee_service_pb2 import Hello, PlayRequest, PlayResponse
from service.sitting import spec

from referee.rules import ONLINE
from referee.rules.ruleset import MatchRule
from referee.service.clock import TimeControl
from referee.service.reports import Limits, MatchSpec
from referee.service.runner import Runner
from referee.service.server import serve
from referee.service.servicer import Servicer
from referee.service.sessions import Registry, Session

PLAY = "/handfoot.v1.RefereeService/Play"
ROUND = replace(ONLINE, match=MatchRule(rounds=1))
PATIENT = Limits(time=TimeControl(turn=60, bank=60), settle=0.01)
LIMITS = Limits(time=TimeControl(turn=5, bank=5), settle=0.01)


class Client:
    """A stream to a referee, driven by hand."""

    def __init__(self, address: str, token: str) -> None:
        self.token = token
        self._channel = grpc.aio.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)])
        self.call = self._channel.stream_stream(PLAY)()

    async def greet(self, **fields: Any) -> PlayResponse:
        """Say hello and return the answer."""
        hello = {"token": self.token, "protocol_versions": [1]} | fields
        await self.send(PlayRequest(hello=Hello(**hello)))
        return await self.read()

    async def send(self, request: PlayRequest) -> None:
        """Send a message."""
        await self.call.write(request.SerializeToString())

    async def read(self) -> PlayResponse:
        """Return the next message."""
        data = await asyncio.wait_for(self.call.read(), 10)
        assert data is not grpc.aio.EOF, "the stream is over"
        return PlayResponse.FromString(data)

    async def until(self, field: str) -> Any:
        """Return the first part of the kind *field* that arrives."""
        while True:
            found = getattr(await self.read(), field)
            if found:
                return found[0]

    async def status(self) -> tuple[grpc.StatusCode, str]:
        """Read to the end and return how the stream ended."""
        try:
            while await self.call.read() is not grpc.aio.EOF:
                pass
        except grpc.aio.AioRpcError as error:
            return error.code(), error.details() or ""
        return await self.call.code(), await self.call.details()

    async def close(self) -> None:
        """Drop the stream."""
        self.call.cancel()
        await self._channel.close()


async def play_on(runner: Runner, clients: list[Client]) -> None:
    """Answer every request until the match is over."""
    while not runner.over.done():
        played = len(runner.table.log)
        client = clients[runner.table.match.state.decider]
        await client.send(decide(await client.until("requests")))
        while len(runner.table.log) == played and not runner.over.done():
            await asyncio.sleep(0.001)


def decide(request: Any, index: int = -1, **more: Any) -> PlayRequest:
    """Return an answer to *request*: one of its legal actions."""
    return PlayRequest(
        decisions=[
            {
                "table_id": request.table_id,
                "seat": request.seat,
                "request_id": request.request_id,
                "actions": [request.legal_actions[index]],
                **more,
            }
        ]
    )


class Referee:
    """A served registry of two sessions."""

    def __init__(self, address: str, registry: Registry) -> None:
        self.address, self.registry = address, registry
        self.sessions = [Session("red"), Session("blue")]
        for session in self.sessions:
            registry.add(session)
        self.clients: list[Client] = []

    def client(self, token: str) -> Client:
        """Return a new stream that has not said hello."""
        self.clients.append(Client(self.address, token))
        return self.clients[-1]

    def seat(self, match: MatchSpec, limits: Limits = LIMITS) -> Runner:
        """Begin a match between both sessions."""
        runner = Runner(match, limits, self.sessions, ask_always=True)
        runner.begin()
        return runner

    async def begin(self, match: MatchSpec, limits: Limits = LIMITS) -> tuple[Runner, list[Client]]:
        """Begin a match between two clients that are ready."""
        runner = self.seat(match, limits)
        clients = [self.client(session.token) for session in self.sessions]
        for client in clients:
            await client.send(PlayRequest(hello=Hello(token=client.token, protocol_versions=[1])))
            seated = await client.until("seated")
            await client.send(PlayRequest(ready=[{"table_id": seated.table_id}]))
        return runner, clients

    async def table(self, name: str, seats: int) -> tuple[Runner, list[Client]]:
        """Begin a match of so many seats between clients of its own, all of them ready."""
        sessions = [Session(f"{name} seat {seat}") for seat in range(seats)]
        for session in sessions:
            self.registry.add(session)
        runner = Runner(spec(ONLINE, seats), PATIENT, sessions, ask_always=True)
        runner.begin()
        clients = [self.client(session.token) for session in sessions]
        for client in clients:
            await client.send(PlayRequest(hello=Hello(token=client.token, protocol_versions=[1])))
        for client in clients:
            await client.send(PlayRequest(ready=[{"table_id": (await client.until("seated")).table_id}]))
        return runner, clients


@asynccontextmanager
async def referee() -> AsyncIterator[Referee]:
    """Serve a referee for the length of the context."""
    registry = Registry()
    async with serve(Servicer(registry)) as address:
        served = Referee(address, registry)
        try:
            yield served
        finally:
            for client in served.clients:
                await client.close()


def run(steps: Coroutine[Any, Any, Any]) -> Any:
    """Run *steps* to their end, but not for ever."""
    return asyncio.run(asyncio.wait_for(steps, 60))
