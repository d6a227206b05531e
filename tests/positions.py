"""
Positions and steps of the worked cases, from plain values.

A position is a table built by hand (or dealt, where a key is given) from `hand` or `foot`, `others`, `melds`, `books`,
`pile`, `stock` and so on; the actions of `before` lead up to it. `play` are steps: `do` an action, which has to be
legal, or `no`, which has to be refused with that `clause` and leave no trace; everything else in a step is what has to
be true afterwards. Melds that a step does not name must not change, and a round must not end unless it says so. `also`
are variations of the same case.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import pytest
from builders import FILLER, books, cards, meld, round_with, snapshot

from referee.rules import (
    Card,
    CardDiscarded,
    CardsDrawn,
    CardsMelded,
    Event,
    FootPickedUp,
    IllegalAction,
    LayDown,
    Meld,
    Phase,
    PileTaken,
    RedThreeLaid,
    RoundEnded,
    RoundState,
    TakePile,
    TurnPassed,
    after,
    apply,
    begin_round,
    check,
    find_ruleset,
    format_action,
    format_card,
    format_cards,
    judge,
    legal_actions,
    observe,
    parse_action,
    score_round,
)
from referee.rules.cards import WILD, count_ranks
from referee.rules.plan import Plan, hold_back, plan_entries
from referee.rules.state import Books

Case = Mapping[str, Any]

KEYS: Final = {
    *("id", "ruleset", "basis", "seats", "round", "turn", "phase", "totals", "key", "before", "play", "also"),
    *("hand", "foot", "untouched_foot", "others", "bare", "opened", "answer", "pile", "stock"),
    *("side", "melds", "books", "their_melds", "red_threes", "their_red_threes"),
}
"""What a position may be made of; anything else is a slip of the pen."""


def play_case(case: Case) -> None:
    """Play the steps of *case* from its position, then those of each variation."""
    for line in (case, *({**case, **variation} for variation in case.get("also", ()))):
        _play_line(line)


def _play_line(case: Case) -> None:
    assert case.keys() <= KEYS, case.keys() - KEYS
    state = build(case)
    for notation in case.get("before", ()):
        _carry_out(state, notation)
    assert case["play"]
    for step in case["play"]:
        _take_step(state, step, case.get("totals", [0] * len(state.sides)))


def build(case: Case) -> RoundState:
    """Return the position of *case* before the actions that lead up to it."""
    ruleset, seats, turn = find_ruleset(case["ruleset"]), case.get("seats", 4), case.get("turn", 0)
    number = case.get("round", 1) - 1
    if "key" in case:
        return begin_round(ruleset, seats, number, deal_key(case["key"]))[0]
    chairs = {turn: case} | {int(seat): chair for seat, chair in case.get("others", {}).items()}
    on_foot = [seat for seat, chair in chairs.items() if "foot" in chair]
    holdings, feet = _packets(case, chairs, seats)
    side = case.get("side", 0)
    state = round_with(
        ruleset,
        seats=seats,
        number=number,
        turn=turn,
        phase=Phase[case.get("phase", "play").upper()],
        holding=holdings.pop(turn, FILLER),
        on_foot=turn in on_foot,
        others=holdings,
        others_on_foot=on_foot,
        others_played_foot=[seat for seat, chair in chairs.items() if chair.get("played")],
        feet=feet,
        melds=_melds(case),
        opened=case.get("opened", True),
        pile=case.get("pile", ""),
        red_threes={side: case.get("red_threes", ""), _rivals(case): case.get("their_red_threes", "")},
        asked="answer" in case,
        agreed=case.get("answer"),
    )
    if "stock" in case:
        _stack(state, case["stock"])
    return state


def deal_key(number: int) -> bytes:
    """Return the deal key that the cases call *number*."""
    return number.to_bytes(32, "big")


def _packets(case: Case, chairs: Mapping[int, Case], seats: int) -> tuple[dict[int, str], dict[int, str]]:
    """Return the holdings and the untouched feet that *case* names, by seat; where it is bare nobody has others."""
    holdings = dict.fromkeys(range(seats), "") if case.get("bare") else {}
    feet = holdings.copy()
    for seat, chair in chairs.items():
        if held := {"hand", "foot"} & chair.keys():
            holdings[seat] = chair["foot" if "foot" in held else "hand"]
        if "foot" in chair:
            feet.pop(seat, None)
        elif "untouched_foot" in chair:
            feet[seat] = chair["untouched_foot"]
    return holdings, feet


def _rivals(case: Case) -> int:
    """Return the side whose melds are `their_melds`: side 1, or 0 where `melds` belong to another."""
    return 0 if case.get("side", 0) else 1


def _melds(case: Case) -> list[Meld]:
    side = case.get("side", 0)
    melds = [meld(text, side) for text in case.get("melds", ())]
    wanted = dict(reversed(part.split()) for part in case.get("books", "").split(",") if part)
    melds += books(**{kind: int(number) for kind, number in wanted.items()}, side=side)
    return melds + [meld(text, _rivals(case)) for text in case.get("their_melds", ())]


def _stack(state: RoundState, stock: str | Mapping[str, str]) -> None:
    """Make the stock: cards in the order in which they are drawn, or the stripe of each seat."""
    stripes = {str(state.turn): stock} if isinstance(stock, str) else stock
    state.stock.stripes = tuple(cards(stripes.get(str(seat), "")) for seat in range(len(state.seats)))
    state.stock.left = sum(map(len, state.stock.stripes))


# Steps


@dataclass(frozen=True)
class Outcome:
    """What a step led to."""

    before: RoundState
    state: RoundState
    actor: int
    """The seat that decided."""

    events: tuple[Event, ...]
    totals: Sequence[int]


def _take_step(state: RoundState, step: Case, totals: Sequence[int]) -> None:
    before, actor = state.copy(), state.decider
    events: tuple[Event, ...] = ()
    if "no" in step:
        _refuse(state, step["no"], step["clause"], step.get("points"))
    elif "do" in step:
        if "points" in step:
            assert _points(state, step["do"]) == step["points"]
        events = _carry_out(state, step["do"])
    outcome = Outcome(before, state, actor, events, totals)
    if "do" in step:
        assert _changed(outcome) == {int(n): _sorted_meld(text) for n, text in step.get("melds", {}).items()}
        assert state.over == ("ends" in step)
    for key in step.keys() - {"do", "no", "clause", "points", "melds"}:
        EXPECTATIONS[key](outcome, step[key])


def _carry_out(state: RoundState, notation: str) -> tuple[Event, ...]:
    """Apply a legal action: every form of the judge agrees, no card is lost, and the books are in order."""
    action = parse_action(notation)
    assert format_action(action) == notation
    assert judge(state, action) is None, judge(state, action)
    check(state, action)
    assert action in legal_actions(state)
    before, cards_before = snapshot(state), _every_card(state)
    other = after(state, action)
    assert snapshot(state) == before
    events = apply(state, action)
    assert snapshot(state) == snapshot(other)
    assert _every_card(state) == cards_before
    _check_books(state)
    return events


def _refuse(state: RoundState, notation: str, clause: str, points: Sequence[int] | None) -> None:
    """Try an illegal action: every form of the judge refuses it with the same clause, and nothing changes."""
    action = parse_action(notation)
    fault = judge(state, action)
    assert fault is not None, f"{notation} is legal"
    assert fault.clause == clause, fault
    before = snapshot(state)
    for attempt in (check, apply, after):
        with pytest.raises(IllegalAction, match=clause) as caught:
            attempt(state, action)
        assert (caught.value.clause, caught.value.reason) == (clause, fault.reason)
    assert action not in legal_actions(state)
    assert action not in list(legal_actions(state))
    assert snapshot(state) == before
    if points:
        assert [int(word) for word in reversed(fault.reason.split()) if word.isdecimal()] == points


def _points(state: RoundState, notation: str) -> list[int]:
    """Return the points of a legal opening and those that it needs."""
    action = parse_action(notation)
    assert isinstance(action, LayDown | TakePile)
    upcard = state.pile[-1] if isinstance(action, TakePile) else None
    rest = hold_back(state.seats[state.turn].cards, action.melds)
    assert isinstance(rest, list)
    plan = plan_entries(state, state.turn, action.melds, rest, upcard)
    assert isinstance(plan, Plan)
    return [plan.points, state.ruleset.opening.minimum(state.round)]


def _every_card(state: RoundState) -> list[Card]:
    found = [*state.pile, *state.stock.cards()]
    for seat in state.seats:
        assert seat.counts == count_ranks(seat.cards)
        found += [*seat.cards, *seat.foot]
    for side in state.sides:
        found += side.red_threes
    return sorted(found + [card for each in state.melds for card in each.cards])


def _check_books(state: RoundState) -> None:
    """Hold what each side has in hand of books and unfinished melds against the melds on the table."""
    for number, side in enumerate(state.sides):
        melds = {place: each for place, each in enumerate(state.melds) if each.side == number}
        done = Books()
        for each in melds.values():
            done = done.plus(each) if each.is_book else done
        assert side.books == done
        unfinished = {each.rank: place for place, each in melds.items() if not each.is_book}
        assert {rank: place for rank, place in enumerate(side.open_melds) if place >= 0} == unfinished


def _kind(each: Meld) -> str:
    if each.size < 7:
        return ""
    return "wild book" if each.rank == WILD else "dirty book" if each.wilds else "clean book"


def _sorted_meld(text: str) -> tuple[str, list[Card]]:
    kind, _, laid = text.rpartition(": ")
    return kind, sorted(cards(laid))


def _changed(outcome: Outcome) -> dict[int, tuple[str, list[Card]]]:
    """Return kind and cards of each meld that is new or has grown, by number."""
    before = dict(enumerate(outcome.before.melds))
    return {
        number: (_kind(each), sorted(each.cards))
        for number, each in enumerate(outcome.state.melds)
        if before.get(number) != each
    }


# Expectations


def _holds(outcome: Outcome, expected: str) -> None:
    assert sorted(outcome.state.seats[outcome.actor].cards) == sorted(cards(expected))


def _playing(outcome: Outcome, expected: str) -> None:
    seat = outcome.state.seats[outcome.actor]
    assert ("foot" if seat.on_foot else "hand") == expected
    assert bool(seat.foot) == (expected == "hand")


def _untouched(outcome: Outcome, expected: int) -> None:
    assert len(outcome.state.seats[outcome.actor].foot) == expected
    assert observe(outcome.state, 1, outcome.totals).foot_sizes[outcome.actor] == expected


def _pile(outcome: Outcome, expected: str) -> None:
    assert outcome.state.pile == list(cards(expected))


def _stock(outcome: Outcome, expected: int) -> None:
    assert outcome.state.stock.left == expected


def _red_threes(outcome: Outcome, expected: Mapping[str, str]) -> None:
    for side, laid in expected.items():
        assert sorted(outcome.state.sides[int(side)].red_threes) == sorted(cards(laid))


def _turn(outcome: Outcome, expected: int) -> None:
    assert outcome.state.turn == outcome.state.decider == expected


def _phase(outcome: Outcome, expected: str) -> None:
    assert outcome.state.phase is Phase[expected.upper()]


def _ends(outcome: Outcome, expected: str) -> None:
    ended = outcome.events[-1]
    assert isinstance(ended, RoundEnded)
    assert ended.went_out == outcome.state.went_out == (outcome.actor if expected == "out" else None)
    assert ended.scores == score_round(outcome.state)
    if expected == "stock":
        assert outcome.state.stock.left == 0
        assert not any(score.going_out for score in ended.scores)


def _scores(outcome: Outcome, expected: Mapping[str, Mapping[str, int]]) -> None:
    ended = outcome.events[-1] if outcome.events else None
    scores = ended.scores if isinstance(ended, RoundEnded) else score_round(outcome.state)
    for side, lines in expected.items():
        total = lines["total"]
        stated = {key: value for key, value in lines.items() if key != "total"}
        assert {key: value for key, value in asdict(scores[int(side)]).items() if value} == stated
        assert scores[int(side)].total == sum(stated.values()) == total


def _lines(outcome: Outcome, expected: Mapping[str, int]) -> None:
    score = score_round(outcome.state)[outcome.state.side_of(outcome.actor)]
    assert {key: getattr(score, key) for key in expected} == expected


def _choices(outcome: Outcome, expected: list[str]) -> None:
    assert list(map(format_action, legal_actions(outcome.state))) == expected


def _minimum(outcome: Outcome, expected: int) -> None:
    for seat in range(len(outcome.state.seats)):
        seen = observe(outcome.state, seat, outcome.totals)
        assert (seen.opening_minimum, list(seen.totals)) == (expected, outcome.totals)


def _events(outcome: Outcome, expected: list[str]) -> None:
    assert [_describe(event) for event in outcome.events] == expected


def _describe(event: Event) -> str:
    match event:
        case CardsDrawn(cards=drawn):
            return f"drew {format_cards(drawn)}"
        case PileTaken(cards=taken):
            return f"took {format_cards(taken)}"
        case CardsMelded(cards=laid):
            return f"melded {format_cards(laid)}"
        case FootPickedUp(count=count):
            return f"picked up {count}"
        case RedThreeLaid(card=card):
            return f"laid {format_card(card)}"
        case CardDiscarded(card=card):
            return f"discarded {format_card(card)}"
    return {TurnPassed: "passed", RoundEnded: "round ended"}[type(event)]


EXPECTATIONS: Final[Mapping[str, Callable[[Outcome, Any], None]]] = {
    "holds": _holds,
    "playing": _playing,
    "untouched": _untouched,
    "pile": _pile,
    "stock": _stock,
    "red_threes": _red_threes,
    "turn": _turn,
    "phase": _phase,
    "ends": _ends,
    "scores": _scores,
    "lines": _lines,
    "choices": _choices,
    "minimum": _minimum,
    "events": _events,
}
"""What a step may say of the table after it."""
