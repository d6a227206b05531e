"""
The worked cases of `cases/*.toml`, each on the real engine.

Tables called `case` are positions and plays, as `positions` tells; the other kinds (`counts`, `upcard` ..) have a check
each, by their names. A conftest may read how many there are from `CASES`.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

import pytest
from builders import cards, snapshot
from positions import Case, build, deal_key, play_case

from referee.rules import (
    RANK_OF,
    Card,
    CardsDrawn,
    DrawStock,
    Entry,
    InvalidRuleset,
    RedThreeLaid,
    RoundEnded,
    RoundStarted,
    RoundState,
    TakePile,
    apply,
    begin_match,
    begin_round,
    deal_round,
    fallback_action,
    find_ruleset,
    judge,
    legal_actions,
    observe,
    parse_action,
    play,
)
from referee.rules.cards import RED_THREE, pack_cards
from referee.rules.deal import below, shuffled, winner_of_cut, words


def _load() -> dict[str, tuple[str, Case]]:
    found: dict[str, tuple[str, Case]] = {}
    for path in sorted((Path(__file__).parent / "cases").glob("*.toml")):
        for kind, tables in tomllib.loads(path.read_text(encoding="utf-8")).items():
            for case in tables:
                assert case["id"] not in found, f"two cases are called {case['id']}"
                found[case["id"]] = (kind, case)
    return found


CASES: Final = _load()
"""Kind and values of each case, by its id."""


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    """The engine answers the case as it was worked out."""
    kind, case = CASES[name]
    CHECKS[kind](case)


def test_every_case_says_what_it_rests_on() -> None:
    """All 267 cases are there, each stated by a published sheet or inferred, and about one ruleset."""
    assert len(CASES) == 267
    for _, case in CASES.values():
        assert case["basis"] in ("stated", "inferred")
        assert find_ruleset(case["ruleset"])


def check_counts(case: Case) -> None:
    """Whole packs are dealt, in packets of the right size, whatever the key."""
    ruleset, seats = find_ruleset(case["ruleset"]), case["seats"]
    for number in range(5):
        deal = deal_round(ruleset, seats, 0, deal_key(number))
        assert {len(hand) for hand in deal.hands} == {case["hand"]}
        assert {len(foot) for foot in deal.feet} == {case["foot"]}
        assert (len(deal.hands), len(deal.feet)) == (seats, seats)
        assert len(deal.stock) + len(deal.under) == case["stock"]
        upcards = [] if deal.upcard is None else [deal.upcard]
        everything = sum((*deal.hands, *deal.feet), (*deal.stock, *deal.under, *upcards))
        assert len(everything) == case["pack"]
        assert sorted(everything) == sorted(pack_cards(case["pack"] // 54))
        state, _ = begin_round(ruleset, seats, 0, deal_key(number))
        assert (state.pile, len(state.pile)) == (upcards, case["pile"])


def check_refused_table(case: Case) -> None:
    """A match does not begin at the table, and the error names the tables at which it would."""
    ruleset = find_ruleset(case["ruleset"])
    keys = [bytes(32)] * ruleset.rounds
    with pytest.raises(InvalidRuleset, match=f"played with {case['allowed']}; got {case['seats']}"):
        begin_match(ruleset, case["seats"], keys)
    with pytest.raises(InvalidRuleset):
        deal_round(ruleset, case["seats"], 0, bytes(32))
    for seats in map(int, case["allowed"].split(", ")):
        begin_match(ruleset, seats, keys)


def check_upcard(case: Case) -> None:
    """What is turned and rejected goes where the ruleset says, and the rest of the stock keeps its order."""
    ruleset, key = find_ruleset(case["ruleset"]), deal_key(case["key"])
    deal = deal_round(ruleset, 4, 0, key)
    rejected, (shows,) = cards(case["rejected"]), cards(case["shows"])
    turned = _shuffled_stock(key)
    assert turned[: len(rejected) + 1] == [*rejected, shows]
    rest = turned[len(rejected) + 1 :]
    state, events = begin_round(ruleset, 4, 0, key)
    assert events[0] == RoundStarted(0, 0, shows, rejected)
    assert state.pile == [shows]
    if case["goes"] == "under":
        assert list(deal.stock) == rest
        assert _last_drawn(state, len(rejected)) == list(deal.under) == list(rejected)
    else:
        places = [place for place, card in enumerate(deal.stock) if card == rejected[0]]
        assert any([*deal.stock[:place], *deal.stock[place + 1 :]] == rest for place in places)
        assert deal.under == ()
        assert rejected[0] in state.stock.cards()
    if "blocked" in case:
        _check_blocked(state, case["blocked"])


def _shuffled_stock(key: bytes) -> list[Card]:
    """Return what five packs leave after the hands and feet of four seats, top first."""
    packs = pack_cards(5)
    return [packs[number] for number in shuffled(key, b"deck", len(packs))][4 * 26 :]


def _last_drawn(state: RoundState, number: int) -> list[Card]:
    stock = state.copy().stock
    drawn = list(stock.draw(0, stock.left))
    return drawn[len(drawn) - number :]


def _check_blocked(state: RoundState, clause: str) -> None:
    for seat in range(len(state.seats)):
        state.turn = state.decider = seat
        fault = judge(state, TakePile(1, (Entry(tuple(state.seats[seat].cards[:2])),)))
        assert fault is not None
        assert fault.clause == clause
        assert list(legal_actions(state)) == [DrawStock()]


def check_dealt_threes(case: Case) -> None:
    """The red threes of a dealt hand are laid and replaced until there is none, or all held."""
    ruleset, seat = find_ruleset(case["ruleset"]), case["seat"]
    deal = deal_round(ruleset, 4, 0, deal_key(case["key"]))
    hand = deal.hands[seat]
    assert sorted(_red_threes(hand)) == sorted(cards(case["dealt"]))
    state, events = begin_round(ruleset, 4, 0, deal_key(case["key"]))
    drawn = [event.cards for event in events if isinstance(event, CardsDrawn) and event.seat == seat]
    laid = [event.card for event in events if isinstance(event, RedThreeLaid) and event.seat == seat]
    assert drawn == [(card,) for card in cards(case["next"])]
    assert sorted(laid) == sorted(cards(case["laid"]))
    assert set(laid) <= set(state.sides[seat % 2].red_threes)
    expected = Counter(hand) + Counter(cards(case["next"])) - Counter(laid)
    assert Counter(state.seats[seat].cards) == expected
    assert len(state.seats[seat].cards) == ruleset.deal.hand


def _red_threes(held: Iterable[Card]) -> list[Card]:
    return [card for card in held if RANK_OF[card] == RED_THREE]


def check_first_seat(case: Case) -> None:
    """The seat to the dealer's left begins; `begins` are the seats that begin, by round from 1."""
    ruleset = find_ruleset(case["ruleset"])
    for number, seat in case["begins"].items():
        state, events = begin_round(ruleset, 4, int(number) - 1, deal_key(0))
        assert isinstance(events[0], RoundStarted)
        assert state.turn == state.decider == events[0].first_seat == seat
        turns = []
        for _ in range(4):
            turns.append(state.turn)
            apply(state, DrawStock())
            apply(state, fallback_action(state))
        assert turns == [(seat + step) % 4 for step in range(4)]


def check_cut(case: Case) -> None:
    """The highest cut begins, after just as many cuts as the case tells; deals cut in that way."""
    cuts = list(cards(case["cuts"]))
    assert winner_of_cut(4, lambda: cuts.pop(0)) == case["begins"]
    assert cuts == []
    ruleset, packs = find_ruleset(case["ruleset"]), pack_cards(5)
    winners = []
    for number in range(20):
        stream = words(deal_key(number), b"cut")
        winners.append(winner_of_cut(4, lambda stream=stream: packs[below(stream, len(packs))]))
        assert deal_round(ruleset, 4, number % 4, deal_key(number)).first_seat == winners[-1]
    assert set(winners) == {0, 1, 2, 3}


def check_unseen_foot(case: Case) -> None:
    """Two tables that differ only in an untouched foot look the same to every seat, its owner included."""
    one, other = build(case), build({**case, "untouched_foot": case["instead"]})
    assert snapshot(one) != snapshot(other)
    for seat in range(4):
        seen = observe(one, seat, [0, 0])
        assert seen == observe(other, seat, [0, 0])
        assert seen.foot_sizes[0] == case["seen"]
    assert list(legal_actions(one)) == list(legal_actions(other))


def check_match(case: Case) -> None:
    """Rounds end as their scores say, totals add up, and the highest total wins alone or with its equals."""
    ruleset, seats = find_ruleset(case["ruleset"]), case.get("seats", 4)
    keys = [deal_key(number) for number in range(ruleset.rounds)]
    match, _ = begin_match(ruleset, seats, keys)
    earlier = case["rounds"][0]["round"] - 1
    match.totals, match.scores, match.went_out = case["before"], [()] * earlier, [None] * earlier
    totals = Counter(dict(enumerate(case["before"])))
    for position in case["rounds"]:
        assert not match.finished
        match.state = build(
            {"ruleset": case["ruleset"], "seats": seats, "bare": True, "stock": "", **position}
        )
        events = play(match, parse_action(position["do"]))
        (ended,) = (event for event in events if isinstance(event, RoundEnded))
        assert (ended.went_out, [score.total for score in ended.scores]) == (None, position["gains"])
        totals.update(dict(enumerate(position["gains"])))
        assert match.totals == [totals[side] for side in range(len(match.totals))]
    assert match.finished
    assert (match.totals, list(match.winners)) == (case["totals"], case["winners"])


def check_stalled_match(case: Case) -> None:
    """A match in which nobody melds is over after its rounds, each ended by the stock."""
    ruleset = find_ruleset(case["ruleset"])
    match, _ = begin_match(ruleset, 4, [deal_key(number) for number in range(ruleset.rounds)])
    while not match.finished:
        assert len(match.scores) < case["rounds"]
        play(match, fallback_action(match.state))
    assert match.went_out == [None] * case["rounds"]
    assert match.state.stock.left == 0
    sums = [sum(scores[side].total for scores in match.scores) for side in (0, 1)]
    assert match.totals == sums
    assert match.winners == tuple(side for side in (0, 1) if sums[side] == max(sums))


CHECKS: Final[Mapping[str, Callable[[Case], None]]] = {
    "case": play_case,
    "counts": check_counts,
    "refused_table": check_refused_table,
    "upcard": check_upcard,
    "dealt_threes": check_dealt_threes,
    "first_seat": check_first_seat,
    "cut": check_cut,
    "unseen_foot": check_unseen_foot,
    "match": check_match,
    "stalled_match": check_stalled_match,
}
"""What is checked, by kind of case."""
