"""A match with everything the referee has but sockets and processes: time is a number, and every byte sent is kept."""

import asyncio
import copy
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, NamedTuple, Self, TypeVar

from handfoot.v1.action_pb2 import Action as ActionMessage
from handfoot.v1.referee_service_pb2 import Decision, Hello, PlayRequest, PlayResponse, Ready

from referee.rules import Action, AnswerPartner, AskPartner, Discard, DrawStock, LayDown, Pass, TakePile
from referee.service.clock import TimeControl
from referee.service.reports import Limits, MatchSpec
from referee.service.runner import Runner
from referee.service.sessions import Session
from referee.service.streams import Stream
from referee.service.table import Stage, Table

LIMITS = Limits(time=TimeControl(turn=1.0, bank=1000.0), settle=0.125)

PLAIN = {DrawStock: "draw_stock", AskPartner: "ask_partner", Pass: "pass_turn"}
"""Actions that are nothing but their kind, and their fields in the protocol."""

Result = TypeVar("Result")


class StillLoop(asyncio.SelectorEventLoop):
    """An event loop whose time stands still until it is set."""

    now = 0.0

    def time(self) -> float:
        """Return the time in seconds."""
        return self.now


def run(steps: Coroutine[Any, Any, Result]) -> Result:
    """Run *steps* while time stands still."""
    with asyncio.Runner(loop_factory=StillLoop) as runner:
        return runner.run(steps)


class Sent(NamedTuple):
    """A message that a seat was sent."""

    played: int
    """How many actions the match had by then."""

    data: bytes

    @property
    def message(self) -> PlayResponse:
        """What a bot reads."""
        return PlayResponse.FromString(self.data)


class Line:
    """The stream of one seat; it keeps what is written to it."""

    def __init__(self, room: "Room", session: Session, **hello: Any) -> None:
        self._room = room
        self.sent: list[Sent] = []
        self.stream = Stream(self)
        self._writing = asyncio.create_task(self.stream.write_all())
        session.connect(self.stream, Hello(token=session.token, protocol_versions=[1], **hello))

    async def write(self, data: bytes) -> None:
        """Take a message, as a socket would."""
        self.sent.append(Sent(len(self._room.table.log), data))

    def drop(self) -> None:
        """Break the stream."""
        self._writing.cancel()


class Room:
    """A match, and the bots of its seats as one who plays them all sees them."""

    def __init__(
        self,
        spec: MatchSpec,
        *,
        limits: Limits = LIMITS,
        ask_always: bool = False,
        present: Iterable[int] | None = None,
        table: Table | None = None,
        now: float = 0.0,
    ) -> None:
        """
        Seat everybody, *now* being the time. Nothing is written for seats that are not *present*; None is all of them.

        With a *table* that match goes on, and who is present has just come back to it.
        """
        loop = asyncio.get_running_loop()
        assert isinstance(loop, StillLoop)
        self.loop = loop
        loop.now = now
        self.spec = spec
        self.sessions = [Session(f"token {seat:02}") for seat in range(spec.seats)]
        self.runner = Runner(spec, limits, self.sessions, ask_always=ask_always)
        if table is not None:
            self.runner.table = table
        self.seatings = self.runner.seatings
        for seating in self.seatings:
            seating.table_id, seating.session.id = f"table {seating.seat:02}", f"session {seating.seat:02}"
        self.lines: dict[int, Line] = {}
        self.kept: dict[int, list[Sent]] = {}
        """What was sent over streams that are gone."""
        self.runner.begin()
        for seat in range(spec.seats) if present is None else present:
            self.connect(seat)

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.runner.table

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.table.stage is Stage.OVER

    def sent(self, seat: int) -> list[Sent]:
        """Return all messages that *seat* was sent."""
        return self.kept.get(seat, []) + self.lines[seat].sent

    # ------------------------------------------------------------------ what bots do

    def connect(self, seat: int, **hello: Any) -> None:
        """Let *seat* come in, or come back over a new stream."""
        if seat in self.lines:
            self.kept[seat] = self.sent(seat)
            self.lines[seat].drop()
            self.sessions[seat].disconnect(self.lines[seat].stream)
        self.lines[seat] = Line(self, self.sessions[seat], **hello)

    async def get_ready(self) -> Self:
        """Let every seat be ready."""
        for seat in range(self.spec.seats):
            await self.say(seat, PlayRequest(ready=[Ready(table_id=self.seatings[seat].table_id)]))
        return self

    async def decide(self, seat: int, *actions: Action, request_id: int | None = None) -> None:
        """Let *seat* answer its request."""
        decision = Decision(
            table_id=self.seatings[seat].table_id,
            seat=seat,
            request_id=self.table.chairs[seat].request_id if request_id is None else request_id,
            actions=[write_action(action) for action in actions],
            thinking_us=0,
        )
        await self.say(seat, PlayRequest(decisions=[decision]))

    async def say(self, seat: int, request: PlayRequest) -> None:
        """Let *seat* send a message now."""
        self.sessions[seat].receive(request.SerializeToString(), self.loop.now)
        await self.settle()

    # ------------------------------------------------------------------ what happens to them

    async def do(self, verb: Callable[..., None], *args: Any) -> None:
        """Let something happen to the match now."""
        verb(*args)
        await self.settle()

    async def pass_time(self, seconds: float) -> None:
        """Let time go by, and everything happen that it demands."""
        self.loop.now += seconds
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await self.settle()

    async def settle(self) -> None:
        """Return once everything that is pending has been written."""
        for line in self.lines.values():
            if line.stream.backlog:
                await line.stream.drain()

    async def close(self) -> None:
        """End the match if it is not over, and drop all streams."""
        await self.do(self.runner.abandon, "the test is over")
        for line in self.lines.values():
            line.drop()


def write_action(action: Action) -> ActionMessage:
    """Return *action* as a bot sends it, be it ever so wrong."""
    message = ActionMessage()
    match action:
        case Discard(card):
            message.discard.card = card + 1
        case AnswerPartner(agree):
            message.answer_partner.agree = agree
        case TakePile() | LayDown():
            kind = message.lay_down if isinstance(action, LayDown) else message.take_pile
            for entry in action.melds:
                kind.melds.add(target=entry.target, cards=[card + 1 for card in entry.cards])
            if isinstance(action, TakePile):
                message.take_pile.count = action.count
            kind.SetInParent()
        case _:
            getattr(message, PLAIN[type(action)]).SetInParent()
    return message


def copy_table(table: Table) -> Table:
    """Return a table at which the same match goes on independently."""
    match = table.match
    copies = (
        (match.state, match.state.copy()),
        (match.ruleset, match.ruleset),
        (match.keys, match.keys),
        (match.scores, match.scores.copy()),
        (table.events, table.events.copy()),
        (table.log, table.log.copy()),
    )
    return copy.deepcopy(table, {id(value): other for value, other in copies})
