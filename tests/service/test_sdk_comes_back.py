"""The SDK at the real referee: streams that break in the middle of a match change nothing in it."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from referee.rules import find_ruleset
from referee.service.host import open_referee
from referee.service.processes import BotSpec
from referee.service.reports import MatchReport, MatchSpec

CHUNKS = 20
"""What one connection carries of the referee's words before it is cut."""


@dataclass
class Cuts:
    """A way to the referee whose connections break."""

    address: str = ""
    made: int = 0


@asynccontextmanager
async def cut_line(target: str) -> AsyncIterator[Cuts]:
    """Listen on a port of its own, pass on what goes to *target* and comes from it, and break every connection."""
    cuts = Cuts()

    async def pass_on(source: asyncio.StreamReader, sink: asyncio.StreamWriter, chunks: int) -> None:
        while chunks and (data := await source.read(1 << 16)):
            sink.write(data)
            chunks -= 1

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, port = target.rsplit(":", 1)
        far_reader, far_writer = await asyncio.open_connection(host, int(port))
        ways = [
            asyncio.create_task(pass_on(reader, far_writer, -1)),
            asyncio.create_task(pass_on(far_reader, writer, CHUNKS)),
        ]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        cuts.made += 1
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        writer.transport.abort()
        far_writer.transport.abort()

    async with await asyncio.start_server(connect, "127.0.0.1", 0) as server:
        cuts.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield cuts


async def play_match(*, cut: bool) -> tuple[MatchReport, int]:
    """Play a match of random bots, also return how often a connection was cut."""
    ruleset = find_ruleset("simple")
    command = f"{sys.executable} -m handfoot handfoot.bots.random:RandomBot"
    async with open_referee(address="127.0.0.1:0") as host, cut_line(host.address) as cuts:
        way = f"HANDFOOT_ADDRESS={cuts.address} " if cut else ""
        spec = BotSpec("random", "1", "python", ("/bin/sh", "-c", f"{way}exec {command}"))
        bots = [await host.start_bot(spec) for _ in range(4)]
        report = await host.play_match(MatchSpec(ruleset, 4, (bytes(32),), (1, 2, 3, 4)), bots)
        return report, cuts.made


def test_broken_streams_change_nothing_in_a_match() -> None:
    """Bots that lose their connection again and again come back and play the match that they would have played."""
    whole, none = asyncio.run(play_match(cut=False))
    cut, many = asyncio.run(play_match(cut=True))
    assert (none, many > 2) == (0, True)
    assert whole.record is not None
    assert cut.record is not None
    assert (cut.termination, cut.totals, cut.faults) == ("played", whole.totals, ())
    assert [(play.seat, play.action) for play in cut.record.actions] == [
        (play.seat, play.action) for play in whole.record.actions
    ]
