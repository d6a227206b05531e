"""The listed openings."""

from dataclasses import replace

from builders import meld, round_with

from referee.rules import (
    BEGINNER,
    ONLINE,
    PUBLISHER,
    LayDown,
    RoundState,
    Ruleset,
    format_action,
    judge,
    legal_actions,
    sole_action,
)


def listed(ruleset: Ruleset, holding: str, number: int = 0) -> list[str]:
    """Return the openings that are listed for a seat with *holding* in round *number*, all of them legal."""
    return listed_in(round_with(ruleset, number=number, holding=holding, opened=False))


def listed_in(state: RoundState) -> list[str]:
    """Return the openings that are listed in *state*, all of them legal."""
    actions = [action for action in legal_actions(state) if isinstance(action, LayDown)]
    assert all(judge(state, action) is None for action in actions)
    assert sole_action(state) is None
    return [format_action(action) for action in actions]


def test_a_book_and_another_meld_of_its_rank_open_together() -> None:
    """Ten fours are fifty points, and lie only as a book and a meld begun behind it."""
    assert listed(ONLINE, "4s*10 Kd") == ["lay 4s 4s 4s 4s 4s 4s 4s, 4s 4s 4s"]


def test_two_books_of_a_rank_come_once() -> None:
    """Fourteen fives are seventy points, which thirteen do not reach with fewer cards in another order."""
    ways = listed(ONLINE, "5s*14 Kd", number=0)
    assert "lay 5s 5s 5s 5s 5s 5s 5s, 5s 5s 5s" in ways
    assert len(set(ways)) == len(ways)


def test_two_books_of_a_rank_come_in_one_order() -> None:
    """Thirteen eights and a two make two books; the one with fewer eights comes first, and never second."""
    ways = listed(ONLINE, "8s*13 2c Kd", number=2)
    assert "lay 8s 8s 8s 8s 8s 8s 2c, 8s 8s 8s 8s 8s 8s 8s" in ways
    assert "lay 8s 8s 8s 8s 8s 8s 8s, 8s 8s 8s 8s 8s 8s 2c" not in ways


def test_the_whole_holding_may_be_just_enough() -> None:
    """Ten fours are the fifty points that are asked for, and nothing else is held."""
    assert listed(ONLINE, "4s*10") == ["lay 4s 4s 4s 4s 4s 4s 4s, 4s 4s 4s"]


def test_three_melds_of_a_rank_open_together() -> None:
    """Seventeen sixes are 85 points: two books do not reach 90 with a meld behind them, eighteen do."""
    assert listed(ONLINE, "6s*17 Kd", number=1) == []
    assert "lay 6s 6s 6s 6s 6s 6s 6s, 6s 6s 6s 6s 6s 6s 6s, 6s 6s 6s 6s" in listed(
        ONLINE, "6s*18 Kd", number=1
    )


def test_a_book_of_wild_cards_is_followed_by_another_meld_of_them() -> None:
    """Ten twos are two hundred points: either meld alone is too little for the last opening."""
    assert listed(BEGINNER, "2s*10 Kd", number=3)[0].startswith("lay 2s 2s 2s 2s 2s 2s 2s")


def test_the_rank_of_the_partners_opening_is_listed_where_it_is_free() -> None:
    """Aces that join the aces of the partner's opening open where house rules do not exclude them, and only there."""
    free = replace(PUBLISHER, name="free", opening=replace(PUBLISHER.opening, excludes_partner_ranks=False))
    ways = [
        listed_in(
            round_with(
                ruleset,
                holding="Ac Ad As 4c",
                opened=[2],
                melds=[meld("Ac*3")],
                opening_ranks={2: "Ac"},
            )
        )
        for ruleset in (free, PUBLISHER)
    ]
    assert ways == [["lay 0+ Ac Ad As"], []]


def test_wild_cards_of_both_kinds_join_the_partners_meld_together() -> None:
    """A two or a joker completes the partner's nines with the next natural; both would be one card too many."""
    state = round_with(
        PUBLISHER,
        holding="9c 9d 9h 2c JR Kd",
        opened=[2],
        melds=[meld("Ac*3"), meld("9s*4 2c 2d")],
        opening_ranks={2: "Ac"},
    )
    ways = listed_in(state)
    assert {"lay 1+ 9c 9d 9h 2c", "lay 1+ 9c 9d 9h JR"} <= set(ways)
    assert "lay 1+ 9c 9d 9h 2c JR" not in ways
