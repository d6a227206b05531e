"""
The bench: where the processes of bots wait between matches, and the rules by which they are used.

A process plays only first legs, or only second legs, ever, and never two seats of a match. One whose bot is not
stateless plays a single match. All others are kept for the next match of their kind, as long as there is room.
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
"""How many processes may wait before the one that waited longest has to go."""


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
    """The processes that wait for a match, those that waited longest first."""

    def __init__(self, host: Host, room: int = ROOM) -> None:
        self._host = host
        self._room = room
        self._waiting: list[Waiting] = []

    async def prepare(self, chairs: Iterable[Chair]) -> None:
        """Start what is missing for *chairs*, so that it gets ready while another match is played."""
        await self._clear_away()
        kinds = [waiting.chair.kind for waiting in self._waiting]
        for chair in chairs:
            if chair.kind in kinds:
                kinds.remove(chair.kind)
            else:
                bot = await self._host.start_bot(chair.player.spec)
                self._waiting.append(Waiting(chair, bot, played=False))

    async def take(self, chairs: Sequence[Chair]) -> list[BotProcess]:
        """Return a process of its own for each of *chairs*; the caller gives or sends each away afterwards."""
        await self.prepare(chairs)
        return [self._take(chair) for chair in chairs]

    async def start(self, chairs: Sequence[Chair]) -> list[BotProcess]:
        """Return processes for *chairs* that have never played."""
        return [await self._host.start_bot(chair.player.spec) for chair in chairs]

    async def give(self, chairs: Sequence[Chair], bots: Sequence[BotProcess]) -> None:
        """Take back *bots* that played a match to its end; those that may play again wait, the others end."""
        pairs = list(zip(chairs, bots, strict=True))
        self._waiting += [
            Waiting(chair, bot, played=True) for chair, bot in pairs if chair.player.spec.stateless
        ]
        await self.send_away(bot for chair, bot in pairs if not chair.player.spec.stateless)
        too_many = max(0, len(self._waiting) - self._room)
        await self.send_away(waiting.bot for waiting in self._waiting[:too_many])
        del self._waiting[:too_many]

    async def send_away(self, bots: Iterable[BotProcess]) -> None:
        """End *bots*."""
        await asyncio.gather(*(self._host.stop_bot(bot) for bot in bots))

    async def _clear_away(self) -> None:
        """Forget whoever left after a match; that is not held against its next one."""
        gone = [waiting for waiting in self._waiting if waiting.played and waiting.bot.exited.is_set()]
        await self.send_away(waiting.bot for waiting in gone)
        self._waiting = [waiting for waiting in self._waiting if waiting not in gone]

    def _take(self, chair: Chair) -> BotProcess:
        for index, waiting in enumerate(self._waiting):
            if waiting.chair.kind == chair.kind:
                del self._waiting[index]
                return waiting.bot
        raise LookupError(f"nobody waits for {chair.kind}")
