"""The clock of a seat: a limit per turn and a bank per match. Nothing here reads the time; it is passed in."""

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from referee.service.errors import InvalidTime

MAX_SECONDS: Final = 7 * 24 * 3600
"""The longest limit or bank: a week."""

_PART: Final = re.compile(r"(\d+(?:\.\d{1,3})?)(ms|s)")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """
    The time that every seat of a match has.

    Raises:
        InvalidTime: a turn limit that is not positive, a negative bank, or more than a week.
    """

    turn: float = 1.0
    """Limit of a turn in seconds, whole milliseconds; all decisions and corrections of the turn share it."""

    bank: float = 30.0
    """Seconds per match that pay for what exceeds the limits of turns."""

    def __post_init__(self) -> None:
        if not 0.001 <= self.turn <= MAX_SECONDS:
            raise InvalidTime(f"impossible turn limit: expected 1ms up to a week; got {self.turn!r} s")
        if not 0 <= self.bank <= MAX_SECONDS:
            raise InvalidTime(f"impossible bank: expected 0s up to a week; got {self.bank!r} s")

    @property
    def turn_ms(self) -> int:
        """The limit of a turn in milliseconds."""
        return round(self.turn * 1000)


def parse_time(text: str) -> TimeControl:
    """
    Return the time control that *text* names: a limit per turn, and a bank behind a plus.

    >>> parse_time("1s+30s")
    TimeControl(turn=1.0, bank=30.0)
    >>> parse_time("250ms")
    TimeControl(turn=0.25, bank=0.0)

    Raises:
        InvalidTime: *text* is not a time control.
    """
    turn, plus, bank = text.strip().partition("+")
    seconds = [_parse_part(part) for part in ([turn, bank] if plus else [turn, "0s"])]
    if None in seconds:
        raise InvalidTime(
            f"unreadable time: expected TURN+BANK such as '1s+30s' or '500ms+10s'; got {text!r}"
        )
    return TimeControl(*(value for value in seconds if value is not None))


def _parse_part(text: str) -> float | None:
    match = _PART.fullmatch(text.strip())
    if match is None:
        return None
    return float(match[1]) / (1000 if match[2] == "ms" else 1)


def format_time(control: TimeControl) -> str:
    """
    Return the notation of *control*.

    >>> format_time(TimeControl(turn=0.5, bank=10.0))
    '500ms+10s'
    """
    return f"{_format_part(control.turn)}+{_format_part(control.bank)}"


def _format_part(seconds: float) -> str:
    ms = round(seconds * 1000)
    return f"{ms}ms" if ms % 1000 else f"{ms // 1000}s"


class Reading(NamedTuple):
    """What a seat is told of its clock, in whole milliseconds."""

    turn_limit_ms: int
    bank_ms: int
    """What would be left of the bank if the seat answered now."""

    used_ms: int
    """What this turn has used already."""


class SeatClock:
    """The running clock of one seat; it runs only between `start` and `stop`."""

    __slots__ = ("_bank", "_credit", "_limit", "_limit_ms", "_since", "_used", "longest", "total")

    def __init__(self, control: TimeControl) -> None:
        self._limit = control.turn
        self._limit_ms = round(control.turn * 1000)
        self._bank = control.bank
        self._used = 0.0
        self._credit = 0.0
        self._since: float | None = None
        self.total = 0.0
        """Seconds used in the match."""
        self.longest = 0.0
        """Seconds of the longest stretch between a start and its stop."""

    def renew(self) -> None:
        """Give the limit of a new turn, or of an answer to the partner; what the last one exceeded is paid."""
        self._bank = max(0.0, self._bank - self._exceeding(self._used))
        self._used = self._credit = 0.0

    def credit(self, seconds: float) -> None:
        """Give *seconds* more for this turn: the referee itself has lost them."""
        self._credit += seconds

    def _exceeding(self, used: float) -> float:
        """Return what the bank has to pay if this turn uses *used* seconds."""
        return max(0.0, used - self._limit - self._credit)

    def start(self, now: float) -> None:
        """Begin to count: the seat was asked at *now*."""
        self._since = now

    def stop(self, now: float) -> float:
        """Stop counting and return the seconds since the start; 0 when the clock was not running."""
        if self._since is None:
            return 0.0
        elapsed = now - self._since
        self._since = None
        if elapsed <= 0.0:
            return 0.0
        self._used += elapsed
        self.total += elapsed
        if elapsed > self.longest:
            self.longest = elapsed
        return elapsed

    def until(self, now: float) -> float:
        """Return the seconds used in the match up to *now*."""
        return self.total if self._since is None else self.total + max(0.0, now - self._since)

    def deadline(self) -> float | None:
        """Return the time at which limit and bank are used up; None while the clock is not running."""
        if self._since is None:
            return None
        return self._since + self._limit + self._credit + self._bank - self._used

    def read(self, now: float) -> Reading:
        """Return what the seat may be told at *now*."""
        used, left = self._used, self._bank
        if self._since is not None and now > self._since:
            used += now - self._since
        if used > self._limit:
            left -= self._exceeding(used)
        return Reading(self._limit_ms, max(0, round(left * 1000)), round(used * 1000))
