"""Chapter 2 of the rulebook: the turn."""

import pytest
from builders import FILLER, broken_clause, meld, play_out, round_with, snapshot
from rulebook.holding import holds_for

from referee.rules import (
    BEGINNER,
    ONLINE,
    PUBLISHER,
    SIMPLE,
    CardDiscarded,
    CardsDrawn,
    IllegalAction,
    Phase,
    RoundEnded,
    RoundState,
    Ruleset,
    apply,
    legal_actions,
    parse_action,
)

BEFORE_PLAY = ("lay Ac Ad Ah", "ask", "discard 4c", "answer yes")
AFTER_DRAWING = ("draw", "take 1 with 9c 9d", "answer no")


@holds_for("HF-2.1")
def test_hf_2_1_draw_first_and_once(ruleset: Ruleset) -> None:
    """Nothing but drawing comes before the draw, and nobody draws twice."""
    drawing = round_with(ruleset, phase=Phase.DRAW, holding="Ac Ad Ah 4c", pile="9h")
    assert [broken_clause(drawing, text) for text in BEFORE_PLAY] == ["HF-2.1"] * 4
    assert broken_clause(drawing, "draw") is None
    playing = round_with(ruleset, phase=Phase.PLAY, holding="9c 9d 4c", pile="9h")
    assert [broken_clause(playing, text) for text in AFTER_DRAWING] == ["HF-2.1"] * 3


def test_hf_2_1_only_the_answer_while_a_question_is_open() -> None:
    """Between question and answer nothing else is legal, and then the turn goes on."""
    state = round_with(BEGINNER, holding="9c 9d 4c", on_foot=True, others_played_foot=[2])
    play_out(state, "ask")
    assert [broken_clause(state, text) for text in ("discard 4c", "draw", "pass", "ask")] == ["HF-2.1"] * 4
    assert state.decider == 2
    play_out(state, "answer no")
    assert (state.decider, state.phase) == (0, Phase.PLAY)


@holds_for("HF-2.1")
def test_hf_2_1_nothing_after_the_end(ruleset: Ruleset) -> None:
    """When the round is over no action is legal and none is listed."""
    state = round_with(ruleset, stock="", holding="9c 9d 4c")
    assert isinstance(play_out(state, "discard 4c")[-1], RoundEnded)
    for text in ("draw", "discard 9c", "pass", "answer yes"):
        assert broken_clause(state, text) == "HF-2.1"
    assert list(legal_actions(state)) == []


@holds_for("HF-2.2")
def test_hf_2_2_drawing(ruleset: Ruleset) -> None:
    """Two cards are drawn, one if only one is left, and none from an empty stock."""
    for stock, count in (("4d 5d 6d", 2), ("4d 5d", 2), ("4d", 1)):
        state = round_with(ruleset, phase=Phase.DRAW, stock=stock)
        drawn = play_out(state, "draw")[0]
        assert isinstance(drawn, CardsDrawn)
        assert (drawn.count, len(state.seats[0].cards)) == (count, 11 + count)
    empty = round_with(ruleset, phase=Phase.DRAW, stock="", pile="9h", holding="9c 9d 4c")
    assert broken_clause(empty, "draw") == "HF-2.2"


@holds_for("HF-2.3")
def test_hf_2_3_only_held_cards_are_played(ruleset: Ruleset) -> None:
    """A card is discarded or melded only from the holding, and as often as it is there."""
    state = round_with(ruleset, holding="9c 9d 9h 4c", pile="9s 9s")
    assert broken_clause(state, "discard 4d") == "HF-2.3"
    assert broken_clause(state, "lay 9c 9d 9s") == "HF-2.3"
    assert broken_clause(state, "lay 9c 9c 9d") == "HF-2.3"
    assert broken_clause(state, "lay 9c 9d 9h, 9c 9d 9h") == "HF-2.3"
    assert broken_clause(state, "lay 9c 9d 9h") is None


@pytest.mark.parametrize("text", ["take 2 with 9c 9d 9s", "take 2 with 9c 9d, 9s 9s 9s"])
def test_hf_2_3_buried_cards_are_not_held_while_taking(text: str) -> None:
    """What lies deeper in the pile is not in the holding while the pile is being taken."""
    state = round_with(BEGINNER, phase=Phase.DRAW, holding="9c 9d 4c 5c", pile="9s 9h")
    assert broken_clause(state, text) == "HF-2.3"
    assert broken_clause(state, "take 2 with 9c 9d") is None


@holds_for("HF-2.4")
@pytest.mark.parametrize("card", ["4c", "2h", "JR", "3s"])
def test_hf_2_4_the_discard(ruleset: Ruleset, card: str) -> None:
    """Any card of the holding may be discarded, which ends the turn; the seat to the left is next."""
    state = round_with(ruleset, turn=3, holding=f"9c Kd {card}", pile="8h")
    assert play_out(state, f"discard {card}")[0] == CardDiscarded(3, state.pile[-1])
    assert (state.turn, state.phase, len(state.pile)) == (0, Phase.DRAW, 2)
    assert len(state.seats[3].cards) == 2


@holds_for("HF-2.5")
def test_hf_2_5_no_turn_without_a_discard(ruleset: Ruleset) -> None:
    """Neither before nor after the draw does a seat pass while there is a stock."""
    for phase in (Phase.DRAW, Phase.PLAY):
        assert broken_clause(round_with(ruleset, phase=phase, pile="9h"), "pass") == "HF-2.5"
    assert broken_clause(round_with(ruleset, stock="", phase=Phase.PLAY), "pass") == "HF-2.5"


@holds_for("HF-2.6")
def test_hf_2_6_several_melds_in_one_action(ruleset: Ruleset) -> None:
    """A later entry may add to a meld that an earlier one began, not the other way round."""
    state = round_with(ruleset, holding="9c 9d 9h 9s Ac Ad Ah 4c 5c")
    assert broken_clause(state, "lay 1+ 9s, Ac Ad Ah, 9c 9d 9h") == "HF-5.2"
    play_out(state, "lay Ac Ad Ah, 9c 9d 9h, 1+ 9s")
    assert [each.size for each in state.melds] == [3, 4]


@holds_for("HF-2.6")
def test_hf_2_6_an_illegal_action_changes_nothing(ruleset: Ruleset) -> None:
    """An action whose last entry is not in order leaves everything as it was."""
    state = round_with(ruleset, holding="9c 9d 9h Ac Ad 4c 5c", melds=[meld("Kc Kd Kh")])
    before = snapshot(state)
    with pytest.raises(IllegalAction) as refused:
        apply(state, parse_action("lay 9c 9d 9h, Ac Ad"))
    assert refused.value.clause == "HF-5.8"
    assert snapshot(state) == before


def test_hf_2_6_the_first_entry_that_is_not_in_order_decides() -> None:
    """Entries are looked at one after the other: a later one may break a lower clause."""
    state = round_with(BEGINNER, holding="9c 9d 3c 3s 3c 4c 5c")
    assert broken_clause(state, "lay 9c 9d, 3c 3s 3c") == "HF-5.8"
    assert broken_clause(state, "lay 3c 3s 3c, 9c 9d") == "HF-4.6"


def dead_ends() -> list[RoundState]:
    """Return positions from which it is easy to find no way out."""
    return [
        round_with(BEGINNER, holding="5c", on_foot=True, phase=Phase.DRAW),
        round_with(BEGINNER, holding="5c 6c", on_foot=True),
        round_with(PUBLISHER, holding="3c 3h 3d", on_foot=True),
        round_with(SIMPLE, holding="5c", on_foot=True),
        round_with(ONLINE, holding="9c 9d", phase=Phase.DRAW, stock="", pile="9h", on_foot=True),
        round_with(ONLINE, holding=FILLER, phase=Phase.ANSWER),
    ]


@pytest.mark.parametrize("number", range(6))
def test_hf_2_7_there_is_always_something_to_do(number: int) -> None:
    """Where few cards are left there is still a legal action, and it is listed."""
    state = dead_ends()[number]
    listed = list(legal_actions(state))
    assert listed
    assert all(action in legal_actions(state) for action in listed)


def test_hf_2_7_two_foot_cards_can_always_be_parted() -> None:
    """A seat that may not go out discards one of its two cards and keeps the other."""
    state = round_with(BEGINNER, holding="5c 6c", on_foot=True, melds=[meld("5d 5h 5s"), meld("6d 6h 6s")])
    assert [type(action).__name__ for action in legal_actions(state)] == ["Discard", "Discard"]
