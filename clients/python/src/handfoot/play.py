"""
Playing: a session over a stream until the referee closes it, and back again after one that broke.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable

from handfoot.errors import StreamLost
from handfoot.session import Session
from handfoot.transport import Transport
from handfoot.v1.referee_service_pb2 import PlayRequest

PAUSES = (0.1, 0.3, 1.0, 2.0, 4.0)
"""Seconds to wait before each attempt to come back; after the last one the stream is lost for good."""

MOST_MICROSECONDS = 2**32 - 1
"""The longest thinking that can be told; more is told as this."""


async def play(
    session: Session,
    connect: Callable[[], Transport],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    now: Callable[[], float] = time.perf_counter,
) -> None:
    """
    Play *session* over streams opened by *connect* until the referee closes one.

    A stream that breaks after the referee's welcome is followed by another one with the same session, after
    the `PAUSES`; each answered request starts them anew. Before the welcome nothing is tried twice. *now* tells
    seconds: each answer says how long the bot had its request, so that the referee can tell how long the way takes.

    Raises:
        Disconnected: the referee was not reached, refused the bot, or did not come back.
        InvalidBot: the bot answered with something that is no action.
    """
    pauses, answered = iter(PAUSES), 0
    while True:
        try:
            return await _converse(session, connect(), now)
        except StreamLost:
            if session.answered > answered:
                pauses, answered = iter(PAUSES), session.answered
            pause = next(pauses, None) if session.welcomed else None
            if pause is None:
                raise
        await sleep(pause)


async def _converse(session: Session, transport: Transport, now: Callable[[], float]) -> None:
    """Exchange messages over one stream until the referee closes it."""
    try:
        await transport.send(session.hello())
        while (response := await transport.receive()) is not None:
            received = now()
            reply = session.answer(response)
            if reply is not None:
                _tell_thinking(reply, now() - received)
                await transport.send(reply)
    finally:
        await transport.close()


def _tell_thinking(reply: PlayRequest, seconds: float) -> None:
    for decision in reply.decisions[:]:
        decision.thinking_us = min(round(seconds * 1e6), MOST_MICROSECONDS)
