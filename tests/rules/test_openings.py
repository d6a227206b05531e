"""The listed openings."""

from builders import round_with

from referee.rules import BEGINNER, ONLINE, LayDown, Ruleset, format_action, judge, legal_actions, sole_action


def listed(ruleset: Ruleset, holding: str, number: int = 0) -> list[str]:
    """Return the openings that are listed for a seat with *holding* in round *number*, all of them legal."""
    state = round_with(ruleset, number=number, holding=holding, opened=False)
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


def test_three_melds_of_a_rank_open_together() -> None:
    """Seventeen sixes are 85 points: two books do not reach 90 with a meld behind them, eighteen do."""
    assert listed(ONLINE, "6s*17 Kd", number=1) == []
    assert "lay 6s 6s 6s 6s 6s 6s 6s, 6s 6s 6s 6s 6s 6s 6s, 6s 6s 6s 6s" in listed(
        ONLINE, "6s*18 Kd", number=1
    )


def test_a_book_of_wild_cards_is_followed_by_another_meld_of_them() -> None:
    """Ten twos are two hundred points: either meld alone is too little for the last opening."""
    assert listed(BEGINNER, "2s*10 Kd", number=3)[0].startswith("lay 2s 2s 2s 2s 2s 2s 2s")
