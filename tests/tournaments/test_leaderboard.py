"""The board: its published texts, its ranks, and that only the set of results counts."""

import csv
import io
import json
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from played import broken_off, entity, played, scored, simulated

from tournaments.leaderboard import Leaderboard, leaderboard, standings_csv, standings_json
from tournaments.results import UnitResult
from tournaments.schedule import round_robin

NAMES = ("ann", "bea", "cid", "dot")
LABELS = {entity(name): f"{name}@1 + {name}@1" for name in NAMES}

SEASON = [
    scored(0, {"ann": 900, "bea": 100}),
    scored(1, {"ann": 500, "bea": 300}),
    scored(2, {"ann": 200, "bea": 450}),
    scored(0, {"ann": 700, "cid": -50}),
    scored(1, {"ann": 10, "cid": 10}),
    broken_off(2, ("ann", "cid"), ("cid",), "forfeit", "timeout"),
    scored(0, {"bea": 800, "cid": 750}),
    broken_off(1, ("bea", "cid"), ("bea", "cid"), "double_forfeit", "crash"),
    broken_off(0, ("ann", "dot"), ("dot",), "no_show", "no_show"),
]

GOLDEN = """\
partnership,mu,sigma,units,wins,draws,losses,margin_mean,margin_se,forfeits,low,high,los_next
ann@1 + ann@1,27.43,3.38,6,4,1,1,300.0,206.761,0,23.591,31.276,0.641
bea@1 + bea@1,25.94,3.91,4,2,0,2,-175.0,227.761,1,21.062,30.821,0.796
cid@1 + cid@1,21.63,3.96,4,0,1,3,-266.667,242.097,2,16.721,26.53,
dot@1 + dot@1,25.0,8.33,0,0,0,0,,,0,,,
"""


def board_of(results: list[UnitResult]) -> Leaderboard:
    """Return the board of a small league."""
    return leaderboard("spring", "simple", LABELS, results)


def test_a_small_league_has_its_golden_board() -> None:
    """Wins, draws, forfeits, a double forfeit and a no-show stand on the board as they should."""
    table = csv.DictReader(io.StringIO(standings_csv(board_of(SEASON))))
    columns = GOLDEN.splitlines()[0].split(",")
    lines = [columns, *([row[column] for column in columns] for row in table)]
    assert "".join(",".join(line) + "\n" for line in lines) == GOLDEN


def test_the_json_keeps_its_contract() -> None:
    """The JSON names league, ruleset and units, and each row has at least the promised keys."""
    board = json.loads(standings_json(board_of(SEASON)))
    assert (board["league"], board["ruleset"], board["units"]) == ("spring", "simple", 7)
    promised = "rank partnership mu sigma conservative units wins draws losses margin_mean margin_se forfeits"
    for row in board["rows"]:
        assert set(promised.split()) <= set(row)
        assert row["units"] == row["wins"] + row["draws"] + row["losses"]
        assert row["conservative"] == pytest.approx(row["mu"] - 3 * row["sigma"], abs=0.02)


def test_csv_and_json_say_the_same() -> None:
    """Every value of the CSV is that of the JSON; what is null there is empty here."""
    rows = json.loads(standings_json(board_of(SEASON)))["rows"]
    table = list(csv.DictReader(io.StringIO(standings_csv(board_of(SEASON)))))
    assert table == [{key: "" if value is None else str(value) for key, value in row.items()} for row in rows]


def bad_number(text: str) -> None:
    """Fail for a number that JSON does not have."""
    raise AssertionError(f"{text} in JSON")


@settings(max_examples=40, deadline=None)
@given(st.data(), st.randoms(use_true_random=False))
def test_only_the_set_of_results_counts(data: st.DataObject, rng) -> None:  # type: ignore[no-untyped-def]
    """Any part of a season gives the same bytes, and no infinite number, in whatever order its results came."""
    part = data.draw(st.lists(st.sampled_from(SEASON), unique_by=lambda result: result.unit))
    labels = dict(rng.sample(list(LABELS.items()), len(LABELS)))
    shuffled = leaderboard("spring", "simple", labels, [*part, *part[:1]])
    ordered = board_of(sorted(part, key=lambda result: result.unit))
    assert standings_json(shuffled) == standings_json(ordered)
    assert standings_csv(shuffled) == standings_csv(ordered)
    json.loads(standings_json(ordered), parse_constant=bad_number)


def test_equal_ratings_share_a_rank() -> None:
    """Two who did the same to others share a rank, the next is left out; the margin decides who is shown first."""
    board = board_of(
        [
            scored(0, {"ann": 300, "cid": 0}),
            scored(0, {"bea": 900, "cid": 0}),
            scored(0, {"ann": 0, "bea": 0}),
            scored(0, {"dot": 0, "cid": 1}),
        ]
    )
    assert [(row.rank, row.partnership[:3]) for row in board.rows] == [
        (1, "bea"),
        (1, "ann"),
        (3, "cid"),
        (4, "dot"),
    ]
    assert board.rows[0].mu == board.rows[1].mu


def test_no_number_is_minus_nought() -> None:
    """A mean margin that rounds to nought from below is nought."""
    totals = [{"ann": 0, "bea": 1}] + [{"ann": 0, "bea": 0}] * 2_500
    board = board_of([scored(number, unit) for number, unit in enumerate(totals)])
    assert [str(row.margin_mean) for row in board.rows[:2]] == ["0.0", "0.0"]


def test_groups_that_never_met_are_ranked_apart() -> None:
    """Each component has its own first; an entity without rated units has no rank."""
    board = board_of([scored(0, {"ann": 1, "bea": 0}), *SEASON[-1:]])
    assert [(row.rank, row.component) for row in board.rows] == [(1, 1), (2, 1), (None, None), (None, None)]
    apart = board_of([scored(0, {"ann": 1, "bea": 0}), scored(0, {"cid": 1, "dot": 0})])
    assert sorted((row.component, row.rank) for row in apart.rows) == [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_an_empty_league_has_a_board() -> None:
    """Before the first result everybody is there, unranked."""
    board = board_of([])
    assert board.units == 0
    assert [row.rank for row in board.rows] == [None] * 4
    assert {(row.mu, row.sigma, row.conservative, row.low, row.margin_mean) for row in board.rows} == {
        (25.0, 8.33, 0.0, None, None)
    }


def test_a_league_of_nobody_has_an_empty_board() -> None:
    """No entity, no row, no error."""
    assert leaderboard("spring", "simple", {}, []).rows == ()


def test_one_sided_results_stay_finite() -> None:
    """Three thousand wins in a row make no infinite number."""
    text = standings_json(board_of([scored(number, {"ann": 9, "bea": 0}) for number in range(3_000)]))
    first = json.loads(text, parse_constant=bad_number)["rows"][0]
    assert (first["rank"], first["wins"], first["los_next"], first["margin_se"]) == (1, 3_000, 1.0, 0.0)


def test_three_sides_have_a_board_without_margins() -> None:
    """With three sides the interval is that of the rating, and there is neither a margin nor a LOS."""
    skills = dict(zip(LABELS, (15.0, 20.0, 25.0, 30.0), strict=True))
    board = board_of(simulated(round_robin(LABELS, 10, sides=3), skills, random.Random(3)))
    assert [row.partnership[:3] for row in board.rows] == ["dot", "cid", "bea", "ann"]
    for row in board.rows:
        assert (row.units, row.margin_mean, row.los_next) == (30, None, None)
        assert row.low is not None
        assert row.mu - row.low == pytest.approx(1.96 * row.sigma, abs=0.02)


def test_a_rating_settles_with_units() -> None:
    """A rating is provisional until thirty units and a sigma of one."""
    skills = dict.fromkeys(LABELS, 25.0)
    for duplicates, provisional in ((9, True), (40, False)):
        board = board_of(simulated(round_robin(LABELS, duplicates), skills, random.Random(4)))
        assert {row.provisional for row in board.rows} == {provisional}


def test_the_board_names_its_results() -> None:
    """A result that counts for nobody still changes the digest, and nothing else."""
    with_it, without = board_of(SEASON), board_of(SEASON[:-1])
    assert with_it.results_sha256 != without.results_sha256
    assert with_it.rows == without.rows


def test_a_likely_superior_is_called_so() -> None:
    """LOS is high between unequal neighbours and one half between equals."""
    skills = dict(zip(LABELS, (15.0, 35.0, 25.0, 25.0), strict=True))
    units = round_robin(LABELS, 10)
    rows = board_of(simulated(units, skills, random.Random(6))).rows
    assert rows[0].los_next is not None
    assert rows[0].los_next > 0.99
    ties = board_of([played(unit, (0, 0)) for unit in units]).rows
    assert [row.los_next for row in ties] == [0.5, 0.5, 0.5, None]
    assert all(row.low is not None and math.isclose(row.mu, 25) and row.low < 25 for row in ties)
