"""Scrimmages: two partnerships over a number of duplicates, and what the results say about them."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tournaments.engine import Finished, LocalEngine
from tournaments.entrants import find_entrant, resolve_command
from tournaments.errors import DidNotShow
from tournaments.integrity import seed_secret
from tournaments.jobs import job_of
from tournaments.partnerships import Partnership, mirrored, mixed, refuse_unfit_partners
from tournaments.results import LegResult, UnitResult
from tournaments.schedule import Unit, single_pairing
from tournaments.statistics import Summary, summarise
from tournaments.terms import Terms


@dataclass(frozen=True, slots=True)
class Scrimmage:
    """What is to be played."""

    a: Partnership
    b: Partnership
    terms: Terms
    duplicates: int

    seed: int
    """What all deals and the bots' own randomness follow from."""

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units, one per duplicate."""
        return single_pairing([self.a.hash, self.b.hash], self.duplicates)

    @property
    def index_of_a(self) -> int:
        """Which of a unit's entities is A; the first one if A plays against itself."""
        return 0 if self.a.hash <= self.b.hash else 1


def find_partnership(bots: str, terms: Terms) -> Partnership:
    """
    Return the partnership that *bots* names: one bot for all seats of a side, or as many as seats, joined by ``+``.

    Raises:
        InvalidEntrant: an unknown bot, one that cannot be started or does not play by *terms*, or too many of them.
    """
    names = [bots] if Path(bots).is_dir() else bots.split("+")
    entrants = [find_entrant(name) for name in names]
    size = terms.side_size
    partnership = mirrored(entrants[0], size) if len(entrants) == 1 else mixed(entrants, size)
    refuse_unfit_partners(partnership, terms.ruleset, terms.seats)
    for entrant in entrants:
        resolve_command(entrant)
    return partnership


async def play_scrimmage(
    scrimmage: Scrimmage, engine: LocalEngine, records: Path | None, tell: Callable[[Finished], None]
) -> tuple[UnitResult, ...]:
    """
    Play *scrimmage* and return its results in the order of the units; *tell* of each as it comes.

    Raises:
        DidNotShow: a bot did not get ready; what is not played by then is not played at all.
    """
    entities = {side.hash: side for side in (scrimmage.a, scrimmage.b)}
    for unit in scrimmage.units:
        engine.submit(job_of(unit, scrimmage.terms, seed_secret(scrimmage.seed), entities, records))
    results: list[UnitResult] = []
    async for finished in engine.as_completed():
        if finished.result.status == "no_show":
            raise DidNotShow((finished.complaint or "a bot did not show").strip())
        tell(finished)
        results.append(finished.result)
    return tuple(sorted(results, key=lambda result: result.unit))


def summary(scrimmage: Scrimmage, results: tuple[UnitResult, ...]) -> Summary:
    """Return what *results* say, seen from A's side."""
    return summarise(results, scrimmage.index_of_a)


def faults(scrimmage: Scrimmage, results: tuple[UnitResult, ...]) -> dict[str, dict[str, int]]:
    """Return how many strikes and match-ending faults there were: by side (a, b), then by class."""
    counts = {"a": Counter[str](), "b": Counter[str]()}
    for fault in (fault for result in results for leg in result.legs for fault in leg.faults):
        counts[_side(scrimmage, fault.entity)][fault.kind] += 1
    return {side: dict(sorted(count.items())) for side, count in counts.items()}


def scrimmage_json(
    scrimmage: Scrimmage, results: tuple[UnitResult, ...], records: Path | None
) -> dict[str, Any]:
    """Return everything as plain JSON values, seen from A's side, with the paths of the kept *records*."""
    said = summary(scrimmage, results)
    return {
        "ruleset": scrimmage.terms.ruleset,
        "seats": scrimmage.terms.seats,
        "time": scrimmage.terms.time,
        "seed": scrimmage.seed,
        "duplicates": scrimmage.duplicates,
        "results": [_unit_json(scrimmage, result, records) for result in results],
        "summary": {
            "a": scrimmage.a.label,
            "b": scrimmage.b.label,
            "wins": said.wins,
            "draws": said.draws,
            "losses": said.losses,
            "margin_mean": said.margin_mean,
            "margin_se": said.margin_se,
            "elo": said.strength.elo,
            "elo_low": said.strength.low,
            "elo_high": said.strength.high,
            "los": said.strength.los,
        },
        "faults": faults(scrimmage, results),
    }


def _unit_json(scrimmage: Scrimmage, result: UnitResult, records: Path | None) -> dict[str, Any]:
    margin, a = result.margin, scrimmage.index_of_a
    return {
        "unit": result.unit,
        "status": result.status,
        "legs": [_leg_json(scrimmage, leg, records) for leg in result.legs],
        "margin": None if margin is None else margin * (-1 if a else 1),
        "outcome": result.outcome(a),
    }


def _leg_json(scrimmage: Scrimmage, leg: LegResult, records: Path | None) -> dict[str, Any]:
    order = (0, 1) if scrimmage.index_of_a == 0 else (1, 0)
    plain: dict[str, Any] = {
        "match": leg.match,
        "scores": None if leg.scores is None else [leg.scores[entity] for entity in order],
        "rounds": leg.rounds,
        "went_out": [leg.went_out[entity] for entity in order],
        "record": None if records is None or leg.record is None else str(records / leg.record),
    }
    if leg.forfeit:
        plain["forfeit"] = "both" if len(leg.forfeit) > 1 else _side(scrimmage, leg.forfeit[0])
    return plain


def _side(scrimmage: Scrimmage, entity: int) -> str:
    return "a" if entity == scrimmage.index_of_a else "b"
