"""Corners of legality that the worked cases and the clauses of the rulebook do not reach."""

from dataclasses import replace

import pytest
from builders import broken_clause, cards, entry, meld, play_out, round_with

from referee.rules import (
    BEGINNER,
    ONLINE,
    PUBLISHER,
    LayDown,
    Phase,
    RoundState,
    TakePile,
    judge,
    parse_action,
)


def test_a_take_without_melds_lacks_its_pair() -> None:
    """Taking the pile without a word about the upcard is refused like any other take without a pair."""
    state = round_with(BEGINNER, phase=Phase.DRAW, holding="9c 9d Kc", pile="9h")
    fault = judge(state, TakePile(1, ()))
    assert fault is not None
    assert fault.clause == "HF-3.7"


def test_naturals_do_not_join_a_wild_upcard() -> None:
    """A two on top goes to a meld of wild cards, not to naturals that could carry it."""
    state = round_with(BEGINNER, phase=Phase.DRAW, holding="2c 2d 9c 9d 9h 9s 9c Kc", pile="2h")
    assert broken_clause(state, "take 1 with 2c 2d 9c 9d 9h 9s 9c") == "HF-3.7"
    assert broken_clause(state, "take 1 with 2c 2d 9c 9d 9h 9s") == "HF-3.7"
    assert broken_clause(state, "take 1 with 2c 2d") is None


def test_another_rank_does_not_join_the_upcard() -> None:
    """A king among the nines is refused by the clause about the upcard's meld."""
    state = round_with(ONLINE, phase=Phase.DRAW, holding="9c 9d Kc 4c", pile="9h")
    assert broken_clause(state, "take 1 with 9c 9d Kc") == "HF-3.7"


def test_a_refused_number_says_which_would_do() -> None:
    """The refusal names the one number, or the numbers from which the seat may choose."""
    reasons = []
    for ruleset in (ONLINE, BEGINNER):
        state = round_with(ruleset, phase=Phase.DRAW, holding="9c 9d Kc", pile="4c 5c 6c 9h")
        fault = judge(state, parse_action("take 5 with 9c 9d"))
        assert fault is not None
        reasons.append(fault.reason.removeprefix("the number of cards taken from the pile is "))
    assert reasons == ["4 here", "1 to 4 here"]


def test_taken_cards_are_held_when_two_cards_have_to_be() -> None:
    """A seat that melds the last two cards of its foot keeps the cards of the pile: two are enough, one is not."""
    state = round_with(BEGINNER, phase=Phase.DRAW, on_foot=True, holding="9c 9d", pile="4c 5c 6c 9h")
    assert broken_clause(state, "take 1 with 9c 9d") == "HF-8.4"
    assert broken_clause(state, "take 2 with 9c 9d") == "HF-8.12"
    play_out(state, "take 3 with 9c 9d")
    assert sorted(state.seats[0].cards) == sorted(cards("5c 6c"))


@pytest.mark.parametrize(
    ("phase", "notation", "reason"),
    [
        (Phase.OVER, "draw", "the round is over"),
        (Phase.OVER, "answer yes", "the round is over"),
        (Phase.ANSWER, "draw", "the partner's question is to be answered first"),
        (Phase.DRAW, "answer yes", "no question was asked"),
        (Phase.PLAY, "answer no", "no question was asked"),
        (Phase.DRAW, "discard 4c", "draw or take the pile first"),
        (Phase.PLAY, "draw", "this turn has drawn already"),
    ],
)
def test_a_decision_out_of_turn_is_told_what_comes_first(phase: Phase, notation: str, reason: str) -> None:
    """Whatever has no place in a phase breaks one clause; the reason says what the phase asks for."""
    fault = judge(round_with(phase=phase), parse_action(notation))
    assert fault is not None
    assert (fault.clause, fault.reason) == ("HF-2.1", reason)


def test_entries_of_one_action_grow_the_same_meld() -> None:
    """The second entry finds the meld as the first has left it, and completes the book."""
    state = round_with(ONLINE, holding="9h 9s 9d 4c 5c", melds=[meld("9c*4")])
    play_out(state, "lay 0+ 9h, 0+ 9s 9d")
    assert [each.size for each in state.melds] == [7]
    assert state.melds[0].cards == cards("9c*4 9h 9s 9d")


def test_melds_are_not_counted_from_the_last() -> None:
    """A number below 0, which cannot be written but may be sent, names no meld."""
    state = round_with(ONLINE, holding="9h 4c 5c", melds=[meld("9c*4")])
    fault = judge(state, LayDown((entry("9h", -1),)))
    assert fault is not None
    assert fault.clause == "HF-5.2"


def beside_nines(holding: str, nines: str) -> RoundState:
    """Return a round whose seat in turn has to open beside *nines* that its partner laid after its opening."""
    return round_with(
        PUBLISHER, holding=holding, opened=[2], melds=[meld("Ac*3"), meld(nines)], opening_ranks={2: "Ac"}
    )


def test_a_set_that_joins_is_valid_by_itself() -> None:
    """Two cards that would fit the partner's nines are no set, whether the meld is named or not."""
    state = beside_nines("9c JR Kc Kd Kh 4c", "9c*3")
    assert broken_clause(state, "lay 9c JR, Kc Kd Kh") == "HF-5.8"
    assert broken_clause(state, "lay 1+ 9c JR, Kc Kd Kh") == "HF-6.2"


def test_a_second_set_of_the_rank_begins_a_meld_once_the_first_made_a_book() -> None:
    """Three nines complete the partner's four; the next nines of the same opening lie for themselves."""
    state = beside_nines("9c 9d 9h 9s 9c JR 4c", "9c*4")
    play_out(state, "lay 9c 9d 9h, 9s 9c JR")
    assert [each.size for each in state.melds] == [3, 7, 3]


SEATS_WITH_WILD_MELDS = replace(
    PUBLISHER,
    name="wild seats",
    melds=replace(PUBLISHER.melds, wild_melds=True),
    opening=replace(PUBLISHER.opening, excludes_partner_ranks=False),
)
"""House rules: each seat opens for itself, in any rank, and wild cards may lie alone."""


def test_the_rank_of_the_partners_opening_may_be_free() -> None:
    """Where house rules do not exclude it, a seat opens in the rank of its partner's opening and joins its meld."""
    state = round_with(
        SEATS_WITH_WILD_MELDS,
        holding="Ac Ad As 4c",
        opened=[2],
        melds=[meld("Ac*3")],
        opening_ranks={2: "Ac"},
    )
    play_out(state, "lay Ac Ad As")
    assert [each.size for each in state.melds] == [6]


def test_wild_sets_open_and_join_like_others() -> None:
    """Three wild cards are a set of their own and join the partner's; two are none."""
    table = {"opened": [2], "melds": [meld("Ac*3"), meld("2c*3")], "opening_ranks": {2: "Ac"}}
    state = round_with(SEATS_WITH_WILD_MELDS, holding="2h JR JB 4c", **table)  # type: ignore[arg-type]
    assert broken_clause(state, "lay JR JB") == "HF-5.8"
    assert broken_clause(state, "lay 1+ JR JB") == "HF-6.2"
    play_out(state, "lay 2h JR JB")
    assert [each.size for each in state.melds] == [3, 6]
