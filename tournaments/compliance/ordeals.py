"""The steps after the full matches: what a bot has to get over, one function each."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from referee.rules import Action, format_action
from referee.service.clock import TimeControl
from tournaments.compliance.judgement import corrections, failed, judge, thinking
from tournaments.compliance.room import Played, Room, Stage
from tournaments.compliance.steps import Finding, passed

MOST_TABLES: Final = 3
"""How many matches at once are tried."""

Ordeal = Callable[[Room, Stage], Awaitable[Finding]]


async def plays_a_match(room: Room, stage: Stage, deal: int) -> Finding:
    """Find out whether the bot gets through a whole match without a fault."""
    return judge_match(await _play_fresh(room, stage, deal))


def judge_match(played: Played) -> Finding:
    """Return what a match to its end says of the bot."""
    totals = " to ".join(map(str, played.report.totals))
    return judge(played) or passed(f"{totals}; {thinking(played)}{corrections(played)}")


async def survives_a_refusal(room: Room, stage: Stage) -> Finding:
    """Find out whether the bot answers again after a correct answer was refused once."""
    subject = await room.start()
    subject.line.refuses = 1
    played = await room.play(stage, subject)
    room.dismiss(subject)
    wrong = judge(played)
    if wrong is not None:
        advice = "after a refusal the same request comes again, in the same message: answer it again"
        return failed(subject, wrong.detail, advice)
    if not subject.line.refused:
        return Finding("skipped", "it never had two actions to choose from")
    return passed("its answer was refused once; it answered again and played on")


async def survives_a_forfeit(room: Room, stage: Stage) -> Finding:
    """Find out whether the bot stays whole when the other side leaves in the middle of a match."""
    subject = await room.start()
    played = await room.play(stage, subject, others_leave=True)
    subject.line.close()
    ended = await subject.exits_within(room.patience.exit)
    room.dismiss(subject)
    wrong = judge(played)
    if wrong is not None:
        return wrong
    if ended and subject.bot.exit_code != 0:
        advice = (
            "a match may end at any time: take `ended` without a last request, and with totals as they are"
        )
        return failed(subject, f"it broke when the match ended early: {subject.bot.ending()}", advice)
    return passed("the other side left in the middle of the match, and it took the result")


async def comes_back(room: Room, stage: Stage) -> Finding:
    """Find out whether the bot returns with its session id when its stream breaks, and plays on."""
    subject = await room.start()
    subject.line.breaks = 1
    time = room.patience.time
    time = TimeControl(time.turn, min(time.bank, room.patience.back))
    played = await room.play(stage, subject, time=time)
    room.dismiss(subject)
    line = subject.line
    advice = "when the stream breaks, dial again and say hello with the session_id of the welcome"
    if line.broken and len(line.hellos) < 2:
        return failed(subject, _did_not_return(played), advice)
    if line.broken and not line.hellos[-1].HasField("session_id"):
        return failed(subject, "it came back, but its hello had no session_id", advice)
    wrong = judge(played)
    if wrong is not None:
        return failed(subject, wrong.detail, "the pending request comes again under its id: answer it again")
    return passed("its stream was broken with a request pending; it came back and played on")


def _did_not_return(played: Played) -> str:
    faults = "; ".join(f"{fault.kind}: {fault.reason}" for fault in played.faults)
    return f"it did not come back after its stream broke{f' ({faults})' if faults else ''}"


async def ends_by_itself(room: Room, stage: Stage) -> Finding:
    """Find out whether the process ends when the referee closes the stream."""
    subject = await room.start()
    played = await room.play(stage, subject)
    subject.line.close()
    ended = await subject.exits_within(room.patience.exit)
    wrong = judge(played)
    finding = wrong or passed(f"the stream was closed, and the process {subject.bot.ending()}")
    if wrong is None and not ended:
        detail = f"the process still runs {room.patience.exit:g} s after the referee closed the stream"
        finding = failed(subject, detail, "end the process when the stream ends without an error")
    room.dismiss(subject)
    return finding


ORDEALS: Final[tuple[tuple[str, Ordeal], ...]] = (
    ("survives a refused action", survives_a_refusal),
    ("survives a forfeit by the other side", survives_a_forfeit),
    ("comes back after a dropped stream", comes_back),
    ("ends when the stream is closed", ends_by_itself),
)
"""By the names of their steps."""


async def is_stateless(room: Room, stage: Stage) -> Finding:
    """Find out whether a process that has played a match plays the next one like a fresh process."""
    used = await room.start()
    await room.play(stage, used, deal=1)
    in_used = await room.play(stage, used, deal=2)
    room.dismiss(used)
    fresh = await _play_fresh(room, stage, 2)
    wrong = judge(in_used)
    advice = "keep nothing between matches, or remove `stateless = true` from bot.toml"
    if wrong is not None:
        return failed(used, f"in a second match of the same process: {wrong.detail}", advice)
    difference = _difference(_choices(in_used), _choices(fresh))
    if difference is None:
        return passed(
            f"{len(_choices(fresh))} actions of a match are the same in a used and in a fresh process"
        )
    again = await _play_fresh(room, stage, 2)
    if _choices(again) != _choices(fresh):
        advice = (
            "draw all chance from the bot_seed of `seated` (self.rng in Python), and do not look at the time"
        )
        return failed(used, f"two fresh processes do not play the same match alike: {difference}", advice)
    return failed(used, f"a used process does not play like a fresh one: {difference}", advice)


async def plays_several_tables(room: Room, stage: Stage) -> Finding:
    """Find out whether a process that plays several matches at once plays each like a process of its own."""
    subject = await room.start()
    deals = range(1, 1 + min(subject.bot.spec.tables, MOST_TABLES))
    together = await asyncio.gather(*(room.play(stage, subject, deal=deal) for deal in deals))
    room.dismiss(subject)
    advice = "keep all that belongs to a match by its table_id, or remove `tables` from bot.toml"
    for deal, played in zip(deals, together, strict=True):
        wrong = judge(played)
        if wrong is not None:
            return failed(subject, f"with {len(deals)} matches at once: {wrong.detail}", advice)
        alone = await _play_fresh(room, stage, deal)
        difference = _difference(_choices(played), _choices(alone))
        if difference is not None:
            return failed(subject, f"beside other matches it does not play as alone: {difference}", advice)
    return passed(f"{len(deals)} matches at once are each the same as in a process of their own")


async def _play_fresh(room: Room, stage: Stage, deal: int) -> Played:
    subject = await room.start()
    played = await room.play(stage, subject, deal=deal)
    room.dismiss(subject)
    return played


def _choices(played: Played) -> list[Action]:
    """Return what the bot decided in a match, in order."""
    record = played.report.record
    plays = () if record is None else record.actions
    return [play.action for play in plays if play.seat == played.seat and not play.by_referee]


def _difference(used: Sequence[Action], fresh: Sequence[Action]) -> str | None:
    """Return where two plays of a match part, in words; None where they do not."""
    for number, (one, other) in enumerate(zip(used, fresh, strict=False), start=1):
        if one != other:
            return f"its action {number} is {format_action(one)!r} and {format_action(other)!r}"
    return None if len(used) == len(fresh) else f"{len(used)} and {len(fresh)} actions"
