"""The listed ways to take the discard pile."""

from builders import round_with

from referee.rules import BEGINNER, ONLINE, Phase, Ruleset, TakePile, format_action, legal_actions


def listed(ruleset: Ruleset, holding: str, pile: str) -> list[str]:
    """Return the ways to take *pile* that are listed for a seat whose side has not opened."""
    state = round_with(ruleset, phase=Phase.DRAW, holding=holding, pile=pile, opened=False)
    return [format_action(action) for action in legal_actions(state) if isinstance(action, TakePile)]


def test_no_natural_is_listed_that_the_opening_can_do_without() -> None:
    """Nines with a two are fifty points; a third nine from the holding is not needed, so that way is not listed."""
    assert listed(ONLINE, "9c 9d 9h 2c Kd", "4c 9s") == ["take 2 with 9c 9d 2c"]


def test_a_natural_is_listed_where_the_wild_card_needs_it() -> None:
    """Two jokers need four naturals, so no natural can be left out; a single joker is too little by itself."""
    two_jokers = "take 1 with Jc Jd Jh JR JB"
    state = round_with(
        ONLINE, number=2, phase=Phase.DRAW, holding="Jc Jd Jh JR JB Kd", pile="Js", opened=False
    )
    assert [format_action(action) for action in legal_actions(state)] == ["draw", two_jokers]


def test_cards_are_left_out_before_melds_are_added() -> None:
    """With further melds the one around the upcard is as small as the opening allows, and no meld is superfluous."""
    assert listed(BEGINNER, "9c 9d 9h 8c 8d 8h", "9s") == ["take 1 with 9c 9d, 8c 8d 8h"]


def test_a_book_and_another_meld_of_its_rank_are_listed_together() -> None:
    """Ten fours are fifty points: seven of them with the upcard complete a book, behind which three begin a meld."""
    assert listed(BEGINNER, "4s*9 Kd", "4c") == ["take 1 with 4s 4s 4s 4s 4s 4s, 4s 4s 4s"]


def test_a_second_meld_of_a_rank_needs_the_book() -> None:
    """Eleven fours and a wild card open only around a book; two unfinished melds of a rank are never listed."""
    ways = [way.split(" with ")[1].split(", ") for way in listed(BEGINNER, "4s*10 2c Kd", "4c")]
    assert ["4s 4s 4s 4s 4s 4s", "4s 4s 4s"] in ways
    assert all(len(first.split()) >= 6 for first, *others in ways if others)
