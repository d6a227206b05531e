"""Running a league: what is scheduled and not stored is played, and each result is stored as soon as it counts."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from tournaments.errors import InvalidLeague
from tournaments.jobs import job_of
from tournaments.leagues.docket import Docket, absent
from tournaments.leagues.league import League, entity_of, refuse_open
from tournaments.leagues.roster import Roster, call_roster
from tournaments.leagues.settings import refuse_duplicates
from tournaments.results import UnitResult
from tournaments.schedule import Unit
from tournaments.store import EntrantStatus, Store
from tournaments.workers.engine import Finished, LocalEngine

TARGET = "duplicates"
"""The fact that says how many duplicates per pairing were ever asked for."""


@dataclass(frozen=True, slots=True)
class Season:
    """A league with its store, while it is played."""

    league: League
    store: Store

    roster: Roster

    units: tuple[Unit, ...]
    """All scheduled units, in order of play."""

    pending: tuple[Unit, ...]
    """Those without a result."""

    @property
    def done(self) -> int:
        """How many have a result."""
        return len(self.units) - len(self.pending)


def plan_season(league: League, store: Store, duplicates: int | None) -> Season:
    """
    Return what is to be played for *duplicates* per pairing, or for as many as the settings say.

    A number below an earlier one plays nothing that was not asked for then.

    Raises:
        InvalidLeague: fewer entrants than sides, or an open league, which is played by its server.
        TournamentError: a number of duplicates that cannot be scheduled.
    """
    refuse_open(league, "cannot run", "`handfoot serve`")
    wanted = league.settings.duplicates if duplicates is None else duplicates
    refuse_duplicates(wanted)
    roster = call_roster(league, store.entrants(), store.results())
    if len(roster.labels) < roster.sides:
        reason = f"it needs at least {roster.sides} entrants; add them with `handfoot league submit`"
        raise InvalidLeague("nobody to play", reason, got=len(roster.labels))
    store.set_fact(TARGET, str(max(wanted, target(league, store))))
    known = store.unit_ids()
    units = roster.schedule(wanted)
    pending = tuple(unit for unit in units if unit.id not in known)
    return Season(league, store, roster, units, pending)


def target(league: League, store: Store) -> int:
    """Return how many duplicates per pairing were asked for at most so far; 0 before the first run."""
    return int(store.facts().get(TARGET, "0"))


async def play_season(
    season: Season,
    engine: LocalEngine,
    ahead: int,
    now: Callable[[], datetime],
    tell: Callable[[Finished], None],
) -> None:
    """
    Play what is pending, with up to *ahead* units begun and not finished, and store what counts; *tell* of each.

    What is stored does not depend on *ahead* or on the order in which units finish.
    """
    docket = Docket(season.pending, season.roster.suspended)
    _begin(season, docket, engine, ahead)
    async for finished in engine.as_completed():
        tell(finished)
        for result in docket.settle(finished.result):
            _keep(season, result, finished.attempt, now())
        for unit in docket.take_dropped():
            engine.cancel(unit.id)
        _begin(season, docket, engine, ahead)


def _begin(season: Season, docket: Docket, engine: LocalEngine, ahead: int) -> None:
    """Hand units to *engine* until *ahead* are begun; fewer, if very many wait for a slow one before them."""
    terms, secret = season.league.settings.terms, season.league.secret
    while docket.begun < ahead and docket.held < 4 * ahead and (unit := docket.take()) is not None:
        engine.submit(job_of(unit, terms, secret, season.roster.partnerships, season.league.records))


def _keep(season: Season, result: UnitResult, attempt: int, now: datetime) -> None:
    """Store *result*; who did not show is suspended first, so that a run that ends in between loses nothing."""
    out = set(absent(result))
    for entry in season.store.entrants() if out else ():
        if entity_of(season.league, entry) in out:
            season.store.set_status(entry.hash, EntrantStatus.SUSPENDED)
    season.store.add_result(result, attempt=attempt, arrived=now)
