"""How far a league is: what is done, pending and given up, and the faults there were, by partnership."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tournaments.leagues.league import League
from tournaments.leagues.roster import Roster, call_roster
from tournaments.leagues.run import target
from tournaments.results import UnitResult
from tournaments.schedule import EntityHash, Unit
from tournaments.store import Store

GIVEN_UP = frozenset({"no_show", "given_up"})
"""States of units that nobody will play any more and that count for nobody."""


@dataclass(frozen=True, slots=True)
class PartnershipStatus:
    """How far a partnership is, in units."""

    partnership: str
    """Its label."""

    done: int
    """Played to a result."""

    pending: int
    """Scheduled and still to be played."""

    given_up: int
    """Scheduled and not played: somebody did not show or is suspended, or the machinery failed."""

    faults: Mapping[str, int]
    """Strikes and match-ending faults by class."""

    out: str | None
    """Why it does not play any more; None while it does."""


@dataclass(frozen=True, slots=True)
class LeagueStatus:
    """How far a league is, in units."""

    duplicates: int
    """Per pairing, as many as were ever asked for; what the settings say before the first run."""

    done: int
    pending: int
    given_up: int
    partnerships: tuple[PartnershipStatus, ...]
    """By label."""


def read_status(league: League, store: Store) -> LeagueStatus:
    """
    Return how far *league* is.

    Raises:
        StoreError: the store cannot be used.
    """
    results = store.results()
    roster = call_roster(league, store.entrants(), results)
    return league_status(roster, target(league, store) or league.settings.duplicates, results)


def league_status(roster: Roster, duplicates: int, results: Iterable[UnitResult]) -> LeagueStatus:
    """Return how far so many *duplicates* per pairing of *roster* are, given all *results*."""
    stored = {result.unit: result for result in results}
    states: dict[EntityHash, Counter[str]] = {entity: Counter() for entity in roster.labels}
    total: Counter[str] = Counter()
    for unit in roster.schedule(duplicates):
        state = _state(roster, unit, stored.get(unit.id))
        total[state] += 1
        for entity in unit.entities:
            states[entity][state] += 1
    faults = _faults(stored.values())
    rows = [_row(roster, entity, states[entity], faults.get(entity, Counter())) for entity in roster.labels]
    ordered = tuple(sorted(rows, key=lambda row: row.partnership))
    return LeagueStatus(duplicates, total["done"], total["pending"], total["given_up"], ordered)


def _state(roster: Roster, unit: Unit, result: UnitResult | None) -> str:
    if result is not None:
        return "given_up" if result.status in GIVEN_UP else "done"
    never = unit.duplicate + 1
    out = any(unit.duplicate >= roster.suspended.get(entity, never) for entity in unit.entities)
    return "given_up" if out else "pending"


def _faults(results: Iterable[UnitResult]) -> dict[EntityHash, Counter[str]]:
    faults: dict[EntityHash, Counter[str]] = {}
    for result in results:
        for fault in (fault for leg in result.legs for fault in leg.faults):
            faults.setdefault(result.entities[fault.entity], Counter())[fault.kind] += 1
    return faults


def _row(roster: Roster, entity: EntityHash, units: Counter[str], faults: Counter[str]) -> PartnershipStatus:
    counts = (units["done"], units["pending"], units["given_up"])
    by_class = dict(sorted(faults.items()))
    return PartnershipStatus(roster.labels[entity], *counts, by_class, roster.reasons.get(entity))
