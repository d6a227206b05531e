"""How benchmarks measure and tell: rates taken in turn, ratios with their spread, tables in Markdown."""

import os
import signal
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

Measure = Callable[[], float]
"""Runs something for a while and returns its rate."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How long is measured."""

    repetitions: int
    seconds: float
    """Of one repetition of one contestant, about."""

    @property
    def quick(self) -> bool:
        """Whether this only shows that everything runs."""
        return self.repetitions < 3


@dataclass(frozen=True, slots=True)
class Rates:
    """What the repetitions of one measurement gave."""

    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle one."""
        return statistics.median(self.values)

    def __str__(self) -> str:
        return f"{_number(self.median)} ({_number(min(self.values))}–{_number(max(self.values))})"

    def over(self, other: "Rates") -> "Rates":
        """Return the ratios, repetition by repetition: both of a pair were measured one after the other."""
        return Rates(tuple(own / peer for own, peer in zip(self.values, other.values, strict=True)))


@dataclass(frozen=True, slots=True)
class Row:
    """One thing of ours against one of a peer's or a floor."""

    what: str
    ours: Rates
    against: str
    peer: Rates | None
    """None where the peer is not installed."""

    goal: float | None = None
    stretch: float | None = None

    @property
    def verdict(self) -> str:
        """What came of the goal."""
        if self.peer is None:
            return "absent"
        ratio = self.ours.over(self.peer).median
        if self.goal is None:
            return "–"
        if self.stretch is not None and ratio >= self.stretch:
            return "stretch met"
        return "met" if ratio >= self.goal else "missed"


def worst_of(rows: list[Row]) -> str:
    """Return the worst verdict of *rows*, with whom it is about if others do better."""
    order = ("absent", "missed", "met", "stretch met", "–")
    worst = min((row.verdict for row in rows), key=order.index)
    named = [row.what for row in rows if row.verdict == worst]
    return worst if len(named) in (0, len(rows)) else f"{worst}: {', '.join(named)}"


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it is printed and published."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    def markdown(self) -> str:
        """Return it as Markdown."""
        lines = [self.header, tuple("---" for _ in self.header), *self.rows]
        body = "\n".join("| " + " | ".join(line) + " |" for line in lines)
        return "\n\n".join(part for part in (f"### {self.title}", self.note, body) if part)


def comparison(title: str, unit: str, rows: list[Row], note: str = "") -> Table:
    """Return *rows* as a table; rates are in *unit*."""
    return Table(
        title,
        ("what", unit, "against", unit, "ratio", "goal", ""),
        tuple(_cells(row) for row in rows),
        note,
    )


def _cells(row: Row) -> tuple[str, ...]:
    ratio = "–" if row.peer is None else str(row.ours.over(row.peer))
    goal = "–" if row.goal is None else f"≥ {row.goal:g}"
    if row.stretch is not None:
        goal += f", stretch {row.stretch:g}"
    return row.what, str(row.ours), row.against, str(row.peer or "–"), ratio, goal, row.verdict


def in_turn(contestants: Mapping[str, Measure], repetitions: int) -> dict[str, Rates]:
    """Return the rates of all *contestants*, each measured once per repetition, one after the other."""
    found: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(repetitions):
        for name, measure in contestants.items():
            found[name].append(measure())
    return {name: Rates(tuple(values)) for name, values in found.items()}


def per_cpu_second(play: Callable[[], int], seconds: float) -> float:
    """Return how many a CPU second *play* does, which returns how many it did, run for about *seconds*."""
    done, began = 0, time.process_time()
    while (took := time.process_time() - began) < seconds:
        done += play()
    return done / took


@contextmanager
def sampling(name: Callable[[FrameType], str]) -> Iterator[Counter[str]]:
    """Count, once each millisecond of CPU that this process uses, the *name* of the frame that it is in."""
    found: Counter[str] = Counter()

    def note(_: int, frame: FrameType | None) -> None:
        if frame is not None:
            found[name(frame)] += 1

    before = signal.signal(signal.SIGPROF, note)
    signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
    try:
        yield found
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def pin(*cores: int) -> None:
    """Keep this process, and those that it starts, on *cores* (counted among those it may use)."""
    allowed = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {allowed[core % len(allowed)] for core in cores})


def _number(value: float) -> str:
    if value >= 10_000:
        return f"{value / 1000:.0f} k"
    return f"{value / 1000:.1f} k" if value >= 1000 else f"{value:.3g}"
