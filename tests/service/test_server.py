"""Servers that are called off while they start: nothing of them is left, and whoever called them off is told so."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from referee.service.entrance import Author, Entrance
from referee.service.public import serve_publicly
from referee.service.server import serve
from referee.service.servicer import Servicer

MOST_STEPS = 12
"""Of the event loop, after which any server has started."""


def servicer() -> Servicer:
    """Return what a server serves here, which nobody asks."""
    return Servicer(Entrance(Author, lambda: None))


def privately(folder: Path) -> AbstractAsyncContextManager[str]:
    """Serve where only this machine reaches, in a temporary folder of its own."""
    return serve(servicer())


def at_a_socket(folder: Path) -> AbstractAsyncContextManager[str]:
    """Serve at a socket of the test."""
    return serve(servicer(), f"unix:{folder}/socket")


def openly(folder: Path) -> AbstractAsyncContextManager[str]:
    """Serve as an open league is."""
    return serve_publicly(servicer(), f"unix:{folder}/socket", None)


@pytest.mark.parametrize("opened", [privately, at_a_socket, openly])
def test_a_server_that_is_called_off_leaves_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    opened: Callable[[Path], AbstractAsyncContextManager[str]],
) -> None:
    """At whatever moment of its start it is cancelled, it ends as cancelled, and its place is free again."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    async def hold() -> None:
        async with opened(tmp_path):
            await asyncio.Event().wait()

    async def steps() -> None:
        for number in range(MOST_STEPS):
            task = asyncio.create_task(hold())
            for _ in range(number):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait([task], timeout=10)
            assert task.cancelled(), number
            assert list(tmp_path.iterdir()) == []

    asyncio.run(steps())
