"""
The wire of a check: listens to what bots and the referee say to each other, and breaks in where a `Line` wants it.

It stands as an interceptor between the streams and the referee's servicer, so that the referee, the bots and the
sockets between them are the real ones. What the referee does not do itself happens here: an answer is held back and
refused, a stream is broken or closed.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from handfoot.v1.referee_service_pb2 import PlayRequest, PlayResponse

from tournaments.compliance.line import Ending, Line
from tournaments.compliance.wording import unreadable

Play = Callable[[Any, Any], Awaitable[None]]


class Wire(grpc.aio.ServerInterceptor):  # type: ignore[misc]  # grpc has no types
    """All streams to the referee; what is said on those of a bot that is watched goes to its `Line`."""

    def __init__(self) -> None:
        self._lines: dict[str, Line] = {}
        self._newest: Line | None = None

    def watch(self, token: str) -> Line:
        """Watch the bot with this *token*; a stream that is not let in is taken for one of the newest such bot."""
        self._newest = self._lines[token] = Line()
        return self._newest

    def find(self, token: str) -> Line | None:
        """Return the line of the bot with this *token*, if it is watched."""
        return self._lines.get(token)

    def reject(self, line: Line | None, reason: str) -> None:
        """Note on *line*, or that of the newest bot, that a stream was not let in."""
        found = line or self._newest
        if found is not None:
            found.reject(reason)

    async def intercept_service(self, continuation: Callable[[Any], Awaitable[Any]], details: Any) -> Any:
        """Return the method that is called, with the wire before it."""
        method = await continuation(details)
        if method is None:
            return None

        async def carry(requests: Any, context: Any) -> None:
            await _carry(_Tap(context, self), method.stream_stream, requests)

        return grpc.stream_stream_rpc_method_handler(carry)


class _Tap:
    """The context of one stream: the servicer reads and writes through here."""

    def __init__(self, context: Any, wire: Wire) -> None:
        self.context = context
        self.cut: asyncio.Future[Ending] = asyncio.get_running_loop().create_future()
        """How the stream is to end, once it is."""
        self._wire = wire
        self._line: Line | None = None
        self._begun = False
        self._writing = asyncio.Lock()

    async def read(self) -> Any:
        """Return the next message of the bot that the referee is to have."""
        while True:
            data = await self.context.read()
            request = _read(data)
            if not self._begun:
                self._begin(request)
            if self._line is None or not isinstance(data, bytes):
                return data
            if request is None:
                self._line.exchange.append(unreadable(data))
                return data
            self._line.hear(request)
            refusal = self._line.refusal_of(request)
            if refusal is None:
                return data
            await self.write(refusal.SerializeToString())

    async def write(self, data: bytes) -> None:
        """Send a message to the bot."""
        response = None if self._line is None else PlayResponse.FromString(data)
        if self._line is not None and response is not None:
            self._line.tell(response)
        async with self._writing:
            await self.context.write(data)
        if self._line is not None and response is not None:
            self._line.break_after(response)

    async def abort(self, code: grpc.StatusCode, details: str = "") -> None:
        """End the stream with a status."""
        self._wire.reject(self._line, f"{code.name}: {details}")
        await self.context.abort(code, details)

    def _begin(self, request: PlayRequest | None) -> None:
        self._begun = True
        if request is not None:
            self._line = self._wire.find(request.hello.token)
            if self._line is not None:
                self._line.open(request.hello, self.cut)


def _read(data: Any) -> PlayRequest | None:
    try:
        return PlayRequest.FromString(data) if isinstance(data, bytes) else None
    except DecodeError:
        return None


async def _carry(tap: _Tap, play: Play, requests: Any) -> None:
    """Let the servicer *play* over *tap* until it is done, or the stream is cut."""
    playing = asyncio.ensure_future(play(requests, tap))
    ends: list[asyncio.Future[Any]] = [playing, tap.cut]
    try:
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    finally:
        if not playing.done():
            playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    if not tap.cut.done():
        playing.result()
    elif tap.cut.result()[0] is not grpc.StatusCode.OK:
        await tap.context.abort(*tap.cut.result())
