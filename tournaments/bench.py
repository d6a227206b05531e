"""
The bench: where the processes of bots wait between matches, and the rules by which they are used.

A process plays only first legs, or only second ones, and so on, ever, and never two seats of a match. One whose bot
is not stateless plays a single match. All others are kept for the next match of their kind, while there is room.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from referee.service.host import Host
from referee.service.processes import BotProcess
from tournaments.entrants import EntrantHash
from tournaments.jobs import Job, Player, players_by_seat
from tournaments.schedule import Leg

ROOM: Final = 16
"""How many processes may wait before the one that waited longest, and is not wanted next, has to go."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat that a process is needed for."""

    player: Player

    leg: int
    """The number of the leg: processes are kept apart by it."""

    @property
    def kind(self) -> tuple[EntrantHash, int]:
        """What a process must have been started for to sit here."""
        return (self.player.entrant, self.leg)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A process on the bench."""

    chair: Chair
    """What it was started for."""

    bot: BotProcess

    played: bool
    """Whether it has played a match already."""


def chairs_of(job: Job, leg: Leg) -> tuple[Chair, ...]:
    """Return the chairs of *leg*, by seat."""
    return tuple(Chair(player, leg.number) for player in players_by_seat(job, leg))


class Bench:
    """The processes that wait for a match."""

    def __init__(self, host: Host, room: int = ROOM) -> None:
        self._host = host
        self._room = room
        self._spare: list[Waiting] = []
        """Those that nobody asked for, the one that waited longest first."""
        self._wanted: list[Waiting] = []
        """Those for the coming match, in its order."""

    async def prepare(self, chairs: Iterable[Chair]) -> None:
        """Start what is missing for *chairs*, so that it gets ready while another match is played."""
        await self._clear_away()
        for chair in chairs:
            kinds = [waiting.chair.kind for waiting in self._spare]
            if chair.kind in kinds:
                self._wanted.append(self._spare.pop(kinds.index(chair.kind)))
            else:
                bot = await self._host.start_bot(chair.player.spec)
                self._wanted.append(Waiting(chair, bot, played=False))

    async def take(self, chairs: Iterable[Chair]) -> list[BotProcess]:
        """Return a process of its own for each of *chairs*; the caller gives or sends each away afterwards."""
        await self.prepare(chairs)
        taken, self._wanted = self._wanted, []
        return [waiting.bot for waiting in taken]

    async def start(self, chairs: Sequence[Chair]) -> list[BotProcess]:
        """Return processes for *chairs* that have never played."""
        return [await self._host.start_bot(chair.player.spec) for chair in chairs]

    async def give(self, chairs: Sequence[Chair], bots: Sequence[BotProcess]) -> None:
        """Take back *bots* that played a match to its end; those that may play again wait, the others end."""
        pairs = list(zip(chairs, bots, strict=True))
        self._spare += [Waiting(chair, bot, played=True) for chair, bot in pairs if _may_stay(chair, bot)]
        await self.send_away(bot for chair, bot in pairs if not _may_stay(chair, bot))
        too_many = max(0, len(self._spare) + len(self._wanted) - self._room)
        await self.send_away(waiting.bot for waiting in self._spare[:too_many])
        del self._spare[:too_many]

    async def send_away(self, bots: Iterable[BotProcess]) -> None:
        """End *bots*."""
        await asyncio.gather(*(self._host.stop_bot(bot) for bot in bots))

    async def _clear_away(self) -> None:
        """Forget what was wanted, and whoever left after a match; that is not held against its next one."""
        waiting, self._wanted = self._spare + self._wanted, []
        gone = [each for each in waiting if each.played and each.bot.exited.is_set()]
        self._spare = [each for each in waiting if each not in gone]
        await self.send_away(each.bot for each in gone)


def _may_stay(chair: Chair, bot: BotProcess) -> bool:
    """Return whether *bot* may play another match: its next one must not end by its limit of CPU time."""
    return chair.player.spec.stateless and not bot.worn
