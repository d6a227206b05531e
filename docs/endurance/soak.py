"""
Play very many matches of which one bot in five misbehaves, and count what is lost, doubled or left behind.

    .venv/bin/python docs/endurance/soak.py --matches 2000 --workers 2

Units of `simple` at 1s+3s are played as a scrimmage plays them: by the engine, with worker processes, bots in processes
of their own, at the best level of isolation. In one process in five the bot misbehaves once, at a random request: it
freezes, exits, aborts, answers late, illegally, twice or not at all, sends garbage, floods its outputs, leaves
processes behind or drops its stream. Each unit has to come back once, played out or lost by who misbehaved; at the
end there may be no process, thread, open file or temporary file more than at the start. Prints a table in Markdown;
exit code 1 if something does not hold.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from referee.service.processes import BotSpec
from tournaments.entrants import EntrantHash
from tournaments.integrity import deal_key, seed_secret
from tournaments.jobs import Job, Player
from tournaments.schedule import EntityHash, Unit, single_pairing
from tournaments.terms import Terms
from tournaments.workers.engine import Finished, LocalEngine
from tournaments.workers.housing import DEFAULT_MEMORY, find_housing
from tournaments.workers.options import WorkerOptions

STUBS = Path(__file__).parents[2] / "tests" / "service"
TERMS = Terms("simple", time="1s+3s")
ENTITIES = (EntityHash("a" * 64), EntityHash("b" * 64))
MIB = 1 << 20


@dataclass(frozen=True)
class Footprint:
    """What this process and those that it started hold of the machine."""

    processes: int
    threads: int
    files: int
    temporary: int
    memory: int
    """MiB of this process and its workers, without bots."""


@dataclass
class Tally:
    """What came of the units so far."""

    results: Counter[str] = field(default_factory=Counter)
    """By unit: how often it came back."""

    statuses: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    blamed: Counter[str] = field(default_factory=Counter)
    """Faults that ended a match of the side that behaves; there should be none."""

    matches: int = 0

    def add(self, finished: Finished) -> None:
        """Count a unit."""
        result = finished.result
        self.results[result.unit] += 1
        self.statuses[result.status] += 1
        self.matches += len(result.legs)
        for fault in [fault for leg in result.legs for fault in leg.faults if fault.ends_match]:
            tame = result.entities[fault.entity] == ENTITIES[1]
            (self.blamed if tame else self.faults)[fault.kind] += 1


def footprint(folder: Path) -> Footprint:
    """Return what is held now; *folder* has the temporary files."""
    own = psutil.Process()
    workers = own.children()
    return Footprint(
        len(own.children(recursive=True)),
        own.num_threads(),
        own.num_fds(),
        sum(len(folders) + len(files) for _, folders, files in os.walk(folder)),
        sum(process.memory_info().rss for process in (own, *workers)) // MIB,
    )


def job_of(unit: Unit) -> Job:
    """Return the job of *unit*: a wild bot against one that behaves, both afresh for every match."""
    keys = tuple(deal_key(seed_secret(1), unit.id, number) for number in range(TERMS.rounds))
    return Job(unit, TERMS, keys, (_lineup("wild"), _lineup("tame")), None)


def _lineup(name: str) -> tuple[Player, ...]:
    command = (sys.executable, "stub_bot.py", *((name,) if name == "wild" else ()))
    spec = BotSpec(name, "1", "python", command, str(STUBS))
    return (Player(EntrantHash(name), spec),) * TERMS.side_size


@contextmanager
def temporary_files() -> Iterator[Path]:
    """Have all temporary files of this process and its workers below one folder, so that they can be counted."""
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        before, tempfile.tempdir = tempfile.tempdir, folder
        try:
            yield Path(folder)
        finally:
            tempfile.tempdir = before


async def play(matches: int, workers: int, folder: Path) -> tuple[Tally, list[Footprint], str]:
    """Play units until about so many *matches* are played; return what came of them and what was held meanwhile."""
    housing, told = find_housing("auto", DEFAULT_MEMORY)
    units = single_pairing(ENTITIES, matches + 3 * workers)  # enough even if each ends with its first match
    tally, prints, began = Tally(), [], time.monotonic()
    async with LocalEngine(workers, options=WorkerOptions(housing)) as engine:
        waiting = iter(units)
        for unit in (next(waiting) for _ in range(3 * workers)):
            engine.submit(job_of(unit))
        async for finished in engine.as_completed():
            tally.add(finished)
            if tally.matches < matches:
                engine.submit(job_of(next(waiting)))
            if sum(tally.statuses.values()) % max(1, matches // 40) == 0:
                prints.append(footprint(folder))
                took = time.monotonic() - began
                print(f"{tally.matches} matches, {took:.0f} s, {prints[-1]}", file=sys.stderr, flush=True)
    return tally, prints, told


def report(tally: Tally, prints: list[Footprint], before: Footprint, after: Footprint, told: str) -> bool:
    """Print what came of it, and return whether everything holds."""
    doubled = sum(count > 1 for count in tally.results.values())
    early, late = (max(each.memory for each in part) for part in _halves(prints))
    rows = {
        "matches": str(tally.matches),
        "units": f"{len(tally.results)}, {doubled} of them doubled",
        "isolation": told.removeprefix("isolation "),
        "status of units": _join(tally.statuses),
        "faults that ended a match": _join(tally.faults),
        "faults of the side that behaves": _join(tally.blamed),
        "processes before and after": f"{before.processes}, {after.processes}",
        "threads before and after": f"{before.threads}, {after.threads}",
        "open files before and after": f"{before.files}, {after.files}",
        "temporary files before and after": f"{before.temporary}, {after.temporary}",
        "most memory of engine and workers, first and second half": f"{early} MiB, {late} MiB",
    }
    print("| | |\n|---|---|")
    print("\n".join(f"| {name} | {value} |" for name, value in rows.items()))
    left = (after.processes, after.threads, after.files, after.temporary)
    held = (before.processes, before.threads, before.files, before.temporary)
    flat = left == held and late <= early * 1.2 + 10
    return flat and not doubled and not tally.blamed and set(tally.statuses) <= {"rated", "forfeit"}


def _halves(prints: list[Footprint]) -> tuple[list[Footprint], list[Footprint]]:
    middle = len(prints) // 2
    return prints[: middle or 1], prints[middle:]


def _join(counts: Counter[str]) -> str:
    return ", ".join(f"{number} {name}" for name, number in sorted(counts.items())) or "none"


def main() -> int:
    """Play, print, and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=2)
    said = parser.parse_args()
    with temporary_files() as folder:
        asyncio.run(play(4, 1, folder))  # what is loaded and started once is not counted
        before = footprint(folder)
        tally, prints, told = asyncio.run(play(said.matches, said.workers, folder))
        return 0 if report(tally, prints, before, footprint(folder), told) else 1


if __name__ == "__main__":
    sys.exit(main())
