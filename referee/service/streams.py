"""
One gRPC stream to a bot: a message that collects what is pending, and one task that writes it.

Streams of bots that play at several tables share a `Gate`, at which requests gather.
"""

import asyncio
from typing import Any, Final

import grpc
from handfoot.v1.referee_service_pb2 import PlayResponse

MAX_BACKLOG: Final = 32
"""Messages that may wait to be written before nothing more is read from the bot."""


FEWEST: Final = 2
SHARE: Final = 0.25
"""A bot is asked again at once if it has so many requests, and so many of those that the one with most has."""


class Gate:
    """
    Lets requests gather: while one bot has some to answer, what is to be sent to the others waits for a while.

    Then one gets all of its own: the same one again while that is worth a message, since a turn has several decisions,
    and after it whoever has most. A message costs far more than a request in it, so bots that answer at once are asked
    one after the other; those that think longer than the while think side by side.
    """

    def __init__(self) -> None:
        self._asked: set[Stream] = set()
        """Those that have not said anything since they were last asked."""
        self._last: Stream | None = None
        """The one that was asked last."""
        self._held: dict[Stream, float] = {}
        """Those whose requests wait, and until when at most."""
        self._timer: asyncio.TimerHandle | None = None

    def hold(self, stream: "Stream", patience: float) -> None:
        """Let *stream* have the requests that are pending for it when it is its turn, or in *patience* seconds."""
        if stream in self._held:
            return
        loop = asyncio.get_running_loop()
        self._held[stream] = loop.time() + patience
        if not self._asked:
            loop.call_soon(self._open)
        if self._timer is None:
            self._timer = loop.call_later(patience, self._expire)

    def ask(self, stream: "Stream") -> None:
        """Note that *stream* takes its requests."""
        self._held.pop(stream, None)
        self._asked.add(stream)
        self._last = stream

    def answer(self, stream: "Stream") -> None:
        """Note that *stream* has said something, or is gone: the next one may be asked."""
        self._asked.discard(stream)
        self._open()

    def leave(self, stream: "Stream") -> None:
        """Note that *stream* is gone."""
        self._held.pop(stream, None)
        if self._last is stream:
            self._last = None
        self.answer(stream)

    def _open(self) -> None:
        if self._held and not self._asked:
            self._release(self._next())

    def _next(self) -> "Stream":
        most = max(self._held, key=lambda stream: stream.backlog)
        last = self._last
        if last in self._held and last.backlog >= FEWEST and last.backlog >= most.backlog * SHARE:
            return last
        return most

    def _release(self, stream: "Stream") -> None:
        self.ask(stream)
        stream.rouse()

    def _expire(self) -> None:
        """Release those that have waited long enough."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for stream in [stream for stream, until in self._held.items() if until <= now]:
            self._release(stream)
        self._timer = loop.call_at(min(self._held.values()), self._expire) if self._held else None


class Stream:
    """What is pending for one stream travels in one message, as soon as the one before it has been taken."""

    def __init__(self, context: Any) -> None:
        self.gate: Gate | None = None
        """Where requests gather; None where they are sent at once."""
        self._context = context
        self._response = PlayResponse()
        self._posted: list[bytes] = []
        self._wake: asyncio.Future[None] | None = None
        self._writing = False
        self._due = False
        """Whether what is pending may be written."""
        self._drained: asyncio.Future[None] | None = None
        self.backlog = 0
        """Messages that wait to be written."""
        self.ended: asyncio.Future[tuple[grpc.StatusCode, str]] = asyncio.get_running_loop().create_future()
        """How the stream is to end, once that is known."""

    def open(self) -> PlayResponse:
        """Return the message that goes out next, for something to be added to it."""
        self.backlog += 1
        self.rouse()
        return self._response

    def post(self, field: bytes, patience: float = 0.0) -> None:
        """
        Add *field*, the bytes of a field of a PlayResponse that asks, to the message that goes out next.

        Where requests gather, it waits *patience* seconds at most for others to travel with it.
        """
        self.backlog += 1
        self._posted.append(field)
        if self.gate is None:
            self.rouse()
        else:
            self.gate.hold(self, patience)

    def rouse(self) -> None:
        """Write what is pending."""
        self._due = True
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
            if not self._due:
                if not self.backlog and self._drained is not None and not self._drained.done():
                    self._drained.set_result(None)
                self._wake = loop.create_future()
                await self._wake
            self._writing = True
            await self._context.write(self._take())
            self._writing = False

    def _take(self) -> bytes:
        """Return all that is pending: messages that are joined are merged by who reads them."""
        parts = self._posted
        if self.gate is not None and parts:
            self.gate.ask(self)
        if len(parts) < self.backlog:
            parts = [self._response.SerializeToString(), *parts]
            self._response = PlayResponse()  # clearing it would keep its memory
        self._posted = []
        self.backlog = 0
        self._due = False
        return b"".join(parts)

    async def drain(self) -> None:
        """Return once everything pending has been taken."""
        if self.backlog or self._writing:
            if self._drained is None or self._drained.done():
                self._drained = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._drained)
