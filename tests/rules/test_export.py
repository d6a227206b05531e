"""The export of a record: another program can follow the match from it and nothing else."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from follower import RED_THREES, Follower
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import EASY, played
from rulesets import rulesets

from referee.rules import (
    RULESETS,
    Action,
    AnswerPartner,
    AskPartner,
    Discard,
    DrawStock,
    Entry,
    InvalidRecord,
    LayDown,
    MatchRecord,
    Pass,
    RecordedFault,
    Ruleset,
    TakePile,
    export_action,
    export_record,
    from_bytes,
    parse_card,
    to_bytes,
)
from referee.rules.cards import RANK_OF, RED_THREE, format_card, is_wild, pack_cards
from referee.rules.export import winners_of
from referee.rules.ruleset import MatchRule

RECORDS = Path(__file__).parents[1] / "golden" / "records"
TABLES = [(name, seats) for name, ruleset in RULESETS.items() for seats in ruleset.seats]
KEYS = [
    "version",
    "match",
    "ruleset",
    "rules_hash",
    "seats",
    "rounds",
    "totals",
    "outcome",
    "faults",
    "isolation",
]
ROUND = ["key", "first_seat", "hands", "feet", "stock", "under", "upcard", "actions", "scores"]
SCORE = [
    *("books", "melded_cards", "going_out", "red_table", "red_unplaced", "leftover", "black_threes"),
    *("red_from_opponents", "red_from_partner", "received_cards", "red_held_stock_out", "total"),
]


def exported(record: MatchRecord) -> dict[str, Any]:
    """Return the export of *record*, as a file holds it, after a journey through JSON."""
    read = from_bytes(to_bytes(record))
    values: dict[str, Any] = json.loads(json.dumps(export_record(read), allow_nan=False))
    return values


def action_of(plain: dict[str, Any]) -> Action:
    """Return the action that *plain* is the export of."""

    def entries() -> tuple[Entry, ...]:
        return tuple(Entry(tuple(map(parse_card, each["cards"])), each["target"]) for each in plain["melds"])

    match plain["type"]:
        case "take_pile":
            return TakePile(plain["count"], entries())
        case "lay_down":
            return LayDown(entries())
        case "answer_partner":
            return AnswerPartner(plain["agree"])
        case "discard":
            return Discard(parse_card(plain["card"]))
    return {"draw_stock": DrawStock(), "ask_partner": AskPartner(), "pass": Pass()}[plain["type"]]


def refuse_wrong_packs(ruleset: Ruleset, dealt: dict[str, Any]) -> None:
    """Raise unless *dealt* has exactly the cards of all packs, and everything as large as it has to be."""
    seats = len(dealt["hands"])
    lists = [*dealt["hands"], *dealt["feet"], dealt["stock"], dealt["under"]]
    cards = Counter(card for each in lists for card in each) + Counter(filter(None, [dealt["upcard"]]))
    assert cards == Counter(map(format_card, pack_cards(ruleset.deal.packs_for(seats))))
    assert {len(hand) for hand in dealt["hands"]} == {ruleset.deal.hand}
    assert {len(foot) for foot in dealt["feet"]} == {ruleset.deal.foot}
    assert (dealt["upcard"] is not None) == ruleset.deal.upcard
    assert not dealt["under"] or ruleset.deal.rejected_upcards == "under"
    rejected = [parse_card(card) for card in dealt["under"]]
    assert all(RANK_OF[card] == RED_THREE or is_wild(card) for card in rejected)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_export_has_the_documented_form(name: str, seats: int) -> None:
    """Its keys are those of the documentation, and each round has all packs as they were dealt."""
    record = played(RULESETS[name], seats, "any")
    values = exported(record)
    assert list(values) == KEYS
    assert (values["ruleset"], values["rules_hash"]) == (name, RULESETS[name].hash)
    assert values["seats"] == list(record.seats)
    assert values["totals"] == [sum(each) for each in zip(*totals_of(values), strict=True)]
    for dealt in values["rounds"]:
        assert list(dealt) == ROUND
        refuse_wrong_packs(RULESETS[name], dealt)
        assert [list(score) for score in dealt["scores"]] == [SCORE] * len(values["totals"])
        assert all(sum(score.values()) == 2 * score["total"] for score in dealt["scores"])


def totals_of(values: dict[str, Any]) -> list[list[int]]:
    """Return the totals by round, then by side."""
    return [[score["total"] for score in dealt["scores"]] for dealt in values["rounds"]]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_actions_are_exported_whole(name: str, seats: int) -> None:
    """Every action of the match is there, in order, with its seat and time, and can be made of it again."""
    record = played(RULESETS[name], seats, "any")
    plain = [
        (number, each["seat"], action_of(each["action"]), each["ms"], each["by_referee"])
        for number, dealt in enumerate(exported(record)["rounds"])
        for each in dealt["actions"]
    ]
    assert plain == [
        (each.round, each.seat, each.action, each.ms, each.by_referee) for each in record.actions
    ]


def test_every_type_of_action_occurs() -> None:
    """Asking, answering and passing are exported like the others."""
    record = played(EASY, 4, 2)
    actions = [each.action for each in record.actions]
    assert {type(one) for one in actions} == {
        DrawStock,
        TakePile,
        LayDown,
        AskPartner,
        AnswerPartner,
        Discard,
    }
    for one in (*actions, Pass()):  # a pass is rare
        assert action_of(export_action(one)) == one


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_match_can_be_followed_without_the_rules(name: str, seats: int) -> None:
    """A program that knows only what the documentation says has every card where it has to be, to the last one."""
    ruleset, values = RULESETS[name], exported(played(RULESETS[name], seats, "any"))
    for dealt in values["rounds"]:
        follower = Follower(dealt, ruleset.deal.draw, ruleset.red_threes == "laid")
        follower.follow()
        assert len(follower.cards()) + len(follower.red_threes) == 54 * ruleset.deal.packs_for(seats)
        for side, score in enumerate(dealt["scores"]):
            assert_points(ruleset, follower, side, len(dealt["scores"]), score)


def assert_points(ruleset: Ruleset, follower: Follower, side: int, sides: int, score: dict[str, int]) -> None:
    """Raise unless the lines of *score* that are easily counted are those of the table that was followed."""

    def points(cards: list[str]) -> int:
        return sum(
            ruleset.scores.points[RANK_OF[parse_card(card)]] for card in cards if card not in RED_THREES
        )

    melds = [cards for seat, cards in follower.melds if seat % sides == side]
    seats = range(side, len(follower.hands), sides)
    laid = sum(seat % sides == side for seat in follower.red_threes)
    bonus = ruleset.scores.red_three_laid if melds else ruleset.scores.red_three_laid_unmelded
    assert score["red_table"] == laid * bonus
    if ruleset.scores.melded_cards:
        assert score["melded_cards"] == sum(map(points, melds))
    if ruleset.scores.leftover == "subtracted":
        assert score["leftover"] == -sum(points(follower.hands[seat] + follower.feet[seat]) for seat in seats)
    out = follower.went_out is not None and follower.went_out % sides == side
    assert score["going_out"] == ruleset.scores.going_out * out


def test_a_round_in_which_somebody_goes_out_can_be_followed() -> None:
    """Feet, questions and the last card included."""
    values = exported(from_bytes((RECORDS / "easy.hfr").read_bytes()))
    (dealt,) = values["rounds"]
    follower = Follower(dealt, EASY.deal.draw, red_threes_laid=True)
    follower.follow()
    assert follower.went_out == 1
    assert len(follower.cards()) + len(follower.red_threes) == 54 * EASY.deal.packs_for(4)
    for side, score in enumerate(dealt["scores"]):
        assert_points(EASY, follower, side, 2, score)


@settings(max_examples=20, deadline=None)
@given(rulesets(), st.data())
def test_all_packs_are_dealt_under_house_rules(ruleset: Ruleset, data: st.DataObject) -> None:
    """Whatever the sizes of hands and packs, and wherever rejected upcards go."""
    short = replace(ruleset, match=MatchRule(rounds=1))
    seats = data.draw(st.sampled_from(short.seats))
    values = exported(played(short, seats, data.draw(st.integers(0, 1000)), most_actions=5))
    refuse_wrong_packs(short, values["rounds"][0])


def test_red_threes_are_still_in_the_hands_that_were_dealt() -> None:
    """The deal is shown before anything is laid or replaced."""
    values = exported(played(RULESETS["online"], 4, "red", most_actions=0))
    held = [card for hand in values["rounds"][0]["hands"] for card in hand]
    assert {"3d", "3h"} & set(held)
    assert values["rounds"][0]["actions"] == []


def test_a_round_that_was_not_finished_has_no_scores() -> None:
    """It has its deal and its actions; rounds that were never dealt are not shown."""
    record = played(RULESETS["online"], 2, "forfeit", most_actions=200)
    values = exported(record)
    assert [dealt["scores"] is None for dealt in values["rounds"]] == [False, True]
    assert len(values["rounds"]) == len(record.scores) + 1


@pytest.mark.parametrize(
    ("termination", "totals", "forfeited", "winners"),
    [
        ("played", (10, 20), (), [1]),
        ("played", (20, 20), (), [0, 1]),
        ("forfeit", (10, 20), (1,), [0]),
        ("double_forfeit", (10, 20), (0, 1), []),
        ("no_show", (0, 0), (), []),
        ("played", (10, 30, 20), (1,), [2]),
        ("forfeit", (10, 30, 20), (0, 1, 2), []),
    ],
)
def test_the_outcome_names_the_winners(
    termination: str, totals: tuple[int, ...], forfeited: tuple[int, ...], winners: list[int]
) -> None:
    """The highest total of those that did not forfeit wins; equal ones are a draw."""
    record = replace(
        played(RULESETS["online"], 2, "any", most_actions=0),
        termination=termination,
        totals=totals,
        forfeited=forfeited,
    )
    assert list(winners_of(record)) == winners


def test_faults_are_exported() -> None:
    """Each with its seat and how many actions had been played."""
    record = played(RULESETS["simple"], 4, "fault", most_actions=9)
    faulty = replace(record, faults=(RecordedFault(1, "illegal", 9, "strike 3"),), isolation="limits")
    values = exported(faulty)
    assert values["faults"] == [{"seat": 1, "kind": "illegal", "action": 9, "reason": "strike 3"}]
    assert values["isolation"] == "limits"
    (lost,) = record.forfeited
    assert values["outcome"] == {"termination": "forfeit", "winners": [1 - lost], "forfeited": [lost]}


def test_a_record_that_does_not_replay_is_not_exported() -> None:
    """What is exported has been played again."""
    record = played(RULESETS["simple"], 4, "wrong")
    with pytest.raises(InvalidRecord, match="does not replay"):
        export_record(replace(record, totals=(1, 2)))
