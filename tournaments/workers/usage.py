"""How much time the bots of an entity used: on their clocks, and of the processor. Nothing is rated by it."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass

from referee.service.reports import MatchReport
from tournaments.schedule import Leg


@dataclass(frozen=True, slots=True)
class Usage:
    """
    Time in milliseconds, of several seats and matches together.

    >>> Usage(10, 7, 9, 1) + Usage(20, 5, 15, 0)
    Usage(clock_ms=30, longest_ms=7, cpu_ms=24, idle_cpu_ms=1)
    """

    clock_ms: int = 0
    """While they were to move."""

    longest_ms: int = 0
    """The longest that any of them needed at once."""

    cpu_ms: int = 0
    """CPU time of all their processes."""

    idle_cpu_ms: int = 0
    """The part of it that does not fit, on one core, into the time in which they were to move."""

    def __add__(self, other: "Usage") -> "Usage":
        """Return both together."""
        return Usage(
            self.clock_ms + other.clock_ms,
            max(self.longest_ms, other.longest_ms),
            self.cpu_ms + other.cpu_ms,
            self.idle_cpu_ms + other.idle_cpu_ms,
        )


def usage_of(legs: Sequence[Leg], reports: Sequence[MatchReport]) -> tuple[Usage, ...]:
    """Return what each entity of a unit used in its *legs*, as far as they were played."""
    found = [Usage() for _ in legs[0].seating]
    for leg, report in zip(legs, reports, strict=False):
        for seat, time in enumerate(report.times):
            entity = leg.seating[seat % len(leg.seating)]
            cpu = (time.cpu_ms or 0, time.idle_cpu_ms or 0)
            found[entity] += Usage(time.total_ms, time.longest_ms, *cpu)
    return tuple(found)


def usage_text(usage: Usage) -> str:
    """
    Return *usage* for people.

    >>> usage_text(Usage(12_340, 450, 9_900, 0))
    '12.3 s on the clock, 0.45 s at most at once; 9.9 s of CPU, 0.0 s of them out of turn'
    """
    clock, longest, cpu, idle = (ms / 1000 for ms in astuple(usage))
    on_clock = f"{clock:.1f} s on the clock, {longest:.2f} s at most at once"
    return f"{on_clock}; {cpu:.1f} s of CPU, {idle:.1f} s of them out of turn"
