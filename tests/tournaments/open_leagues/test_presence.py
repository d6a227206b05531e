"""Who is connected to an open league: what its server tells, when, and when that is not believed."""

import asyncio
import os
from pathlib import Path

import pytest
from dialling import Served, open_league_in, serving
from handfoot.transport import GrpcTransport
from handfoot.v1.referee_service_pb2 import PlayRequest

from tournaments.open_leagues.presence import (
    PRESENCE,
    Attendance,
    Presence,
    attendances,
    put_up,
    read_presence,
)


def test_processes_and_units_are_counted_by_entrant() -> None:
    """Whoever has lost its stream in the middle of a unit is still playing it."""
    found = attendances(
        ["bea@1", "ann@1", "bea@1", "bea@2"], [("bea@1", "cat@1"), ("bea@1", "dan@1")], needed=2
    )
    assert found == (
        Attendance("ann@1", 1, 2, 0),
        Attendance("bea@1", 2, 2, 2),
        Attendance("bea@2", 1, 2, 0),
        Attendance("cat@1", 0, 2, 1),
        Attendance("dan@1", 0, 2, 1),
    )


def test_the_notice_is_there_while_the_server_is(tmp_path: Path) -> None:
    """It says what was said last, only to who knows whose league it is, and is gone afterwards."""
    ann = Attendance("ann@1", 2, 2, 0)
    with put_up(tmp_path, "127.0.0.1:7000") as notice:
        assert read_presence(tmp_path, os.getpid()) == Presence(os.getpid(), "127.0.0.1:7000")
        notice.say((ann,))
        assert read_presence(tmp_path, os.getpid()) == Presence(os.getpid(), "127.0.0.1:7000", (ann,))
        assert read_presence(tmp_path, os.getpid() + 1) is None
        assert read_presence(tmp_path, None) is None
    assert list(tmp_path.iterdir()) == []
    assert read_presence(tmp_path, os.getpid()) is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"connected": [{"x": 1}]}', '{"connected": [], "a": 1}']
)
def test_what_cannot_be_read_tells_nothing(tmp_path: Path, text: str) -> None:
    """A file of another version, or of nobody, is no server."""
    (tmp_path / PRESENCE).write_text(text)
    assert read_presence(tmp_path, os.getpid()) is None


def test_a_server_tells_who_is_connected_as_they_come_play_and_leave(tmp_path: Path) -> None:
    """One process of two waits, two are there, both entrants play, and whoever hangs up is gone."""
    going_on = asyncio.Event()

    class Held(GrpcTransport):
        async def send(self, request: PlayRequest) -> None:
            if request.decisions:
                await going_on.wait()
            await super().send(request)

    def told(served: Served) -> dict[str, tuple[int, int, int]]:
        found = read_presence(served.league.folder, os.getpid())
        assert found is not None
        assert found.address == served.address
        return {each.entrant: (each.connected, each.needed, each.playing) for each in found.connected}

    async def until(served: Served, expected: dict[str, tuple[int, int, int]]) -> None:
        async with asyncio.timeout(30):
            while told(served) != expected:
                await asyncio.sleep(0.01)

    async def play() -> None:
        async with serving(open_league_in(tmp_path, time="60s+60s")) as served:
            ann, bea = served.token("ann"), served.token("bea")
            assert told(served) == {}
            served.dial(ann, transport=Held)
            await until(served, {"ann@1": (1, 2, 0)})
            leaver = served.dial(ann, version="2")
            await until(served, {"ann@1": (1, 2, 0), "ann@2": (1, 2, 0)})
            leaver.cancel()
            served.dial(ann, transport=Held)
            await until(served, {"ann@1": (2, 2, 0)})
            served.dial(bea, transport=Held), served.dial(bea, transport=Held)
            await until(served, {"ann@1": (2, 2, 1), "bea@1": (2, 2, 1)})
            going_on.set()
            await served.until_told(": rated")
            await until(served, {"ann@1": (2, 2, 0), "bea@1": (2, 2, 0)})
        assert not (served.league.folder / PRESENCE).exists()

    asyncio.run(play())
