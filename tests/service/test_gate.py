"""By turns: which of the bots at several tables is asked next [ADR 0012]."""

import asyncio

import pytest

from referee.service.streams import Gate, Stream

PATIENCE = 60.0


class Sink:
    """A stream's far end, to which everything is delivered at once."""

    async def write(self, message: bytes) -> None:
        """Take *message*."""


async def asked_after(first: int, *others: int) -> int:
    """Return which bot is asked after the first, which has so many requests again, while *others* have theirs."""
    gate = Gate()
    streams = [Stream(Sink()) for _ in range(1 + len(others))]
    for stream in streams:
        stream.gate = gate
    writing = [asyncio.create_task(stream.write_all()) for stream in streams]
    streams[0].post(b"asked", PATIENCE)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    for stream, number in zip(streams, (first, *others), strict=True):
        for _ in range(number):
            stream.post(b"asked", PATIENCE)
    gate.answer(streams[0])
    await asyncio.sleep(0)
    waited = zip(streams, (first, *others), strict=True)
    chosen = [place for place, (stream, number) in enumerate(waited) if number and not stream.backlog]
    for task in writing:
        task.cancel()
    assert len(chosen) == 1
    return chosen[0]


@pytest.mark.parametrize(
    ("first", "others", "asked"),
    [
        (0, (2, 5, 3), 2),
        (1, (2, 5, 3), 2),
        (2, (2, 5, 3), 0),
        (2, (9, 5, 3), 1),
        (3, (9, 5, 3), 0),
        (1, (1, 1, 2), 3),
    ],
)
def test_who_is_asked_next(first: int, others: tuple[int, ...], asked: int) -> None:
    """The same bot again with two requests and a quarter of what another one has; otherwise whoever has most."""
    assert asyncio.run(asked_after(first, *others)) == asked
