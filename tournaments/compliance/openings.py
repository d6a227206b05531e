"""The first steps: a process that starts, says hello, becomes ready and answers, all seen in one match."""

import asyncio
from collections.abc import Callable
from typing import Final

from handfoot.v1.referee_service_pb2 import Hello

from tournaments.compliance.judgement import ADVICE, command_text, failed, judge, thinking
from tournaments.compliance.line import Line
from tournaments.compliance.room import Played, Room, Stage, Subject, Voided
from tournaments.compliance.steps import Finding, passed
from tournaments.compliance.wording import name_of
from tournaments.entrants import Entrant

UNSTATED: Final = frozenset({"", "0"})
"""Versions by which a bot says nothing: none, and that of a class of the SDK without one."""


class Opening:
    """The first match, step by step: each step waits as long as it needs to know."""

    def __init__(self, room: Room, stage: Stage, subject: Subject, entrant: Entrant) -> None:
        self._room = room
        self._stage = stage
        self._subject = subject
        self._entrant = entrant
        self._match = asyncio.create_task(room.play(stage, subject))

    async def starts(self) -> Finding:
        """Find out whether the process starts, and lives until it has said something."""
        subject = self._subject
        if await self._sees(lambda line: bool(line.hellos or line.rejected)):
            return passed(command_text(subject))
        if subject.bot.exited.is_set():
            detail = f"the process ended before it said anything: {subject.bot.ending()}"
            return failed(subject, detail, f"start it by hand in its folder: {command_text(subject)}")
        return passed(f"{command_text(subject)} (it runs, but has said nothing)")

    async def says_hello(self) -> Finding:
        """Find out whether the referee lets the bot in, as the one that `bot.toml` describes."""
        line = self._subject.line
        if await self._sees(lambda line: bool(line.welcomes or line.rejected)) and line.welcomes:
            return self._compare()
        if line.rejected:
            advice = (
                "the first message is a hello with HANDFOOT_TOKEN and protocol version 1, and nothing else"
            )
            return failed(self._subject, f"the referee did not let it in: {line.rejected}", advice)
        advice = "dial HANDFOOT_ADDRESS, open handfoot.v1.RefereeService/Play and send hello first"
        return failed(self._subject, f"no hello within {self._room.patience.ready:g} s", advice)

    async def becomes_ready(self) -> Finding:
        """Find out whether the bot takes its seat."""
        if await self._sees(lambda line: line.ready > 0) or (await self.finished()).subject.line.ready:
            return passed(f"for a match of {self._stage}")
        report = (await self.finished()).report
        reason = next((fault.reason for fault in report.faults), report.termination)
        return failed(self._subject, reason, ADVICE["no_show"])

    async def answers_in_time(self) -> Finding:
        """Find out whether the bot answers what it is asked, and in time."""
        played = await self.finished()
        wrong = judge(played)
        timeout = any(fault.kind == "timeout" for fault in played.faults)
        if wrong is not None and (timeout or not played.subject.line.answers):
            return wrong
        return passed(thinking(played))

    async def finished(self) -> Played:
        """Return the match once it is over; if it was voided, another one in its place."""
        return await self._room.attempt(self._play_again)

    @property
    def goes_on(self) -> bool:
        """Whether the match goes on in spite of what was found."""
        return bool(self._subject.line.welcomes) and not self._match.done()

    def close(self) -> None:
        """End the process of the match."""
        self._room.dismiss(self._subject)

    def _compare(self) -> Finding:
        said = self._subject.line.hellos[0]
        differs = _differences(said, self._entrant)
        if differs:
            advice = "say the same in both places, or nothing in the hello"
            return failed(self._subject, f"it says {' and '.join(differs)}", advice)
        return passed(f"{name_of(said)}, protocol {', '.join(map(str, said.protocol_versions))}")

    async def _sees(self, holds: Callable[[Line], bool]) -> bool:
        """Return whether *holds* becomes true before the match is over."""
        seen = asyncio.create_task(self._subject.line.reach(holds))
        await asyncio.wait([seen, self._match], return_when=asyncio.FIRST_COMPLETED)
        seen.cancel()
        return holds(self._subject.line)

    async def _play_again(self) -> Played:
        try:
            return await asyncio.shield(self._match)
        except Voided:
            self._room.dismiss(self._subject)
            self._subject = await self._room.start()
            self._match = asyncio.create_task(self._room.play(self._stage, self._subject))
            raise


def _differences(said: Hello, entrant: Entrant) -> list[str]:
    """Return in what a bot contradicts its `bot.toml`, which a bot of the house has not."""
    if entrant.folder is None:
        return []
    written = entrant.manifest
    version = "" if said.version in UNSTATED else said.version
    pairs = (("name", said.name, written.name), ("version", version, written.version))
    return [f"{what} {got!r} where bot.toml has {own!r}" for what, got, own in pairs if got and got != own]
