"""The roster of a league: who plays, who is out and why, and which units that makes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tournaments.errors import InvalidEntrant
from tournaments.leagues.docket import absent
from tournaments.leagues.league import League, entity_of, find_entered, labels
from tournaments.partnerships import Partnership, mirrored
from tournaments.results import UnitResult
from tournaments.schedule import EntityHash, Unit, round_robin
from tournaments.store import EntrantStatus, Entry


@dataclass(frozen=True, slots=True)
class Roster:
    """The entities of a league that are scheduled."""

    sides: int
    """How many of them meet in a unit."""

    labels: Mapping[EntityHash, str]
    """All of them, with what people read."""

    partnerships: Mapping[EntityHash, Partnership]
    """Those that can be started."""

    suspended: Mapping[EntityHash, int]
    """From which duplicate number on an entity does not play; 0 where it cannot be started at all."""

    reasons: Mapping[EntityHash, str]
    """Why it does not, in one line."""

    def schedule(self, duplicates: int) -> tuple[Unit, ...]:
        """Return all units of so many *duplicates* per pairing, in order of play; none for too few entities."""
        return round_robin(self.labels, duplicates, self.sides)


def call_roster(league: League, entries: Iterable[Entry], results: Iterable[UnitResult]) -> Roster:
    """
    Return the roster that *entries* make, given all *results* so far.

    A suspended entrant is out from the duplicate number after the last one at which it did not show. One that the
    league suspended and that has no such result never got so far: it plays. In an open league nothing is started,
    and who is there is known to its server alone.
    """
    terms = league.settings.terms
    active = [entry for entry in entries if entry.status is not EntrantStatus.RETIRED]
    last_absence = _last_absences(results)
    partnerships: dict[EntityHash, Partnership] = {}
    suspended: dict[EntityHash, int] = {}
    reasons: dict[EntityHash, str] = {}
    for entry in () if league.settings.is_open else active:
        entity = entity_of(league, entry)
        if entry.status is EntrantStatus.SUSPENDED and entity in last_absence:
            suspended[entity] = last_absence[entity] + 1
            reasons[entity] = "it did not show; submit it again to bring it back"
        try:
            partnerships[entity] = mirrored(find_entered(league, entry), terms.side_size)
        except InvalidEntrant as error:
            suspended[entity], reasons[entity] = 0, str(error)
    return Roster(terms.sides, labels(league, active), partnerships, suspended, reasons)


def _last_absences(results: Iterable[UnitResult]) -> dict[EntityHash, int]:
    last: dict[EntityHash, int] = {}
    for result in results:
        for entity in absent(result):
            last[entity] = max(last.get(entity, 0), result.duplicate)
    return last
