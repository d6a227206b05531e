"""Chapter 5 of the rulebook: melds."""

from dataclasses import replace

import pytest
from builders import FILLER, broken_clause, meld, play_out, round_with
from rulebook.holding import holds_for, not_for

from referee.rules import BEGINNER, PUBLISHER, Entry, LayDown, RoundState, Ruleset, judge


def laying(ruleset: Ruleset, cards: str, *melds: str) -> str | None:
    """Return the clause that laying *cards* breaks: as a new meld, or with a number and a plus on one of *melds*."""
    held = cards.partition("+ ")[2] or cards
    state = round_with(ruleset, holding=f"{held} {FILLER}", melds=[meld(text) for text in melds])
    written = " ".join(
        card for word in held.split() for card in [word.partition("*")[0]] * int(word.partition("*")[2] or 1)
    )
    return broken_clause(state, f"lay {cards.removesuffix(held)}{written}")


@holds_for("HF-5.1")
@pytest.mark.parametrize("cards", ["9s Ts Js", "9s 9d Th", "9s 9d 9c Th 2c", "Kc Kd 2c Qh Qd"])
def test_hf_5_1_one_rank(ruleset: Ruleset, cards: str) -> None:
    """Runs and mixed ranks are no melds, with wild cards or without."""
    assert laying(ruleset, cards) == "HF-5.1"
    assert laying(ruleset, "0+ Th", "9s*3") == "HF-5.1"


@holds_for("HF-5.1")
def test_hf_5_1_entries_name_cards(ruleset: Ruleset) -> None:
    """A lay-down without entries and an entry without cards are refused."""
    state = round_with(ruleset, melds=[meld("9s*3")])
    for action in (LayDown(()), LayDown((Entry(()),)), LayDown((Entry((), 0),))):
        fault = judge(state, action)
        assert fault is not None
        assert fault.clause == "HF-5.1"


@holds_for("HF-5.2")
def test_hf_5_2_melds_belong_to_the_side(ruleset: Ruleset) -> None:
    """Partners lay off on each other's melds; nobody does on those of another side or on one that is not there."""
    melds = [meld("9s*3", side=0), meld("Ts*3", side=1)]
    for seat in (0, 2):
        state = round_with(ruleset, turn=seat, holding=f"9c Tc {FILLER}", melds=melds)
        assert broken_clause(state, "lay 0+ 9c") is None
        assert broken_clause(state, "lay 1+ Tc") == "HF-5.2"
        assert broken_clause(state, "lay 2+ 9c") == "HF-5.2"
    assert judge(state, LayDown((Entry((state.seats[2].cards[0],), -2),))) is not None


@holds_for("HF-5.2")
def test_hf_5_2_melds_are_counted_over_the_table(ruleset: Ruleset) -> None:
    """The number of a meld is its place among all that were begun in the round, whoever began them."""
    state = round_with(ruleset, turn=1, holding=f"9c 9d 9h {FILLER}", melds=[meld("9s*3", side=0)])
    play_out(state, "lay 9c 9d 9h")
    assert [(each.side, each.size) for each in state.melds] == [(0, 3), (1, 3)]


@holds_for("HF-5.3")
@pytest.mark.parametrize("cards", ["2s 2d JR", "2s*5 JR JB", "2s*6 JR JB", "2c 2d"])
def test_hf_5_3_no_melds_of_wild_cards_only(ruleset: Ruleset, cards: str) -> None:
    """Wild cards are never a meld by themselves, whatever their number."""
    assert laying(ruleset, cards) == "HF-5.3"


@holds_for("HF-5.4")
def test_hf_5_4_melds_of_wild_cards_only(ruleset: Ruleset) -> None:
    """Three to seven wild cards are a meld, which takes no natural card and no eighth card."""
    assert [laying(ruleset, cards) for cards in ("2s 2d JR", "JR*3", "2s*5 JR JB")] == [None] * 3
    assert laying(ruleset, "2s 2d") == "HF-5.8"
    assert laying(ruleset, "2s*6 JR JB") == "HF-5.9"
    assert laying(ruleset, "0+ 9h", "2s*3 JR") == "HF-5.4"
    assert laying(ruleset, "0+ 9h 2h", "2s*3 JR") == "HF-5.4"
    assert laying(ruleset, "0+ 2h 2c", "2s*5 JR") == "HF-5.9"
    assert laying(ruleset, "0+ 2h", "2s*5 JR") is None


@holds_for("HF-5.5")
def test_hf_5_5_one_unfinished_meld_of_a_rank(ruleset: Ruleset) -> None:
    """A second meld of a rank begins only once the first is a book; another side's meld does not matter."""
    assert laying(ruleset, "Qc Qd Qh", "Qs*3") == "HF-5.5"
    assert laying(ruleset, "0+ Qc Qd Qh", "Qs*3") is None
    assert laying(ruleset, "Qc Qd Qh", "Qs*7") is None
    other = round_with(ruleset, holding=f"Qc Qd Qh {FILLER}", melds=[meld("Qs*3", side=1)])
    assert broken_clause(other, "lay Qc Qd Qh") is None
    twice = round_with(ruleset, holding=f"Qc Qd Qh Qs Qs Qs {FILLER}")
    assert broken_clause(twice, "lay Qc Qd Qh, Qs Qs Qs") == "HF-5.5"


@holds_for("HF-5.4")
def test_hf_5_5_wild_melds_count_as_one_rank(ruleset: Ruleset) -> None:
    """A side has one unfinished meld of wild cards, of twos or jokers or both."""
    assert laying(ruleset, "JR JB JR", "2s*3") == "HF-5.5"
    assert laying(ruleset, "0+ JR JB JR", "2s*3") is None
    assert laying(ruleset, "JR JB JR", "2s*5 JR JB") is None


@holds_for("HF-5.6")
def test_hf_5_6_books_are_closed(ruleset: Ruleset) -> None:
    """Nothing is added to seven cards, clean, dirty or wild."""
    for book in ("Ks*7", "Ks*5 2c JR"):
        assert laying(ruleset, "0+ Kh", book) == "HF-5.6"
        assert laying(ruleset, "0+ 2h", book) == "HF-5.6"
    if ruleset.melds.wild_melds:
        assert laying(ruleset, "0+ 2h", "2s*5 JR JB") == "HF-5.6"


@holds_for("HF-5.7")
def test_hf_5_7_books_grow_by_naturals(ruleset: Ruleset) -> None:
    """Naturals go on any book, wild cards on none."""
    for book in ("Ks*7", "Ks*5 2c JR", "Ks*9"):
        assert laying(ruleset, "0+ Kh Kd", book) is None
        assert laying(ruleset, "0+ 2h", book) == "HF-5.7"
        assert laying(ruleset, "0+ Kh 2h", book) == "HF-5.7"


@holds_for("HF-5.7")
def test_hf_5_7_cards_count_as_laid_in_the_best_order(ruleset: Ruleset) -> None:
    """A wild card may come with the card that completes a meld if there is room for it before."""
    assert laying(ruleset, "0+ 2d 8h", "8s*4 2c JR") is None
    assert laying(ruleset, "0+ 8h 8d 2d", "8s*5 2c") is None
    assert laying(ruleset, "0+ 2d JR 8h", "8s*5 2c") == "HF-5.7"
    assert laying(ruleset, "0+ 2d JR", "8s*6") == "HF-5.7"


@holds_for("HF-5.8")
def test_hf_5_8_at_least_three_cards(ruleset: Ruleset) -> None:
    """One or two cards begin no meld, with a wild card or without."""
    for cards in ("8h 8d", "8h", "8h 2c"):
        assert laying(ruleset, cards) == "HF-5.8"
    assert laying(ruleset, "8h 8d 8c") is None
    assert laying(ruleset, "0+ 8h", "8s*3") is None


@holds_for("HF-5.9")
def test_hf_5_9_at_most_seven_cards(ruleset: Ruleset) -> None:
    """Eight cards are refused, laid together or added."""
    assert laying(ruleset, "Ks*8") == "HF-5.9"
    assert laying(ruleset, "0+ Kh Kd", "Ks*6") == "HF-5.9"
    assert laying(ruleset, "0+ Kh", "Ks*6") is None


@not_for("HF-5.9")
def test_hf_5_9_no_limit_elsewhere(ruleset: Ruleset) -> None:
    """Where books grow, eight and more cards may be laid together."""
    assert laying(ruleset, "Ks*8") is None
    assert laying(ruleset, "0+ Kh Kd", "Ks*6") is None


def test_hf_5_9_wild_melds_stop_at_seven_where_books_grow() -> None:
    """Under house rules with growing books and wild melds, a wild meld still ends at seven cards."""
    melds = replace(PUBLISHER.melds, wild_melds=True)
    house = replace(PUBLISHER, name="house", melds=melds)
    assert laying(house, "2s*8") == "HF-5.9"
    assert laying(house, "0+ 2h", "2s*7") == "HF-5.7"


LIMITS = {3: (1, 1), 4: (1, 1), 5: (1, 2), 6: (2, 2), 7: (2, 3)}
"""Most wild cards by size: under the rulesets with two at most, and under the majority rule."""


@holds_for("HF-5.10")
@pytest.mark.parametrize(
    ("naturals", "wilds"),
    [(size - wilds, wilds) for size in LIMITS for wilds in (1, 2, 3) if size - wilds >= 2],
)
def test_hf_5_10_wild_cards_in_a_mixed_meld(ruleset: Ruleset, naturals: int, wilds: int) -> None:
    """The size of a meld says how many wild cards it may hold, whether laid at once or added."""
    most = LIMITS[naturals + wilds][ruleset is PUBLISHER]
    expected = None if wilds <= most else "HF-5.10"
    assert laying(ruleset, f"8h*{naturals} 2d*{wilds}") == expected
    if naturals >= 3:
        assert laying(ruleset, f"0+ 2d*{wilds}", f"8h*{naturals}") == expected


@holds_for("HF-5.10")
def test_hf_5_10_one_natural_is_never_enough(ruleset: Ruleset) -> None:
    """One natural with two wild cards is no meld under any ruleset."""
    assert laying(ruleset, "8h 2s 2d") == "HF-5.10"


def test_hf_5_10_naturals_make_room_in_the_same_entry() -> None:
    """A second wild card may come together with the natural that makes the meld large enough for it."""
    assert laying(BEGINNER, "0+ 2d", "8s*3 2c") == "HF-5.10"
    assert laying(BEGINNER, "0+ 8h 2d", "8s*3 2c") is None


def kinds(state: RoundState) -> tuple[int, int, int]:
    """Return how many clean, dirty and wild books side 0 has."""
    books = state.sides[0].books
    return books.clean, books.dirty, books.wild


@holds_for("HF-5.11")
def test_hf_5_11_clean_and_dirty_books(ruleset: Ruleset) -> None:
    """A book without wild cards is clean, one with some is dirty."""
    state = round_with(ruleset, holding=f"8h 8d 8h 9h 9d 2d {FILLER}", melds=[meld("8s*4"), meld("9s*4")])
    play_out(state, "lay 0+ 8h 8d 8h", "lay 1+ 9h 9d 2d")
    assert kinds(state) == (1, 1, 0)


@holds_for("HF-5.4")
def test_hf_5_11_wild_books(ruleset: Ruleset) -> None:
    """Seven wild cards are a wild book, neither clean nor dirty."""
    state = round_with(ruleset, holding=f"2d*5 JR JB {FILLER}")
    play_out(state, "lay 2d 2d 2d 2d 2d JR JB")
    assert kinds(state) == (0, 0, 1)


@holds_for("HF-5.7")
def test_hf_5_11_later_naturals_change_nothing(ruleset: Ruleset) -> None:
    """A dirty book that gets more naturals stays the one dirty book that it was."""
    state = round_with(ruleset, holding=f"8h 8d {FILLER}", melds=[meld("8s*5 2c JR")])
    play_out(state, "lay 0+ 8h 8d")
    assert kinds(state) == (0, 1, 0)
    assert state.melds[0].size == 9
