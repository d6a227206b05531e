"""What a stream keeps of the messages that it has written: nothing, however many matches they were about."""

import asyncio
import os

import psutil
from handfoot.v1.referee_service_pb2 import PlayResponse
from service.sitting import spec

from referee.service.clock import Reading
from referee.service.codec import add_seated
from referee.service.streams import Stream

MATCHES = 5_000
MIB = 1 << 20


class Sink:
    """Takes whatever a stream writes."""

    def __init__(self) -> None:
        self.taken = 0

    async def write(self, message: bytes) -> None:
        """Count *message*."""
        assert PlayResponse.FromString(message).seated
        self.taken += 1


def memory() -> int:
    """Return the bytes of memory that this process has in use."""
    return int(psutil.Process(os.getpid()).memory_info().rss)


async def seat_very_often() -> int:
    """Tell one stream of so many matches, one after the other, and return how much memory that took."""
    stream, match = Stream(sink := Sink()), spec()
    writing = asyncio.create_task(stream.write_all())
    await asyncio.sleep(0)
    before = 0
    for number in range(MATCHES):
        add_seated(stream.open(), f"table {number}", 0, match, Reading(1000, 1000, 0))
        await stream.drain()
        if number == MATCHES // 10:
            before = memory()
    writing.cancel()
    assert sink.taken == MATCHES
    return memory() - before


def test_a_stream_keeps_no_memory_of_its_matches() -> None:
    """A bot that stays for thousands of matches costs no more than one that stays for a few."""
    assert asyncio.run(seat_very_often()) < 2 * MIB
