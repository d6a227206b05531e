"""An open league at work: bots dial in over sockets, come back, do not show, and play fresh deals."""

import asyncio
import hashlib
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from dialling import (
    NOW,
    BreakingTransport,
    OnceReadyTransport,
    Served,
    SilentTransport,
    open_league_in,
    serving,
)
from handfoot import Action, View
from handfoot.actions import discard
from handfoot.bots.random import RandomBot
from handfoot.transport import GrpcTransport
from handfoot.v1.referee_service_pb2 import Seated

from referee.service.journal import start_log, stop_log
from tournaments.leagues.league import League
from tournaments.leagues.status import read_status
from tournaments.open_leagues.serve import Patience, open_hash
from tournaments.records import find_records, read_record
from tournaments.results import UnitResult
from tournaments.store import EntrantStatus, Entry
from tournaments.verification import verify_record

QUICK = Patience(ready=0.5, rest=60.0, gone=60.0, pulse=0.05)


def results_of(served: Served) -> tuple[UnitResult, ...]:
    """Return what is stored."""
    return served.store.results()


def test_three_authors_play_to_the_end(tmp_path: Path) -> None:
    """Each pairing plays its units; entrants are the author's name and the version; records replay."""

    async def play() -> None:
        async with serving(open_league_in(tmp_path)) as served:
            for author in ("ann", "bea", "cat"):
                token = served.token(author)
                served.dial(token, version="0.1"), served.dial(token, version="0.1")
            await served.until_told(": rated", 3)
            assert len(results_of(served)) == 3
            entries = {entry.label: entry.hash for entry in served.store.entrants()}
            assert entries == {
                f"{name}@0.1": hashlib.sha256(f"{name}@0.1".encode()).hexdigest()
                for name in ("ann", "bea", "cat")
            }
            status = read_status(served.league, served.store)
            assert (status.done, status.pending, status.given_up) == (3, 0, 0)

    asyncio.run(play())
    records = find_records([tmp_path / "spring" / "records"])
    assert len(records) == 6
    assert all(verify_record(path).verified for path in records)


def test_no_two_matches_have_the_same_deals(tmp_path: Path) -> None:
    """Both legs of a unit, and a unit that is begun again after a stop, are dealt afresh."""
    seeds: list[set[int]] = [set(), set()]

    class Noting(RandomBot):
        run = 0

        def on_start(self, match: Seated) -> None:
            seeds[self.run].add(match.bot_seed)
            if self.run == 0 and len(seeds[0]) > 4:
                stop.set()

    async def play(league: League) -> None:
        async with serving(league, units=1) as served:
            for author in ("ann", "bea"):
                token = f"the token of {author}" if Noting.run else served.token(author)
                served.dial(token, Noting), served.dial(token, Noting)
            await (served.until_told(": rated") if Noting.run else stop.wait())
            assert len(results_of(served)) == Noting.run

    league = open_league_in(tmp_path)
    stop = asyncio.Event()
    asyncio.run(play(league))
    assert not list(league.records.iterdir()), "nothing of a unit that is not final is kept"
    Noting.run = 1
    asyncio.run(play(league))
    assert len(seeds[1]) == 8
    assert not seeds[0] & seeds[1]
    keys = [key for path in find_records([league.records]) for key in read_record(path).keys]
    assert len(set(keys)) == len(keys) == 2


@pytest.mark.slow
def test_a_stream_that_breaks_comes_back(tmp_path: Path) -> None:
    """Bots that lose their connection every few messages play on, without a fault."""

    async def play() -> None:
        async with serving(open_league_in(tmp_path)) as served:
            ann, bea = served.token("ann"), served.token("bea")
            for token in (ann, ann, bea, bea):
                served.dial(token, transport=BreakingTransport if token == ann else GrpcTransport)
            await served.until_told(": rated")
            (result,) = results_of(served)
            assert [leg.faults for leg in result.legs] == [(), ()]

    asyncio.run(play())


def test_a_bot_that_is_never_ready_is_a_no_show_and_costs_nobody_else(tmp_path: Path) -> None:
    """The unit is given up in a class of its own, the bot is told, and the others go on."""

    async def play() -> None:
        async with serving(open_league_in(tmp_path), 1, QUICK) as served:
            ann, bea, cat = (served.token(author) for author in ("ann", "bea", "cat"))
            silent = [served.dial(ann, transport=SilentTransport) for _ in range(2)]
            for token in (bea, bea, cat, cat):
                served.dial(token)
            await served.until_told(": rated")
            await served.until_told(": no_show")
            told = await asyncio.gather(*silent)
            assert all("no_show: not ready within 0.5 s" in each for each in told)
            given_up = [result for result in results_of(served) if result.status == "no_show"]
            assert {fault.kind for each in given_up for leg in each.legs for fault in leg.faults} == {
                "no_show"
            }
            assert all(result.status in ("rated", "no_show") for result in results_of(served))

    asyncio.run(play())


def test_whoever_leaves_after_the_first_match_of_a_unit_has_forfeited_it(tmp_path: Path) -> None:
    """A unit that went badly cannot be given up: the fault is a no-show, the unit is lost."""

    async def play() -> None:
        async with serving(open_league_in(tmp_path), 1, QUICK) as served:
            ann, bea = served.token("ann"), served.token("bea")
            for token in (ann, ann, bea, bea):
                served.dial(token, transport=OnceReadyTransport if token == ann else GrpcTransport)
            await served.until_told(": forfeit")
            (result,) = results_of(served)
            loser = result.forfeited
            assert len(loser) == 1
            assert result.outcome(loser[0]) == "loss"
            assert {fault.kind for fault in result.legs[1].faults} == {"no_show"}

    asyncio.run(play())


@pytest.mark.slow
def test_at_three_sides_the_others_play_on_without_whoever_left(tmp_path: Path) -> None:
    """Of a unit of three that one leaves after the first match, all matches are played."""

    async def play() -> None:
        async with serving(open_league_in(tmp_path, "online", 3), 1, QUICK) as served:
            for author, way in (("ann", OnceReadyTransport), ("bea", GrpcTransport), ("cat", GrpcTransport)):
                served.dial(served.token(author), transport=way)
            await served.until_told(": forfeit")
            (result,) = results_of(served)
            assert len(result.legs) == 3
            assert len(result.forfeited) == 1
            assert result.places is not None
            assert result.places[result.forfeited[0]] == 3

    asyncio.run(play())


def test_what_happens_is_logged_and_why_somebody_lost_when_the_unit_is_final(tmp_path: Path) -> None:
    """Lines say which league, match, seat and entrant; a reason, which may name cards, comes after the match."""
    log = tmp_path / "log"

    class Stubborn(RandomBot):
        def act(self, view: View) -> Action:
            return discard(view.holding[0])

    async def play() -> None:
        async with serving(open_league_in(tmp_path)) as served:
            for author, bot in (("ann", Stubborn), ("bea", RandomBot)):
                token = served.token(author)
                served.dial(token, bot), served.dial(token, bot)
            await served.until_told(": forfeit")
            [report] = served.league.records.glob("*.fault.txt")
            assert "dialled in from elsewhere" in report.read_text()

    handler = start_log(log, league="spring")
    try:
        asyncio.run(play())
    finally:
        stop_log(handler)
    told = [json.loads(line) for line in log.read_text().splitlines()]
    assert {line["league"] for line in told} == {"spring"}
    names = [line["event"] for line in told]
    explained = [line for line in told if line["event"] == "fault explained"]
    assert len(explained) >= 3, "three strikes"
    assert {line["entrant"] for line in explained} == {"ann@1"}
    assert all({"match", "round", "action", "seat", "kind", "reason"} <= set(line) for line in explained)
    assert names.index("match ends") < names.index("fault explained")
    assert [line for line in told if "reason" in line] == explained


def refused(served: Served, token: str, version: str = "1") -> Coroutine[Any, Any, str]:
    """Return what a bot is told that dials in with *token*."""

    async def dial() -> str:
        return await asyncio.wait_for(served.dial(token, version=version), 10)

    return dial()


@pytest.mark.parametrize(
    ("prepare", "version", "message"),
    [
        (lambda served: "none", "1", "the referee does not know the token (unknown token)"),
        (lambda served: revoked(served), "1", "the invitation of ann was revoked; ask the organiser"),
        (lambda served: served.token("ann"), "", "unusable version; got ''"),
        (lambda served: served.token("ann"), "1 <b>", "unusable version; got '1 <b>'"),
        (lambda served: retired(served), "1", "ann@1 is retired; a new version may come"),
    ],
    ids=["unknown", "revoked", "no-version", "odd-version", "retired"],
)
def test_a_bot_that_is_not_let_in_is_told_why(
    tmp_path: Path, prepare: Callable[[Served], str], version: str, message: str
) -> None:
    """The message says what its author can do."""

    async def play() -> None:
        async with serving(open_league_in(tmp_path), 1, QUICK) as served:
            assert message in await refused(served, prepare(served), version)
            assert not served.store.unit_ids()

    asyncio.run(play())


def revoked(served: Served) -> str:
    """Return a token that held once."""
    token = served.token("ann")
    served.store.revoke("ann", NOW)
    return token


def retired(served: Served) -> str:
    """Return the token of an author whose version 1 is retired."""
    served.store.add_entrant(
        Entry("ann", "1", "python", open_hash("ann@1"), NOW, None, EntrantStatus.RETIRED)
    )
    return served.token("ann")


def test_a_revoked_bot_that_is_connected_is_sent_away(tmp_path: Path) -> None:
    """Revoking ends the session within a moment; another author's stays."""

    async def play() -> None:
        async with serving(open_league_in(tmp_path), 1, QUICK) as served:
            ann, bea = served.dial(served.token("ann")), served.dial(served.token("bea"))
            await served.until_told("has come", 2)
            served.store.revoke("ann", NOW)
            assert "the invitation of ann was revoked" in await asyncio.wait_for(ann, 10)
            assert not bea.done()

    asyncio.run(play())


def test_bots_are_told_when_the_server_stops(tmp_path: Path) -> None:
    """The stream is closed in order, in the middle of a match too, and the bot ends as after its last match."""

    async def play() -> None:
        async with serving(open_league_in(tmp_path), units=50) as served:
            ann, bea = served.token("ann"), served.token("bea")
            bots = [served.dial(token) for token in (ann, ann, bea, bea)]
            await served.until_told(": rated")
            assert served.serving is not None
            served.serving.cancel()
            assert await asyncio.wait_for(asyncio.gather(*bots), 10) == [""] * 4

    asyncio.run(play())
