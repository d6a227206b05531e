"""Drives one match: hands what happens to the pure table, and what the table wants to the streams of its seats."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from handfoot.v1.referee_service_pb2 import Decision

from referee.service.codec import Scribe, add_ended, add_refusal, add_seated, answer_about, read_actions
from referee.service.effects import Ask, Effect, Finish, Refuse
from referee.service.errors import BrokenMessage
from referee.service.journal import note
from referee.service.reports import Limits, MatchSpec
from referee.service.sessions import Seating, Session
from referee.service.table import Stage, Table

CALM_STREAMS: Final = 10
"""A bot that opens more streams in a match may itself be what makes this machine late."""

HOLD_SECONDS: Final = 0.02
HOLD_SHARE: Final = 0.02
"""How long a request to a bot at several tables may wait for others: so long, and so much of a turn, at most."""

MOST_MICROSECONDS: Final = 2**32 - 1
"""The longest round trip that can be told."""

logger = logging.getLogger(__name__)


class Runner:
    """One match between the sessions of its seats. Whatever goes wrong in here voids the match."""

    def __init__(
        self,
        spec: MatchSpec,
        limits: Limits,
        sessions: Sequence[Session | None],
        *,
        ask_always: bool,
        lateness: Callable[[float], float] = lambda since: 0.0,
        excuse: Callable[[float], str | None] = lambda since: None,
    ) -> None:
        """
        Seat *sessions*, one a seat; None for the seats that the referee plays.

        Args:
            lateness: says how many seconds this machine has lost since a certain time, if it lags.
            excuse: says why a timeout of a turn that began at a certain time is not the bot's fault, if so.
        """
        self._loop = asyncio.get_running_loop()
        self.spec = spec
        self.table = Table(spec, limits, self._loop.time(), ask_always=ask_always)
        self.over: asyncio.Future[None] = self._loop.create_future()
        """Done once the match is over and every connected seat has been sent its result."""
        self.on_begin: Callable[[], None] = lambda: None
        """Called when everybody is ready and the first request goes out."""
        self._scribe = Scribe(spec.seats)
        self._patience = min(HOLD_SECONDS, spec.time.turn * HOLD_SHARE)
        """How long a request waits at most for others that can travel with it."""
        self._lateness = lateness
        self._excuse = excuse
        self._turn_began = self._loop.time()
        self._credited = 0.0
        """The beginning of the last turn that got back what the machine had lost."""
        self._disturbed = 0.0
        """When a bot last sent what it should not: it may have made this machine late."""
        self._due: float | None = None
        """When the table is to be woken; None while nothing is due."""
        self._timer: asyncio.TimerHandle | None = None
        self._seatings = [
            None if session is None else Seating(self, session, secrets.token_urlsafe(12), seat)
            for seat, session in enumerate(sessions)
        ]

    @property
    def seatings(self) -> list[Seating]:
        """The seats that bots hold."""
        return [seating for seating in self._seatings if seating is not None]

    def begin(self) -> None:
        """Give the seats out and wait for everybody to be ready."""
        for seating in self.seatings:
            seating.session.sit(seating)
        self._log("seats given out")
        self._arm()

    # ------------------------------------------------------------------ what happens

    def announce(self, seating: Seating) -> None:
        """Tell a seat that has just connected where it sits, or what it missed."""
        stream = seating.session.stream
        chair = self.table.chairs[seating.seat]
        if stream is None or self.over.done():
            return
        if not chair.ready:
            clock = chair.clock.read(self._loop.time())
            add_seated(stream.open(), seating.table_id, seating.seat, self.spec, clock)
            return
        self._log("came back", seating.seat)
        if seating.streams > CALM_STREAMS:
            self._disturbed = self._loop.time()
        seating.taken = chair.request_id - chair.pending
        self._perform(self.table.repeat, seating.seat, self._loop.time())

    def take_ready(self, seating: Seating, now: float) -> None:
        """Note that a seat is ready."""
        waited = self.table.stage is Stage.SEATED
        self._perform(self.table.take_ready, seating.seat, now)
        if waited and self.table.stage is Stage.PLAYING:
            self._log("match begins", rules=self.spec.ruleset.name, seats=self.spec.seats)
            self.on_begin()

    def take_decision(self, seating: Seating, decision: Decision, now: float) -> None:
        """Play what a seat decided; keep how long request and answer were on their way, if the bot says what it can."""
        request_id = decision.request_id
        if seating.taken and request_id == seating.taken:
            seating.taken = 0  # it was taken on an earlier stream
            return
        chair = self.table.chairs[seating.seat]
        if chair.pending and request_id == chair.request_id and decision.HasField("thinking_us"):
            took = round((now - seating.asked_at) * 1e6) - decision.thinking_us
            seating.session.round_trip_us = min(max(0, took), MOST_MICROSECONDS)
        if not self._forgives(now):
            self._perform(self._decide, seating.seat, request_id, decision, now)

    def _decide(self, seat: int, request_id: int, decision: Decision, now: float) -> list[Effect]:
        try:
            if decision.seat != seat:
                raise BrokenMessage(
                    f"unreadable decision: seat is wrong; got {decision.seat}; expected {seat}"
                )
            actions = read_actions(decision.actions)
        except BrokenMessage as error:
            return self.table.misbehave(seat, str(error), now, request_id)
        return self.table.decide(seat, request_id, actions, now)

    def misbehave(self, seating: Seating, reason: str, now: float) -> None:
        """Refuse a message of a seat."""
        self._disturbed = self._loop.time()
        self._perform(self.table.misbehave, seating.seat, reason, now)

    def leave(self, seating: Seating, reason: str) -> None:
        """Note that the process of a seat has ended."""
        self._look_around()
        self._perform(self.table.leave, seating.seat, reason, self._loop.time())

    def abandon(self, reason: str) -> None:
        """End the match without a result."""
        self._perform(self.table.void, reason)

    # ------------------------------------------------------------------ what follows

    def _perform(self, verb: Callable[..., list[Effect]], *args: Any) -> None:
        known = len(self.table.faults)
        try:
            effects = verb(*args)
            if len(self.table.faults) > known:
                self._take_down(known)
            self._scribe.ledger.take(self.table.events)
            for effect in effects:
                self._send(effect)
            self._arm()
        except Exception as error:
            self._fail(error)
        if self.table.stage is Stage.OVER:
            self._close()

    def _take_down(self, known: int) -> None:
        """Add to faults after the *known* ones what their seats were asked and answered."""
        for place in range(known, len(self.table.faults)):
            self._explain(place)

    def _explain(self, place: int) -> None:
        """Add to a new fault what its seat was asked and answered, before it is asked anything else."""
        fault = self.table.faults[place]
        seating = self._seatings[fault.seat] if fault.seat >= 0 else None
        if seating is not None:
            answer = answer_about(seating.table_id, seating.answer)
            self.table.faults[place] = replace(fault, request=seating.asked, answer=answer)
        weight = "forfeits" if fault.ends_match else "strike"
        where = {"round": fault.round, "action": fault.action + 1}
        self._log("fault", fault.seat, kind=fault.kind, weight=weight, clause=fault.clause, **where)

    def _log(self, event: str, seat: int = -1, *, level: int = logging.INFO, **more: Any) -> None:
        """Note *event*, without anything that may tell of a card."""
        seating = self._seatings[seat] if seat >= 0 else None
        about = {} if seating is None else {"seat": seat, "entrant": seating.session.label}
        where = {"match": self.spec.label, "round": self.table.match.round, "action": len(self.table.log) + 1}
        note(logger, event, level=level, **where | about | more)

    def _send(self, effect: Effect) -> None:
        seating = self._seatings[effect.seat]
        stream = None if seating is None else seating.session.stream
        if seating is None or stream is None:
            return
        match effect:
            case Ask():
                session = seating.session
                seating.asked_at = self._loop.time()
                if not effect.clock.used_ms:
                    self._turn_began = seating.asked_at
                seating.answer = b""
                seating.asked = self._scribe.request(
                    seating.table_id,
                    effect,
                    self.table.match,
                    list_actions=session.lists_actions,
                    round_trip_us=session.round_trip_us,
                )
                stream.post(seating.asked, self._patience)
            case Refuse():
                self._log(
                    "refused", effect.seat, kind=effect.fault, clause=effect.clause, request=effect.request_id
                )
                add_refusal(stream.open(), seating.table_id, effect)
            case Finish():
                add_ended(stream.open(), seating.table_id, effect, self._scribe.ledger)
                seating.session.rise(seating)

    def _arm(self) -> None:
        """See to it that the table is woken when something is due; waking it early is harmless."""
        deadline = self.table.deadline()
        self._due = deadline
        if deadline is None or (self._timer is not None and self._timer.when() <= deadline):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(deadline, self._wake)

    def _wake(self) -> None:
        self._timer = None
        now = self._loop.time()
        if not self._forgives(now):
            self._look_around()
            self._perform(self.table.tick, now)

    def _look_around(self) -> None:
        """Note which bots play at other tables too and were ready there."""
        for seating in self.seatings:
            self.table.chairs[seating.seat].shown = seating.session.has_shown

    def _forgives(self, now: float) -> bool:
        """
        Void the match if a seat is out of time by the fault of this machine, and return whether that is so.

        First the seat gets back what the machine has lost, once a turn: its answer may be here and not be read yet.
        """
        if not self._is_overdue(now):
            return False
        if self._credited != self._turn_began:
            self._credited = self._turn_began
            self.table.credit(self._lateness(self._turn_began))
            self._arm()
            if not self._is_overdue(now):
                return False
        reason = None if self._disturbed >= self._turn_began else self._excuse(self._turn_began)
        if reason is not None:
            self._perform(self.table.void, reason)
        return reason is not None

    def _is_overdue(self, now: float) -> bool:
        return self._due is not None and now >= self._due and self.table.stage is Stage.PLAYING

    def _fail(self, error: Exception) -> None:
        self._log("the referee failed", level=logging.ERROR)
        for effect in self.table.void(f"{type(error).__name__}: {error}"):
            try:
                self._send(effect)
            except Exception:
                self._log("the end of the match was not told", level=logging.ERROR)

    def _close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for seating in self.seatings:
            seating.session.rise(seating)
        if not self.over.done():
            self._log("match ends", termination=self.table.termination)
            self.over.set_result(None)
