"""Chapter 4 of the rulebook: threes."""

from dataclasses import replace

import pytest
from builders import FILLER, broken_clause, cards, meld, play_out, round_with
from rulebook.holding import holds_for, not_for

from referee.rules import (
    RANK_OF,
    CardsDrawn,
    Event,
    Phase,
    RedThreeLaid,
    RoundStarted,
    Ruleset,
    begin_round,
    deal_round,
    format_card,
)
from referee.rules.cards import RED_THREE


def laid(events: tuple[Event, ...]) -> list[str]:
    """Return the red threes that went to the table, in order."""
    return [format_card(event.card) for event in events if isinstance(event, RedThreeLaid)]


@holds_for("HF-4.1")
def test_hf_4_1_drawn_red_threes(ruleset: Ruleset) -> None:
    """A drawn red three is laid and replaced, and so is its replacement."""
    state = round_with(ruleset, phase=Phase.DRAW, stock="3h Kc 3d 8s 9s")
    assert laid(play_out(state, "draw")) == ["3h", "3d"]
    assert state.seats[0].cards[-2:] == list(cards("Kc 8s"))
    assert (len(state.seats[0].cards), state.stock.left) == (13, 1)
    assert state.sides[0].red_threes == list(cards("3h 3d"))


@holds_for("HF-4.1")
def test_hf_4_1_red_threes_of_the_foot(ruleset: Ruleset) -> None:
    """Red threes found in the foot are laid and replaced when it is picked up, by melding as by discarding."""
    for holding, action in (("Qc Qd Qh", "lay Qc Qd Qh"), ("5c", "discard 5c")):
        state = round_with(ruleset, holding=holding, feet={0: "3d 3h 4c 5c 6c 7c"}, stock="8c Qs 9d")
        assert laid(play_out(state, action)) == ["3d", "3h"]
        assert state.seats[0].cards == list(cards("4c 5c 6c 7c 8c Qs"))


@holds_for("HF-4.1")
def test_hf_4_1_red_threes_of_the_deal(ruleset: Ruleset) -> None:
    """After the deal no hand holds a red three, each has its full size, and the threes lie on the table."""
    for last in range(20):
        state, events = begin_round(ruleset, 4, 0, bytes(31) + bytes([last]))
        assert [len(seat.cards) for seat in state.seats] == [13] * 4
        assert not any(seat.counts[RED_THREE] for seat in state.seats)
        assert len(laid(events)) == sum(len(side.red_threes) for side in state.sides)


@holds_for("HF-4.2")
def test_hf_4_2_red_threes_of_the_deal(ruleset: Ruleset) -> None:
    """The first seat lays and replaces its red threes first, the others follow clockwise."""
    for number in range(4):
        later = replace(ruleset, match=replace(ruleset.match, rounds=4))
        for last in range(20):
            key = bytes(31) + bytes([last])
            first = deal_round(later, 4, number, key).first_seat
            _, events = begin_round(later, 4, number, key)
            assert isinstance(events[0], RoundStarted)
            turns = [(event.seat - first) % 4 for event in events[1:] if isinstance(event, RedThreeLaid)]
            assert turns == sorted(turns)


@holds_for("HF-4.3")
def test_hf_4_3_red_threes_are_not_discarded(ruleset: Ruleset) -> None:
    """A red three is refused as a discard, held or not."""
    assert broken_clause(round_with(ruleset, holding="3h Kd 4c"), "discard 3h") == "HF-4.3"
    assert broken_clause(round_with(ruleset, holding="Kd 4c"), "discard 3h") == "HF-2.3"


@holds_for("HF-4.4")
def test_hf_4_4_no_replacement_from_an_empty_stock(ruleset: Ruleset) -> None:
    """The last card of the stock is a red three: it is laid, and the seat plays on."""
    state = round_with(ruleset, phase=Phase.DRAW, stock="Kc 3h")
    assert laid(play_out(state, "draw")) == ["3h"]
    assert (len(state.seats[0].cards), state.stock.left, state.phase) == (12, 0, Phase.PLAY)
    assert broken_clause(state, "discard Kc") is None
    foot = round_with(ruleset, holding="5c", feet={0: "3h 4c 5c 6c"}, stock="")
    assert laid(play_out(foot, "discard 5c")) == ["3h"]
    assert foot.seats[0].cards == list(cards("4c 5c 6c"))


@holds_for("HF-4.4")
def test_hf_4_4_the_last_card_still_replaces(ruleset: Ruleset) -> None:
    """As long as there is one card in the stock, it takes the place of a red three."""
    state = round_with(ruleset, phase=Phase.DRAW, stock="3h Kc 9d")
    assert laid(play_out(state, "draw")) == ["3h"]
    assert (state.seats[0].cards[-2:], state.stock.left) == (list(cards("Kc 9d")), 0)


@holds_for("HF-4.5")
def test_hf_4_5_red_threes_are_held(ruleset: Ruleset) -> None:
    """Red threes are neither laid nor replaced, drawn or found in a foot, and may be discarded."""
    state = round_with(ruleset, phase=Phase.DRAW, stock="3h Kc 3d", feet={0: "3d 3h 4c"})
    assert laid(play_out(state, "draw")) == []
    assert (len(state.seats[0].cards), state.stock.left) == (13, 1)
    play_out(state, "discard 3h")
    assert (state.pile, state.sides[0].red_threes) == ([cards("3h")[0]], [])
    foot = round_with(ruleset, holding="5c", feet={0: "3d 3h 4c"})
    play_out(foot, "discard 5c")
    assert foot.seats[0].cards == list(cards("3d 3h 4c"))


@not_for("HF-4.1")
def test_hf_4_1_nothing_is_laid_at_the_deal_elsewhere(ruleset: Ruleset) -> None:
    """Where red threes are held, hands are played as they are dealt."""
    keys = [bytes(31) + bytes([last]) for last in range(20)]
    for key in keys:
        state, events = begin_round(ruleset, 4, 0, key)
        assert laid(events) == []
        assert [tuple(seat.cards) for seat in state.seats] == list(deal_round(ruleset, 4, 0, key).hands)


@holds_for("HF-4.6")
@pytest.mark.parametrize("threes", ["3c 3s 3c", "3h 3d 3h", "9c 9d 3c", "3c 2d JR"])
def test_hf_4_6_threes_are_not_melded(ruleset: Ruleset, threes: str) -> None:
    """No three goes to a meld, neither by itself nor with other cards, nor onto one."""
    state = round_with(ruleset, holding=f"{threes} {FILLER}", melds=[meld("9s*3")])
    assert broken_clause(state, f"lay {threes}") == "HF-4.6"
    three = next(card for card in threes.split() if card[0] == "3")
    assert broken_clause(state, f"lay 0+ {three}") == "HF-4.6"


@holds_for("HF-4.7")
def test_hf_4_7_black_threes(ruleset: Ruleset) -> None:
    """A drawn black three stays in the holding and brings no replacement; it leaves by a discard."""
    state = round_with(ruleset, phase=Phase.DRAW, stock="3c 3s 9d")
    drawn = play_out(state, "draw")
    assert [type(event) for event in drawn] == [CardsDrawn]
    assert len(state.seats[0].cards) == 13
    play_out(state, "discard 3s")
    assert [RANK_OF[card] for card in state.pile] == [13]
