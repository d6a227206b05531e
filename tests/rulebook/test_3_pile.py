"""Chapter 3 of the rulebook: the discard pile."""

import pytest
from builders import broken_clause, cards, meld, play_out, round_with
from rulebook.holding import holds_for, not_for

from referee.rules import (
    BEGINNER,
    ONLINE,
    SIMPLE,
    Phase,
    PileTaken,
    RoundState,
    Ruleset,
    TakePile,
    format_cards,
    legal_actions,
)

NINE = "4c 5d Ks 7h 8s Jd Qc 9h"
"""A pile of eight with a nine on top."""


def drawing(ruleset: Ruleset, holding: str = "9c 9d 4s 6h", pile: str = NINE, **more: object) -> RoundState:
    """Return a round in which the seat in turn could take the pile."""
    return round_with(ruleset, phase=Phase.DRAW, holding=holding, pile=pile, **more)  # type: ignore[arg-type]


def takes(state: RoundState) -> list[int]:
    """Return the numbers of cards with which taking is listed."""
    return [action.count for action in legal_actions(state) if isinstance(action, TakePile)]


@holds_for("HF-3.1")
def test_hf_3_1_nobody_takes_the_pile(ruleset: Ruleset) -> None:
    """No pile is taken, whatever lies on top and whatever is held."""
    for pile in (NINE, "9h", ""):
        assert broken_clause(drawing(ruleset, pile=pile), "take 1 with 9c 9d") == "HF-3.1"
        assert takes(drawing(ruleset, pile=pile)) == []


@holds_for("HF-3.2")
def test_hf_3_2_taking_instead_of_drawing(ruleset: Ruleset) -> None:
    """Taking stands for the draw; it needs a pile, and the stock stays as it is."""
    state = drawing(ruleset, pile="9h")
    assert broken_clause(drawing(ruleset, pile=""), "take 1 with 9c 9d") == "HF-3.2"
    assert play_out(state, "take 1 with 9c 9d")[0] == PileTaken(0, cards("9h"))
    assert (state.phase, state.stock.left, state.pile) == (Phase.PLAY, 8, [])


@holds_for("HF-3.2")
@pytest.mark.parametrize("buried", ["2h", "JR", "3s"])
def test_hf_3_2_what_lies_deeper_does_not_matter(ruleset: Ruleset, buried: str) -> None:
    """A wild card or a three below the upcard blocks nothing and is taken along."""
    state = drawing(ruleset, pile=f"Kd {buried} 9h")
    play_out(state, "take 3 with 9c 9d")
    assert cards(buried)[0] in state.seats[0].cards


@holds_for("HF-3.3")
@pytest.mark.parametrize("three", ["3c", "3s"])
def test_hf_3_3_a_three_on_top(ruleset: Ruleset, three: str) -> None:
    """A three on top blocks the pile, and that is what the refusal says."""
    state = drawing(ruleset, holding="3c 3s 3c 9h", pile=f"{NINE} {three}")
    assert broken_clause(state, "take 7 with 3c 3s") == "HF-3.3"
    assert broken_clause(state, "take 7 with 9h") == "HF-3.3"
    assert takes(state) == []


@holds_for("HF-3.4")
@pytest.mark.parametrize("wild", ["2s", "JR"])
def test_hf_3_4_a_wild_card_on_top_blocks(ruleset: Ruleset, wild: str) -> None:
    """A wild card on top cannot be claimed, not even with two of its kind."""
    state = drawing(ruleset, holding="2c 2d JR JB 9h", pile=f"Kd {wild}")
    pair = "2c 2d" if wild == "2s" else "JR JB"
    assert broken_clause(state, f"take 2 with {pair}") == "HF-3.4"
    assert takes(state) == []


@holds_for("HF-3.5")
def test_hf_3_5_as_many_as_the_seat_likes(ruleset: Ruleset) -> None:
    """From one card to seven, or to the whole pile if it is smaller; what is not taken stays."""
    state = drawing(ruleset)
    for count in (0, 8, 9):
        assert broken_clause(state, f"take {count} with 9c 9d") == "HF-3.5"
    assert takes(state) == [1, 2, 3, 4, 5, 6, 7]
    assert takes(drawing(ruleset, pile="4c 5d 9h")) == [1, 2, 3]
    play_out(state, "take 2 with 9c 9d")
    assert format_cards(state.pile) == "4c 5d Ks 7h 8s Jd"


@holds_for("HF-3.6")
def test_hf_3_6_neither_more_nor_fewer(ruleset: Ruleset) -> None:
    """The top seven go together, or the whole pile if it is smaller."""
    state = drawing(ruleset)
    for count in (1, 6, 8):
        assert broken_clause(state, f"take {count} with 9c 9d") == "HF-3.6"
    assert takes(state) == [7]
    assert takes(drawing(ruleset, pile="4c 5d 9h")) == [3]
    play_out(state, "take 7 with 9c 9d")
    assert format_cards(state.pile) == "4c"
    assert set(cards("5d Ks 7h 8s Jd Qc")) <= set(state.seats[0].cards)


@holds_for("HF-3.7")
def test_hf_3_7_a_pair_for_the_upcard(ruleset: Ruleset) -> None:
    """Two cards of the upcard's rank come from the holding; no wild card and no meld stands in for them."""
    state = drawing(ruleset, holding="9c 2d Kh Kd 6h", pile="9h", melds=[meld("9s*4")])
    for cards_laid in ("9c 2d", "9c", "0+ 9c 2d", "Kh Kd"):
        assert broken_clause(state, f"take 1 with {cards_laid}") == "HF-3.7"
    assert takes(state) == []


@holds_for("HF-3.7")
def test_hf_3_7_the_upcard_goes_to_one_meld(ruleset: Ruleset) -> None:
    """The pair lies with the upcard in one meld, which may hold more of the rank and wild cards."""
    state = drawing(ruleset, holding="9c 9d 9s 2d Kh Kd Ks 6h 6c", pile="9h")
    assert broken_clause(state, "take 1 with 9c, 0+ 9d") == "HF-3.7"
    assert broken_clause(state, "take 1 with Kh Kd Ks, 9c 9d") == "HF-3.7"
    play_out(state, "take 1 with 9c 9d 9s 2d")
    assert (state.melds[0].naturals, state.melds[0].wilds) == (4, 1)


@holds_for("HF-3.8")
def test_hf_3_8_a_wild_upcard(ruleset: Ruleset) -> None:
    """A two is taken with two twos, a joker with two jokers, and a wild meld begins or grows."""
    holding = "2c 2d JR JB 9s 6h"
    for wild, pair, wrong in (("2h", "2c 2d", "JR JB"), ("JR", "JR JB", "JR 2c")):
        state = drawing(ruleset, holding=holding, pile=f"Kd {wild}")
        assert broken_clause(state, f"take 2 with {wrong}") == "HF-3.7"
        assert broken_clause(state, f"take 2 with {pair}") is None
    grown = drawing(ruleset, holding=holding, pile="2h", melds=[meld("2s 2s JR")])
    play_out(grown, "take 1 with 0+ 2c 2d")
    assert grown.melds[0].wilds == 6


@holds_for("HF-3.9")
def test_hf_3_9_where_the_upcard_goes(ruleset: Ruleset) -> None:
    """The unfinished meld of the rank is joined, a new one begun only where there is none."""
    state = drawing(ruleset, pile="9h", melds=[meld("9s*4")])
    assert broken_clause(state, "take 1 with 9c 9d") == "HF-5.5"
    play_out(state, "take 1 with 0+ 9c 9d")
    assert state.melds[0].is_book
    after_book = drawing(ruleset, pile="9h", melds=[meld("9s*7")])
    assert broken_clause(after_book, "take 1 with 0+ 9c 9d") == "HF-5.6"
    assert broken_clause(after_book, "take 1 with 9c 9d") is None


@holds_for("HF-3.9")
def test_hf_3_9_a_full_meld_keeps_the_pile(ruleset: Ruleset) -> None:
    """Where the unfinished meld has no room for three cards, the pile cannot be taken."""
    state = drawing(ruleset, pile="9h", melds=[meld("9s*5")])
    assert broken_clause(state, "take 1 with 0+ 9c 9d") == "HF-5.9"
    assert broken_clause(state, "take 1 with 9c 9d") == "HF-5.5"
    assert takes(state) == []


@holds_for("HF-3.10")
def test_hf_3_10_the_rest_of_what_is_taken(ruleset: Ruleset) -> None:
    """The other cards are in the holding afterwards and can be melded at once, in a further action."""
    state = drawing(ruleset, pile="Kc Kd Ks 9h")
    assert broken_clause(state, "take 4 with 9c 9d, Kc Kd Ks") == "HF-2.3"
    play_out(state, "take 4 with 9c 9d", "lay Kc Kd Ks", "discard 4s")
    assert [each.size for each in state.melds] == [3, 3]


@holds_for("HF-3.11")
def test_hf_3_11_further_melds_while_taking(ruleset: Ruleset) -> None:
    """The action that takes the pile may meld other cards of the holding too."""
    state = drawing(ruleset, holding="9c 9d Kc Kd Ks Qh 4s 6h", pile="9h", melds=[meld("Qs*3")])
    play_out(state, "take 1 with 9c 9d, Kc Kd Ks, 0+ Qh")
    assert sorted(each.size for each in state.melds) == [3, 3, 4]
    assert format_cards(state.seats[0].cards) == "4s 6h"


@not_for("HF-3.5")
def test_hf_3_5_no_choice_elsewhere(ruleset: Ruleset) -> None:
    """Where the number is not chosen, at most one number is ever listed."""
    assert len(takes(drawing(ruleset))) <= 1


def test_hf_3_4_and_3_8_depend_on_the_ruleset() -> None:
    """The same two on top can be claimed under two rulesets and blocks under the third."""
    found = [
        takes(drawing(ruleset, holding="2c 2d 9s 4c", pile="2h")) for ruleset in (BEGINNER, ONLINE, SIMPLE)
    ]
    assert found == [[1], [], [1]]
