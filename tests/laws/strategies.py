"""Hypothesis strategies: reachable positions of every table, and actions that are legal there, listed or not."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import TypeVar

from hypothesis import note, settings
from hypothesis import strategies as st
from laws.mutations import vary
from laws.playouts import Playout, Table, trace
from laws.seeds import default_playouts
from laws.tables import TABLES

from referee.rules import Action, RoundState, format_action, legal_actions

Law = TypeVar("Law", bound=Callable[..., None])

TAGS = (
    *(
        "draw",
        "play",
        "draw",
        "play",
        "opening",
        "take",
        "foot",
        "few",
        "ask",
        "answer",
        "allowed",
        "refused",
    ),
    *("empty stock", "take or pass", "stranded", "passed by itself", "foot picked up", "red three", "out"),
)
"""What a position is drawn by, each as often as it stands here."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position that was reached by legal play."""

    playout: Playout
    ply: int

    @property
    def state(self) -> RoundState:
        """A copy of the position."""
        return trace(self.playout).at(self.ply)

    def explain(self) -> None:
        """Add to a failing example how the position is reached."""
        note(f"table {self.playout.table}, seed {self.playout.seed}, ply {self.ply}; last actions:")
        for action in trace(self.playout).actions[max(0, self.ply - 6) : self.ply]:
            note("  " + format_action(action))


def some() -> Callable[[Law], Law]:
    """Test a law that looks at whole playouts with fewer examples than the profile asks for."""
    profile = settings.get_profile(settings.get_current_profile_name())
    return settings(max_examples=max(30, profile.max_examples // 4))


def wide() -> bool:
    """Return whether the profile asks for more than the default playouts."""
    return settings.get_current_profile_name() == "deep"


@st.composite
def playouts(draw: st.DrawFn, tables: tuple[Table, ...] = TABLES) -> Playout:
    """Draw a playout: of the default ones, or under the deep profile any."""
    table = draw(st.sampled_from(tables))
    if wide():
        return Playout(table, draw(st.integers(0, 10**9)))
    return draw(st.sampled_from(default_playouts(table)))


@cache
def tagged(tables: tuple[Table, ...], tag: str) -> tuple[Position, ...]:
    """Return the positions of the default playouts at *tables* that have *tag*."""
    return tuple(
        Position(playout, ply)
        for table in tables
        for playout in default_playouts(table)
        for ply in trace(playout).tags.get(tag, ())
    )


@st.composite
def positions(draw: st.DrawFn, tables: tuple[Table, ...] = TABLES, tags: tuple[str, ...] = TAGS) -> Position:
    """Draw a position that has one of *tags*, each tag as often as the others; under the deep profile any at times."""
    found = tagged(tables, draw(st.sampled_from(tags)))
    position = found[draw(st.integers(0, len(found) - 1))]
    if wide() and draw(st.booleans()):
        playout = draw(playouts(tables))
        position = Position(playout, draw(st.integers(0, len(trace(playout).actions) - 1)))
    position.explain()
    return position


@st.composite
def attempts(draw: st.DrawFn, tables: tuple[Table, ...] = TABLES) -> tuple[RoundState, Action]:
    """Draw a position and an action that somebody might try there, legal or not."""
    state = draw(positions(tables)).state
    random = Random(draw(st.integers(0, 2**32)))
    listed = list(legal_actions(state))
    action = random.choice(listed)
    for _ in range(draw(st.integers(0, 3))):
        action = vary(state, action, listed, random)
    note(f"attempt: {action}")
    return state, action
