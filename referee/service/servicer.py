"""RefereeService on grpc.aio: lets streams in and carries their messages. What they mean is the sessions' affair."""

import asyncio
import contextlib
import logging
from typing import Any, Final

import grpc

from referee.service.codec import read_envelope
from referee.service.errors import BrokenMessage
from referee.service.journal import note
from referee.service.sessions import MAX_MESSAGE_BYTES, Door, Session
from referee.service.streams import MAX_BACKLOG, Gate, Stream

HELLO_SECONDS: Final = 10.0
"""How long a stream may take to say hello."""

FLUSH_SECONDS: Final = 1.0
"""How long a stream that is being ended may take to read what is pending."""

READ_LIMIT_BYTES: Final = 64 << 20
"""A larger message ends the stream unread; up to here it is refused by name."""

logger = logging.getLogger(__name__)

SERVICE: Final = "handfoot.v1.RefereeService"


class Servicer:
    """`RefereeService.Play`. Messages cross it as bytes, so that one that cannot be read does not end the stream."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._gate = Gate()

    def handlers(self) -> Any:
        """Return what a gRPC server needs to serve it."""
        play = grpc.stream_stream_rpc_method_handler(self.play)
        return grpc.method_handlers_generic_handler(SERVICE, {"Play": play})

    async def play(self, _: Any, context: Any) -> None:
        """Serve one stream from its hello to its end."""
        stream = Stream(context)
        session = await self._admit(stream, context)
        tasks: list[asyncio.Task[None]] = [
            asyncio.create_task(_read_all(session, stream, context)),
            asyncio.create_task(stream.write_all()),
        ]
        ends: list[asyncio.Future[Any]] = [*tasks, stream.ended]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FLUSH_SECONDS):
                    await stream.drain()
        finally:
            session.disconnect(stream)
            self._gate.leave(stream)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if stream.ended.done() and stream.ended.result()[0] is not grpc.StatusCode.OK:
            await context.abort(*stream.ended.result())

    async def _admit(self, stream: Stream, context: Any) -> Session:
        """Return the session of a stream once it said hello; a stream that is not let in is ended."""
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                data = await context.read()
        except TimeoutError:
            await context.abort(grpc.StatusCode.DEADLINE_EXCEEDED, f"no hello within {HELLO_SECONDS:g} s")
            raise
        try:
            if data is grpc.aio.EOF or len(data) > MAX_MESSAGE_BYTES:
                raise BrokenMessage("no hello: expected one as the first message")
            request = read_envelope(data)
            if not request.HasField("hello") or request.ready or request.decisions:
                raise BrokenMessage("no hello: expected it, and nothing else, as the first message")
        except BrokenMessage as error:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
            raise
        session, status, reason = self._door.find(request.hello)
        if session is None:
            await context.abort(status, reason)
            raise BrokenMessage(reason)
        if session.tables > 1:
            stream.gate = self._gate
        session.connect(stream, request.hello)
        return session


async def _read_all(session: Session, stream: Stream, context: Any) -> None:
    """Hand every message to *session* until the bot has said its last; not before it read what it was sent."""
    clock = asyncio.get_running_loop().time
    while (data := await context.read()) is not grpc.aio.EOF:
        if session.stream is stream:
            _hand_over(session, data, clock())
            if stream.gate is not None:
                stream.gate.answer(stream)
        if pause := session.throttle(len(data), clock()):
            await asyncio.sleep(pause)
        if stream.backlog > MAX_BACKLOG + session.tables:
            await stream.drain()


def _hand_over(session: Session, data: bytes, now: float) -> None:
    """Let *session* take a message; a failure in there is the referee's, and voids what the bot was playing."""
    try:
        session.receive(data, now)
    except Exception as error:
        note(logger, "the referee failed at a message", level=logging.ERROR, bytes=len(data))
        session.abandon(f"{type(error).__name__}: {error}")
