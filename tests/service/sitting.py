"""A table under test: a clock that only moves when told to, and all that each seat was sent."""

from collections.abc import Sequence
from typing import Any

from referee.rules import SIMPLE, Action, Discard, Phase, Ruleset, fallback_action, legal_actions
from referee.rules.actions import DRAW_STOCK
from referee.service.clock import TimeControl
from referee.service.effects import Ask, Effect, Finish, Refuse
from referee.service.reports import Limits, MatchSpec
from referee.service.table import Stage, Table

LIMITS = Limits(time=TimeControl(turn=1.0, bank=5.0), ready=30.0, settle=0.1)


def keys(ruleset: Ruleset, salt: int = 0) -> tuple[bytes, ...]:
    """Return a deal key a round."""
    return tuple(bytes([salt + number]) * 32 for number in range(ruleset.rounds))


def spec(ruleset: Ruleset = SIMPLE, seats: int = 4, salt: int = 0, **more: Any) -> MatchSpec:
    """Return a match to be played."""
    return MatchSpec(ruleset, seats, keys(ruleset, salt), tuple(range(seats)), **more)


class Sitting:
    """A table at which every seat is ready, unless told otherwise."""

    def __init__(
        self,
        ruleset: Ruleset = SIMPLE,
        seats: int = 4,
        *,
        limits: Limits = LIMITS,
        ask_always: bool = True,
        ready: bool = True,
        salt: int = 0,
        **more: Any,
    ) -> None:
        self.now = 0.0
        self.sent: list[Effect] = []
        self.table = Table(spec(ruleset, seats, salt, **more), limits, self.now, ask_always=ask_always)
        if ready:
            for seat in range(seats):
                if seat % self.table.sides not in self.table.forfeits:
                    self.do(self.table.take_ready, seat)

    def do(self, verb: Any, *args: Any) -> list[Effect]:
        """Let something happen now, and return what follows."""
        effects: list[Effect] = verb(*args, self.now)
        self.sent += effects
        return effects

    @property
    def asked(self) -> Ask:
        """The request that is open."""
        last = next(effect for effect in reversed(self.sent) if isinstance(effect, Ask))
        assert self.table.chairs[last.seat].pending
        return last

    @property
    def legal(self) -> list[Action]:
        """What may be done now, suits aside."""
        return list(legal_actions(self.table.match.state))

    def answer(self, *actions: Action, seat: int | None = None, request: int | None = None) -> list[Effect]:
        """Let the asked seat answer."""
        seat = self.asked.seat if seat is None else seat
        return self.do(
            self.table.decide, seat, self.asked.request_id if request is None else request, actions
        )

    def pass_time(self, seconds: float) -> list[Effect]:
        """Let time go by, and wake the table."""
        self.now += seconds
        return self.do(self.table.tick)

    def play_on(self, turns: int | None = None) -> None:
        """Draw and discard for some turns, or meld whatever comes first until the match is over."""
        seat = self.asked.seat
        while turns is None or turns > 0:
            state = self.table.match.state
            self.answer(next(iter(legal_actions(state))) if turns is None else fallback_action(state))
            if self.table.stage is Stage.OVER:
                return
            if self.asked.seat != seat and turns is not None:
                seat, turns = self.asked.seat, turns - 1

    def illegal(self) -> Action:
        """Return an action that is not allowed now."""
        drawing = self.table.match.state.phase is Phase.DRAW
        return Discard(self.table.match.state.seats[self.asked.seat].cards[0]) if drawing else DRAW_STOCK

    def results(self) -> dict[int, Finish]:
        """Return what each seat was told at the end."""
        told = [effect for effect in self.sent if isinstance(effect, Finish)]
        assert len({finish.seat for finish in told}) == len(told), "a seat was told twice"
        return {finish.seat: finish for finish in told}

    def refusals(self, seat: int) -> list[Refuse]:
        """Return what was refused to *seat*."""
        return [effect for effect in self.sent if isinstance(effect, Refuse) and effect.seat == seat]


def requests(effects: Sequence[Effect]) -> list[Ask]:
    """Return the requests among *effects*."""
    return [effect for effect in effects if isinstance(effect, Ask)]
