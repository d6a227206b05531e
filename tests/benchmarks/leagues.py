"""Scrimmages from the outside: how quickly they begin, duplicates a minute by workers, and where the time goes."""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import FrameType

import psutil
from measuring import Effort, Row, Table, comparison, in_turn, sampling

from referee.service.host import open_referee
from tournaments.entrants import find_entrant
from tournaments.integrity import seed_secret
from tournaments.jobs import Job, job_of
from tournaments.partnerships import mirrored
from tournaments.play import play_unit
from tournaments.schedule import single_pairing
from tournaments.terms import Terms
from tournaments.workers.bench import Bench

HANDFOOT = (str(Path(sys.executable).with_name("handfoot")),)
HELP_GOAL = 0.15
"""CPU seconds that `handfoot --help` may take."""

GRPC = ("grpc", "asyncio", "selectors")
"""Packages whose frames count as gRPC and its event loop."""

NAMES = ("bots", "gRPC and its event loop", "referee and tournament")


def cpu_of(*command: str) -> float:
    """Return the CPU seconds of *command*, run to its end."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        process = psutil.Process(running.pid)
        while running.poll() is None:
            times = process.cpu_times()
            time.sleep(0.002)
    return times.user + times.system


def first_match(bots: tuple[str, str]) -> float:
    """Return the seconds from starting a scrimmage until its first match begins."""
    with tempfile.TemporaryDirectory(prefix="leagues-") as folder:
        log = Path(folder) / "log"
        began = time.time()
        command = (*HANDFOOT, "scrimmage", *bots, "--rules", "simple", "--duplicates", "1", "--log", str(log))
        subprocess.run(command, check=True, capture_output=True)
        lines = map(json.loads, log.read_text().splitlines())
        first = next(line["time"] for line in lines if line["event"] == "match begins")
        return datetime.fromisoformat(first).timestamp() - began


def duplicates_a_minute(bots: tuple[str, str], workers: int, duplicates: int) -> float:
    """Return the pace of a scrimmage of `simple`, start and end included."""
    began = time.perf_counter()
    command = (*HANDFOOT, "scrimmage", *bots, "--rules", "simple", "--duplicates", str(duplicates))
    subprocess.run((*command, "--seed", "1", "--workers", str(workers)), check=True, capture_output=True)
    return duplicates / (time.perf_counter() - began) * 60


def start_up(effort: Effort) -> Table:
    """Measure the command line before anything is played."""
    rates = in_turn(
        {
            "help": lambda: cpu_of(*HANDFOOT, "--help"),
            "click": lambda: cpu_of(sys.executable, "-c", "import click"),
            "python": lambda: cpu_of(sys.executable, "-c", "pass"),
            "first": lambda: first_match(("greedy", "random")),
        },
        effort.repetitions,
    )
    rows = (
        ("`handfoot --help`", f"{rates['help']} s of CPU", f"< {HELP_GOAL} s"),
        ("importing click alone", f"{rates['click']} s of CPU", "–"),
        ("Python alone", f"{rates['python']} s of CPU", "–"),
        ("`handfoot scrimmage` until the first match begins", f"{rates['first']} s", "–"),
    )
    return Table("Start-up", ("what", "measured", "goal"), rows)


def pace(effort: Effort) -> Table:
    """Measure duplicates a minute by workers, for quick bots and for one that thinks."""
    number = 4 if effort.quick else 60
    rows = []
    for bots in (("greedy", "random"), ("steady", "greedy")):
        rates = in_turn(
            {str(w): lambda w=w, bots=bots: duplicates_a_minute(bots, w, number) for w in (1, 2, 4)},  # type: ignore[misc]
            min(3, effort.repetitions),
        )
        rows += [
            Row(f"{' – '.join(bots)}, {w} workers", rates[w], "1 worker", rates["1"]) for w in ("2", "4")
        ]
    return comparison(f"Scrimmages of {number} duplicates of `simple`", "duplicates a minute", rows)


def _of_whom(frame: FrameType) -> str:
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return NAMES[1] if package in GRPC else NAMES[2]


async def shares(bots: tuple[str, str], duplicates: int) -> dict[str, float]:
    """Play as a worker does, in this process, and return CPU seconds: ours, gRPC's, the bots'."""
    terms = Terms("simple")
    sides = [mirrored(find_entrant(name), terms.side_size) for name in bots]
    units = single_pairing([side.hash for side in sides], duplicates)
    entities = {side.hash: side for side in sides}
    jobs = [job_of(unit, terms, seed_secret(1), entities, None) for unit in units]
    milliseconds = 0
    async with open_referee() as host:
        bench = Bench(host)
        began = time.process_time()
        with sampling(_of_whom) as found:
            for number, job in enumerate(jobs):
                played = await play_unit(job, host, bench, _following(jobs, number))
                milliseconds += sum(usage.cpu_ms for usage in played.usage)
        own = time.process_time() - began
    samples = found.total()
    return {name: own * number / samples for name, number in found.items()} | {"bots": milliseconds / 1000}


def _following(jobs: list[Job], number: int) -> Callable[[], Job | None]:
    return lambda: jobs[number + 1] if number + 1 < len(jobs) else None


def where_time_goes(effort: Effort) -> Table:
    """Return the shares of the CPU time of scrimmages."""
    rows = []
    for bots in (("greedy", "random"), ("steady", "greedy")):
        found = asyncio.run(shares(bots, 2 if effort.quick else 20))
        total = sum(found.values())
        rows.append((" – ".join(bots), *(f"{found[name] / total:.0%}" for name in NAMES)))
    note = "Shares of the CPU time of a worker and its bots; protobuf counts as ours in the worker."
    return Table("Where the time of a scrimmage goes", ("bots", *NAMES), tuple(rows), note)


def measure(effort: Effort) -> tuple[Table, ...]:
    """Return the tables of this part of the benchmark."""
    return start_up(effort), pace(effort), where_time_goes(effort)
