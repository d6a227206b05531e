"""What a result says, and its one canonical text."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from played import broken_off, entity, scored

from tournaments.results import FAULT_KINDS, FaultNote, InvalidResult, LegResult, UnitResult, distinct
from tournaments.schedule import unit_of

POINTS = st.integers(-(10**6), 10**6)
SMALL = st.integers(0, 50)
TEXT = st.text(max_size=10)


@st.composite
def results(draw: st.DrawFn) -> UnitResult:
    """Draw any rated or forfeited result of two or three entities."""
    sides = draw(st.integers(2, 3))
    unit = unit_of(draw(SMALL), [entity(str(number)) for number in range(sides)])
    guilty = tuple(sorted(draw(st.sets(st.integers(0, sides - 1), max_size=sides - 1))))
    note = st.builds(
        FaultNote,
        st.integers(0, sides - 1),
        st.sampled_from(sorted(FAULT_KINDS)),
        st.booleans(),
        TEXT,
        st.none() | SMALL,
    )
    leg = st.builds(
        LegResult,
        match=TEXT,
        scores=st.tuples(*[POINTS] * sides),
        rounds=SMALL,
        went_out=st.tuples(*[SMALL] * sides),
        forfeit=st.just(guilty),
        faults=st.lists(note, max_size=2).map(tuple),
        record=st.none() | TEXT,
    )
    legs = draw(st.tuples(*[leg] * sides))
    return UnitResult(unit.id, unit.duplicate, unit.entities, legs, "forfeit" if guilty else "rated")


@given(results())
def test_a_result_reads_back_from_its_text(result: UnitResult) -> None:
    """Text and value are a pair, and the text is one line of ASCII."""
    text = result.to_json()
    assert UnitResult.from_json(text) == result
    assert text.isascii()
    assert "\n" not in text


@given(results())
def test_places_are_those_of_a_score_sheet(result: UnitResult) -> None:
    """A place counts who did better; whoever forfeited did worse than all who did not, and as badly as its like."""
    assert result.places is not None
    sheet = [(index not in result.forfeited, total) for index, total in enumerate(result.totals)]
    for index, (clean, total) in enumerate(sheet):
        better = [other for other in sheet if other[0] > clean or (clean and other[0] and other[1] > total)]
        assert result.places[index] == 1 + len(better)


@given(results())
def test_there_is_one_winner_or_a_draw_of_several(result: UnitResult) -> None:
    """Either one entity wins and all others lose, or two at least draw and nobody wins."""
    outcomes = [result.outcome(index) for index in range(len(result.entities))]
    assert (outcomes.count("win"), outcomes.count("draw") > 1) in {(1, False), (0, True)}


def test_the_margin_adds_up_the_legs() -> None:
    """The first entity's margin is summed over both legs; the sign of the sum is the outcome, not the legs won."""
    unit = unit_of(0, [entity("a"), entity("b")])
    legs = (LegResult("0", (100, 90), 1, (1, 0)), LegResult("1", (10, 500), 1, (0, 1)))
    result = UnitResult(unit.id, 0, unit.entities, legs, "rated")
    assert result.totals == (110, 590)
    assert result.margin == -480
    assert (result.outcome(0), result.outcome(1), result.places) == ("loss", "win", (2, 1))


def test_equal_totals_are_a_draw() -> None:
    """A margin of nought is a draw for both."""
    result = scored(0, {"a": 5, "b": 5})
    assert (result.margin, result.places, result.outcome(0), result.outcome(1)) == (0, (1, 1), "draw", "draw")


def test_a_forfeit_is_lost_without_a_margin() -> None:
    """Whoever forfeits loses the unit; no margin enters any statistic."""
    result = broken_off(0, "ab", "b", "forfeit", "timeout")
    guilty = result.entities.index(entity("b"))
    assert (result.outcome(guilty), result.outcome(1 - guilty), result.margin) == ("loss", "win", None)
    assert result.rated


@pytest.mark.parametrize(("status", "guilty"), [("double_forfeit", "ab"), ("no_show", "a"), ("given_up", "")])
def test_an_unrated_unit_has_no_outcome(status: str, guilty: str) -> None:
    """A double forfeit, a no-show and a unit given up count for nobody."""
    result = broken_off(0, "ab", guilty, status, "crash")
    assert (result.rated, result.outcome(0), result.outcome(1), result.margin, result.places) == (
        False,
        None,
        None,
        None,
        None,
    )


def test_an_entity_may_beat_itself() -> None:
    """In a scrimmage of equals the two are told apart by their index."""
    unit = unit_of(0, [entity("a")] * 2)
    legs = (LegResult("0", (3, 1), 1, (1, 0)), LegResult("1", (0, 0), 1, (0, 0)))
    result = UnitResult(unit.id, 0, unit.entities, legs, "rated")
    assert (result.outcome(0), result.outcome(1)) == ("win", "loss")


def test_results_are_told_apart_by_unit() -> None:
    """A result that comes twice counts once, and the order is that of the ids."""
    first, second = scored(0, {"a": 1, "b": 0}), scored(1, {"a": 1, "b": 0})
    assert distinct([second, first, second]) == [first, second]


def test_two_results_of_one_unit_are_refused() -> None:
    """Which of two different results is true is not for the board to choose."""
    with pytest.raises(InvalidResult, match="two that differ"):
        distinct([scored(0, {"a": 1, "b": 0}), scored(0, {"a": 1, "b": 2})])


GOOD = scored(0, {"a": 1, "b": 0})


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"status": "won"}, "unknown status"),
        ({"unit": "000000-x-y"}, "not that of its entities"),
        ({"duplicate": 1}, "not that of its entities"),
        ({"entities": GOOD.entities[::-1]}, "sorted"),
        ({"entities": GOOD.entities[:1]}, "two or more entities"),
        ({"legs": GOOD.legs[:1]}, "a leg is missing"),
        ({"legs": (replace(GOOD.legs[0], scores=None), GOOD.legs[1])}, "not played out"),
        ({"legs": (replace(GOOD.legs[0], scores=(1, 2, 3)), GOOD.legs[1])}, "one number for each"),
        ({"legs": (replace(GOOD.legs[0], forfeit=(2,)), GOOD.legs[1])}, "one number for each"),
        (
            {"legs": (replace(GOOD.legs[0], faults=(FaultNote(0, "tired", True, "x"),)), GOOD.legs[1])},
            "a class that is known",
        ),
        ({"status": "forfeit"}, "somebody who forfeited"),
        ({"status": "double_forfeit"}, "two who forfeited"),
    ],
)
def test_a_contradiction_is_refused(change: dict[str, Any], complaint: str) -> None:
    """A result that could not have happened is not built, and the error says why."""
    with pytest.raises(InvalidResult, match=complaint):
        replace(GOOD, **change)


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-1],
        lambda text: "[" * 10_000,
        lambda text: "[]",
        lambda text: text.replace(":1,", ":1.0,"),
        lambda text: text.replace(":1,", ":true,"),
        lambda text: text.replace(":1,", ":NaN,"),
        lambda text: text.replace('"status":"rated",', ""),
        lambda text: text[:-1] + ',"weather":"fine"}',
        lambda text: text.replace('"faults":[]', '"faults":{}'),
        lambda text: json.dumps(json.loads(text)),
        lambda text: text + "\n",
    ],
)
def test_a_text_that_is_not_canonical_is_refused(damage: Callable[[str], str]) -> None:
    """Broken JSON, wrong types, missing or unknown keys and other spellings of the same value are refused."""
    text = GOOD.to_json()
    assert damage(text) != text
    with pytest.raises(InvalidResult, match="unreadable result"):
        UnitResult.from_json(damage(text))
