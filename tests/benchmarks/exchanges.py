"""
Decisions over gRPC against bare messages over gRPC, each in processes of their own, pinned to the same core.

The floor is `floor`: four processes answer raw bytes in turn. Ours is `arena`: four bots that play what is written.
Two workers are two referees with their bots on a core each, against the floor on one.
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from types import TracebackType
from typing import Any, Self

from arena import LIBRARIES, PARTS
from measuring import Effort, Rates, Row, Table, comparison

from referee.service import GRPC_EXPERIMENTS

FLOOR = "bare ping-pong"
REFEREE_PARTS = (LIBRARIES, *dict.fromkeys(PARTS.values()))
HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Shape:
    """How a referee is set up."""

    what: str
    tables: int
    goal: float | None = None
    stretch: float | None = None
    workers: int = 1
    everything: bool = True
    """Whether it asks where there is no choice, too."""

    listed: bool = False
    """Whether requests list the legal actions."""

    def commands(self) -> list[list[str]]:
        """Return the words after the interpreter for each worker."""
        flags = [f"--{name}" for name in ("everything", "listed") if getattr(self, name)]
        return [
            [str(HERE / "arena.py"), "--core", str(core), "--tables", str(self.tables), *flags]
            for core in range(self.workers)
        ]


SHAPES = (
    Shape("one match, every decision sent", 1, 0.75, 0.85),
    Shape("one match, every decision sent with the legal actions", 1, listed=True),
    Shape("one match, single choices played by the referee", 1, 1.2, everything=False),
    Shape("16 tables, every decision sent", 16, 2.5),
    Shape("16 tables on each of two workers, every decision sent", 16, 5.0, workers=2),
    Shape("16 tables on each of two workers, single choices not sent", 16, 8.0, workers=2, everything=False),
)

CURVE = tuple(
    Shape(
        f"{tables} {'tables' if tables > 1 else 'table'} on {workers} worker{'s' * (workers > 1)}",
        tables,
        workers=workers,
    )
    for workers in (1, 2)
    for tables in (1, 4, 16, 64)
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What one measurement gave."""

    wall: float
    """Exchanges a second."""

    cpu: float
    """Exchanges a CPU second of all processes together."""

    own: float
    """The share of the CPU time that the referee, or the floor's server, has in it."""

    slow: float | None
    """The 99th percentile of an exchange over the median."""

    parts: dict[str, int]
    """Where the referee was found, how often, if that was asked for."""


class Contestant:
    """Processes that measure when they are told to; a context that ends them."""

    def __init__(self, commands: Sequence[Sequence[str]], **environment: str) -> None:
        """Start them, with more in their *environment*, and wait until they are ready; gRPC is not set otherwise."""
        inherited = {name: text for name, text in os.environ.items() if name != "GRPC_EXPERIMENTS"}
        self._processes = [
            subprocess.Popen(
                [sys.executable, *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=inherited | {"GRPC_VERBOSITY": "ERROR"} | environment,
            )
            for command in commands
        ]
        for process in self._processes:
            _read(process)

    def measure(self, seconds: float) -> Reading:
        """Let all of them work at the same time for so many *seconds*."""
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.write(f"{seconds}\n")
            process.stdin.flush()
        told = [_read(process) for process in self._processes]
        shares = [each["own"] for each in told]
        return Reading(
            sum(each["wall"] for each in told),
            len(told) / sum(1 / each["cpu"] for each in told),
            sum(shares) / len(shares),
            told[0]["slow"],
            told[0]["parts"],
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.close()
        for process in self._processes:
            process.wait(20)


def _read(process: "subprocess.Popen[str]") -> dict[str, float]:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise SystemExit(f"a benchmark's process ended with code {process.wait()}")
    told: dict[str, Any] = json.loads(line)
    return told


Pairs = list[tuple[Reading, Reading]]
"""What ours and the floor gave, one right after the other, repetition by repetition."""


@contextlib.contextmanager
def open_floor(**environment: str) -> Iterator[Contestant]:
    """Open the floor on the first core."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(HERE / "floor.py"), "0", f"unix:{folder}/floor"]
        with Contestant([command], **environment) as floor:
            yield floor


def open_ours(commands: Sequence[Sequence[str]]) -> Contestant:
    """Return referees with their bots; gRPC is set as it is in a worker, which imports the referee before it."""
    return Contestant(commands, GRPC_EXPERIMENTS=GRPC_EXPERIMENTS)


def in_turn(ours: Contestant, floor: Contestant, effort: Effort) -> Pairs:
    """Measure *ours* and *floor* in turn."""
    return [(ours.measure(effort.seconds), floor.measure(effort.seconds)) for _ in range(effort.repetitions)]


def compete(shapes: Sequence[Shape], effort: Effort) -> dict[Shape, Pairs]:
    """Return what each of *shapes* and the floor gave."""
    found: dict[Shape, Pairs] = {}
    with open_floor() as floor:
        for shape in shapes:
            with open_ours(shape.commands()) as ours:
                found[shape] = in_turn(ours, floor, effort)
    return found


def floors(effort: Effort) -> Table:
    """Return what our setting of gRPC does to the floor itself, which is measured without it everywhere else."""
    with open_floor() as floor, open_floor(GRPC_EXPERIMENTS=GRPC_EXPERIMENTS) as other:
        pairs = in_turn(other, floor, effort)
    rows = [
        Row(
            f"bare ping-pong without gRPC's event engine, {name}",
            *(Rates(tuple(getattr(p[0], what) for p in pairs)), FLOOR),
            Rates(tuple(getattr(p[1], what) for p in pairs)),
        )
        for what, name in (("wall", "by the clock"), ("cpu", "by CPU time"))
    ]
    return comparison("The setting of gRPC", "a second", rows)


def row_of(shape: Shape, pairs: Pairs, what: str) -> Row:
    """Return a row about *what*, ``wall`` or ``cpu``; of the CPU two workers have twice as much as the floor."""
    goal, stretch = (
        (shape.goal, shape.stretch)
        if what == "wall"
        else [None if each is None else each / shape.workers for each in (shape.goal, shape.stretch)]
    )
    ours, floor = (Rates(tuple(getattr(pair[side], what) for pair in pairs)) for side in (0, 1))
    return Row(shape.what, ours, FLOOR, floor, goal, stretch)


def slowness(effort: Effort) -> Table:
    """Return how much longer than the median the slowest of a hundred exchanges takes, at one table."""
    command = [str(HERE / "arena.py"), "--everything", "--timed"]
    with open_floor() as floor, open_ours([command]) as ours:
        pairs = in_turn(ours, floor, effort)
    ours_, floor_ = (Rates(tuple(pair[side].slow or 0.0 for pair in pairs)) for side in (0, 1))
    verdict = "met" if ours_.median <= 2 else "missed"
    return Table(
        "The 99th percentile of an exchange over its median",
        ("what", "ours", FLOOR, "goal", ""),
        (("one match, every decision sent", str(ours_), str(floor_), "≤ 2", verdict),),
    )


def where_time_goes(effort: Effort) -> Table:
    """Return in what the CPU time of the referee goes."""
    rows = []
    for tables in (1, 16):
        command = [str(HERE / "arena.py"), "--everything", "--profiled", "--tables", str(tables)]
        with open_ours([command]) as ours:
            found = ours.measure(effort.seconds * effort.repetitions).parts
        total = sum(found.values())
        rows.append((f"{tables}", *(f"{found.get(part, 0) / total:.0%}" for part in REFEREE_PARTS)))
    note = "Every decision sent, one worker. What is written in C counts for who calls it, so protobuf for *messages*."
    return Table("Where the referee's time goes", ("tables", *REFEREE_PARTS), tuple(rows), note)


def shares(found: dict[Shape, Pairs]) -> Table:
    """Return whose CPU time a decision takes, in microseconds."""
    rows = tuple(
        (shape.what, *(cell for side in (0, 1) for cell in _halves([pair[side] for pair in pairs])))
        for shape, pairs in found.items()
    )
    header = ("what", "referee", "bots", "floor's server", "floor's clients")
    return Table("CPU microseconds of a decision", header, rows)


def _halves(readings: Sequence[Reading]) -> tuple[str, str]:
    own = median(1e6 / reading.cpu * reading.own for reading in readings)
    others = median(1e6 / reading.cpu * (1 - reading.own) for reading in readings)
    return f"{own:.0f}", f"{others:.0f}"


def measure(effort: Effort) -> tuple[Table, ...]:
    """Return the tables of the referee."""
    found = compete(SHAPES, effort)
    curve = compete(CURVE[:2] if effort.quick else CURVE, effort)
    return (
        comparison(
            "Referee, by the clock",
            "a second",
            [row_of(shape, pairs, "wall") for shape, pairs in found.items()],
        ),
        comparison(
            "Referee, by CPU time",
            "a CPU second",
            [row_of(shape, pairs, "cpu") for shape, pairs in found.items()],
        ),
        comparison(
            "More tables, more workers",
            "a second",
            [row_of(shape, pairs, "wall") for shape, pairs in curve.items()],
        ),
        shares(found | curve),
        where_time_goes(effort),
        slowness(effort),
        floors(effort),
    )
