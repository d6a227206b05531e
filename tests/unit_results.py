"""Results of units for tests, in one line each."""

from tournaments.results import FaultNote, LegResult, UnitResult
from tournaments.schedule import EntityHash, unit_of

ANN, BEA, CAT = (EntityHash(letter * 64) for letter in "abc")


def played(duplicate: int, *legs: tuple[int, int], one: str = ANN, two: str = BEA) -> UnitResult:
    """Return a rated unit of *one* and *two*, which is also the order of the points in *legs*."""
    unit = unit_of(duplicate, (EntityHash(one), EntityHash(two)))
    turned = unit.entities != (one, two)
    results = tuple(
        LegResult(
            f"{unit.id}-{number}",
            scores=points[::-1] if turned else points,
            rounds=4,
            went_out=(2, 2),
        )
        for number, points in enumerate(legs)
    )
    return UnitResult(unit.id, duplicate, unit.entities, results, "rated")


def forfeited(duplicate: int, reason: str, *, by: int = 1, kind: str = "crash") -> UnitResult:
    """Return a unit of Ann and Bea that the one with index *by* lost for *reason* in the first leg."""
    unit = unit_of(duplicate, (ANN, BEA))
    fault = FaultNote(by, kind, ends_match=True, reason=reason, round=1)
    leg = LegResult(f"{unit.id}-0", None, rounds=1, went_out=(1, 0), forfeit=(by,), faults=(fault,))
    return UnitResult(unit.id, duplicate, unit.entities, (leg,), "forfeit")
