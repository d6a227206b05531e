"""Bots as the referee knows them: who comes in by which token, over which stream, and where each of them sits."""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol

import grpc
from handfoot.v1.referee_service_pb2 import Decision, Hello, Ready

from referee.service.codec import PROTOCOL_VERSION, add_refusal, add_welcome, read_envelope
from referee.service.effects import Refuse
from referee.service.errors import BrokenMessage
from referee.service.streams import Stream

MAX_MESSAGE_BYTES: Final = 1 << 20
"""The largest message that the referee reads."""

KEPT_BYTES: Final = 64 * 1024
"""How much of a message is kept for the report of a fault."""

MAX_ENTRIES: Final = 1024
"""Most things that one message may say: at more tables nobody plays."""

MAX_STREAMS: Final = 200
"""How often a bot may come back in a match; every further stream is a protocol fault."""

MAX_IDLE_FAULTS: Final = 10
"""Protocol faults at no table after which a session is closed."""

_TABLES_REMEMBERED: Final = 256


class Game(Protocol):
    """What a session needs of whoever runs a match."""

    def announce(self, seating: "Seating") -> None:
        """Tell a seat that has just connected where it sits, or what it missed."""

    def take_ready(self, seating: "Seating", now: float) -> None:
        """Note that a seat is ready."""

    def take_decision(self, seating: "Seating", decision: Decision, now: float) -> None:
        """Play what a seat decided."""

    def misbehave(self, seating: "Seating", reason: str, now: float) -> None:
        """Refuse a message of a seat."""

    def leave(self, seating: "Seating", reason: str) -> None:
        """Note that the process of a seat has ended."""

    def abandon(self, reason: str) -> None:
        """End the match without a result."""


@dataclass(slots=True, eq=False)
class Seating:
    """A seat that a session holds at a table."""

    game: Game
    session: "Session"
    table_id: str
    """Random; another one for each seat."""

    seat: int
    asked_at: float = 0.0
    """When the last request was handed to the stream."""

    asked: bytes = b""
    """That request, as it was written."""

    answer: bytes = b""
    """The beginning of the last message about this seat since then."""

    streams: int = 0
    """How many streams the bot has opened since it got the seat."""

    taken: int = 0
    """A request that was answered before the bot came back: another answer to it is ignored, once."""


class Session:
    """One bot process: let in by its token, it may come back over a new stream; the newest one counts."""

    def __init__(self, token: str, *, lists_actions: bool = True, label: str = "", tables: int = 1) -> None:
        self.token = token
        self.label = label
        """What reports and logs call the bot."""
        self.id = secrets.token_urlsafe(16)
        self.stream: Stream | None = None
        self.lists_actions = lists_actions
        """Whether its requests list the legal actions."""
        self.round_trip_us: int | None = None
        """The last measured round trip of its stream, without the bot's thinking; None before the first."""
        self.complaint = ""
        """What was refused while it sat at no table."""
        self.closed = False
        self.tables = tables
        """How many matches the bot plays at once."""
        self.decisions = 0
        """How many it has sent."""
        self.was_ready = False
        """Whether it has been ready at a table."""
        self.seatings: dict[str, Seating] = {}
        self._message = b""
        self._idle_faults = 0
        self._left: OrderedDict[str, None] = OrderedDict()
        """Tables whose end may have crossed an answer: one more message about each is no fault."""

    @property
    def has_shown(self) -> bool:
        """Whether what happens to it is no failure to show, although it may not be ready at some of its tables."""
        return self.tables > 1 and self.was_ready

    # ------------------------------------------------------------------ streams

    def connect(self, stream: Stream, hello: Hello) -> None:
        """Let *stream*, which said *hello*, take over."""
        if self.stream is not None:
            self.stream.end(grpc.StatusCode.ABORTED, "a newer stream of this session took over")
        self.stream = stream
        self.round_trip_us = None
        if hello.HasField("legal_actions") and not hello.legal_actions:
            self.lists_actions = False
        add_welcome(stream.open(), self.id, MAX_MESSAGE_BYTES)
        for seating in list(self.seatings.values()):
            seating.streams += 1
            seating.game.announce(seating)
            if seating.streams > MAX_STREAMS:
                now = asyncio.get_running_loop().time()
                seating.game.misbehave(seating, f"stream {seating.streams} in one match", now)

    def disconnect(self, stream: Stream) -> None:
        """Note that *stream* is gone; a newer one stays."""
        if self.stream is stream:
            self.stream = None

    def close(self, status: grpc.StatusCode = grpc.StatusCode.OK, details: str = "") -> None:
        """End the session: what is pending is written, and the bot is not let in again."""
        self.closed = True
        if self.stream is not None:
            self.stream.end(status, details)

    # ------------------------------------------------------------------ seats

    def sit(self, seating: Seating) -> None:
        """Take a seat."""
        self.seatings[seating.table_id] = seating
        seating.game.announce(seating)

    def rise(self, seating: Seating) -> None:
        """Leave a seat."""
        if self.seatings.pop(seating.table_id, None) is not None:
            self._left[seating.table_id] = None
            if len(self._left) > _TABLES_REMEMBERED:
                self._left.popitem(last=False)

    def leave(self, reason: str) -> None:
        """Note that the process has ended."""
        for seating in list(self.seatings.values()):
            seating.game.leave(seating, reason)

    def abandon(self, reason: str) -> None:
        """End all matches of the session without a result: the referee failed."""
        for seating in list(self.seatings.values()):
            seating.game.abandon(reason)

    # ------------------------------------------------------------------ messages

    def throttle(self, size: int, now: float) -> float:
        """Return for how many seconds nothing more is read after a message of *size* bytes."""
        return 0.0

    def receive(self, data: bytes, now: float) -> None:
        """Take a message of the stream that counts."""
        self._message = data[:KEPT_BYTES]
        try:
            if len(data) > MAX_MESSAGE_BYTES:
                raise BrokenMessage(
                    f"unreadable message: too large; got {len(data)} bytes; expected at most {MAX_MESSAGE_BYTES}"
                )
            request = read_envelope(data)
            if request.HasField("hello"):
                raise BrokenMessage("unexpected hello: it is the first message and nothing else")
            ready, decisions = request.ready, request.decisions
            entries = len(ready) + len(decisions)
            if entries > MAX_ENTRIES:
                raise BrokenMessage(
                    f"unreadable message: too much in it; got {entries} entries; expected at most {MAX_ENTRIES}"
                )
        except BrokenMessage as error:
            self._misbehave(str(error), now)
            return
        if ready:
            self._take_ready(ready, now)
        for index in range(len(decisions)):  # to go through a field to its end costs an IndexError
            self._take_decision(decisions[index], now)

    def _take_ready(self, entries: Iterable[Ready], now: float) -> None:
        for ready in entries:
            seating = self._seating(ready.table_id, now)
            if seating is not None:
                seating.answer = self._message
                self.was_ready = True
                seating.game.take_ready(seating, now)

    def _take_decision(self, decision: Decision, now: float) -> None:
        table_id = decision.table_id
        seating = self.seatings.get(table_id) or self._seating(table_id, now)
        if seating is not None:
            self.decisions += 1
            seating.answer = self._message
            seating.game.take_decision(seating, decision, now)

    def _seating(self, table_id: str, now: float) -> Seating | None:
        seating = self.seatings.get(table_id)
        if seating is None and not self.closed:
            if table_id in self._left:
                del self._left[table_id]
            else:
                self._misbehave(f"unknown table: no seat at it; got {table_id[:40]!r}", now)
        return seating

    def _misbehave(self, reason: str, now: float) -> None:
        """Refuse a message that belongs to no table: it counts at all tables where the bot sits."""
        if self.seatings:
            for seating in list(self.seatings.values()):
                seating.answer = self._message
                seating.game.misbehave(seating, reason, now)
            return
        self._idle_faults += 1
        self.complaint = reason
        if self.stream is not None:
            add_refusal(self.stream.open(), "", Refuse(0, 0, "protocol", reason, self._idle_faults))
        if self._idle_faults >= MAX_IDLE_FAULTS:
            self.close(grpc.StatusCode.RESOURCE_EXHAUSTED, "too many refused messages")


class Door(Protocol):
    """Whoever knows which bots may come in."""

    def find(self, hello: Hello) -> tuple[Session | None, grpc.StatusCode, str]:
        """Return the session that *hello* may connect to, or the status and the reason why there is none."""


class Registry:
    """The sessions by their tokens."""

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}

    def add(self, session: Session) -> None:
        """Let *session* in from now on."""
        self._sessions[session.token] = session

    def remove(self, session: Session) -> None:
        """Let *session* in no longer."""
        self._sessions.pop(session.token, None)

    def find(self, hello: Hello) -> tuple[Session | None, grpc.StatusCode, str]:
        """Return the session that *hello* may connect to, or the status and the reason why there is none."""
        session = self._sessions.get(hello.token)
        if session is None or session.closed:
            return None, grpc.StatusCode.UNAUTHENTICATED, "unknown token"
        if hello.HasField("session_id") and hello.session_id != session.id:
            return None, grpc.StatusCode.NOT_FOUND, "unknown session"
        refusal = refuse_protocol(hello)
        if refusal is not None:
            session.complaint = refusal
            return None, grpc.StatusCode.FAILED_PRECONDITION, refusal
        return session, grpc.StatusCode.OK, ""


def refuse_protocol(hello: Hello) -> str | None:
    """Return why the referee cannot talk to a bot that speaks what *hello* says; None if it can."""
    if PROTOCOL_VERSION in hello.protocol_versions:
        return None
    return f"speaks protocol versions {_join(hello.protocol_versions)}; expected {PROTOCOL_VERSION}"


def _join(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, list(numbers)[:8])) or "none"
