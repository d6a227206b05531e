"""A match: rounds played by the same seats to an outcome."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.rules.actions import Action
from referee.rules.events import Event, RoundEnded
from referee.rules.ruleset import Ruleset
from referee.rules.scoring import RoundScore
from referee.rules.state import OVER, RoundState
from referee.rules.transitions import apply, begin_round


@dataclass(slots=True)
class MatchState:
    """A match in play: the running round and what the finished ones brought."""

    ruleset: Ruleset
    seats: int
    keys: tuple[bytes, ...]
    """A deal key a round."""

    state: RoundState
    """The running round; after the match the last one."""

    totals: list[int]
    """By side, over the finished rounds."""

    scores: list[tuple[RoundScore, ...]] = field(default_factory=list)
    """By finished round, then by side."""

    went_out: list[int | None] = field(default_factory=list)
    """By finished round: the seat that went out."""

    finished: bool = False

    @property
    def round(self) -> int:
        """The number of the running round, from 0."""
        return self.state.round

    @property
    def winners(self) -> tuple[int, ...]:
        """The sides with the highest total; several are a draw [HF-11.2]."""
        best = max(self.totals)
        return tuple(side for side, total in enumerate(self.totals) if total == best)


def begin_match(ruleset: Ruleset, seats: int, keys: Sequence[bytes]) -> tuple[MatchState, tuple[Event, ...]]:
    """
    Return a match at its first decision and the events that led there.

    Raises:
        InvalidRuleset: the ruleset is not played at a table of *seats*.
        ValueError: there are fewer keys than rounds, or one has not 32 bytes.
    """
    if len(keys) < ruleset.rounds:
        raise ValueError(f"too few deal keys: expected {ruleset.rounds}, one a round; got {len(keys)}")
    state, events = begin_round(ruleset, seats, 0, keys[0])
    return MatchState(ruleset, seats, tuple(keys), state, [0] * ruleset.sides(seats)), events


def play(match: MatchState, action: Action) -> tuple[Event, ...]:
    """
    Carry *action* out; where it ends the round, score it and deal the next one.

    Raises:
        IllegalAction: with the first broken clause; the match is as it was.
    """
    events = apply(match.state, action)
    if match.state.phase is not OVER:
        return events
    ended = events[-1]
    assert isinstance(ended, RoundEnded)
    match.scores.append(ended.scores)
    match.went_out.append(ended.went_out)
    match.totals = [total + score.total for total, score in zip(match.totals, ended.scores, strict=True)]
    return events + _next_round(match)


def _next_round(match: MatchState) -> tuple[Event, ...]:
    rule = match.ruleset.match
    reached = rule.target is not None and max(match.totals) >= rule.target
    if reached or len(match.scores) == rule.rounds:
        match.finished = True
        return ()
    number = len(match.scores)
    match.state, events = begin_round(match.ruleset, match.seats, number, match.keys[number])
    return events
