"""
Playing a unit of an open league: between bots that dialled in, on fresh deals for every match.

An author sees how the matches of its bots go. So whoever is missing after the first match of a unit has forfeited it;
else a unit that went badly could be given up at will.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Final

from referee.service.clock import parse_time
from referee.service.entrance import Visitor
from referee.service.hall import Hall
from referee.service.reports import FaultReport, MatchReport, MatchSpec, Termination
from tournaments.integrity import bot_seed, open_deal_key
from tournaments.results import UnitResult
from tournaments.schedule import Leg, Unit, legs_of
from tournaments.terms import Terms
from tournaments.workers.outcomes import conclude, match_id

REPLAYS: Final = 3
"""How often a voided match is played again, on other deals."""


@dataclass(frozen=True, slots=True)
class OpenUnit:
    """A unit with everything that is needed to play it."""

    hall: Hall
    """Where it is played."""

    unit: Unit
    terms: Terms
    secret: bytes
    teams: tuple[tuple[Visitor, ...], ...]
    """Per entity of the unit, one bot for each seat of a side."""

    run: int
    """Which start of the server this is, from 1: each has deals of its own."""

    ready_limit: float
    """Seconds from being seated to being ready."""

    records: Path | None
    """The folder that gets the records, once the unit is final."""


@dataclass(frozen=True, slots=True)
class OpenlyPlayed:
    """What came out of a unit."""

    result: UnitResult

    complaint: str | None
    """What authors should hear of a match that ended before its time."""

    absent: tuple[Visitor, ...]
    """The bots that were never ready."""


async def play_open_unit(job: OpenUnit) -> OpenlyPlayed:
    """
    Play the legs of *job* and return what came out of its unit.

    Nothing of it is kept anywhere before all legs are final. As in a hosted league two sides end theirs with a forfeit,
    and of more sides the referee plays the seats of whoever forfeited.
    """
    unit = job.unit
    reports: list[MatchReport] = []
    absent: list[Visitor] = []
    out: frozenset[int] = frozenset()
    for leg in legs_of(unit):
        report = await _play_leg(job, leg, out)
        absent += _absent(job, leg, report)
        reports.append(report)
        out |= {leg.seating[side] for side in report.forfeits}
        if report.termination != "played":
            break
    result, complaint = conclude(unit, reports, job.records, len(out))
    return OpenlyPlayed(result, complaint, tuple(absent))


def as_forfeit(report: MatchReport) -> MatchReport:
    """Return *report* of a no-show as a forfeit of all sides that were not ready."""
    guilty = {fault.side for fault in report.faults if fault.kind == "no_show"}
    forfeits = tuple(sorted(guilty.union(report.forfeits)))
    termination: Termination = "forfeit" if len(forfeits) < len(report.totals) else "double_forfeit"
    return replace(report, termination=termination, forfeits=forfeits)


async def _play_leg(job: OpenUnit, leg: Leg, out: frozenset[int]) -> MatchReport:
    """Play *leg*; after the first one, whoever is missing has forfeited, and of several sides the others play on."""
    counts = count(1)
    faults: tuple[FaultReport, ...] = ()
    while True:
        report = await _play_match(job, leg, out, counts)
        faults += report.faults
        if leg.number == 0 or report.termination != "no_show":
            break
        report = as_forfeit(report)
        out |= {leg.seating[side] for side in report.forfeits}
        if len(leg.seating) == 2 or len(out) == len(leg.seating):
            break
    return replace(report, faults=faults)


async def _play_match(job: OpenUnit, leg: Leg, out: frozenset[int], counts: Iterator[int]) -> MatchReport:
    """Play a match of *leg*, again on other deals as long as it is void; three times at most."""
    seats = _seats(job, leg, out)
    for _ in range(1 + REPLAYS):
        report = await job.hall.play_match(_spec(job, leg, out, next(counts)), seats)
        if report.termination != "void":
            break
    return report


def _seats(job: OpenUnit, leg: Leg, out: frozenset[int]) -> list[Visitor | None]:
    """Return who sits where in *leg*: side s has the seats s, s + sides, s + 2 sides …"""
    sides = len(leg.seating)
    entities = [leg.seating[seat % sides] for seat in range(job.terms.seats)]
    return [
        None if entity in out else job.teams[entity][seat // sides] for seat, entity in enumerate(entities)
    ]


def _spec(job: OpenUnit, leg: Leg, out: frozenset[int], number: int) -> MatchSpec:
    """Return the match of *leg* that is begun for the *number*-th time."""
    attempt = f"{job.run}.{number}"
    keys = tuple(
        open_deal_key(job.secret, job.unit.id, leg.number, attempt, round_number)
        for round_number in range(job.terms.rounds)
    )
    return MatchSpec(
        ruleset=job.terms.rules,
        seats=job.terms.seats,
        keys=keys,
        bot_seeds=tuple(bot_seed(keys[0], seat) for seat in range(job.terms.seats)),
        time=parse_time(job.terms.time),
        ready_limit=job.ready_limit,
        referee_sides=frozenset(leg.seating.index(entity) for entity in out),
        label=match_id(job.unit, leg),
    )


def _absent(job: OpenUnit, leg: Leg, report: MatchReport) -> Sequence[Visitor]:
    seats = _seats(job, leg, frozenset())
    found = [seats[fault.seat] for fault in report.faults if fault.kind == "no_show"]
    return [visitor for visitor in found if visitor is not None]
