"""
One bot process at the referee, as a state machine: a message in, the answer out. Nothing here reads or writes
a stream, so a dropped stream does not touch it: the same session goes on over the next one.
"""

import random
import reprlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from handfoot.bot import Bot
from handfoot.errors import Disconnected, InvalidBot
from handfoot.v1.action_pb2 import Action
from handfoot.v1.event_pb2 import Event
from handfoot.v1.referee_service_pb2 import (
    Decision,
    DecisionRequest,
    Hello,
    MatchEnded,
    PlayRequest,
    PlayResponse,
    Refusal,
    Seated,
    Welcome,
)
from handfoot.view import View

_Part = TypeVar("_Part")

PROTOCOL_VERSION = 1
"""The version of the protocol that the SDK speaks."""


@dataclass(frozen=True, slots=True)
class Introduction:
    """What a bot says of itself when it dials in."""

    name: str
    version: str
    legal_actions: bool = True
    """Whether requests shall list the legal actions."""

    tables: int = 1
    """How many matches the process plays at once, at least 1."""


def introduce(bot: type[Bot]) -> Introduction:
    """Return what the class attributes of *bot* say of it."""
    return Introduction(bot.name, bot.version, bot.wants_legal_actions, bot.tables)


def seat_bot(bot: Callable[[], Bot], match: Seated) -> Bot:
    """Return a new instance of *bot*, with its randomness, ready for *match*."""
    seated = bot()
    seated.rng = random.Random(match.bot_seed)
    seated.on_start(match)
    return seated


@dataclass(slots=True)
class _Table:
    match: Seated
    bot: Bot
    heard: int = 0
    """The number of the last event that the bot was shown."""

    decision: Decision | None = None
    """The last answer, until it is refused."""


class Session:
    """The tables of one bot process and what was last said at each of them."""

    def __init__(self, bot: Callable[[], Bot], introduction: Introduction, token: str) -> None:
        """Play *bot*, made anew for each match, as *introduction* says, admitted by *token*."""
        self._bot = bot
        self._introduction = introduction
        self._token = token
        self._tables: dict[str, _Table] = {}
        self._id: str | None = None
        self.answered = 0
        """How many requests the bot has answered so far."""

    @property
    def welcomed(self) -> bool:
        """Whether the referee knows this session, so that it may come back to it."""
        return self._id is not None

    def hello(self) -> PlayRequest:
        """Return the first message of a stream; after a `Welcome` it names the session to come back to."""
        said = self._introduction
        hello = Hello(
            token=self._token,
            name=said.name,
            version=said.version,
            language="python",
            protocol_versions=[PROTOCOL_VERSION],
            tables=said.tables,
            legal_actions=said.legal_actions,
            session_id=self._id,
        )
        return PlayRequest(hello=hello)

    def answer(self, response: PlayResponse) -> PlayRequest | None:
        """
        Return what is to be sent after *response*; None where nothing is.

        All requests of the message are answered in one. What the bot raises passes through.

        Raises:
            InvalidBot: the bot answered with something that is no action.
            Disconnected: the referee speaks another protocol or asks at a table where the bot has no seat.
        """
        reply = PlayRequest()
        if response.HasField("welcome"):
            self._welcome(response.welcome)
        for match in _listed(response.seated):
            self._sit_down(match, reply)
        for refusal in _listed(response.refusals):
            self._hear(refusal)
        for request in _listed(response.requests):
            self._decide(request, reply)
        for ended in _listed(response.ended):
            self._leave(ended)
        return reply if reply.ByteSize() else None

    def _welcome(self, welcome: Welcome) -> None:
        if welcome.protocol_version != PROTOCOL_VERSION:
            raise Disconnected(
                f"cannot talk to the referee: expected protocol version {PROTOCOL_VERSION}; "
                f"got {welcome.protocol_version}"
            )
        self._id = welcome.session_id

    def _sit_down(self, match: Seated, reply: PlayRequest) -> None:
        """Make a bot for *match*, unless it is already playing it over an earlier stream."""
        if match.table_id not in self._tables:
            self._tables[match.table_id] = _Table(match, seat_bot(self._bot, match))
        reply.ready.add(table_id=match.table_id)

    def _hear(self, refusal: Refusal) -> None:
        table = self._tables.get(refusal.table_id)
        if table is None:
            print(f"refused: {refusal.reason}", file=sys.stderr)
            return
        table.decision = None
        table.bot.on_refused(refusal)

    def _decide(self, request: DecisionRequest, reply: PlayRequest) -> None:
        """Ask the bot; a request that comes again over a new stream gets the answer that it got before."""
        table_id, request_id = request.table_id, request.request_id
        table = self._table(table_id)
        if table.decision is not None and table.decision.request_id == request_id:
            reply.decisions.append(table.decision)
            return
        view = View(request, table.match, _unheard(table, request.events))
        answer = table.bot.act(view)
        actions = _actions(table.bot, answer)
        decision = table.decision = reply.decisions.add()
        decision.table_id, decision.seat, decision.request_id = table_id, request.seat, request_id
        decision.actions.extend(actions)
        self.answered += 1

    def _leave(self, ended: MatchEnded) -> None:
        table = self._tables.pop(ended.table_id, None)
        if table is not None:
            table.bot.on_end(ended)

    def _table(self, table_id: str) -> _Table:
        try:
            return self._tables[table_id]
        except KeyError:
            raise Disconnected(
                f"cannot answer the referee: no seat at this table; got {table_id!r}"
            ) from None


def _listed(field: Sequence[_Part]) -> Sequence[_Part]:
    """Return a field of a message as a list: going through that costs half as much."""
    return field[:] if field else ()


def _unheard(table: _Table, events: Sequence[Event]) -> Sequence[Event]:
    """Return those of *events* that are new: after coming back the referee sends all of the match."""
    if not events:
        return events
    heard, table.heard = table.heard, max(table.heard, events[-1].number)
    return events if events[0].number > heard else [event for event in events if event.number > heard]


def _actions(bot: Bot, answer: object) -> Sequence[Action]:
    if isinstance(answer, Action):
        return (answer,)
    if isinstance(answer, list | tuple) and answer and all(isinstance(action, Action) for action in answer):
        return answer
    raise InvalidBot(
        f"cannot send the answer of {type(bot).__name__}.act: expected an action or a list of actions; "
        f"got {' '.join(reprlib.repr(answer).split())}"
    )
