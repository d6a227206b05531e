"""
Measure how cost grows: with the units and entities of a board, and with the matches that one process plays.

    .venv/bin/python tests/benchmarks/growth.py board
    .venv/bin/python tests/benchmarks/growth.py matches --matches 10000

`board` rates simulated seasons, up to 1,000 entities and 100,000 units, and times rating and publishing the board's
files apart. `matches` plays a scrimmage of that many matches of `simple`, one at a time, and reads on the way what its
processes hold and what they have used. Seconds are CPU time. Prints tables in Markdown. Each takes minutes.
"""

import argparse
import random
import resource
import sys
import tempfile
import time
from itertools import count, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import psutil
from measuring import Table
from played import entity, simulated

from tournaments.leaderboard import leaderboard, standings_csv, standings_json
from tournaments.ratings import rate
from tournaments.results import UnitResult
from tournaments.schedule import EntityHash, round_robin, unit_of

BOARDS = (
    (100, 5_000, "dense"),
    (100, 10_000, "dense"),
    (100, 20_000, "dense"),
    (300, 20_000, "dense"),
    (1_000, 20_000, "thin"),
    (1_000, 50_000, "thin"),
    (1_000, 100_000, "dense"),
)
"""Entities, units, and whether everybody meets everybody or only a few neighbours."""

MIB = 1 << 20


def season(entities: int, units: int, kind: str) -> tuple[list[EntityHash], list[UnitResult]]:
    """Return a simulated season: a round robin as far as it goes, or units between neighbours on a ring."""
    dice = random.Random(entities + units)
    names = [entity(str(number)) for number in range(entities)]
    skills = {name: dice.gauss(25, 25 / 3) for name in names}
    if kind == "thin":
        reach = max(1, units // entities // 10)
        pairs = ((n, (n + 1 + step % reach) % entities, step) for step in count() for n in range(entities))
        chosen = [unit_of(step, (names[one], names[other])) for one, other, step in islice(pairs, units)]
    else:
        duplicates = -(-2 * units // (entities * (entities - 1)))
        chosen = list(islice(round_robin(names, duplicates), units))
    return names, simulated(chosen, skills, dice)


def boards(rows: tuple[tuple[int, int, str], ...]) -> Table:
    """Time the rating and the publishing of simulated seasons."""
    lines = []
    for entities, units, kind in rows:
        names, results = season(entities, units, kind)
        began = time.process_time()
        rate(results, names)
        rated = time.process_time()
        board = leaderboard("growth", "simple", {name: name[:8] for name in names}, results)
        made = time.process_time()
        size = len(standings_json(board)) + len(standings_csv(board))
        took = time.process_time() - made
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        cells = (f"{rated - began:.1f}", f"{made - rated:.1f}", f"{took:.2f}", f"{size / 1e6:.2f}", str(peak))
        lines.append((str(entities), str(units), kind, *cells))
        print(lines[-1], file=sys.stderr, flush=True)
    header = ("entities", "units", "schedule", "rating, s", "board, s", "files, s", "files, MB", "peak, MiB")
    note = "*rating* is what the sweeps take; *board* is rating again, with intervals, ranks and digests."
    return Table("Boards", header, tuple(lines), note)


def matches(number: int) -> Table:
    """Play a scrimmage of *number* matches of `simple`, and read on the way what its processes hold."""
    handfoot = str(Path(sys.executable).with_name("handfoot"))
    command = [handfoot, "scrimmage", "greedy", "random", "--rules", "simple"]
    command += ["--duplicates", str(number // 2), "--seed", "1", "--workers", "1"]
    lines = []
    with tempfile.TemporaryDirectory(prefix="growth-") as folder, (Path(folder) / "out").open("wb") as out:
        due = 0
        running = psutil.Popen([*command, "--records", f"{folder}/records"], stdout=out, stderr=out)
        while running.poll() is None:
            done = (
                sum(1 for _ in Path(folder, "records").glob("*")) if Path(folder, "records").exists() else 0
            )
            if due <= done < number:
                lines.append(_reading(running, done))
                due = done + max(1, number // 10)
            time.sleep(1)
        if running.returncode:
            raise SystemExit(f"the scrimmage ended with code {running.returncode}")
    header = ("matches", "CPU seconds", "the command, MiB", "its worker, MiB", "processes")
    return Table("A scrimmage of very many matches", header, tuple(lines))


def _reading(running: psutil.Process, done: int) -> tuple[str, ...]:
    workers = [
        child for child in running.children() if "tournaments.workers.worker" in " ".join(child.cmdline())
    ]
    everybody = [running, *running.children(recursive=True)]
    used = sum(sum(each.cpu_times()[:4]) for each in everybody)
    memory = [sum(each.memory_info().rss for each in group) / MIB for group in ([running], workers)]
    cells = (str(done), f"{used:.0f}", *(f"{each:.1f}" for each in memory), str(len(everybody)))
    print(cells, file=sys.stderr, flush=True)
    return cells


def main() -> None:
    """Measure what is asked for and print its table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=["board", "matches"])
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--quick", action="store_true", help="only the smallest board")
    said = parser.parse_args()
    table = boards(BOARDS[:1] if said.quick else BOARDS) if said.part == "board" else matches(said.matches)
    print(table.markdown())


if __name__ == "__main__":
    main()
