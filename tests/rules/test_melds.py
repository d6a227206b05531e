"""What may lie in one meld."""

import pytest
from builders import broken_clause, cards, meld, round_with

from referee.rules import ONLINE, PUBLISHER, RULESETS, Ruleset
from referee.rules.growths import MOST_WILDS, Growths, growth_key
from referee.rules.melds import MIXED_RANKS, make_up
from referee.rules.ruleset import BOOK_SIZE


@pytest.mark.parametrize("text", ["9s Th Td", "9s Th 2c", "9s 9d Th", "2c 9s JR Th", "9s Ts Js"])
def test_one_natural_of_another_rank_is_enough_to_mix(text: str) -> None:
    """Wherever it stands among the cards, a natural of a second rank keeps them from being a meld."""
    assert make_up(cards(text)) == MIXED_RANKS
    for ruleset in RULESETS.values():
        state = round_with(ruleset, holding=f"{text} 4c 5c")
        assert broken_clause(state, f"lay {text}") == "HF-5.1"


@pytest.mark.parametrize(
    ("on_the_table", "more", "clause"),
    [
        ("8c*4 2c*2", "2h 8h", None),
        ("8c*5 2c", "2h JR 8h", "HF-5.7"),
        ("8c*5 2c", "2h 8h 8s", None),
        ("8c*3 2c*2", "2h 8h", None),
        ("8c*3 2c*2", "2h JR 8h 8s", "HF-5.10"),
        ("8c*3", "2h 2s JR 8h 8s", None),
        ("8c*3", "2h 2s JR 8h", None),
        ("8c*3", "2h 2s JR", "HF-5.10"),
    ],
)
def test_cards_that_complete_a_growing_meld(on_the_table: str, more: str, clause: str | None) -> None:
    """They are in order if the wild cards find a place before the seventh card and stay in the minority."""
    state = round_with(PUBLISHER, holding=f"{more} 4c 5c", melds=[meld(on_the_table)])
    assert broken_clause(state, f"lay 0+ {more}") == clause


@pytest.mark.parametrize("ruleset", [ONLINE, PUBLISHER])
@pytest.mark.parametrize(("twos", "jokers"), [(0, 0), (1, 2), (3, 3)])
def test_the_ways_in_which_a_meld_grows_are_counted_without_making_them(
    ruleset: Ruleset, twos: int, jokers: int
) -> None:
    """However many naturals are at hand, more than make a book among them, the numbers are those of the ways."""
    growths = Growths(ruleset.melds, twos, jokers)
    for naturals in range(BOOK_SIZE):
        for wilds in range(MOST_WILDS + 1):
            for at_hand in (*range(BOOK_SIZE + 5), 24, 64):
                key = growth_key(naturals, wilds, at_hand)
                assert growths.numbers[key] == len(growths[key])
