"""What a scrimmage says about its results, seen in the order in which its bots were given."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tournaments.entrants import house_entrant
from tournaments.errors import TournamentError
from tournaments.partnerships import mirrored
from tournaments.results import FaultNote, LegResult, UnitResult
from tournaments.schedule import EntityHash
from tournaments.scrimmages.scrimmage import Scrimmage, refuse_wrong_number
from tournaments.scrimmages.summary import faults, placings, scrimmage_json
from tournaments.terms import Terms

THREE = Terms("online", 3)


def planned(*bots: str, terms: Terms = THREE, duplicates: int = 1) -> Scrimmage:
    """Return a scrimmage of these house bots."""
    size = terms.side_size
    return Scrimmage(tuple(mirrored(house_entrant(bot), size) for bot in bots), terms, duplicates, 7)


def result(
    scrimmage: Scrimmage,
    *legs: Sequence[int] | None,
    duplicate: int = 0,
    status: str = "rated",
    guilty: Sequence[int] = (),
) -> UnitResult:
    """Return a result whose legs have these points, and whose *guilty* crashed; all in the order of the bots."""
    unit = scrimmage.units[duplicate]
    index = scrimmage.indices
    order = sorted(range(len(index)), key=index.__getitem__)
    lost = tuple(sorted(index[number] for number in guilty))
    crashes = tuple(FaultNote(entity, "crash", ends_match=True, reason="gone", round=0) for entity in lost)
    played = tuple(
        LegResult(
            f"{unit.id}-{number}",
            None if points is None else tuple(points[at] for at in order),
            4,
            tuple(order),
            lost,
            crashes if number == 0 else (),
            f"{unit.id}-{number}.hfr",
        )
        for number, points in enumerate(legs)
    )
    return UnitResult(unit.id, duplicate, unit.entities, played, status)


@pytest.mark.parametrize(
    "bots", [("greedy", "random", "steady"), ("steady", "greedy", "random"), ("random", "steady", "greedy")]
)
def test_everything_is_in_the_order_of_the_bots(bots: tuple[str, ...]) -> None:
    """Whatever their hashes are: scores, places, rounds gone out, faults and the summary."""
    scrimmage = planned(*bots)
    unit = result(scrimmage, (900, 500, 100), (700, 800, 0), (600, 200, 50), status="forfeit", guilty=[1])
    told = scrimmage_json(scrimmage, (unit,), None)
    [shown] = told["results"]
    assert [leg["scores"] for leg in shown["legs"]] == [[900, 500, 100], [700, 800, 0], [600, 200, 50]]
    assert (shown["scores"], shown["places"]) == ([2200, 1500, 150], [1, 3, 2])
    assert (shown["status"], shown["margin"], shown["outcome"]) == ("forfeit", None, "win")
    assert [leg["went_out"] for leg in shown["legs"]] == [[0, 1, 2]] * 3
    assert [leg["forfeit"] for leg in shown["legs"]] == [["b"]] * 3
    assert told["faults"] == {"a": {}, "b": {"crash": 1}, "c": {}}
    summary = told["summary"]
    assert [summary[letter].partition("@")[0] for letter in "abc"] == list(bots)
    assert [each["name"] for each in summary["entrants"]] == ["a", "b", "c"]
    assert [each["label"] for each in summary["entrants"]] == [summary[letter] for letter in "abc"]
    assert [each["place_mean"] for each in summary["entrants"]] == [1, 3, 2]
    assert [each["score_mean"] for each in summary["entrants"]] == [None] * 3, (
        "a forfeited unit has no points"
    )
    assert not {"elo", "los", "margin_mean"} & set(summary)


def test_the_numbers_of_three_add_up() -> None:
    """Mean points are those of whole units, and wins are first places."""
    scrimmage = planned("steady", "greedy", "random", duplicates=2)
    results = (
        result(scrimmage, (300, 200, 100), (300, 200, 100), (300, 200, 100)),
        result(scrimmage, (500, 0, 100), (0, 500, 100), (0, 0, 100), duplicate=1),
    )
    a, b, c = placings(scrimmage, results).values()
    assert [(each.wins, each.draws, each.losses) for each in (a, b, c)] == [(1, 1, 0), (0, 1, 1), (0, 0, 2)]
    assert [each.place_mean for each in (a, b, c)] == [1.0, 1.5, 3.0]
    assert [each.score_mean for each in (a, b, c)] == [700.0, 550.0, 300.0]


def test_one_bot_may_sit_on_several_sides() -> None:
    """Equal entities keep the order in which they were given, and each has numbers of its own."""
    scrimmage = planned("greedy", "random", "greedy")
    assert sorted(scrimmage.indices) == [0, 1, 2]
    assert scrimmage.indices[0] < scrimmage.indices[2]
    unit = result(scrimmage, (3, 2, 1), (3, 2, 1), (3, 2, 1))
    assert scrimmage_json(scrimmage, (unit,), None)["results"][0]["scores"] == [9, 6, 3]


def test_two_sides_keep_their_contract() -> None:
    """Who forfeited is a letter or both, margins are seen from A, and places and entrants stand beside them."""
    scrimmage = planned("random", "greedy", terms=Terms("online", 2), duplicates=3)
    results = (
        result(scrimmage, (100, 300), (200, 50)),
        result(scrimmage, (10, 20), None, duplicate=1, status="forfeit", guilty=[1]),
        result(scrimmage, None, duplicate=2, status="double_forfeit", guilty=[0, 1]),
    )
    told = scrimmage_json(scrimmage, results, Path("kept"))
    assert [(unit["margin"], unit["outcome"]) for unit in told["results"]] == [
        (-50, "loss"),
        (None, "win"),
        (None, None),
    ]
    assert [unit["scores"] for unit in told["results"]] == [[300, 350], None, None]
    assert [unit["places"] for unit in told["results"]] == [[2, 1], [1, 2], None]
    assert [unit["legs"][-1].get("forfeit") for unit in told["results"]] == [None, "b", "both"]
    assert "forfeit" not in told["results"][0]["legs"][0]
    assert told["results"][0]["legs"][0]["record"] == f"kept/{results[0].unit}-0.hfr"
    summary = told["summary"]
    assert (summary["wins"], summary["draws"], summary["losses"]) == (1, 0, 1)
    assert (summary["margin_mean"], summary["margin_se"]) == (-50, None)
    assert {"a", "b", "elo", "elo_low", "elo_high", "los"} <= set(summary)
    assert faults(scrimmage, results) == {"a": {"crash": 1}, "b": {"crash": 2}}
    json.dumps(told, allow_nan=False)


def test_nothing_played_is_no_number() -> None:
    """Units that nobody could play leave nothing but nulls."""
    scrimmage = planned("greedy", "random", "steady")
    told = scrimmage_json(scrimmage, (result(scrimmage, None, status="given_up"),), None)
    [shown] = told["results"]
    assert (shown["scores"], shown["places"], shown["outcome"]) == (None, None, None)
    assert {each["place_mean"] for each in told["summary"]["entrants"]} == {None}
    json.dumps(told, allow_nan=False)


@pytest.mark.parametrize(
    ("terms", "bots", "message"),
    [
        (
            Terms("online", 3),
            2,
            "online at 3 seats is played by 3 sides; got 2; expected 3, one for each side",
        ),
        (
            Terms("simple", 4),
            3,
            "simple at 4 seats is played by 2 sides; got 3; expected 2, one for each side$",
        ),
        (Terms("publisher", 12), 5, "got 5; expected 6, one for each side, or --seats 10$"),
    ],
)
def test_a_wrong_number_of_bots_is_told_with_the_right_one(terms: Terms, bots: int, message: str) -> None:
    """And with the size of the table at which it would be right, if there is one."""
    with pytest.raises(TournamentError, match=message):
        refuse_wrong_number(["greedy"] * bots, terms)
    refuse_wrong_number(["greedy"] * terms.sides, terms)


def test_an_entrant_that_plays_alone_is_what_is_rated() -> None:
    """For sides of one there is no partnership: hash and label are those of the bot."""
    bot = house_entrant("greedy")
    alone = mirrored(bot, Terms("online", 3).side_size)
    assert (alone.hash, alone.label) == (EntityHash(bot.hash), bot.label)
    assert mirrored(bot, Terms("publisher", 6).side_size).label == f"{bot.label} + {bot.label}"
