"""What goes into a match and what comes out of it, as values. The limits are those of one match at one table."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from referee.rules import MatchRecord, RoundScore, Ruleset
from referee.service.clock import TimeControl

FaultKind = Literal["no_show", "timeout", "crash", "illegal", "protocol", "referee_error"]
Termination = Literal["played", "forfeit", "double_forfeit", "no_show", "void"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a seat may do before it loses."""

    time: TimeControl = field(default_factory=TimeControl)
    ready: float = 30.0
    """Seconds from being seated to being ready."""

    corrections: int = 3
    """Illegal answers to one request that may be corrected; the next one is a strike."""

    strikes: int = 3
    """Strikes that forfeit the match."""

    protocol_faults: int = 10
    """Protocol faults that forfeit the match."""

    settle: float = 0.1
    """Seconds between a fault that ends the match and its judgement, in which the other side may be at fault too."""


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """One match to be played."""

    ruleset: Ruleset
    seats: int
    keys: tuple[bytes, ...]
    """A deal key of 32 bytes per round."""

    bot_seeds: tuple[int, ...]
    """Per seat, unsigned 64 bits."""

    time: TimeControl = field(default_factory=TimeControl)
    ready_limit: float = 30.0
    """Seconds from being seated to being ready."""

    referee_sides: frozenset[int] = frozenset()
    """Sides that forfeited an earlier leg: the referee plays their seats, which need no bot."""

    label: str = ""
    """For logs only; never sent."""


@dataclass(frozen=True, slots=True)
class FaultReport:
    """A strike, or a fault that ended the match for a side."""

    kind: FaultKind
    seat: int
    """-1 where the referee itself is at fault."""

    side: int
    ends_match: bool
    """Whether the side lost by it; False for a strike that did not end the match."""

    reason: str
    """One line."""

    round: int
    """From 0."""

    action: int
    """How many actions had been played."""

    event: int
    """How many events the match had so far."""

    clause: str | None = None
    """The broken clause, for an illegal action."""

    bot: str = ""
    """Name and version of the bot."""

    command: tuple[str, ...] = ()
    folder: str | None = None
    exit_code: int | None = None
    """How the process ended, if it has; the negative number of a signal."""

    stderr: str = ""
    """The last lines of its standard error."""

    turn: int = 0
    """How many turns of the match had ended."""

    request: bytes = b""
    """The PlayResponse with the last request that the seat was sent; empty before the first."""

    answer: bytes = b""
    """The beginning of the last message that came since; empty if none did."""

    def message(self) -> str:
        """Return what the operator needs to see: the reason in one line, then the process and what it said last."""
        lines = [f"{self.kind} of {self.bot or 'the referee'}, seat {self.seat}: {self.reason}"]
        if self.command:
            lines.append(f"  command: {shlex.join(self.command)}")
            lines.append(f"  folder: {self.folder or 'a private temporary one'}")
            lines.append(f"  exit code: {'none' if self.exit_code is None else self.exit_code}")
            said = self.stderr.splitlines() or ["nothing"]
            lines += ["  last lines of standard error:", *(f"    {line}" for line in said)]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class SeatTime:
    """How a seat used its clock and the processor, in milliseconds."""

    total_ms: int
    longest_ms: int
    cpu_ms: int | None = None
    """CPU time of all processes of its bot; None where that cannot be read."""

    idle_cpu_ms: int | None = None
    """The part of it that does not fit, on one core, into the time in which the seat was to move."""


@dataclass(frozen=True, slots=True)
class MatchReport:
    """What came of a match."""

    termination: Termination
    totals: tuple[int, ...]
    """Per side, over the finished rounds."""

    scores: tuple[tuple[RoundScore, ...], ...]
    """Per finished round, per side."""

    went_out: tuple[int, ...]
    """Per side: how many rounds it ended by going out."""

    rounds: int
    """How many rounds were finished."""

    forfeits: tuple[int, ...]
    """The sides that forfeited, ascending. With three or more sides the match was played on without them."""

    faults: tuple[FaultReport, ...]
    record: MatchRecord | None
    """As far as the match went; None only if no card was dealt."""

    times: tuple[SeatTime, ...]
    """Per seat."""

    @property
    def forfeited(self) -> int | None:
        """The side that forfeited; None where none or several did."""
        return self.forfeits[0] if len(self.forfeits) == 1 else None


def count_went_out(seats: Sequence[int | None], sides: int) -> tuple[int, ...]:
    """Return how often each side went out, from the seats that did (None where the stock ended the round)."""
    counts = [0] * sides
    for seat in seats:
        if seat is not None:
            counts[seat % sides] += 1
    return tuple(counts)
