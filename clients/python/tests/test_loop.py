"""The event loop that carries a bot's stream, and a worker's."""

import asyncio
import sys
import time

import pytest
from handfoot.loop import run


async def kinds_of_loop() -> set[str]:
    """Return the packages that the loop which runs this is made from."""
    return {kind.__module__.partition(".")[0] for kind in type(asyncio.get_running_loop()).__mro__}


async def times_read() -> set[float]:
    """Return the times that the clock of the loop tells within a single callback of some milliseconds."""
    clock = asyncio.get_running_loop().time
    began, told = time.monotonic(), set()
    while time.monotonic() < began + 0.005:
        told.add(clock() - began)
    return told


def test_it_is_that_of_uvloop() -> None:
    """Where there is one it is used."""
    pytest.importorskip("uvloop")
    assert "uvloop" in run(kinds_of_loop())


def test_without_uvloop_it_is_that_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bot needs it."""
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert "uvloop" not in run(kinds_of_loop())


def test_its_clock_goes_on_within_a_callback() -> None:
    """How long something takes can be told to the microsecond, from the monotonic clock."""
    told = run(times_read())
    assert len(told) > 10
    assert 0 <= min(told) <= max(told) < 1.0


def test_timers_go_by_its_clock() -> None:
    """What is called at a time of the clock is called then, or a moment before."""

    async def late() -> float:
        loop = asyncio.get_running_loop()
        due, rung = loop.time() + 0.05, loop.create_future()
        loop.call_at(due, lambda: rung.set_result(loop.time() - due))
        return float(await rung)

    assert -0.02 < run(late()) < 5.0
