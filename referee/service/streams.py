"""One gRPC stream to a bot: a message that collects what is pending, and one task that writes it."""

import asyncio
from typing import Any, Final

import grpc
from handfoot.v1.referee_service_pb2 import PlayResponse

MAX_BACKLOG: Final = 32
"""Messages that may wait to be written before nothing more is read from the bot."""


class Stream:
    """What is pending for one stream travels in one message, as soon as the one before it has been taken."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._response = PlayResponse()
        self._posted: list[bytes] = []
        self._wake: asyncio.Future[None] | None = None
        self._writing = False
        self._drained: asyncio.Future[None] | None = None
        self.backlog = 0
        """Messages that wait to be written."""
        self.ended: asyncio.Future[tuple[grpc.StatusCode, str]] = asyncio.get_running_loop().create_future()
        """How the stream is to end, once that is known."""

    def open(self) -> PlayResponse:
        """Return the message that goes out next, for something to be added to it."""
        self._rouse()
        return self._response

    def post(self, field: bytes) -> None:
        """Add *field*, the bytes of a field of a PlayResponse, to the message that goes out next."""
        self._rouse()
        self._posted.append(field)

    def _rouse(self) -> None:
        self.backlog += 1
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    def end(self, status: grpc.StatusCode, details: str = "") -> None:
        """End the stream; what is pending is still written if the bot takes it."""
        if not self.ended.done():
            self.ended.set_result((status, details))

    async def write_all(self) -> None:
        """Write what is pending, for ever."""
        loop = asyncio.get_running_loop()
        while True:
            if not self.backlog:
                if self._drained is not None and not self._drained.done():
                    self._drained.set_result(None)
                self._wake = loop.create_future()
                await self._wake
            self._writing = True
            await self._context.write(self._take())
            self._writing = False

    def _take(self) -> bytes:
        """Return all that is pending: messages that are joined are merged by who reads them."""
        data = b"".join((self._response.SerializeToString(), *self._posted))
        self._response.Clear()
        self._posted.clear()
        self.backlog = 0
        return data

    async def drain(self) -> None:
        """Return once everything pending has been taken."""
        if self.backlog or self._writing:
            if self._drained is None or self._drained.done():
                self._drained = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._drained)
