"""What the results of a scrimmage say: about each entrant, about two rivals, and all of it as plain JSON values."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tournaments.results import LegResult, UnitResult
from tournaments.scrimmages.scrimmage import Scrimmage
from tournaments.statistics import Placing, Summary, summarise, summarise_places
from tournaments.workers.usage import Usage

Results = tuple[UnitResult, ...]


def summary(scrimmage: Scrimmage, results: Results) -> Summary:
    """Return what *results*, of two sides, say; seen from the first entrant."""
    return summarise(results, scrimmage.indices[0])


def placings(scrimmage: Scrimmage, results: Results) -> dict[str, Placing]:
    """Return what each entrant achieved in *results*, by its letter."""
    return {
        letter: summarise_places(results, entity)
        for letter, entity in zip(scrimmage.letters, scrimmage.indices, strict=True)
    }


def faults(scrimmage: Scrimmage, results: Results) -> dict[str, dict[str, int]]:
    """Return how many strikes and match-ending faults there were: by the entrant's letter, then by class."""
    counts = {letter: Counter[str]() for letter in scrimmage.letters}
    for fault in (fault for result in results for leg in result.legs for fault in leg.faults):
        counts[_letter(scrimmage, fault.entity)][fault.kind] += 1
    return {letter: dict(sorted(count.items())) for letter, count in counts.items()}


def usage(scrimmage: Scrimmage, units: Iterable[Sequence[Usage]]) -> dict[str, Usage]:
    """Return what each entrant used in *units*, whose usage is by entity: by the entrant's letter."""
    found = {letter: Usage() for letter in scrimmage.letters}
    for unit in units:
        for entity, used in enumerate(unit):
            found[_letter(scrimmage, entity)] += used
    return found


def scrimmage_json(scrimmage: Scrimmage, results: Results, records: Path | None) -> dict[str, Any]:
    """
    Return everything as plain JSON values, with the paths of the kept *records*.

    Lists are by entrant, in the order in which they were given; margins and outcomes are seen from the first one.
    """
    return {
        "ruleset": scrimmage.terms.ruleset,
        "seats": scrimmage.terms.seats,
        "time": scrimmage.terms.time,
        "seed": scrimmage.seed,
        "duplicates": scrimmage.duplicates,
        "results": [_unit_json(scrimmage, result, records) for result in results],
        "summary": _summary_json(scrimmage, results),
        "faults": faults(scrimmage, results),
    }


def _summary_json(scrimmage: Scrimmage, results: Results) -> dict[str, Any]:
    labels = {
        letter: entrant.label for letter, entrant in zip(scrimmage.letters, scrimmage.entrants, strict=True)
    }
    achieved = placings(scrimmage, results)
    each = [{"name": name, "label": labels[name]} | asdict(placing) for name, placing in achieved.items()]
    return labels | (_rivalry_json(scrimmage, results) if len(labels) == 2 else {}) | {"entrants": each}


def _rivalry_json(scrimmage: Scrimmage, results: Results) -> dict[str, Any]:
    said = summary(scrimmage, results)
    return {
        "wins": said.wins,
        "draws": said.draws,
        "losses": said.losses,
        "margin_mean": said.margin_mean,
        "margin_se": said.margin_se,
        "elo": said.strength.elo,
        "elo_low": said.strength.low,
        "elo_high": said.strength.high,
        "los": said.strength.los,
    }


def _unit_json(scrimmage: Scrimmage, result: UnitResult, records: Path | None) -> dict[str, Any]:
    margin, first = result.margin, scrimmage.indices[0]
    whole = len(result.legs) == len(result.entities) and all(leg.scores is not None for leg in result.legs)
    return {
        "unit": result.unit,
        "status": result.status,
        "legs": [_leg_json(scrimmage, leg, records) for leg in result.legs],
        "scores": _as_given(scrimmage, result.totals if whole else None),
        "places": _as_given(scrimmage, result.places),
        "margin": None if margin is None else margin * (-1 if first else 1),
        "outcome": result.outcome(first),
    }


def _leg_json(scrimmage: Scrimmage, leg: LegResult, records: Path | None) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "match": leg.match,
        "scores": _as_given(scrimmage, leg.scores),
        "rounds": leg.rounds,
        "went_out": _as_given(scrimmage, leg.went_out),
        "record": None if records is None or leg.record is None else str(records / leg.record),
    }
    return plain | ({"forfeit": _forfeit_json(scrimmage, leg)} if leg.forfeit else {})


def _forfeit_json(scrimmage: Scrimmage, leg: LegResult) -> str | list[str]:
    """Return who forfeited *leg*: of two a, b or both, else the letters of all."""
    guilty = sorted(_letter(scrimmage, entity) for entity in leg.forfeit)
    if len(scrimmage.entrants) > 2:
        return guilty
    return "both" if len(guilty) == 2 else guilty[0]


def _as_given(scrimmage: Scrimmage, by_entity: Sequence[int] | None) -> list[int] | None:
    """Return what a result says by entity in the order of the entrants."""
    return None if by_entity is None else [by_entity[entity] for entity in scrimmage.indices]


def _letter(scrimmage: Scrimmage, entity: int) -> str:
    return scrimmage.letters[scrimmage.indices.index(entity)]
