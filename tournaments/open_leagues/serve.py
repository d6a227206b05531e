"""
Serving an open league: bots dial in and leave, units are played whenever their entities are there, results are stored.

The lobby decides what is played, the entrance who comes in, `open_play` what a unit comes to; this joins them.
"""

import asyncio
import hashlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

import grpc

from referee.service.entrance import GRACE_SECONDS, Author, Entrance, Visitor
from referee.service.hall import Hall
from referee.service.public import Certificate, serve_publicly
from referee.service.servicer import Servicer
from tournaments.errors import InvalidLeague
from tournaments.leagues.league import League, entity_of
from tournaments.leagues.run import TARGET, target
from tournaments.leagues.settings import refuse_duplicates
from tournaments.open_leagues.lobby import Call, Guest, Lobby
from tournaments.open_leagues.play import OpenlyPlayed, OpenUnit, play_open_unit
from tournaments.open_leagues.presence import Notice, attendances, put_up
from tournaments.store import EntrantStatus, Entry, Store, token_hash

RUNS = "runs"
"""The fact that says how often the league has been served."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an open league waits for bots, in seconds."""

    ready: float = 30.0
    """From being seated to being ready."""

    rest: float = 60.0
    """Between a unit that was given up since an entrant did not show, and the next one of that entrant."""

    gone: float = GRACE_SECONDS
    """For a stream that broke between two matches to come back."""

    pulse: float = 1.0
    """Between two looks at revoked invitations, if nothing else happens."""


def open_hash(label: str) -> str:
    """
    Return the hash of the entrant that dialled in as *label*: its content is its author's, so only the label counts.

    >>> open_hash("ann@1.0")[:12]
    '8ad47ca421cc'
    """
    return hashlib.sha256(label.encode()).hexdigest()


class OpenServer:
    """An open league while it is served. *tell* gets a line about whatever happens; *now* is the time of results."""

    def __init__(
        self,
        league: League,
        store: Store,
        units: int | None,
        tell: Callable[[str], None],
        now: Callable[[], datetime],
        patience: Patience | None = None,
    ) -> None:
        """
        Play *units* per pairing, or as many as the settings say.

        Raises:
            InvalidLeague: it is a hosted one.
            TournamentError: a number of units that cannot be scheduled.
        """
        if not league.settings.is_open:
            what = "the league is hosted, so its bots run here"
            raise InvalidLeague("cannot serve", what, expected="`handfoot league run`")
        wanted = league.settings.duplicates if units is None else units
        refuse_duplicates(wanted)
        self._league, self._store, self._tell, self._now = league, store, tell, now
        self._patience = patience or Patience()
        terms = league.settings.terms
        self._lobby = Lobby(terms.sides, terms.side_size, wanted, store.unit_ids())
        self._entrance = Entrance(self._authorise, self._note_change)
        self._changed = asyncio.Event()
        self._playing: dict[asyncio.Task[OpenlyPlayed], OpenUnit] = {}
        self._labels: dict[Guest, str] = {}
        self._waits = False
        store.set_fact(TARGET, str(max(wanted, target(league, store))))
        self._run = int(store.facts().get(RUNS, "0")) + 1
        store.set_fact(RUNS, str(self._run))

    async def serve(
        self, address: str, certificate: Certificate | None, listening: Callable[[str], None]
    ) -> None:
        """
        Serve the league at *address* until cancelled, and call *listening* with the address that bots dial.

        What is being played then is called off and comes to nothing; it is played again, on other deals.

        Raises:
            HostError: it cannot listen there.
            StoreError: the store cannot be used any more.
        """
        async with serve_publicly(Servicer(self._entrance), address, certificate) as bound:
            hall = Hall()
            try:
                with put_up(self._league.folder, bound) as notice:
                    listening(bound)
                    await self._work(hall, notice)
            finally:
                hall.close()
                for task in self._playing:
                    task.cancel()
                await asyncio.gather(*self._playing, return_exceptions=True)
                self._entrance.close()

    async def _work(self, hall: Hall, notice: Notice) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            self._changed.clear()
            self._take_results(clock())
            self._entrance.tidy(clock(), self._patience.gone, self._busy())
            self._look_round()
            while (call := self._lobby.call(clock())) is not None:
                self._begin(hall, call)
            self._tell_if_waiting()
            self._say_who_is_there(notice)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._patience.pulse):
                    await self._changed.wait()

    def _authorise(self, token: str) -> Author | None:
        invitation = self._store.find_invitation(token_hash(token))
        return None if invitation is None else Author(invitation.name, invitation.revoked)

    def _note_change(self) -> None:
        self._changed.set()

    # ------------------------------------------------------------------ who is there

    def _busy(self) -> frozenset[Visitor]:
        """Return whoever is in a unit, be it between two matches of it."""
        return frozenset(visitor for job in self._playing.values() for team in job.teams for visitor in team)

    def _look_round(self) -> None:
        """Tell the lobby who came and who went."""
        there = {
            Guest(visitor.id): visitor
            for visitor in self._entrance.visitors
            if visitor.stream is not None and not visitor.closed
        }
        for guest in self._lobby.guests - there.keys():
            self._lobby.leave(guest)
            self._tell(f"a process of {self._labels.pop(guest)} has left")
        for guest, visitor in there.items():
            if guest not in self._lobby.guests:
                self._welcome(guest, visitor)

    def _welcome(self, guest: Guest, visitor: Visitor) -> None:
        entry = self._entry(visitor)
        if entry.status is EntrantStatus.RETIRED:
            reason = f"{visitor.label} is retired; a new version may come"
            self._entrance.dismiss(visitor, grpc.StatusCode.PERMISSION_DENIED, reason)
            return
        entity = entity_of(self._league, entry)
        self._lobby.arrive(guest, entity)
        self._labels[guest] = visitor.label
        if self._lobby.is_there(entity):
            self._store.add_entrant(entry)
            self._tell(f"{visitor.label} is there")
        else:
            size = self._league.settings.terms.side_size
            self._tell(f"a process of {visitor.label} has come; it plays once {size} are there")

    def _say_who_is_there(self, notice: Notice) -> None:
        """Put down who is connected, for `handfoot league status`."""
        connected = [self._labels[guest] for guest in self._lobby.guests]
        units = [[team[0].label for team in job.teams] for job in self._playing.values()]
        notice.say(attendances(connected, units, self._league.settings.terms.side_size))

    def _entry(self, visitor: Visitor) -> Entry:
        """Return what the league knows of the entrant of *visitor*, or what it will."""
        fresh = Entry(
            *(visitor.author, visitor.version, visitor.language),
            hash=open_hash(visitor.label),
            submitted_at=self._now(),
            folder=None,
        )
        known = {entry.hash: entry for entry in self._store.entrants()}
        return known.get(fresh.hash, fresh)

    # ------------------------------------------------------------------ what is played

    def _begin(self, hall: Hall, call: Call) -> None:
        visitors = {Guest(visitor.id): visitor for visitor in self._entrance.visitors}
        job = OpenUnit(
            hall=hall,
            unit=call.unit,
            terms=self._league.settings.terms,
            secret=self._league.secret,
            teams=tuple(tuple(visitors[guest] for guest in team) for team in call.teams),
            run=self._run,
            ready_limit=self._patience.ready,
            records=self._league.records,
        )
        self._waits = False
        task = asyncio.create_task(play_open_unit(job))
        task.add_done_callback(lambda _: self._changed.set())
        self._playing[task] = job

    def _take_results(self, now: float) -> None:
        """Store what has come out since the last time; an error of the referee itself ends the server."""
        for task in [task for task in self._playing if task.done()]:
            self._take_result(self._playing.pop(task), task.result(), now)

    def _take_result(self, job: OpenUnit, played: OpenlyPlayed, now: float) -> None:
        self._store.add_result(played.result, attempt=1, arrived=self._now())
        self._lobby.finish(job.unit.id, settled=True)
        if played.complaint is not None:
            self._tell(played.complaint)
        names = " v ".join(team[0].label for team in job.teams)
        self._tell(f"unit {job.unit.duplicate + 1} of {names}: {played.result.status}")
        for visitor in played.absent:
            self._send_away(visitor)
        for entity, team in zip(job.unit.entities, job.teams, strict=True):
            if played.result.status == "no_show" and not set(team).isdisjoint(played.absent):
                self._lobby.rest(entity, now + self._patience.rest)

    def _send_away(self, visitor: Visitor) -> None:
        """End the session of a bot that was not ready."""
        reason = f"no_show: not ready within {self._patience.ready:g} s; come back with a new process"
        self._entrance.dismiss(visitor, grpc.StatusCode.FAILED_PRECONDITION, reason)

    def _tell_if_waiting(self) -> None:
        if not self._waits and not self._lobby.playing:
            self._waits = True
            self._tell("waiting: whoever is there has played everything that can be played")
