"""The listed ways to take the discard pile."""

from dataclasses import replace

import pytest
from builders import books, broken_clause, meld, round_with

from referee.rules import (
    BEGINNER,
    ONLINE,
    SIMPLE,
    Phase,
    RoundState,
    Ruleset,
    TakePile,
    format_action,
    legal_actions,
)


def listed(ruleset: Ruleset, holding: str, pile: str) -> list[str]:
    """Return the ways to take *pile* that are listed for a seat whose side has not opened."""
    return listed_in(round_with(ruleset, phase=Phase.DRAW, holding=holding, pile=pile, opened=False))


def listed_in(state: RoundState) -> list[str]:
    """Return the ways to take the pile that are listed in *state*."""
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


def test_the_second_meld_is_not_listed_where_it_does_not_count() -> None:
    """Where only the meld around the upcard counts for the opening, seven fours are 35 points, whatever follows."""
    assert listed(ONLINE, "4s*9 Kd", "4c") == []


def test_a_second_meld_of_a_rank_needs_the_book() -> None:
    """Eleven fours and a wild card open only around a book; two unfinished melds of a rank are never listed."""
    ways = [way.split(" with ")[1].split(", ") for way in listed(BEGINNER, "4s*10 2c Kd", "4c")]
    assert ["4s 4s 4s 4s 4s 4s", "4s 4s 4s"] in ways
    assert all(len(first.split()) >= 6 for first, *others in ways if others)


@pytest.mark.parametrize("excluded", [True, False])
def test_the_rank_of_the_partners_opening_is_taken_where_it_is_free(excluded: bool) -> None:
    """A seat that opens for itself takes an ace for the aces of its partner's opening, unless that is excluded."""
    opening = replace(ONLINE.opening, unit="seat", excludes_partner_ranks=excluded)
    state = round_with(
        replace(ONLINE, name="house", opening=opening),
        phase=Phase.DRAW,
        holding="Ac Ad 4c 5c",
        pile="As",
        opened=[2],
        melds=[meld("Ac*3")],
        opening_ranks={2: "Ac"},
    )
    assert listed_in(state) == ([] if excluded else ["take 1 with 0+ Ac Ad"])


def test_no_card_more_is_listed_than_going_out_needs() -> None:
    """A seat that may go out with the card it keeps takes with the pair alone, although the card would lie as well."""
    state = round_with(
        SIMPLE,
        phase=Phase.DRAW,
        holding="4c 4d 4h",
        on_foot=True,
        pile="4s",
        melds=[meld("4c*3"), *books(clean=2, dirty=2)],
    )
    assert broken_clause(state, "take 1 with 0+ 4c 4d 4h") is None
    assert listed_in(state) == ["take 1 with 0+ 4c 4d"]


def test_a_joker_lies_in_one_meld_only() -> None:
    """The joker beside the upcard is no longer there for the fives; with another one both melds have theirs."""
    ways = [
        listed_in(round_with(BEGINNER, number=1, phase=Phase.DRAW, holding=holding, pile="4s", opened=False))
        for holding in ("4c 4d 5c 5d JR Kd", "4c 4d 5c 5d JR JB Kd")
    ]
    assert ways == [[], ["take 1 with 4c 4d JR, 5c 5d JB"]]
