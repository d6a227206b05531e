"""
Playing a unit: its legs in order, each by a referee with processes from the bench, and what comes out of them.

Knows what a fault means for the unit; finding faults is the referee's job.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.service.clock import parse_time
from referee.service.host import Host
from referee.service.processes import BotProcess
from referee.service.reports import MatchReport, MatchSpec
from tournaments.integrity import bot_seed
from tournaments.jobs import Job
from tournaments.results import UnitResult
from tournaments.schedule import Leg, legs_of
from tournaments.workers.bench import Bench, Chair, chairs_of
from tournaments.workers.outcomes import conclude, match_id
from tournaments.workers.usage import Usage, usage_of

REPLAYS: Final = 3
"""How often a voided leg is played again, on the same deal."""


@dataclass(frozen=True, slots=True)
class PlayedUnit:
    """The result of a unit, what authors should hear of a match that ended before its time, and what was used."""

    result: UnitResult
    complaint: str | None
    usage: tuple[Usage, ...]
    """What each entity used."""


async def play_unit(job: Job, host: Host, bench: Bench, next_job: Callable[[], Job | None]) -> PlayedUnit:
    """
    Play the legs of *job* and return what came out of its unit.

    A match that is not played out ends the unit. Two sides end theirs with a forfeit; of more sides the referee plays
    the seats of whoever forfeited, in later legs too. Records are written once all legs are final. While a leg is
    played, the bots of the leg after it get ready, be it of this job or of *next_job*.
    """
    legs = legs_of(job.unit)
    reports: list[MatchReport] = []
    out: frozenset[int] = frozenset()
    for leg in legs:
        following = legs[leg.number + 1 :]
        coming = _chairs(job, following[0], out) if following else _first_chairs(next_job())
        report = await _play_leg(_Match(job, leg, out), host, bench, list(coming.values()))
        reports.append(report)
        out |= {leg.seating[side] for side in report.forfeits}
        if report.termination != "played":
            break
    result, complaint = conclude(
        job.unit, reports, None if job.records is None else Path(job.records), len(out)
    )
    return PlayedUnit(result, complaint, usage_of(legs, reports))


@dataclass(frozen=True, slots=True)
class _Match:
    """A leg that is to be played."""

    job: Job
    leg: Leg

    out: frozenset[int]
    """The entities that forfeited an earlier leg."""

    def spec(self) -> MatchSpec:
        """Return what the referee needs to know."""
        job = self.job
        return MatchSpec(
            ruleset=job.terms.rules,
            seats=job.terms.seats,
            keys=job.keys,
            bot_seeds=tuple(bot_seed(job.keys[0], seat) for seat in range(job.terms.seats)),
            time=parse_time(job.terms.time),
            referee_sides=frozenset(self.leg.seating.index(entity) for entity in self.out),
            label=match_id(job.unit, self.leg),
        )


async def _play_leg(match: _Match, host: Host, bench: Bench, coming: Sequence[Chair]) -> MatchReport:
    """Play *match*, again with fresh processes as long as it is void; three times at most."""
    chairs = list(_chairs(match.job, match.leg, match.out).values())
    report = await _play_match(match, host, bench, await bench.take(chairs), coming)
    for _ in range(REPLAYS):
        if report.termination != "void":
            break
        report = await _play_match(match, host, bench, await bench.start(chairs), coming)
    return report


async def _play_match(
    match: _Match, host: Host, bench: Bench, bots: list[BotProcess], coming: Sequence[Chair]
) -> MatchReport:
    await bench.prepare(coming)
    job, leg = match.job, match.leg
    chairs = _chairs(job, leg, match.out)
    seated = dict(zip(chairs, bots, strict=True))
    report = await host.play_match(match.spec(), [seated.get(seat) for seat in range(job.terms.seats)])
    lost = {leg.seating[side] for side in report.forfeits}
    may_stay = _chairs(job, leg, match.out | lost) if report.termination in ("played", "forfeit") else {}
    await bench.give([seated[seat] for seat in may_stay])
    await bench.send_away([bot for seat, bot in seated.items() if seat not in may_stay])
    return report


def _chairs(job: Job, leg: Leg, out: frozenset[int]) -> dict[int, Chair]:
    """Return the chairs of *leg* by seat, without those of the entities that are *out*: the referee plays there."""
    sides = len(leg.seating)
    return {
        seat: chair for seat, chair in enumerate(chairs_of(job, leg)) if leg.seating[seat % sides] not in out
    }


def _first_chairs(job: Job | None) -> dict[int, Chair]:
    return {} if job is None else _chairs(job, legs_of(job.unit)[0], frozenset())
