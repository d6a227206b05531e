"""Chapter 9 of the rulebook: the end of a round."""

from builders import broken_clause, meld, play_out, round_with
from rulebook.holding import holds_for

from referee.rules import ONLINE, SIMPLE, CardsDrawn, Phase, RoundEnded, Ruleset, legal_actions, parse_action


def test_hf_9_1_somebody_goes_out() -> None:
    """The round is over in the middle of a turn, with everything scored as it lies."""
    state = round_with(SIMPLE, holding="5c", on_foot=True, melds=[meld("Ks*7", side=1)])
    ended = play_out(state, "discard 5c")[-1]
    assert isinstance(ended, RoundEnded)
    assert (ended.went_out, state.over, state.went_out) == (0, True, 0)
    assert [score.total for score in ended.scores] == [100, 700]


@holds_for("HF-9.1")
def test_hf_9_1_nobody_plays_on(ruleset: Ruleset) -> None:
    """After the end nothing is legal, whoever would be next."""
    state = round_with(ruleset, stock="")
    play_out(state, "discard 4c")
    assert (state.over, list(legal_actions(state))) == (True, [])


@holds_for("HF-9.2")
def test_hf_9_2_the_stock_is_empty(ruleset: Ruleset) -> None:
    """The last card is drawn and played; the next turn ends the round by itself."""
    state = round_with(ruleset, phase=Phase.DRAW, stock="4d", pile="3s")
    drawn = play_out(state, "draw")[0]
    assert isinstance(drawn, CardsDrawn)
    assert (drawn.count, state.over) == (1, False)
    ended = play_out(state, "discard 4c")[-1]
    assert isinstance(ended, RoundEnded)
    assert ended.went_out is None


@holds_for("HF-9.2")
def test_hf_9_2_a_pile_that_cannot_be_taken_ends_it_too(ruleset: Ruleset) -> None:
    """A pair that may not be melded, here for want of an opening, does not keep the round going."""
    opened = ruleset.opening.unit == "none"
    holding = {1: "7c 3s 4d" if opened else "4d 4h 7c"}
    state = round_with(ruleset, stock="", holding="4c 9c", others=holding, opened=False)
    assert isinstance(play_out(state, "discard 4c")[-1], RoundEnded)


@holds_for("HF-9.3")
def test_hf_9_3_taking_or_ending(ruleset: Ruleset) -> None:
    """With an empty stock the seat takes the pile and plays on, or passes, which ends the round."""
    state = round_with(ruleset, stock="", holding="9h 5c", others={1: "9c 9d 5s 6s"}, opened=True)
    play_out(state, "discard 9h")
    assert (state.turn, state.phase) == (1, Phase.DRAW)
    assert broken_clause(state, "draw") == "HF-2.2"
    assert list(legal_actions(state)) == [parse_action("take 1 with 9c 9d"), parse_action("pass")]
    taken = state.copy()
    play_out(taken, "take 1 with 9c 9d")
    assert (taken.over, taken.phase) == (False, Phase.PLAY)
    ended = play_out(state, "pass")[-1]
    assert isinstance(ended, RoundEnded)
    assert ended.went_out is None


@holds_for("HF-9.4")
def test_hf_9_4_no_bonus_no_reshuffle(ruleset: Ruleset) -> None:
    """Nobody scores for going out, and the pile stays where it is."""
    state = round_with(ruleset, stock="", pile="Ks Qs Js", holding="4c 5c")
    ended = play_out(state, "discard 4c")[-1]
    assert isinstance(ended, RoundEnded)
    assert [score.going_out for score in ended.scores] == [0, 0]
    assert (state.stock.left, len(state.pile)) == (0, 4)


def test_hf_9_2_each_table_size_ends_alike() -> None:
    """With two or three seats a round ends on an empty stock as with four."""
    for seats in (2, 3):
        state = round_with(ONLINE, seats=seats, stock="", holding="4c 5c")
        assert isinstance(play_out(state, "discard 4c")[-1], RoundEnded)
