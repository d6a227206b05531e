"""Playouts from a seed, kept so that any position of them can be returned to at once."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from random import Random
from typing import NamedTuple

from referee.rules import (
    Action,
    AnswerPartner,
    AskPartner,
    Discard,
    Event,
    FootPickedUp,
    LayDown,
    Pass,
    Phase,
    RedThreeLaid,
    RoundState,
    Ruleset,
    TakePile,
    TurnPassed,
    apply,
    begin_round,
    is_wild,
    legal_actions,
)
from referee.rules.cards import WILD
from referee.rules.legality import judge_upcard

_SPACING = 16
"""Plies between two positions that are kept."""

_MOST_LISTED = 400
"""Actions of a list that a playout chooses from."""


class Style(NamedTuple):
    """How a playout chooses."""

    zeal: float
    """How often it takes the pile or lays down when it can."""

    thrift: float
    """How often it then chooses what brings its side nearer to going out."""

    agree: float
    """How often it answers yes."""


STYLES = (
    Style(0.95, 0.0, 0.7),
    Style(1.0, 1.0, 1.0),
    Style(0.6, 0.2, 0.3),
    Style(0.9, 0.8, 0.8),
    Style(0.1, 0.5, 0.5),
)
"""From busy to lazy; a playout's seed says which."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Table:
    """A ruleset and a number of seats; the one object is told from another, which is quicker than comparing rules."""

    ruleset: Ruleset
    seats: int

    def __repr__(self) -> str:
        return f"{self.ruleset.name}-{self.seats}"


@dataclass(frozen=True, slots=True)
class Playout:
    """A round that follows from a table and a seed, and sometimes from a deal of its own."""

    table: Table
    seed: int
    key: str = ""
    """A deal key in hexadecimal; without one the seed says it too."""

    def begin(self) -> tuple[RoundState, tuple[Event, ...], Random]:
        """Return the round as dealt, what happened so far, and the source of the choices."""
        random = Random(f"{self.table} {self.seed}")
        ruleset = self.table.ruleset
        number = random.randrange(ruleset.rounds)
        key = bytes.fromhex(self.key) or random.randbytes(32)
        return *begin_round(ruleset, self.table.seats, number, key), random


@dataclass(slots=True)
class Trace:
    """A playout that was played to its end."""

    actions: list[Action] = field(default_factory=list)
    kept: list[RoundState] = field(default_factory=list)
    tags: dict[str, list[int]] = field(default_factory=dict)
    """By tag, the plies at which it applies."""

    def at(self, ply: int) -> RoundState:
        """Return the position before action *ply*."""
        state = self.kept[ply // _SPACING].copy()
        for action in self.actions[ply - ply % _SPACING : ply]:
            apply(state, action)
        return state

    def walk(self) -> Iterator[tuple[RoundState, Action]]:
        """Yield each position with the action that follows; it is one running state, so read it at once."""
        state = self.kept[0].copy()
        for action in self.actions:
            yield state, action
            apply(state, action)
        assert state.over
        yield state, self.actions[-1]


@cache
def trace(playout: Playout) -> Trace:
    """Return *playout* played to its end."""
    state, _, random = playout.begin()
    style = STYLES[playout.seed % len(STYLES)]
    played = Trace()
    while not state.over:
        ply = len(played.actions)
        if ply % _SPACING == 0:
            played.kept.append(state.copy())
        listed = list(islice(legal_actions(state), _MOST_LISTED))
        for tag in tags_of(state, listed):
            played.tags.setdefault(tag, []).append(ply)
        action = choose(state, listed, random, style)
        played.actions.append(action)
        events = apply(state, action)
        for tag in tags_of_events(action, events):
            played.tags.setdefault(tag, []).append(ply)
    if state.went_out is not None:
        played.tags["out"] = [len(played.actions) - 1]
    return played


def tags_of(state: RoundState, listed: list[Action]) -> Iterator[str]:
    """Yield what is special about a position."""
    seat = state.seats[state.turn]
    yield state.phase.name.lower()
    if seat.on_foot:
        yield "foot"
        if len(seat.cards) <= 3:
            yield "few"
    if any(isinstance(action, TakePile) for action in listed):
        yield "take"
        if not state.stock.left:
            yield "take or pass"
    if not seat.opened:
        yield "unopened"
        if any(isinstance(action, LayDown) for action in listed):
            yield "opening"
        if state.phase is Phase.DRAW and state.pile and not judge_upcard(state):
            yield "unopened draw"
    if any(isinstance(action, AskPartner) for action in listed):
        yield "ask"
    for tag, holds in (
        ("empty stock", not state.stock.left),
        ("stranded", state.stranded),
        ("allowed", state.agreed is True),
        ("refused", state.agreed is False),
    ):
        if holds:
            yield tag


def tags_of_events(action: Action, events: tuple[Event, ...]) -> Iterator[str]:
    """Yield what is special about an action."""
    kinds = {type(event) for event in events}
    if TurnPassed in kinds and not isinstance(action, Pass):
        yield "passed by itself"
    if FootPickedUp in kinds:
        yield "foot picked up"
    if RedThreeLaid in kinds:
        yield "red three"


def choose(state: RoundState, listed: list[Action], random: Random, style: Style) -> Action:
    """Return the action of *listed* that a playout in *style* plays."""
    if state.phase is Phase.ANSWER:
        return AnswerPartner(random.random() < style.agree)
    asks = [action for action in listed if isinstance(action, AskPartner)]
    if asks and random.random() < 0.3:
        return asks[0]
    busy = [action for action in listed if isinstance(action, TakePile | LayDown)]
    if busy and random.random() < style.zeal:
        if random.random() >= style.thrift:
            return random.choice(busy)
        best = max(progress(state, action) for action in busy)
        if best > 0:
            return random.choice([action for action in busy if progress(state, action) == best])
    idle: list[Action] = [action for action in listed if not isinstance(action, LayDown | AskPartner)]
    if style.thrift and random.random() < 0.7:
        idle = _single(state, idle) or idle
    return random.choice(idle or listed)


def _single(state: RoundState, idle: list[Action]) -> list[Action]:
    """Return the discards of cards that are held once."""
    held = state.seats[state.turn].cards
    return [action for action in idle if isinstance(action, Discard) and held.count(action.card) == 1]


def progress(state: RoundState, action: TakePile | LayDown) -> int:
    """Return how much *action* adds to large melds without spending wild cards on small mixed ones."""
    value = 0
    for entry in action.melds:
        wilds = sum(is_wild(card) for card in entry.cards)
        meld = (
            state.melds[entry.target]
            if entry.target is not None and entry.target < len(state.melds)
            else None
        )
        size = len(entry.cards) + (meld.size if meld else 0) + isinstance(action, TakePile)
        only_wilds = meld.rank == WILD if meld else wilds == len(entry.cards)
        value += size if not wilds or only_wilds or size >= 7 else -5
    return value
