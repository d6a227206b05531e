"""
Play many matches of four seats at the same time, each seat held by a bot process of its own, at one referee.

    .venv/bin/python docs/endurance/tables.py --tables 64

All processes are started and let in before the first match begins; then all matches of `simple` are begun at once. Each
has to be played out, without a fault, and afterwards no process may be left. Prints a table in Markdown; exit code 1 if
something does not hold. Sixty-four tables take some 5 GB of memory, nearly all of it for the 256 interpreters.
"""

import argparse
import asyncio
import hashlib
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from referee.rules import SIMPLE
from referee.service.clock import TimeControl
from referee.service.host import Host, open_referee
from referee.service.isolation import Isolation
from referee.service.processes import BotProcess, BotSpec
from referee.service.reports import MatchReport, MatchSpec

STUBS = Path(__file__).parents[2] / "tests" / "service"
SEATS = 4
PATIENT = TimeControl(turn=60.0, bank=600.0)
"""More than any machine needs: what is tried is that nobody is forgotten, not how fast it goes."""

READY_SECONDS = 1200.0
LOOK_SECONDS = 0.5
MIB = 1 << 20


@dataclass
class Seen:
    """What was seen of the machine."""

    began: float = field(default_factory=time.monotonic)
    let_in: float = 0.0
    over: float = 0.0
    threads: int = 0
    """Of the referee, at most."""

    referee: int = 0
    bots: int = 0
    """MiB of memory, at most; shared pages of the bots are counted once."""

    def look(self) -> None:
        """Look at the referee, which is this process."""
        own = psutil.Process()
        self.threads = max(self.threads, own.num_threads())
        self.referee = max(self.referee, own.memory_info().rss // MIB)


def match_of(table: int) -> MatchSpec:
    """Return the match of *table*, with deals of its own."""
    keys = tuple(hashlib.sha256(f"{table} {number}".encode()).digest() for number in range(SIMPLE.rounds))
    seeds = tuple(SEATS * table + seat for seat in range(SEATS))
    return MatchSpec(SIMPLE, SEATS, keys, seeds, PATIENT, READY_SECONDS, label=f"table {table}")


async def start_bots(host: Host, count: int) -> list[BotProcess]:
    """Start so many processes and wait until each of them was let in."""
    spec = BotSpec("stub", "1", "python", (sys.executable, "stub_bot.py", "say-welcome"), str(STUBS))
    bots = [await host.start_bot(spec) for _ in range(count)]
    async with asyncio.timeout(READY_SECONDS):
        while not all("welcome" in bot.stdout for bot in bots):
            ended = [bot for bot in bots if bot.exited.is_set()]
            if ended:
                raise SystemExit(f"a bot ended before it was let in: {ended[0].ending()}; {ended[0].stderr}")
            await asyncio.sleep(LOOK_SECONDS)
    return bots


async def play(tables: int) -> tuple[list[MatchReport], Seen, list[psutil.Process]]:
    """Play a match at each of so many *tables* at once; return what came of them and the processes of the bots."""
    seen = Seen()
    async with open_referee(isolation=Isolation("none")) as host:
        bots = await start_bots(host, SEATS * tables)
        seen.let_in = time.monotonic()
        seen.bots = sum(psutil.Process(bot.pid).memory_full_info().pss for bot in bots) // MIB
        groups = [bots[SEATS * table : SEATS * (table + 1)] for table in range(tables)]
        matches = [
            asyncio.create_task(host.play_match(match_of(table), group)) for table, group in enumerate(groups)
        ]
        waiting = set(matches)
        while waiting:
            _, waiting = await asyncio.wait(waiting, timeout=LOOK_SECONDS)
            seen.look()
        seen.over = time.monotonic()
        processes = [psutil.Process(bot.pid) for bot in bots if bot.exit_code is None]
    return [match.result() for match in matches], seen, processes


def report(reports: Sequence[MatchReport], seen: Seen, processes: Sequence[psutil.Process]) -> bool:
    """Print what came of it, and return whether everything holds."""
    ends = Counter(each.termination for each in reports)
    faults = Counter(fault.kind for each in reports for fault in each.faults)
    actions = sum(len(each.record.actions) for each in reports if each.record is not None)
    left = sum(process.is_running() for process in processes)
    rows = {
        "tables of four at once": str(len(reports)),
        "bot processes": f"{len(processes)}, {left} of them left at the end",
        "matches": ", ".join(f"{number} {end}" for end, number in sorted(ends.items())),
        "faults": ", ".join(f"{number} {kind}" for kind, number in sorted(faults.items())) or "none",
        "time to start the processes": f"{seen.let_in - seen.began:.0f} s",
        "time of the matches": f"{seen.over - seen.let_in:.0f} s, {actions} actions",
        "most memory of the referee": f"{seen.referee} MiB",
        "memory of the bots when they sat down": f"{seen.bots} MiB",
        "most threads of the referee": str(seen.threads),
    }
    print("| | |\n|---|---|")
    print("\n".join(f"| {name} | {value} |" for name, value in rows.items()))
    return set(ends) == {"played"} and not faults and not left and len(processes) == SEATS * len(reports)


def main() -> int:
    """Play, print, and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=64)
    return 0 if report(*asyncio.run(play(parser.parse_args().tables))) else 1


if __name__ == "__main__":
    sys.exit(main())
