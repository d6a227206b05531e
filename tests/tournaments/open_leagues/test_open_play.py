"""Units of an open league: a match that is void is played again on other deals, and not for ever."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from handfoot import Action, View
from handfoot.bots.random import RandomBot
from handfoot.play import play
from handfoot.session import Introduction, Session
from handfoot.transport import Address, GrpcTransport
from handfoot.v1.referee_service_pb2 import Seated

from referee.service.entrance import Author, Entrance
from referee.service.hall import Hall
from referee.service.public import serve_publicly
from referee.service.reports import FaultReport, MatchReport
from referee.service.servicer import Servicer
from tournaments.integrity import bot_seed, open_deal_key
from tournaments.open_leagues.play import OpenlyPlayed, OpenUnit, as_forfeit, play_open_unit
from tournaments.records import read_record
from tournaments.schedule import EntityHash, unit_of
from tournaments.terms import Terms

UNIT = unit_of(0, [EntityHash("a" * 64), EntityHash("b" * 64)])
SECRET = bytes(32)


def play_unit(records: Path, voids: int, seconds: float = 0.0) -> tuple[OpenlyPlayed, list[int]]:
    """
    Play a unit and return it with the seeds of seat 0.

    The referee gives up its first matches, so many, and its machine stalls once for so many *seconds*.
    """
    seeds: list[int] = []

    async def run() -> OpenlyPlayed:
        changed = asyncio.Event()
        door = Entrance(Author, changed.set)

        class Noting(RandomBot):
            stall = seconds

            def on_start(self, match: Seated) -> None:
                if match.seat == 0:
                    seeds.append(match.bot_seed)
                    if len(seeds) <= voids:
                        door.visitors[0].abandon("the host failed")

            def act(self, view: View) -> Action:
                pause, Noting.stall = Noting.stall, 0.0
                time.sleep(pause)  # nothing else in this process goes on meanwhile, the referee neither
                return super().act(view)

        async with serve_publicly(Servicer(door), "127.0.0.1:0", None) as address:
            bots = [
                asyncio.create_task(dial(address, author, Noting)) for author in ("ann", "ann", "bea", "bea")
            ]
            while sum(visitor.stream is not None for visitor in door.visitors) < 4:
                changed.clear()
                await changed.wait()
            by_author = [
                tuple(visitor for visitor in door.visitors if visitor.author == author)
                for author in ("ann", "bea")
            ]
            hall = Hall()
            terms = Terms("simple", time="1s" if seconds else "5s+60s")
            job = OpenUnit(hall, UNIT, terms, SECRET, tuple(by_author), 3, 30.0, records)
            played = await play_open_unit(job)
            hall.close()
            door.close()
            await asyncio.gather(*bots)
            return played

    return asyncio.run(run()), seeds


async def dial(address: str, author: str, bot: Callable[[], RandomBot]) -> None:
    """Play *bot* over a socket."""
    session = Session(bot, Introduction("whatever", "1"), author)
    await play(session, lambda: GrpcTransport(Address(address, author)))


def seed_of(leg: int, attempt: str) -> int:
    """Return what seat 0 draws its randomness from."""
    return bot_seed(open_deal_key(SECRET, UNIT.id, leg, attempt, 0), 0)


@pytest.mark.parametrize("voids", [0, 1, 3])
def test_a_void_match_is_played_again_on_other_deals(tmp_path: Path, voids: int) -> None:
    """Each begin of each leg has deals of its own, which follow from the secret and the run of the server."""
    played, seeds = play_unit(tmp_path, voids)
    assert played.result.status == "rated"
    assert seeds == [*(seed_of(0, f"3.{number}") for number in range(1, voids + 2)), seed_of(1, "3.1")]
    record = read_record(tmp_path / f"{UNIT.id}-0.hfr")
    assert record.keys == (open_deal_key(SECRET, UNIT.id, 0, f"3.{voids + 1}", 0),)
    assert record.isolation == "elsewhere"


def test_a_match_that_is_void_again_and_again_is_given_up(tmp_path: Path) -> None:
    """The fourth void match ends the unit, which counts for nobody."""
    played, seeds = play_unit(tmp_path, voids=4)
    assert (played.result.status, len(seeds), played.absent) == ("given_up", 4, ())


def no_show(*seats: int, sides: int = 2) -> MatchReport:
    """Return the report of a match in which *seats* were not ready."""
    faults = [FaultReport("no_show", seat, seat % sides, True, "never ready", 0, 0, 1) for seat in seats]
    zeros = (0,) * sides
    return MatchReport("no_show", zeros, (), zeros, 0, (), tuple(faults), None, ())


@pytest.mark.parametrize(
    ("report", "termination", "forfeits"),
    [
        (no_show(0), "forfeit", (0,)),
        (no_show(1, 3), "forfeit", (1,)),
        (no_show(0, 1), "double_forfeit", (0, 1)),
        (no_show(2, 1, sides=3), "forfeit", (1, 2)),
    ],
)
def test_a_no_show_becomes_a_forfeit_of_whoever_was_missing(
    report: MatchReport, termination: str, forfeits: tuple[int, ...]
) -> None:
    """All sides that were missing forfeit; it is double if nobody is left."""
    found = as_forfeit(report)
    assert (found.termination, found.forfeits, found.faults) == (termination, forfeits, report.faults)


def test_a_timeout_while_the_server_was_late_is_not_held_against_a_bot(tmp_path: Path) -> None:
    """
    Nobody forfeits since an answer that came in time was read too late: it counts.

    On a machine that is late all the time, so that it cannot be told, the match is void and dealt again.
    """
    played, seeds = play_unit(tmp_path, voids=0, seconds=1.5)
    assert played.result.status == "rated"
    faults = {fault.kind for leg in played.result.legs for fault in leg.faults}
    dealt_again = len(seeds) > 2
    assert faults == ({"referee_error"} if dealt_again else set())
    assert seeds[0] == seed_of(0, "3.1")
    assert seeds[-1] in {seed_of(1, f"3.{number}") for number in range(1, 5)}
