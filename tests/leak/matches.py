"""Whole matches for the tests of leaks, played once and kept: what everybody did and what every seat was sent."""

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from random import Random
from typing import NamedTuple

from handfoot.v1.action_pb2 import Action as ActionMessage
from handfoot.v1.referee_service_pb2 import Decision, PlayRequest
from laws.playouts import STYLES, choose, tags_of
from laws.playouts import Table as Place
from laws.tables import HASTY, POLITE, PUBLISHED
from leak.room import Room, Sent, copy_table, run

from referee.rules import Action, Card, Discard, Event, Phase, RecordedAction, RoundState, legal_actions
from referee.rules.actions import DRAW_STOCK
from referee.rules.ruleset import MatchRule
from referee.service.reports import MatchSpec
from referee.service.table import Stage, Table

SEEDS = {
    "beginner-4": (20, 23),
    "online-2": (3, 12),
    "online-3": (10, 23),
    "online-4": (0, 23),
    "publisher-4": (10, 21),
    "publisher-6": (20, 33),
    "publisher-8": (1,),
    "publisher-10": (1,),
    "publisher-12": (3,),
    "simple-4": (14, 1),
    "hasty-3": (20, 24),
    "polite-4": (18, 25),
}
"""The matches of each table that are looked at: seeds that reach what is rare."""

TABLES = (*PUBLISHED, Place(HASTY, 3), Place(POLITE, 4))
"""Every published table, and two with house rules under which rare things happen; these play two rounds."""

MOST_FAULTS = 5
"""Protocol faults of a seat before it stops making them; with ten it would lose."""

MOST_STRIKES = 2
MOST_CORRECTIONS = 3


class Moment(NamedTuple):
    """A match in the middle, at a request."""

    now: float
    table: Table


@dataclass(slots=True, repr=False)
class Played:
    """A match that was played to its end."""

    name: str
    """The table and the seed."""

    spec: MatchSpec
    ask_always: bool
    events: list[Event] = field(default_factory=list)
    log: list[RecordedAction] = field(default_factory=list)
    sent: list[list[Sent]] = field(default_factory=list)
    """By seat."""

    moments: dict[str, Moment] = field(default_factory=dict)
    """By what is special about them, one of each kind."""

    def __repr__(self) -> str:
        return self.name


def spec_of(place: Place, seed: int) -> MatchSpec:
    """Return a match whose deals and bot seeds follow from *seed*."""
    rounds = 1 if place in PUBLISHED else 2

    def digest(name: str) -> bytes:
        return hashlib.sha256(f"{place} {seed} {name}".encode()).digest()

    ruleset = replace(place.ruleset, match=MatchRule(rounds=rounds))
    keys = tuple(digest(f"round {number}") for number in range(rounds))
    seeds = tuple(int.from_bytes(digest(f"seat {seat}")[:8]) for seat in range(place.seats))
    return MatchSpec(ruleset, place.seats, keys, seeds)


@cache
def played(place: Place, seed: int) -> Played:
    """Return the match of *seed*; in those of odd seeds seats are asked even where they have no choice."""
    return run(_play(place, seed))


def matches(place: Place) -> list[Played]:
    """Return the matches that are looked at of a table."""
    return [played(place, seed) for seed in SEEDS[str(place)]]


async def _play(place: Place, seed: int) -> Played:
    spec = spec_of(place, seed)
    kept = Played(f"{place} with seed {seed}", spec, ask_always=seed % 2 == 1)
    room = await Room(spec, ask_always=kept.ask_always).get_ready()
    random = Random(seed)
    while not room.over:
        state = room.table.match.state
        listed = list(islice(legal_actions(state), 400))
        _keep_moment(kept, room, set(tags_of(state, listed)), random)
        action = choose(state, listed, random, STYLES[seed % len(STYLES)])
        await answer(room, (action,), "as played", strikes=True)
    kept.events, kept.log = room.table.events, room.table.log
    kept.sent = [room.sent(seat) for seat in range(spec.seats)]
    await room.close()
    return kept


def _keep_moment(kept: Played, room: Room, tags: set[str], random: Random) -> None:
    if not tags <= kept.moments.keys() or random.random() < 0.1:
        kept.moments |= dict.fromkeys(tags, Moment(room.loop.now, copy_table(room.table)))


# ---------------------------------------------------------------------- how seats behave


async def answer(room: Room, actions: Sequence[Action], salt: str, *, strikes: bool) -> None:
    """
    Let the seat that is asked answer with *actions*, after some time and perhaps some nonsense.

    Both depend on nothing but the seat, how many actions were played, and *salt*.
    """
    assert room.table.stage is Stage.PLAYING, "nobody is to lose these matches"
    seat = room.table.match.state.decider
    random = Random(f"{salt} {seat} {len(room.table.log)}")
    room.loop.now += random.randrange(12) / 8
    if random.random() < 0.2 and not await random.choice(QUIRKS)(room, seat, actions, strikes):
        return
    await room.decide(seat, *actions)


async def _try_something_illegal(room: Room, seat: int, actions: Sequence[Action], strikes: bool) -> bool:
    if room.table.chairs[seat].corrections < MOST_CORRECTIONS:
        await room.decide(seat, illegal_action(room.table.match.state))
    return True


async def _go_on_illegally(room: Room, seat: int, actions: Sequence[Action], strikes: bool) -> bool:
    if room.table.chairs[seat].corrections == MOST_CORRECTIONS:
        return True
    await room.decide(seat, actions[0], DRAW_STOCK)
    return False


async def _strike(room: Room, seat: int, actions: Sequence[Action], strikes: bool) -> bool:
    if not strikes or room.table.chairs[seat].strikes == MOST_STRIKES:
        return True
    for _ in range(room.table.chairs[seat].corrections, 4):
        await room.decide(seat, illegal_action(room.table.match.state))
    return False


async def _babble(room: Room, seat: int, actions: Sequence[Action], strikes: bool) -> bool:
    if room.table.chairs[seat].protocol_faults < MOST_FAULTS:
        await room.decide(seat, *actions, request_id=99_999)
        await room.say(seat, unreadable_answer(room, seat))
    return True


async def _come_back(room: Room, seat: int, actions: Sequence[Action], strikes: bool) -> bool:
    if seat in room.lines:
        room.connect(seat)
        await room.settle()
    return True


QUIRKS: tuple[Callable[..., Awaitable[bool]], ...] = (
    _try_something_illegal,
    _go_on_illegally,
    _strike,
    _babble,
    _come_back,
)
"""What a seat may do before its answer; each tells whether the answer is still wanted."""


def illegal_action(state: RoundState) -> Action:
    """Return an action that is never legal in the phase of *state*."""
    held = state.seats[state.decider].cards
    return Discard(min(held, default=Card(0))) if state.phase is Phase.DRAW else DRAW_STOCK


def unreadable_answer(room: Room, seat: int) -> PlayRequest:
    """Return a decision of *seat* that names no kind of action."""
    decision = Decision(
        table_id=room.seatings[seat].table_id,
        seat=seat,
        request_id=room.table.chairs[seat].request_id,
        actions=[ActionMessage()],
    )
    return PlayRequest(decisions=[decision])
