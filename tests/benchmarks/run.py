"""
Measure handfoot against its peers and floors, each pair in turn in one run, and print one page of tables.

    .venv/bin/pip install ./clients/python '.[bench]'
    .venv/bin/python tests/benchmarks/run.py --write

Parts can be named (engine, exchanges, leagues, searcher); all are measured otherwise. `--quick` only shows that
everything runs. `--write` puts the page between the marks of docs/performance.md. A machine that does something else
meanwhile gives ratios with a wide spread: look at it, and run it twice.
"""

import argparse
import importlib
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path

from measuring import Effort, Table
from peers import versions

PARTS = ("engine", "exchanges", "leagues", "searcher")
PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
BEGIN, END = "<!-- measured: written by tests/benchmarks/run.py -->", "<!-- end of what was measured -->"


def machine() -> str:
    """Return what the figures were taken on."""
    cores = len(os.sched_getaffinity(0))
    ours = ", ".join(f"{name} {version(name)}" for name in ("grpcio", "protobuf", "trueskill"))
    peers = ", ".join(f"{name} {found}" for name, found in versions().items())
    return f"{_processor()}, {cores} cores, CPython {platform.python_version()}; {ours}; {peers}."


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def measure(part: str, effort: Effort) -> tuple[Table, ...]:
    """Return the tables of *part*; each part starts from all cores."""
    cores = os.sched_getaffinity(0)
    try:
        tables: tuple[Table, ...] = importlib.import_module(part).measure(effort)
        return tables
    finally:
        os.sched_setaffinity(0, cores)


def write(text: str) -> None:
    """Put *text* between the marks of the page."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.partition(END)[2]}")


def known_part(name: str) -> str:
    """Return *name*, which a part has."""
    if name not in PARTS:
        raise argparse.ArgumentTypeError(f"unknown part: expected {', '.join(PARTS)}; got {name!r}")
    return name


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", type=known_part, default=PARTS, metavar="part")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true")
    said = parser.parse_args()
    effort = Effort(1, 0.3) if said.quick else Effort(5, 1.5)
    pages = [f"Median of {effort.repetitions} (lowest–highest). {machine()}"]
    for part in said.parts:
        for table in measure(part, effort):
            pages.append(table.markdown())
            print(pages[-1], end="\n\n", file=sys.stderr, flush=True)
    print("\n\n".join(pages))
    if said.write:
        write("\n\n".join(pages))


if __name__ == "__main__":
    main()
