"""Whole matches of Python bots in the process of a test: the table and codec of the referee, bots called directly."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from handfoot import Action as Message
from handfoot import Bot, View
from handfoot.session import seat_bot
from handfoot.v1.referee_service_pb2 import PlayResponse

from referee.rules import MatchState, RecordedAction, Ruleset
from referee.service.clock import Reading, TimeControl
from referee.service.codec import Scribe, add_refusal, add_seated, read_actions
from referee.service.effects import Ask, Effect, Refuse
from referee.service.reports import Limits, MatchSpec
from referee.service.table import Table

CLOCK = Reading(1_000, 30_000, 0)


@dataclass(slots=True)
class Played:
    """What came of a match."""

    match: MatchState
    log: list[RecordedAction]
    """All actions, those of the referee among them."""

    refusals: list[str] = field(default_factory=list)
    """The reasons of all refusals."""

    decisions: int = 0
    """How often a bot was asked."""

    @property
    def totals(self) -> list[int]:
        """The total of each side."""
        return self.match.totals

    @property
    def went_out(self) -> list[int | None]:
        """By round: the seat that went out."""
        return self.match.went_out


def spec_of(ruleset: Ruleset, seats: int, seed: str) -> MatchSpec:
    """Return a match whose deals and bot seeds follow from *seed*."""

    def digest(name: str) -> bytes:
        return hashlib.sha256(f"{seed} {name}".encode()).digest()

    keys = tuple(digest(f"round {number}") for number in range(ruleset.rounds))
    seeds = tuple(int.from_bytes(digest(f"seat {seat}")[:8]) for seat in range(seats))
    return MatchSpec(ruleset, seats, keys, seeds, TimeControl())


class Match:
    """One match in play, its bots in the same process."""

    def __init__(self, spec: MatchSpec, bots: Sequence[Callable[[], Bot]]) -> None:
        self.table = Table(spec, Limits(), now=0.0)
        self.scribe = Scribe(spec.seats)
        seated = PlayResponse()
        for seat in range(spec.seats):
            add_seated(seated, "table", seat, spec, CLOCK)
        self.seated = list(seated.seated)
        self.bots = [seat_bot(bot, match) for bot, match in zip(bots, self.seated, strict=True)]
        self.played = Played(self.table.match, self.table.log)

    def play(self) -> Played:
        """Play to the end and return what came of it."""
        effects: list[Effect] = []
        for seat in range(len(self.bots)):
            effects += self.table.take_ready(seat, now=0.0)
        while effects:
            effects = [follow for effect in effects for follow in self._carry_out(effect)]
        return self.played

    def _carry_out(self, effect: Effect) -> list[Effect]:
        if isinstance(effect, Refuse):
            self.played.refusals.append(effect.reason)
            response = PlayResponse()
            add_refusal(response, "table", effect)
            self.bots[effect.seat].on_refused(response.refusals[0])
        if not isinstance(effect, Ask):
            return []
        self.played.decisions += 1
        answer = self.ask(effect)
        return self.table.decide(effect.seat, effect.request_id, read_actions(answer), now=0.0)

    def ask(self, ask: Ask) -> Sequence[Message]:
        """Return the answer of the bot that is asked."""
        self.scribe.ledger.take(self.table.events)
        bot = self.bots[ask.seat]
        written = self.scribe.request("table", ask, self.table.match, list_actions=bot.wants_legal_actions)
        request = PlayResponse.FromString(written).requests[0]
        answer = bot.act(View(request, self.seated[ask.seat], request.events))
        return [answer] if isinstance(answer, Message) else answer


def play_match(spec: MatchSpec, bots: Sequence[Callable[[], Bot]]) -> Played:
    """Return what came of the match of *spec* between *bots*, one per seat."""
    return Match(spec, bots).play()


def play_duplicate(
    ruleset: Ruleset, seats: int, seed: str, one: Callable[[], Bot], other: Callable[[], Bot]
) -> tuple[Played, Played]:
    """Return both legs of a duplicate between two mirrored partnerships; *one* has side 0 in the first leg."""
    spec = spec_of(ruleset, seats, seed)
    first, second = (one, other), (other, one)
    return (
        play_match(spec, [first[seat % 2] for seat in range(seats)]),
        play_match(spec, [second[seat % 2] for seat in range(seats)]),
    )


def margin_of(legs: tuple[Played, Played]) -> int:
    """Return by how many points the first of the two was ahead over both legs."""
    (a, b), (c, d) = legs[0].totals, legs[1].totals
    return a - b + d - c
