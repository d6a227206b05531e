"""The round trip that bots are told: of the way, not of their own thinking; over the SDK and real streams."""

import sys

from service.sitting import spec
from service.test_matches import PATIENT, ROUND, run, stub

from referee.service.host import open_referee
from referee.service.processes import BotSpec

THINKS = """
import asyncio, os, sys, time
from handfoot import Bot
from handfoot.play import play
from handfoot.session import Session, introduce
from handfoot.transport import GrpcTransport, find_referee

class Slow(Bot):
    told = []

    def act(self, view):
        request = view.request
        self.told.append(request.round_trip_us if request.HasField("round_trip_us") else None)
        if len(self.told) < 5:
            time.sleep(0.3)
        return self.rng.choice(view.legal_actions)

    def on_end(self, ended):
        print(*self.told[:5], file=sys.stderr)

address = find_referee(os.environ)
asyncio.run(play(Session(Slow, introduce(Slow), address.token), lambda: GrpcTransport(address)))
"""


def test_the_thinking_of_a_bot_is_no_part_of_its_round_trip() -> None:
    """A bot that thinks for 300 ms each time is told of a way that is much shorter."""

    async def steps() -> str:
        async with open_referee() as host:
            slow = BotSpec("slow", "1", "python", (sys.executable, "-c", THINKS))
            bots = [await host.start_bot(stub()), await host.start_bot(slow)]
            report = await host.play_match(spec(ROUND, 2, time=PATIENT), bots)
            assert report.termination == "played"
            assert report.times[1].longest_ms >= 300
            await host.stop_bot(bots[1])
            return bots[1].stderr

    first, *others = run(steps()).split()
    assert first == "None"
    assert len(others) == 4
    assert 0 < min(map(int, others)) < 150_000
