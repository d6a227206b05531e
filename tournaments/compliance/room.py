"""The room of a check: a real referee, the bot that is checked in one seat, and bots of the house in all others."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Final, TypeVar

from referee.rules import Ruleset
from referee.service.clock import TimeControl
from referee.service.host import Host, open_referee
from referee.service.isolation import Isolation
from referee.service.processes import BotProcess, BotSpec
from referee.service.reports import FaultReport, MatchReport, MatchSpec
from tournaments.compliance.line import Line
from tournaments.compliance.wire import Wire
from tournaments.entrants import bot_spec, house_entrant
from tournaments.errors import EngineFailed
from tournaments.integrity import bot_seed, deal_key, seed_secret

OPPONENT: Final = "random"
"""The bot of the house that sits in the other seats."""

ATTEMPTS: Final = 3
"""How often something is tried if the machine, or a bot of the house, fails."""

ANSWERS_BEFORE_LEAVING: Final = 3
"""How many requests the bot has answered before the other side leaves."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the bot may take, in seconds."""

    time: TimeControl = field(default_factory=TimeControl)
    """For its turns."""

    ready: float = 30.0
    """From its start to being ready."""

    back: float = 10.0
    """What the bank has in it, at most, when its stream breaks."""

    exit: float = 5.0
    """From the end of its last stream to the end of its process."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A kind of match that a bot says it can play."""

    ruleset: Ruleset
    seats: int

    def __str__(self) -> str:
        return f"{self.ruleset.name} at {self.seats} seats"


@dataclass(frozen=True, slots=True)
class Subject:
    """A process of the bot that is checked."""

    bot: BotProcess
    line: Line

    async def exits_within(self, seconds: float) -> bool:
        """Return whether the process ends by itself in time."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.bot.exited.wait(), seconds)
        return self.bot.exited.is_set()


@dataclass(frozen=True, slots=True)
class Played:
    """A match of the bot that is checked, over."""

    subject: Subject
    seat: int
    report: MatchReport

    @property
    def faults(self) -> tuple[FaultReport, ...]:
        """The faults of the bot that is checked."""
        return tuple(fault for fault in self.report.faults if fault.seat == self.seat)


class Voided(Exception):
    """A match that tells nothing of the bot: the machine failed, or a bot of the house did."""


class Room:
    """Where the check takes place. Made by `open_room`."""

    def __init__(self, host: Host, wire: Wire, spec: BotSpec, patience: Patience) -> None:
        self.patience = patience
        self._host = host
        self._wire = wire
        self._spec = spec
        self._house = bot_spec(house_entrant(OPPONENT))
        self._opponents: list[BotProcess] = []
        self._leaving: set[asyncio.Task[None]] = set()

    async def start(self) -> Subject:
        """Start a fresh process of the bot; it is listened to from its first word."""
        bot = await self._host.start_bot(self._spec)
        return Subject(bot, self._wire.watch(bot.token))

    def dismiss(self, subject: Subject) -> None:
        """End a process of the bot, without waiting for it."""
        task = asyncio.create_task(self._host.stop_bot(subject.bot))
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    async def play(
        self,
        stage: Stage,
        subject: Subject,
        *,
        deal: int = 0,
        time: TimeControl | None = None,
        others_leave: bool = False,
    ) -> Played:
        """
        Play a match with *subject* in one of the seats.

        Args:
            deal: tells one set of deals, and the seat, from another.
            time: the clock; that of the room's patience if not given.
            others_leave: have a process of each other side end in the middle of the match.

        Raises:
            Voided: the match tells nothing of the bot.
        """
        seat = deal % stage.seats
        bots = await self._seated(stage, subject, seat)
        leaving = asyncio.create_task(_leave(bots, subject, stage, seat)) if others_leave else None
        try:
            report = await self._host.play_match(self._match(stage, deal, time), bots)
        finally:
            if leaving is not None:
                leaving.cancel()
        played = Played(subject, seat, report)
        gone = {fault.seat for fault in report.faults if fault.ends_match} - {seat}
        if gone or any(bot.exited.is_set() for bot in self._opponents):
            await self._replace(bots, gone)
        if report.termination == "void" or (gone and not others_leave and not played.faults):
            raise Voided("; ".join(fault.reason for fault in report.faults))
        return played

    async def attempt(self, trial: Callable[[], Awaitable[T]]) -> T:
        """
        Return what *trial* returns; try it again if it was voided.

        Raises:
            EngineFailed: it was voided each time.
        """
        reason = ""
        for _ in range(ATTEMPTS):
            try:
                return await trial()
            except Voided as error:
                reason = str(error)
        raise EngineFailed("cannot check the bot", f"the referee or its own bots failed: {reason}")

    async def close(self) -> None:
        """Wait until all who were dismissed have gone."""
        await asyncio.gather(*self._leaving)

    def _match(self, stage: Stage, deal: int, time: TimeControl | None) -> MatchSpec:
        secret = seed_secret(deal)
        keys = tuple(deal_key(secret, "check", number) for number in range(stage.ruleset.rounds))
        return MatchSpec(
            ruleset=stage.ruleset,
            seats=stage.seats,
            keys=keys,
            bot_seeds=tuple(bot_seed(keys[0], seat) for seat in range(stage.seats)),
            time=time or self.patience.time,
            ready_limit=self.patience.ready,
            label="check",
        )

    async def _seated(self, stage: Stage, subject: Subject, seat: int) -> list[BotProcess]:
        while len(self._opponents) < stage.seats - 1:
            self._opponents.append(await self._host.start_bot(self._house))
        others = self._opponents[: stage.seats - 1]
        return [*others[:seat], subject.bot, *others[seat:]]

    async def _replace(self, bots: list[BotProcess], gone: set[int]) -> None:
        """Send away opponents who are gone; the next match starts others."""
        away = [bot for bot in self._opponents if bot.exited.is_set()]
        away += [bots[seat] for seat in gone if bots[seat] not in away]
        self._opponents = [bot for bot in self._opponents if bot not in away]
        await asyncio.gather(*(self._host.stop_bot(bot) for bot in away))


async def _leave(bots: list[BotProcess], subject: Subject, stage: Stage, seat: int) -> None:
    """End a bot of each side but that of *subject*, once it has answered a few requests."""
    sides = stage.ruleset.sides(stage.seats)
    await subject.line.reach(lambda line: line.answers >= ANSWERS_BEFORE_LEAVING)
    for side in range(sides):
        if side != seat % sides:
            bots[side].signal(signal.SIGKILL)


@asynccontextmanager
async def open_room(spec: BotSpec, patience: Patience, isolation: Isolation) -> AsyncIterator[Room]:
    """Open a referee with room for the bot of *spec*; all processes have ended when the context does."""
    wire = Wire()
    async with open_referee(interceptors=[wire], isolation=isolation) as host:
        room = Room(host, wire, spec, patience)
        try:
            yield room
        finally:
            await room.close()
