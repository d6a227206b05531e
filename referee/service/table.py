"""
The state of one match at a table: whose decision it is, clocks, corrections, strikes, and how it ends.

Pure: every verb takes what happened and the time, and returns what is to be sent. No message, process or task is known
here.
"""

from collections.abc import Sequence
from enum import Enum, auto

from referee.rules import (
    Action,
    CardDiscarded,
    CardsDrawn,
    Event,
    FootPickedUp,
    IllegalAction,
    RecordedAction,
    RoundEnded,
    RoundStarted,
    TurnPassed,
    begin_match,
    fallback_action,
    play,
    sole_action,
)
from referee.service.clock import SeatClock
from referee.service.effects import Ask, Effect, Finish, Refuse
from referee.service.reports import FaultKind, FaultReport, Limits, MatchSpec, Termination

TURN_ENDS = frozenset({CardDiscarded, TurnPassed, RoundEnded})
"""Events that end a turn."""

NEWS = TURN_ENDS | {CardsDrawn, FootPickedUp, RoundStarted}
"""Events after which the rest of a batch is dropped: the turn is over, or the seat knows more than it did."""


class Stage(Enum):
    """How far a match has come."""

    SEATED = auto()
    """Not every seat is ready."""

    PLAYING = auto()
    SETTLING = auto()
    """A side is at fault; the other may still be before it is judged."""

    OVER = auto()


class Chair:
    """What the table keeps for one seat."""

    __slots__ = (
        *("clock", "corrections", "heard", "pending", "protocol_faults", "ready", "request_id"),
        *("shown", "spent", "strikes", "told", "turn"),
    )

    def __init__(self, clock: SeatClock) -> None:
        self.clock = clock
        self.ready = False
        self.shown = False
        """Whether its bot was ready elsewhere: if it is not ready here, it still has shown."""
        self.request_id = 0
        """The last request; 0 before the first."""
        self.pending = False
        """Whether it is still to be answered."""
        self.corrections = 0
        """Corrections that this request has used."""
        self.strikes = 0
        self.protocol_faults = 0
        self.heard = 0
        """How many events it was sent."""
        self.spent = 0.0
        """Seconds that no applied action accounts for yet."""
        self.turn = -1
        """The turn of the table for which the clock was last renewed."""
        self.told = False
        """Whether it has been told how the match ended."""


class Table:
    """
    One match in play.

    Verbs (`take_ready`, `decide`, `misbehave`, `leave`, `tick`, `repeat`, `void`) return effects in the order in which
    they are to happen, and are without effect once the match is over.
    """

    def __init__(self, spec: MatchSpec, limits: Limits, now: float, *, ask_always: bool = False) -> None:
        self.match, events = begin_match(spec.ruleset, spec.seats, spec.keys)
        self.events: list[Event] = list(events)
        """All events of the match; the number of an event for every seat is its index plus 1."""
        self.log: list[RecordedAction] = []
        self.faults: list[FaultReport] = []
        self.forfeits: set[int] = set(spec.referee_sides)
        """Sides that lost by their faults."""
        self.sides = spec.ruleset.sides(spec.seats)
        self.stage = Stage.SEATED
        self.termination: Termination | None = None
        self.chairs = [Chair(SeatClock(limits.time)) for _ in range(spec.seats)]
        for side in spec.referee_sides:
            self._tell(side)
        self._limits = limits
        self._ask_always = ask_always
        self._begins_by = now + limits.ready
        self._judged_at = 0.0
        self._missing: set[int] = set()
        """Seats that never got ready."""
        self._turn = 0
        self._asked: int | None = None
        """The seat whose answer is awaited."""
        self._replaced: int | None = None
        """The seat for which the referee plays the rest of this turn."""

    # ------------------------------------------------------------------ what happens to a table

    def take_ready(self, seat: int, now: float) -> list[Effect]:
        """Note that *seat* is ready; the last one begins the match."""
        chair = self.chairs[seat]
        if chair.ready:
            return self.misbehave(seat, "unexpected Ready: it was sent before", now)
        chair.ready = True
        return self._begin_if_ready(now) if self.stage is Stage.SEATED else []

    def decide(self, seat: int, request_id: int, actions: Sequence[Action], now: float) -> list[Effect]:
        """Apply the answer of *seat*: its actions in order, until something new is known or one is illegal."""
        chair = self.chairs[seat]
        if self.stage is not Stage.PLAYING:
            return [] if self.stage is not Stage.SEATED else self._misplaced(seat, request_id, now)
        if not chair.pending or request_id != chair.request_id:
            return self._misplaced(seat, request_id, now)
        deadline = chair.clock.deadline()
        if deadline is not None and now > deadline:
            return self.tick(now)
        chair.spent += chair.clock.stop(now)
        for index, action in enumerate(actions):
            try:
                news = self._apply(seat, action, by_referee=False)
            except IllegalAction as error:
                return self._correct(seat, index, error, now)
            if news:
                break
        chair.pending = False
        return self._advance(now)

    def misbehave(self, seat: int, reason: str, now: float, request_id: int = 0) -> list[Effect]:
        """Refuse a message of *seat* that cannot be read or answers what was not asked."""
        chair = self.chairs[seat]
        if self.stage is Stage.OVER or seat % self.sides in self.forfeits:
            return []
        chair.protocol_faults += 1
        count = chair.protocol_faults
        effects: list[Effect] = [Refuse(seat, request_id, "protocol", reason, count)]
        if count >= self._limits.protocol_faults:
            effects += self._lose(seat, "protocol", f"protocol fault {count}: {reason}", now)
        elif chair.pending and request_id == chair.request_id and self.stage is Stage.PLAYING:
            effects.append(self._request(seat, now))
        return effects

    def leave(self, seat: int, reason: str, now: float) -> list[Effect]:
        """Note that the process of *seat* has ended."""
        if self.stage is Stage.OVER or seat % self.sides in self.forfeits:
            return []
        if not (self.chairs[seat].ready or self.chairs[seat].shown):
            return self._miss(seat, reason, now)
        return self._lose(seat, "crash", f"the process ended in the middle of the match: {reason}", now)

    def tick(self, now: float) -> list[Effect]:
        """Do what the time demands, if it does."""
        deadline = self.deadline()
        if deadline is None or now < deadline:
            return []
        if self.stage is Stage.SETTLING:
            return self._judge()
        if self.stage is Stage.PLAYING:
            assert self._asked is not None
            return self._lose(self._asked, "timeout", self._overdue(self._asked, now), now)
        return self._stop_waiting(now)

    def credit(self, seconds: float) -> None:
        """Give the seat that is asked *seconds* more for this turn, which the referee's machine has lost."""
        if self.stage is Stage.PLAYING and self._asked is not None:
            self.chairs[self._asked].clock.credit(seconds)

    def deadline(self) -> float | None:
        """Return when `tick` has something to do; None while nothing is due."""
        if self.stage is Stage.PLAYING:
            return None if self._asked is None else self.chairs[self._asked].clock.deadline()
        return {Stage.SEATED: self._begins_by, Stage.SETTLING: self._judged_at}.get(self.stage)

    def repeat(self, seat: int, now: float) -> list[Effect]:
        """Tell *seat*, which has come back, everything again: all events, and the request that it still owes."""
        chair = self.chairs[seat]
        chair.heard = 0
        if self.stage is Stage.PLAYING and chair.pending:
            return [self._request(seat, now)]
        return []

    def void(self, reason: str) -> list[Effect]:
        """End the match without a result, since the referee failed."""
        if self.stage is Stage.OVER:
            return []
        self._note("referee_error", -1, reason, ends_match=True)
        return self._end("void")

    # ------------------------------------------------------------------ turns and requests

    def _unready(self) -> list[int]:
        """Return the seats that are still awaited."""
        return [
            seat
            for seat, chair in enumerate(self.chairs)
            if not chair.ready and seat % self.sides not in self.forfeits
        ]

    def _stop_waiting(self, now: float) -> list[Effect]:
        """Go on without the seats that are not ready, if that can be."""
        effects: list[Effect] = []
        reason = f"not ready within {self._limits.ready:g} s"
        for seat in self._unready():
            if not self.chairs[seat].shown:
                self._miss(seat, reason, now)
            elif seat % self.sides not in self.forfeits:
                effects += self._lose(seat, "timeout", reason, now)
        return effects + (self._judge() if self.stage is Stage.SETTLING else [])

    def _begin_if_ready(self, now: float) -> list[Effect]:
        if self._unready():
            return []
        self.stage = Stage.PLAYING
        return self._advance(now)

    def _advance(self, now: float) -> list[Effect]:
        """Play what nobody is asked for, until a seat has a choice or the match is over."""
        self._asked = None
        while not self.match.finished:
            seat = self.match.state.decider
            action = self._unasked(seat)
            if action is None:
                return [self._ask(seat, now)]
            self._apply(seat, action, by_referee=True)
        return self._end("played")

    def _unasked(self, seat: int) -> Action | None:
        """Return the action that the referee plays for *seat*; None where the seat is to be asked."""
        if seat == self._replaced or (self.forfeits and seat % self.sides in self.forfeits):
            return fallback_action(self.match.state)
        return None if self._ask_always else sole_action(self.match.state)

    def _apply(self, seat: int, action: Action, *, by_referee: bool) -> bool:
        """Apply *action* and return whether something new is known; raises IllegalAction without a trace."""
        match = self.match
        round_number = match.state.round
        events = play(match, action)
        self.events += events
        chair = self.chairs[seat]
        ms, chair.spent = 0 if by_referee else round(chair.spent * 1000), 0.0
        self.log.append(RecordedAction(round_number, seat, action, ms, by_referee))
        news = match.finished or match.state.decider != seat
        for event in events:
            kind = type(event)
            if kind in NEWS:
                news = True
                if kind in TURN_ENDS:
                    self._turn += 1
                    self._replaced = None
        if self._replaced is not None and news and match.state.decider != self._replaced:
            self._replaced = None
        return news

    def _ask(self, seat: int, now: float) -> Ask:
        chair = self.chairs[seat]
        chair.request_id += 1
        chair.pending = True
        chair.corrections = 0
        if chair.turn != self._turn:
            chair.turn = self._turn
            chair.clock.renew()
        self._asked = seat
        chair.clock.start(now)
        return self._request(seat, now)

    def _request(self, seat: int, now: float) -> Ask:
        chair = self.chairs[seat]
        heard, chair.heard = chair.heard, len(self.events)
        return Ask(seat, chair.request_id, heard, chair.clock.read(now))

    # ------------------------------------------------------------------ faults

    def _misplaced(self, seat: int, request_id: int, now: float) -> list[Effect]:
        chair = self.chairs[seat]
        expected = f"request {chair.request_id}" if chair.pending else "none, as nothing was asked"
        reason = f"unexpected decision: late or unknown request; got {request_id}; expected {expected}"
        return self.misbehave(seat, reason, now, request_id)

    def _correct(self, seat: int, index: int, error: IllegalAction, now: float) -> list[Effect]:
        chair = self.chairs[seat]
        chair.corrections += 1
        left = self._limits.corrections - chair.corrections
        if left < 0:
            return self._strike(seat, index, error, now)
        refusal = Refuse(
            *(seat, chair.request_id, "illegal", str(error), chair.strikes, index, error.clause), left
        )
        chair.clock.start(now)
        return [refusal, self._request(seat, now)]

    def _strike(self, seat: int, index: int, error: IllegalAction, now: float) -> list[Effect]:
        chair = self.chairs[seat]
        chair.strikes += 1
        chair.pending = False
        effects: list[Effect] = [
            Refuse(seat, chair.request_id, "illegal", str(error), chair.strikes, index, error.clause)
        ]
        if chair.strikes >= self._limits.strikes:
            return effects + self._lose(
                seat, "illegal", f"strike {chair.strikes}: {error}", now, error.clause
            )
        self._note("illegal", seat, f"strike {chair.strikes}: {error}", clause=error.clause, ends_match=False)
        self._replaced = seat
        return effects + self._advance(now)

    def _overdue(self, seat: int, now: float) -> str:
        clock = self.chairs[seat].clock
        clock.stop(now)
        used = clock.read(now)
        return f"out of time: {used.turn_limit_ms} ms allowed and the bank empty, {used.used_ms} ms used in this turn"

    def _miss(self, seat: int, reason: str, now: float) -> list[Effect]:
        """Note that *seat* never got ready: the match is given up."""
        if seat not in self._missing:
            self._missing.add(seat)
            self._note("no_show", seat, f"never ready: {reason}", ends_match=True)
            self._settle(now)
        return []

    def _lose(
        self, seat: int, kind: FaultKind, reason: str, now: float, clause: str | None = None
    ) -> list[Effect]:
        """Forfeit the match for the side of *seat*."""
        self._note(kind, seat, reason, clause=clause, ends_match=True)
        side = seat % self.sides
        self.forfeits.add(side)
        if len(self.forfeits) == self.sides:
            return self._judge()
        if self.sides == 2:
            return self._settle(now)
        return self._dismiss(side, now)

    def _settle(self, now: float) -> list[Effect]:
        """Stop all clocks and wait a moment for what the other side may be guilty of."""
        if self.stage is not Stage.SETTLING:
            self.stage = Stage.SETTLING
            self._judged_at = now + self._limits.settle
            for chair in self.chairs:
                chair.clock.stop(now)
        return []

    def _dismiss(self, side: int, now: float) -> list[Effect]:
        """Send the seats of *side* home; the referee plays for them from here on."""
        effects: list[Effect] = [self._finish(seat, "forfeit") for seat in self._tell(side)]
        if self.stage is Stage.SEATED:
            return effects + self._begin_if_ready(now)
        if self._asked is not None and self._asked % self.sides == side:
            self.chairs[self._asked].pending = False
            self.chairs[self._asked].clock.stop(now)
            return effects + self._advance(now)
        return effects

    def _note(
        self, kind: FaultKind, seat: int, reason: str, *, ends_match: bool, clause: str | None = None
    ) -> None:
        side = seat % self.sides if seat >= 0 else -1
        played, heard = len(self.log), len(self.events)
        self.faults.append(
            FaultReport(
                *(kind, seat, side, ends_match, reason, self.match.round, played, heard, clause),
                turn=self._turn,
            )
        )

    # ------------------------------------------------------------------ the end

    def _judge(self) -> list[Effect]:
        if self._missing:
            return self._end("no_show")
        if self.sides == 2 and len(self.forfeits) == 2:
            return self._end("double_forfeit")
        return self._end("forfeit")

    def _end(self, termination: Termination) -> list[Effect]:
        self.stage = Stage.OVER
        self.termination = termination
        if termination in ("no_show", "void"):
            self.forfeits.clear()
        return [self._finish(seat, termination) for side in range(self.sides) for seat in self._tell(side)]

    def _tell(self, side: int) -> list[int]:
        """Return the seats of *side* that are to be told the result, each once."""
        seats = [seat for seat in range(side, len(self.chairs), self.sides) if not self.chairs[seat].told]
        for seat in seats:
            self.chairs[seat].told = True
        return seats

    def _finish(self, seat: int, termination: Termination) -> Finish:
        forfeited = None
        if termination in ("played", "forfeit") and len(self.forfeits) == 1:
            (forfeited,) = self.forfeits
        if seat % self.sides in self.forfeits and termination == "forfeit":
            forfeited = seat % self.sides
        return Finish(
            seat,
            termination,
            tuple(self.match.totals),
            self._winners(termination),
            forfeited,
            self._explain(seat, termination, forfeited),
            self.chairs[seat].heard,
            len(self.events),
        )

    def _winners(self, termination: Termination) -> tuple[int, ...]:
        staying = [side for side in range(self.sides) if side not in self.forfeits]
        if self.stage is not Stage.OVER or termination not in ("played", "forfeit") or not staying:
            return ()
        best = max(self.match.totals[side] for side in staying)
        return tuple(side for side in staying if self.match.totals[side] == best)

    def _explain(self, seat: int, termination: Termination, forfeited: int | None) -> str:
        """Return what *seat* may know: its own fault in full, of others only that there was one."""
        for fault in self.faults:
            if fault.seat == seat and fault.ends_match:
                return f"{fault.kind}: {fault.reason}"
        return {
            "played": "all rounds were played",
            "forfeit": f"side {forfeited} forfeited",
            "double_forfeit": "both sides forfeited",
            "no_show": "a bot never became ready",
            "void": "the referee failed",
        }[termination]
