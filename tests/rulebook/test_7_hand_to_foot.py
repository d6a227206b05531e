"""Chapter 7 of the rulebook: from hand to foot."""

from builders import broken_clause, cards, meld, play_out, round_with
from rulebook.holding import holds_for

from referee.rules import FootPickedUp, Phase, Ruleset, observe

FOOT = "4c 5c 6c 7c 8c"


@holds_for("HF-7.1")
def test_hf_7_1_melding_the_last_card_of_the_hand(ruleset: Ruleset) -> None:
    """The foot is picked up at once and played from in the same turn, which still ends with a discard."""
    state = round_with(ruleset, holding="Qc Qd Qh", feet={0: FOOT})
    assert play_out(state, "lay Qc Qd Qh")[-1] == FootPickedUp(0, 5, cards(FOOT))
    assert (state.turn, state.phase, state.seats[0].on_foot) == (0, Phase.PLAY, True)
    assert broken_clause(state, "pass") == "HF-2.5"
    play_out(state, "discard 4c")
    assert state.turn == 1


@holds_for("HF-7.2")
def test_hf_7_2_discarding_the_last_card_of_the_hand(ruleset: Ruleset) -> None:
    """The foot is picked up at once, but the turn is over."""
    state = round_with(ruleset, holding="5c", feet={0: FOOT})
    assert play_out(state, "discard 5c")[1] == FootPickedUp(0, 5, cards(FOOT))
    assert (state.turn, state.phase) == (1, Phase.DRAW)
    assert observe(state, 0, [0, 0]).holding == tuple(sorted(cards(FOOT)))


@holds_for("HF-7.3")
def test_hf_7_3_cards_of_the_pile_come_first(ruleset: Ruleset) -> None:
    """Cards taken fill an emptied hand, so the foot stays; without any the foot is picked up."""
    for pile, on_foot in (("4c 5c 9h", False), ("9h", True)):
        state = round_with(ruleset, phase=Phase.DRAW, holding="9c 9d", pile=pile, feet={0: FOOT})
        play_out(state, f"take {len(cards(pile))} with 9c 9d")
        assert (state.seats[0].on_foot, state.phase, state.turn) == (on_foot, Phase.PLAY, 0)


@holds_for("HF-7.4")
def test_hf_7_4_having_played_from_the_foot(ruleset: Ruleset) -> None:
    """Neither picking the foot up nor drawing is playing from it; a meld or a discard is."""
    state = round_with(ruleset, holding="5c", feet={0: FOOT})
    play_out(state, "discard 5c")
    assert not state.seats[0].played_foot
    drawing = round_with(ruleset, phase=Phase.DRAW, holding=f"Kh {FOOT}", on_foot=True, melds=[meld("Ks*3")])
    play_out(drawing, "draw")
    assert not drawing.seats[0].played_foot
    for action in ("lay 0+ Kh", "discard Kh"):
        played = drawing.copy()
        play_out(played, action)
        assert played.seats[0].played_foot


@holds_for("HF-7.4")
def test_hf_7_4_melding_out_of_the_hand_is_not_playing_from_the_foot(ruleset: Ruleset) -> None:
    """The meld that empties the hand is made of hand cards; the discard that follows is of the foot."""
    state = round_with(ruleset, holding="Qc Qd Qh", feet={0: FOOT})
    play_out(state, "lay Qc Qd Qh")
    assert not state.seats[0].played_foot
    play_out(state, "discard 4c")
    assert state.seats[0].played_foot
