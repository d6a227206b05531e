"""
The bench: where the processes of bots wait between matches, and the rules by which they are used.

A process plays only first legs, or only second ones, and so on, ever, and never two seats of a match. One whose bot
is not stateless plays a single match. All others play one match after the other, or several at once where their bot
can and the bench lets them, and wait for the next match of their kind while there is room.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
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


@dataclass(slots=True, eq=False)
class _Place:
    """A process of the bench, at a table or waiting."""

    chair: Chair
    """What it was started for."""

    bot: BotProcess

    matches: int = 0
    """How many it is playing."""

    played: bool = False
    """Whether it has played a match to its end."""

    wanted: bool = False
    """Whether the coming match counts on it."""

    leaving: bool = False
    """Whether it gets no other match."""

    def takes(self, chair: Chair) -> bool:
        """Return whether it can sit on *chair* now."""
        return (
            self.chair.kind == chair.kind
            and self.matches < self.bot.spec.tables
            and not (self.leaving or self.is_gone)
        )

    @property
    def is_gone(self) -> bool:
        """Whether its process, which was there for a match, has ended."""
        return self.bot.exited.is_set() and (self.played or self.matches > 0)


def chairs_of(job: Job, leg: Leg) -> tuple[Chair, ...]:
    """Return the chairs of *leg*, by seat."""
    return tuple(Chair(player, leg.number) for player in players_by_seat(job, leg))


class Bench:
    """The processes of one referee's bots; whoever takes some for a match gives each back, or sends it away."""

    def __init__(self, host: Host, room: int = ROOM, tables: int = 1) -> None:
        """
        Make an empty bench.

        Args:
            host: where processes are started.
            room: how many processes may wait.
            tables: how many matches a process plays at once at most, if its bot says that it can.
        """
        self._host = host
        self._room = room
        self._tables = tables
        self._places: list[_Place] = []
        """The one that has waited longest first."""

    async def prepare(self, chairs: Iterable[Chair]) -> None:
        """Start what is missing for *chairs*, so that it gets ready while another match is played."""
        await self._clear_away()
        for place in self._places:
            place.wanted = False
        found: list[_Place] = []
        for chair in chairs:
            found.append(self._free(chair, found) or await self._start(chair))
            found[-1].wanted = True

    async def take(self, chairs: Iterable[Chair]) -> list[BotProcess]:
        """Return a process of its own for each of *chairs*; the caller gives or sends each away afterwards."""
        await self._clear_away()
        taken: list[_Place] = []
        for chair in chairs:
            place = self._free(chair, taken) or await self._start(chair)
            place.matches += 1
            taken.append(place)
        return [place.bot for place in taken]

    async def start(self, chairs: Sequence[Chair]) -> list[BotProcess]:
        """Return processes for *chairs* that have never played."""
        places = [await self._start(chair) for chair in chairs]
        for place in places:
            place.matches += 1
        return [place.bot for place in places]

    async def give(self, bots: Iterable[BotProcess]) -> None:
        """Take back *bots* that played a match to its end; those that may play again wait, the others end."""
        for place in map(self._place, bots):
            place.matches -= 1
            place.played = True
            place.leaving |= not _may_stay(place)
            self._places.remove(place)
            self._places.append(place)
        await self._end_those_who_left()

    async def send_away(self, bots: Iterable[BotProcess]) -> None:
        """Let *bots* play no other match: they end as soon as they play none."""
        for place in map(self._place, bots):
            place.matches -= 1
            place.leaving = True
        await self._end_those_who_left()

    def _place(self, bot: BotProcess) -> _Place:
        return next(place for place in self._places if place.bot is bot)

    def _free(self, chair: Chair, others: Sequence[_Place]) -> _Place | None:
        """Return who can sit on *chair* and is none of the *others* at the table; whoever plays most of all."""
        free = [place for place in self._places if place.takes(chair) and place not in others]
        return max(free, key=lambda place: place.matches, default=None)

    async def _start(self, chair: Chair) -> _Place:
        spec = chair.player.spec
        bot = await self._host.start_bot(replace(spec, tables=min(spec.tables, self._tables)))
        self._places.append(_Place(chair, bot))
        return self._places[-1]

    async def _clear_away(self) -> None:
        """Forget whoever left after a match: that is not held against its next one."""
        await self._end([place for place in self._places if place.is_gone and not place.matches])

    async def _end_those_who_left(self) -> None:
        """End those that are to leave, and of the others that wait the first ones while there is not enough room."""
        idle = [place for place in self._places if not place.matches]
        leaving = [place for place in idle if place.leaving]
        staying = [place for place in idle if not (place.leaving or place.wanted)]
        too_many = max(0, len(idle) - len(leaving) - self._room)
        await self._end(leaving + staying[:too_many])

    async def _end(self, places: Sequence[_Place]) -> None:
        self._places = [place for place in self._places if place not in places]
        await asyncio.gather(*(self._host.stop_bot(place.bot) for place in places))


def _may_stay(place: _Place) -> bool:
    """Return whether a process may play another match: its next one must not end by its limit of CPU time."""
    return place.chair.player.spec.stateless and not place.bot.worn
