"""The local engine, with worker processes that are real and play nothing."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import psutil
import pytest

from tournaments.entrants import house_entrant
from tournaments.errors import EngineFailed
from tournaments.jobs import Job, job_of
from tournaments.partnerships import mirrored
from tournaments.schedule import single_pairing
from tournaments.terms import Terms
from tournaments.workers.engine import Finished, LocalEngine
from tournaments.workers.options import WorkerOptions

STUB = Path(__file__).with_name("stub_worker.py")


def jobs(count: int) -> list[Job]:
    """Return the jobs of a scrimmage of so many duplicates."""
    sides = [mirrored(house_entrant(name), 2) for name in ("greedy", "random")]
    units = single_pairing([side.hash for side in sides], count)
    return [
        job_of(unit, Terms("simple"), bytes(32), {side.hash: side for side in sides}, None) for unit in units
    ]


def stub(folder: Path, deaths: dict[str, int], together: int = 1) -> Sequence[str]:
    """Return the command of workers that die where *deaths* says and answer so many jobs *together*."""
    plan = folder / "plan.json"
    plan.write_text(json.dumps({"deaths": deaths, "together": together}))
    return (sys.executable, str(STUB), str(plan))


async def play(engine: LocalEngine, planned: Sequence[Job]) -> dict[str, Finished]:
    """Return what is finished, by unit."""
    for job in planned:
        engine.submit(job)
    return {finished.result.unit: finished async for finished in engine.as_completed()}


def run(command: Sequence[str], workers: int, planned: Sequence[Job], tables: int = 1) -> dict[str, Finished]:
    """Play *planned* in a fresh engine."""

    async def work() -> dict[str, Finished]:
        async with LocalEngine(workers, command, WorkerOptions(tables=tables)) as engine:
            return await play(engine, planned)

    return asyncio.run(work())


def test_a_job_survives_the_way_to_a_worker() -> None:
    """What a worker reads is what the engine wrote."""
    [job] = jobs(1)
    assert Job.from_line(job.to_line()) == job
    assert "\n" not in job.to_line()


def test_results_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    """Every unit is played once, whoever plays it."""
    planned = jobs(12)
    found = [run(stub(tmp_path, {}), workers, planned) for workers in (1, 3)]
    assert found[0] == found[1]
    assert sorted(found[0]) == [job.unit.id for job in planned]


def test_a_dead_worker_loses_nothing(tmp_path: Path) -> None:
    """A unit whose worker died is played again by another one, and only that unit counts an attempt."""
    planned = jobs(8)
    unlucky = planned[3].unit.id
    found = run(stub(tmp_path, {unlucky: 2}), 2, planned)
    assert {unit: finished.attempt for unit, finished in found.items()} == {
        job.unit.id: 3 if job.unit.id == unlucky else 1 for job in planned
    }
    assert all(finished.result.status == "rated" for finished in found.values())


@pytest.mark.slow
def test_an_impossible_unit_blocks_nobody(tmp_path: Path) -> None:
    """After three dead workers a unit is given up, with what the last one said; all others are played."""
    planned = jobs(6)
    impossible = planned[0].unit.id
    found = run(stub(tmp_path, {impossible: 99}), 2, planned)
    given_up = found.pop(impossible)
    assert given_up.result.status == "given_up"
    assert given_up.attempt == 3
    assert f"cannot play {impossible}" in str(given_up.complaint)
    assert "code -9" in str(given_up.complaint)
    assert len(found) == 5
    assert all(finished.result.rated for finished in found.values())


def test_a_worker_holds_as_many_units_as_it_plays_at_once(tmp_path: Path) -> None:
    """It gets them without having finished one, and may finish them in any order."""
    planned = jobs(8)
    found = run(stub(tmp_path, {}, together=4), 1, planned, tables=4)
    assert found == run(stub(tmp_path, {}), 1, planned)


@pytest.mark.slow
def test_a_unit_that_kills_its_worker_takes_no_other_with_it(tmp_path: Path) -> None:
    """Units that were played beside it are tried again; from then on each of them has a worker for itself."""
    planned = jobs(8)
    impossible = planned[2].unit.id
    found = run(stub(tmp_path, {impossible: 99}), 1, planned, tables=4)
    assert found.pop(impossible).result.status == "given_up"
    assert len(found) == 7
    assert all(finished.result.rated for finished in found.values())
    assert max(finished.attempt for finished in found.values()) <= 2


def test_a_cancelled_unit_is_not_told(tmp_path: Path) -> None:
    """What is cancelled never comes, whether it was begun or not, and nobody waits for it."""

    async def work() -> list[str]:
        async with LocalEngine(1, stub(tmp_path, {})) as engine:
            for job in planned:
                engine.submit(job)
            units: list[str] = []
            async for finished in engine.as_completed():
                units.append(finished.result.unit)
                for job in planned[1:]:
                    engine.cancel(job.unit.id)
            return units

    planned = jobs(5)
    assert asyncio.run(work()) == [planned[0].unit.id]


def test_nothing_is_left_when_the_engine_is_closed(tmp_path: Path) -> None:
    """Workers and temporary files end with the engine, also in the middle of the work."""

    async def work() -> Path:
        async with LocalEngine(2, stub(tmp_path, {})) as engine:
            for job in jobs(50):
                engine.submit(job)
            completed: AsyncIterator[Finished] = engine.as_completed()
            await anext(completed)
            return engine.scratch

    scratch = asyncio.run(work())
    workers = [int(path.name.partition("-")[2]) for path in tmp_path.glob("pid-*")]
    assert len(workers) == 2
    assert not any(map(psutil.pid_exists, workers))
    assert not scratch.exists()


def test_a_worker_that_cannot_be_started_is_an_error_of_the_engine() -> None:
    """Nobody waits for workers that there will never be."""
    with pytest.raises(EngineFailed, match="no worker can be started"):
        run(("/no/such/program",), 2, jobs(1))


def test_a_worker_that_ends_at_once_is_shown_and_gives_no_unit_up() -> None:
    """What is wrong with the machine is told, and no unit pays for it."""
    command = (sys.executable, "-c", "raise SystemExit('no room left')")
    with pytest.raises(EngineFailed) as caught:
        run(command, 2, jobs(3))
    assert "a worker ended before it was ready" in str(caught.value)
    assert "  no room left" in str(caught.value)
