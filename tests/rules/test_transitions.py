"""What follows from an action."""

from builders import broken_clause, cards, meld, play_out, round_with

from referee.rules import ONLINE, CardsMelded, Phase, RedThreeLaid


def test_an_event_tells_how_large_the_meld_has_become() -> None:
    """Each entry has an event of its own, with the size of the meld once its cards lie there."""
    state = round_with(ONLINE, holding="9c 9d 9h 9s Kc Kd 4c 5c", melds=[meld("Kc*3")])
    melded = play_out(state, "lay 9c 9d 9h, 1+ 9s, 0+ Kc Kd")
    assert melded == (
        CardsMelded(0, 1, cards("9c 9d 9h"), 3),
        CardsMelded(0, 1, cards("9s"), 4),
        CardsMelded(0, 0, cards("Kc Kd"), 5),
    )


def test_a_book_makes_room_for_a_new_meld_of_its_rank() -> None:
    """Once the seventh card lies there, the next action may begin a meld of the same rank, and one only."""
    state = round_with(ONLINE, holding="9c 9d 9h 9s 9c 9d 9h 4c 5c", melds=[meld("9c*6")])
    play_out(state, "lay 0+ 9c", "lay 9d 9h 9s")
    assert [each.size for each in state.melds] == [7, 3]
    assert broken_clause(state, "lay 9c 9d 9h") == "HF-5.5"


def test_nobody_is_stranded_on_a_hand() -> None:
    """A seat whose draw gave it nothing but a red three still discards the last card of its hand."""
    state = round_with(
        ONLINE, phase=Phase.DRAW, holding="5c", feet={0: "6c 7c"}, stock="3h", pile="3s", others={1: "8c"}
    )
    assert play_out(state, "draw")[-1] == RedThreeLaid(0, *cards("3h"))
    assert broken_clause(state, "pass") == "HF-2.5"
    play_out(state, "discard 5c")
    assert state.seats[0].cards == list(cards("6c 7c"))
