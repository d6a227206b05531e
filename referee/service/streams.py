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
        loop = asyncio.get_running_loop()
        self._context = context
        self._response = PlayResponse()
        self._wake: asyncio.Future[None] | None = None
        self._idle: asyncio.Future[None] = loop.create_future()
        self._idle.set_result(None)
        self.backlog = 0
        """Messages that wait to be written."""
        self.ended: asyncio.Future[tuple[grpc.StatusCode, str]] = loop.create_future()
        """How the stream is to end, once that is known."""

    def open(self) -> PlayResponse:
        """Return the message that goes out next, for something to be added to it."""
        if not self.backlog:
            if self._idle.done():
                self._idle = asyncio.get_running_loop().create_future()
            if self._wake is not None and not self._wake.done():
                self._wake.set_result(None)
        self.backlog += 1
        return self._response

    def end(self, status: grpc.StatusCode, details: str = "") -> None:
        """End the stream; what is pending is still written if the bot takes it."""
        if not self.ended.done():
            self.ended.set_result((status, details))

    async def write_all(self) -> None:
        """Write what is pending, for ever."""
        loop = asyncio.get_running_loop()
        while True:
            if not self.backlog:
                if not self._idle.done():
                    self._idle.set_result(None)
                self._wake = loop.create_future()
                await self._wake
            response, self._response, self.backlog = self._response, PlayResponse(), 0
            await self._context.write(response.SerializeToString())

    async def drain(self) -> None:
        """Return once everything pending has been taken."""
        await asyncio.shield(self._idle)
