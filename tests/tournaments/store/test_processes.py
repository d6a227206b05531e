"""Several processes at one store, and processes that die."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest
from unit_results import played

from tournaments.store import open_store

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)

WRITER = """
import sys
from datetime import UTC, datetime
from unit_results import played
from tournaments.store import open_store

location, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
store = open_store(location)
print("ready", flush=True)
sys.stdin.readline()
for number in range(first, last):
    result = played(number, (number, 1), (2, 3))
    arrival = store.add_result(result, attempt=1, arrived=datetime.now(UTC))
    print(result.unit, arrival, flush=True)
"""


@contextmanager
def writer(location: str, first: int, last: int) -> Iterator[subprocess.Popen[str]]:
    """Start a process that stores a result for each duplicate number of the range once it is told to begin."""
    command = [sys.executable, "-c", WRITER, location, str(first), str(last)]
    environment = {"PYTHONPATH": "tests"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        process.kill()


def begin(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def said(process: subprocess.Popen[str]) -> list[tuple[str, ...]]:
    assert process.stdout is not None
    return [tuple(line.split()) for line in process.stdout]


@pytest.mark.slow
def test_processes_that_write_at_once_lose_nothing_and_store_nothing_twice(store, location: str) -> None:
    """Two processes that write overlapping units at once store each unit once, in one unbroken chain."""
    with writer(location, 0, 30) as one, writer(location, 15, 45) as two:
        begin(one)
        begin(two)
        lines = said(one) + said(two)
    stored = [unit for unit, arrival in lines if arrival == "stored"]
    assert sorted(stored) == sorted(played(number, (0, 0), (0, 0)).unit for number in range(45))
    assert [arrival for _, arrival in lines].count("repeated") == 15
    assert store.unit_ids() == set(stored)
    store.check_chain()


@pytest.mark.slow
def test_what_a_killed_process_said_it_stored_is_there(store, location: str) -> None:
    """After SIGKILL in the middle of writing, all that was said to be stored is stored, and the store goes on."""
    with writer(location, 0, 100_000) as process:
        begin(process)
        assert process.stdout is not None
        for _ in range(25):
            process.stdout.readline()
        process.kill()
        lines = said(process)
    whole = sorted(store.unit_ids())
    assert len(lines) + 25 <= len(whole) <= len(lines) + 26
    assert whole == [played(number, (0, 0), (0, 0)).unit for number in range(len(whole))]
    with open_store(location) as again:
        again.check_chain()
        again.add_result(played(len(whole), (1, 2), (3, 4)), attempt=1, arrived=NOON)
        again.check_chain()
