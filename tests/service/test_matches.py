"""Tests of whole matches: real bot processes, real sockets, and bots that do whatever they like."""

import asyncio
import sys
import time
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from service.sitting import spec

from referee.rules import ONLINE, SIMPLE, from_bytes, replay, to_bytes
from referee.rules.ruleset import MatchRule
from referee.service.clock import TimeControl
from referee.service.errors import HostError
from referee.service.host import Host, open_referee
from referee.service.processes import BotProcess, BotSpec
from referee.service.reports import MatchReport, MatchSpec

STUB = str(Path(__file__).with_name("stub_bot.py"))
TIME = TimeControl(turn=0.5, bank=0.5)
PATIENT = TimeControl(turn=20, bank=60)
ROUND = replace(ONLINE, match=MatchRule(rounds=1))
"""A single round, which two seats can play."""


def stub(*tricks: str, tell: Path | None = None, **more: Any) -> BotSpec:
    """Return a stub bot that behaves as *tricks* say."""
    told = ("--tell", str(tell)) if tell else ()
    return BotSpec("stub", "1.0", "python", (sys.executable, STUB, *told, *tricks), **more)


async def play(match: MatchSpec, specs: list[BotSpec | None]) -> tuple[MatchReport, float]:
    """Play a match between fresh bots, and return its report and the seconds from start to report."""
    async with open_referee() as host:
        bots = [None if each is None else await host.start_bot(each) for each in specs]
        began = time.monotonic()
        report = await host.play_match(match, bots)
        took = time.monotonic() - began
    _no_process_left(bots)
    return report, took


def _no_process_left(bots: list[BotProcess | None]) -> None:
    for bot in bots:
        if bot is not None and bot.pid is not None:
            assert not psutil.pid_exists(bot.pid), f"left: {bot.spec.command}"


def run(steps: Coroutine[Any, Any, Any]) -> Any:
    """Run *steps* to their end, but not for ever."""
    return asyncio.run(asyncio.wait_for(steps, 60))


def against(tmp_path: Path, *tricks: str, time: TimeControl = PATIENT) -> tuple[MatchReport, float]:
    """Play a match in which the bot of seat 1 misbehaves, and check that the other one is told how it ended."""
    told = [tmp_path / f"told-{seat}" for seat in (0, 1)]
    report, took = run(play(spec(ROUND, 2, time=time), [stub(tell=told[0]), stub(*tricks, tell=told[1])]))
    assert "termination" in told[0].read_text()
    if report.termination == "forfeit":
        assert "forfeited: 1" in told[0].read_text()
    return report, took


def test_bots_play_a_match_over_the_wire() -> None:
    """A match between well-behaved processes is played out, and its record replays to the same score."""
    match = spec(ONLINE, label="u-1", time=PATIENT)
    report, _ = run(play(match, [stub() for _ in range(4)]))
    assert report.termination == "played"
    assert report.faults == ()
    assert report.rounds == ONLINE.rounds == len(report.scores)
    assert [sum(scores[side].total for scores in report.scores) for side in (0, 1)] == list(report.totals)
    assert report.record is not None
    again = from_bytes(to_bytes(report.record))
    assert tuple(replay(again).totals) == report.totals
    assert again.seats == ("stub@1.0",) * 4
    assert all(seat.total_ms >= seat.longest_ms for seat in report.times)
    assert sum(entry.ms for entry in again.actions) > 0


@pytest.mark.slow
def test_the_same_deal_and_seeds_give_the_same_match() -> None:
    """Bots that draw on their seed only play the same match again in other processes."""
    match = spec(ROUND, 2, time=PATIENT)
    actions = []
    for _ in range(2):
        report, _ = run(play(match, [stub(), stub()]))
        assert report.record is not None
        actions.append([(entry.seat, entry.action) for entry in report.record.actions])
    assert actions[0] == actions[1]


def test_several_matches_run_at_once_on_one_host() -> None:
    """Matches beside one another do not disturb each other, and stateless bots go on to the next one."""

    async def steps() -> list[MatchReport]:
        async with open_referee() as host:
            groups = [[await host.start_bot(stub(stateless=True)) for _ in range(2)] for _ in range(3)]
            reports = []
            for salt in (0, 1):
                reports += await asyncio.gather(
                    *(host.play_match(spec(ROUND, 2, salt=salt, time=PATIENT), group) for group in groups)
                )
            return reports

    reports = run(steps())
    assert [report.termination for report in reports] == ["played"] * 6
    assert len({report.totals for report in reports[:3]}) == 1
    assert reports[0].totals != reports[3].totals


def test_a_bot_sits_at_several_tables_if_it_says_so() -> None:
    """A process with two tables plays two matches at once over its one stream."""

    async def steps() -> list[MatchReport]:
        async with open_referee() as host:
            bots = [await host.start_bot(stub(stateless=True, tables=2)) for _ in range(2)]
            match = spec(ROUND, 2, time=PATIENT)
            return list(await asyncio.gather(*(host.play_match(match, bots) for _ in range(2))))

    assert [report.termination for report in run(steps())] == ["played"] * 2


def test_bots_must_fit_the_seats() -> None:
    """Too few bots, a bot at two seats, a busy bot or one that was stopped are errors of the caller."""

    async def steps(host: Host) -> None:
        first, second = await host.start_bot(stub()), await host.start_bot(stub())
        match = spec(ROUND, 2)
        for bots, reason in (
            ([first], "expected 2"),
            ([first, first], "never holds two seats"),
            ([first, None], "a bot, or none, is wrong"),
        ):
            with pytest.raises(HostError, match=reason):
                await host.play_match(match, bots)
        playing = asyncio.create_task(host.play_match(match, [first, second]))
        await asyncio.sleep(0)
        with pytest.raises(HostError, match="still playing"):
            await host.play_match(match, [second, first])
        await playing
        await host.stop_bot(first)
        with pytest.raises(HostError, match="not started here"):
            await host.play_match(match, [first, second])

    async def opened() -> None:
        async with open_referee() as host:
            await steps(host)

    run(opened())


def test_a_frozen_bot_times_out(tmp_path: Path) -> None:
    """A stopped process keeps its connection; the match ends within limit, bank and a small margin all the same."""
    report, took = against(tmp_path, "freeze@5", time=TIME)
    assert report.termination == "forfeit"
    assert report.forfeited == 1
    assert [(fault.kind, fault.seat) for fault in report.faults] == [("timeout", 1)]
    assert took < TIME.turn + TIME.bank + 4.0


def test_a_bot_that_exits_crashes_at_once(tmp_path: Path) -> None:
    """Exiting at the first, a middle and the last request forfeits, and nothing waits for the clock."""
    report, _ = against(tmp_path)
    assert report.termination == "played"
    last = int((tmp_path / "told-1").read_text().rsplit("asked: ", 1)[1])
    for number in (1, last // 2, last):
        report, took = against(tmp_path, f"exit@{number}")
        assert report.termination == "forfeit"
        (fault,) = report.faults
        assert (fault.kind, fault.seat, fault.side, fault.exit_code) == ("crash", 1, 1, 7)
        assert "exited with code 7" in fault.reason
        assert fault.stderr == "bye"
        assert took < PATIENT.turn


def test_a_bot_that_is_always_illegal_loses_by_strikes(tmp_path: Path) -> None:
    """Three strikes of four illegal answers each end the match; the report names the clause."""
    report, _ = against(tmp_path, "illegal")
    assert report.termination == "forfeit"
    assert [fault.kind for fault in report.faults] == ["illegal"] * 3
    assert [fault.ends_match for fault in report.faults] == [False, False, True]
    assert all(fault.clause and fault.clause in fault.reason for fault in report.faults)


def test_single_faults_are_refused_by_name_and_forgiven(tmp_path: Path) -> None:
    """Each kind of broken message is refused with what was wrong; the match goes on and is played out."""
    expected = {
        "illegal": "illegal answer",
        "illegal-in-batch": "",
        "garbage": "unreadable message: not a handfoot.v1.PlayRequest",
        "half": "unreadable message: not a handfoot.v1.PlayRequest",
        "huge": "unreadable message: too large; got 52428800 bytes",
        "wrong-id": "unexpected decision: late or unknown request; got 999",
        "wrong-table": "unknown table: no seat at it; got 'x'",
        "wrong-seat": "unreadable decision: seat is wrong; got 0; expected 1",
        "twice": "unexpected decision: late or unknown request",
        "no-actions": "unreadable decision: actions is wrong; got 0",
    }
    report, _ = against(tmp_path, *(f"{trick}@{number}" for number, trick in enumerate(expected, 2)))
    assert report.termination == "played"
    assert report.faults == ()
    told = (tmp_path / "told-1").read_text()
    for reason in expected.values():
        assert reason in told


def test_a_flood_of_output_neither_blocks_nor_fills_anything(tmp_path: Path) -> None:
    """100 MB on each output cost the bot nothing but its own time, and only their end is kept."""
    report, _ = against(tmp_path, "flood@1", "exit@2")
    (fault,) = report.faults
    assert fault.kind == "crash"
    assert fault.stderr.startswith("[the last of 104857")
    assert fault.stderr.endswith("the end of the flood\nbye")
    assert len(fault.stderr) < 20_000


def test_a_bot_that_exits_at_once_is_a_no_show(tmp_path: Path) -> None:
    """The report says what was run, where, how it ended, and what it said last."""
    specs = [stub(), stub("exit-at-once", folder=str(tmp_path))]
    report, took = run(play(spec(ROUND, 2, time=TIME), specs))
    assert report.termination == "no_show"
    assert report.forfeits == ()
    (fault,) = report.faults
    assert (fault.kind, fault.seat, fault.exit_code) == ("no_show", 1, 3)
    message = fault.message()
    assert "exited with code 3" in message
    assert "cannot find my brain" in message
    assert str(tmp_path) in message
    assert STUB in message
    assert took < 10


def test_a_command_that_does_not_exist_is_a_no_show() -> None:
    """Nothing is raised; the match says which program is missing."""
    missing = BotSpec("ghost", "1", "none", ("/nonexistent/ghost",))
    report, _ = run(play(spec(ROUND, 2, time=TIME), [stub(), missing]))
    assert report.termination == "no_show"
    (fault,) = report.faults
    assert "no program '/nonexistent/ghost'" in fault.message()


@pytest.mark.slow
def test_bots_that_are_never_ready_are_no_shows(tmp_path: Path) -> None:
    """Whoever does not get ready in time gives the match up; the others are told."""
    told = tmp_path / "told"
    specs = [stub(tell=told), stub("never-hello"), stub(), stub("never-ready")]
    report, _ = run(play(spec(SIMPLE, time=TIME, ready_limit=4.0), specs))
    assert report.termination == "no_show"
    assert [(fault.kind, fault.seat) for fault in report.faults] == [("no_show", 1), ("no_show", 3)]
    assert "not ready within 4 s" in report.faults[0].reason
    assert "TERMINATION_VOID" in told.read_text()


def test_a_match_that_is_called_off_leaves_its_bots_free() -> None:
    """After a cancelled match the same bots play the next one."""

    async def steps() -> MatchReport:
        async with open_referee() as host:
            bots = [await host.start_bot(stub()), await host.start_bot(stub("slow-start@1"))]
            match = spec(ROUND, 2, time=PATIENT)
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(host.play_match(match, bots), 0.5)
            return await host.play_match(match, bots)

    assert run(steps()).termination == "played"


def test_three_sides_play_on_without_the_one_that_crashed() -> None:
    """The referee plays the seats of a side that forfeited; in the next leg it needs no bot."""
    two_rounds = replace(ONLINE, match=MatchRule(rounds=2))
    match = spec(two_rounds, 3, time=PATIENT)
    report, _ = run(play(match, [stub(), stub("exit@2"), stub()]))
    assert report.termination == "played"
    assert report.forfeits == (1,)
    assert report.rounds == two_rounds.rounds == 2
    later = spec(two_rounds, 3, time=PATIENT, referee_sides=frozenset({1}))
    report, _ = run(play(later, [stub(), None, stub()]))
    assert report.termination == "played"
    assert report.faults == ()
