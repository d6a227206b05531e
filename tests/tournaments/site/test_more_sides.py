"""What the pages of a league say of units with three sides."""

from league_views import league_of, partnership
from rendered import pages
from unit_results import ANN, BEA, CAT

from referee.rules import RoundScore
from tournaments.results import FaultNote, LegResult, UnitResult
from tournaments.schedule import unit_of
from tournaments.site import RoundView


def unit_of_three(*points: tuple[int, int, int], guilty: tuple[int, ...] = ()) -> UnitResult:
    """Return the unit of Ann, Bea and Cat with these points in its legs; *guilty* forfeited from the second leg on."""
    unit = unit_of(0, (ANN, BEA, CAT))
    crashes = tuple(FaultNote(each, "crash", ends_match=True, reason="gone", round=0) for each in guilty)
    legs = tuple(
        LegResult(
            f"{unit.id}-{number}",
            scores,
            1,
            (0, 1, 0),
            guilty if number else (),
            crashes if number == 1 else (),
        )
        for number, scores in enumerate(points)
    )
    return UnitResult(unit.id, 0, unit.entities, legs, "forfeit" if guilty else "rated")


SINGLES = [partnership(entity, f"{entity[0]}@1", size=1) for entity in (ANN, BEA, CAT)]


def test_three_sides_are_shown_by_place() -> None:
    """With three sides there are places in place of margins, and each match has three sides."""
    result = unit_of_three((100, 300, 200), (101, 300, 200), (102, 300, 200))
    rounds = {
        result.legs[1].match: (RoundView((RoundScore(books=300), RoundScore(), RoundScore(books=100)), 0),)
    }
    shown = pages(league_of(SINGLES, [result], seats=3, rounds=rounds))
    assert "Margin a unit" not in shown["index.html"].words
    assert "Partnership" not in shown["index.html"].words
    assert "against b@1 and c@1 0–0–1 in units" in shown["partnerships/aaaaaaaaaaaa.html"].words
    assert (
        "1 lost 3 100 : 300 : 200 101 : 300 : 200 102 : 300 : 200"
        in shown["partnerships/aaaaaaaaaaaa.html"].words
    )
    match = shown[f"matches/{result.unit}-1.html"].words
    assert "3 matches on the same deals" in match
    assert "b@1 won the unit." in match
    assert "Round 1 seat 0, b@1, went out Books 300 – 100 Round 1 300 0 100" in match


def test_three_sides_have_a_table_of_who_came_before_whom() -> None:
    """Each cell is about the two of its row and column, with the points between them, and leads to the row's page."""
    result = unit_of_three((100, 300, 200), (100, 300, 200), (100, 300, 200))
    index = pages(league_of(SINGLES, [result], seats=3))["index.html"]
    assert "1 b@1 1–0–0+300 1–0–0+600 2 c@1 0–0–1−300 1–0–0+300 3 a@1 0–0–1−600 0–0–1−300" in index.words
    assert "Units in which the row came before" in index.words
    told = [value for value in index.values("aria-label") if "against" in value]
    assert "b@1 against a@1: 1 before, 0 level, 0 behind, mean margin +600" in told
    assert not [link for link in index.values("href") if "#v-" in link]


def test_a_forfeit_among_three_is_shown_with_what_the_referee_did() -> None:
    """The match goes on without whoever forfeited, and later ones begin without it; it comes last, without a margin."""
    result = unit_of_three((100, 300, 200), (900, 300, 200), (900, 300, 400), guilty=(0,))
    shown = pages(league_of(SINGLES, [result], seats=3))
    first, second, third = (shown[f"matches/{result.unit}-{leg}.html"].words for leg in range(3))
    assert "Forfeited" not in first
    assert "Forfeited by a@1: the referee played on in their place." in second
    assert "a@1, round 1, forfeited: gone" in second
    assert "the referee for" not in second, "it began the match itself"
    assert "1 the referee for a@1 Python" in third
    assert "a@1 900 forfeited" in third
    assert "c@1 400 won" in third
    assert "b@1 won the unit." in third
    index = shown["index.html"].words
    assert "1 b@1 1–0–0– 1–0–0–" in index
    assert "1 lost forfeit 3" in shown["partnerships/aaaaaaaaaaaa.html"].words
