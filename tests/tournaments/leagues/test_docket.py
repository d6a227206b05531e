"""The docket: what counts does not depend on the order in which units finish."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.leagues.docket import Docket
from tournaments.results import FaultNote, LegResult, UnitResult
from tournaments.schedule import EntityHash, Unit, round_robin

ENTITIES = [EntityHash(letter * 64) for letter in "abcd"]
Absences = frozenset[tuple[int, EntityHash]]
"""At which duplicate number which entity does not show."""


def result_of(unit: Unit, absences: Absences) -> UnitResult:
    guilty = [i for i, entity in enumerate(unit.entities) if (unit.duplicate, entity) in absences]
    faults = tuple(FaultNote(index, "no_show", ends_match=True, reason="never got ready") for index in guilty)
    legs = (LegResult(f"{unit.id}-0", None, 0, (0, 0), faults=faults),)
    return UnitResult(unit.id, unit.duplicate, unit.entities, legs, "no_show" if guilty else "given_up")


def play(docket: Docket, absences: Absences, ahead: int, rng: random.Random) -> list[str]:
    """Return what counts, in order, when up to *ahead* units run at once and finish in an order of its own."""
    running: list[Unit] = []
    counted: list[str] = []
    while True:
        while len(running) < ahead and (unit := docket.take()) is not None:
            running.append(unit)
        if not running:
            return counted
        unit = running.pop(rng.randrange(len(running)))
        counted += [result.unit for result in docket.settle(result_of(unit, absences))]
        dropped = docket.take_dropped()
        running = [unit for unit in running if unit not in dropped]


absences_strategy = st.frozensets(st.tuples(st.integers(0, 3), st.sampled_from(ENTITIES)), max_size=4)


@settings(deadline=None)
@given(absences_strategy, st.integers(1, 20), st.randoms())
def test_what_counts_is_what_one_worker_would_have_stored(
    absences: Absences, ahead: int, rng: random.Random
) -> None:
    """Any number of units at once and any order of finishing settle the same units, and each exactly once."""
    units = round_robin(ENTITIES, 4)
    alone, together = Docket(units, {}), Docket(units, {})
    expected = play(alone, absences, 1, rng)
    counted = play(together, absences, ahead, rng)
    assert sorted(counted) == sorted(expected)
    assert sorted(counted + [unit.id for unit in together.given_up]) == sorted(unit.id for unit in units)
    assert together.held == 0


@settings(deadline=None)
@given(absences_strategy, st.integers(1, 8), st.integers(0, 24), st.randoms())
def test_a_run_that_was_ended_goes_on_to_the_same_end(
    absences: Absences, ahead: int, stop: int, rng: random.Random
) -> None:
    """What counted before an interruption and what counts after it make up an undisturbed run."""
    units = round_robin(ENTITIES, 4)
    undisturbed = play(Docket(units, {}), absences, ahead, rng)
    before = play(Docket(units, {}), absences, ahead, rng)[:stop]
    shown = [result_of(unit, absences) for unit in units if unit.id in before]
    suspended: dict[EntityHash, int] = {}
    for result in shown:
        for fault in result.legs[0].faults:
            known = suspended.get(result.entities[fault.entity], result.duplicate + 1)
            suspended[result.entities[fault.entity]] = min(known, result.duplicate + 1)
    rest = Docket([unit for unit in units if unit.id not in before], suspended)
    assert sorted(before + play(rest, absences, ahead, rng)) == sorted(undisturbed)


def test_a_unit_of_the_same_number_is_played_although_the_entity_is_absent() -> None:
    """A suspension begins with the next duplicate number, not in the middle of one."""
    units = round_robin(ENTITIES[:3], 2)
    docket = Docket(units, {})
    absences = frozenset({(0, ENTITIES[0])})
    for unit in [docket.take() for _ in range(3)]:
        assert unit is not None
        assert docket.settle(result_of(unit, absences))
    assert [unit.id for unit in docket.given_up] == [
        unit.id for unit in units if unit.duplicate == 1 and ENTITIES[0] in unit.entities
    ]
    rest = docket.take()
    assert rest is not None
    assert ENTITIES[0] not in rest.entities
