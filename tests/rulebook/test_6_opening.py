"""Chapter 6 of the rulebook: the opening."""

from dataclasses import replace
from typing import Literal

import pytest
from builders import FILLER, broken_clause, meld, play_out, round_with
from rulebook.holding import holds_for, not_for

from referee.rules import BEGINNER, ONLINE, PUBLISHER, Phase, RoundState, Ruleset


def unopened(ruleset: Ruleset, holding: str, **more: object) -> RoundState:
    """Return a round in which nobody has opened; the seat in turn holds *holding* and more."""
    return round_with(ruleset, holding=f"{holding} {FILLER}", opened=False, **more)  # type: ignore[arg-type]


@holds_for("HF-6.1")
def test_hf_6_1_the_side_opens(ruleset: Ruleset) -> None:
    """What one partner lays opens the round for both, and not for the other side."""
    state = unopened(ruleset, "Ac Ad Ah", others={1: "4h 4d 4s 5c", 2: "4h 4d 4s 5c"})
    play_out(state, "lay Ac Ad Ah")
    assert [seat.opened for seat in state.seats] == [True, False, True, False]


@holds_for("HF-6.1")
def test_hf_6_1_the_partner_lays_off_without_a_minimum(ruleset: Ruleset) -> None:
    """A seat that has laid nothing itself adds to its partner's melds and begins cheap ones."""
    state = round_with(ruleset, holding=f"Kh 4h 4d 4s {FILLER}", melds=[meld("Ks*4")], opened=[0, 2])
    assert broken_clause(state, "lay 0+ Kh") is None
    assert broken_clause(state, "lay 4h 4d 4s") is None


@holds_for("HF-6.2")
def test_hf_6_2_each_seat_opens_for_itself(ruleset: Ruleset) -> None:
    """After its partner has opened a seat still needs an opening of its own before it lays off."""
    state = unopened(ruleset, "Kh Ac Ad Ah Kd Ks", melds=[meld("Ks*4")])
    state.seats[2].opened = True
    assert broken_clause(state, "lay 0+ Kh") == "HF-6.2"
    assert broken_clause(state, "lay Ac Ad Ah, 0+ Kh") == "HF-6.2"
    play_out(state, "lay Ac Ad Ah", "lay 0+ Kh")
    assert [seat.opened for seat in state.seats] == [True, False, True, False]


@holds_for("HF-6.2")
def test_hf_6_2_the_sets_of_an_opening_are_valid_by_themselves(ruleset: Ruleset) -> None:
    """No entry of an opening adds to a set that the same action begins."""
    state = unopened(ruleset, "Ac Ad Ah As As As")
    assert broken_clause(state, "lay Ac Ad Ah, 0+ As") == "HF-6.2"
    assert broken_clause(state, "lay Ac Ad Ah, 0+ As As As") == "HF-6.2"
    assert broken_clause(state, "lay Ac Ad Ah As") is None


@not_for("HF-6.2")
def test_hf_6_2_elsewhere_an_opening_may_lay_off_at_once(ruleset: Ruleset) -> None:
    """Where the side opens, or nobody needs to, an entry may add to a meld of the same action."""
    state = unopened(ruleset, "Ac Ad Ah As")
    assert broken_clause(state, "lay Ac Ad Ah, 0+ As") is None


@holds_for("HF-6.3")
def test_hf_6_3_not_in_a_rank_of_the_partners_opening(ruleset: Ruleset) -> None:
    """The partner's opening rank is barred, even after its set has become a book; other ranks are free."""
    for aces in ("As*3", "As*7"):
        state = unopened(ruleset, "Ac Ad Ah Kh Kd Ks 2c", melds=[meld(aces)], opening_ranks={2: "As"})
        assert broken_clause(state, "lay Ac Ad Ah") == "HF-6.3"
        assert broken_clause(state, "lay Kh Kd Ks 2c, Ac Ad Ah") == "HF-6.3"
        play_out(state, "lay Kh Kd Ks 2c")
        assert broken_clause(state, "lay 0+ Ac Ad Ah") is None


@holds_for("HF-6.3")
def test_hf_6_3_another_sides_ranks_do_not_matter(ruleset: Ruleset) -> None:
    """Only the partner's opening bars a rank, and only what it laid in that one action."""
    state = unopened(ruleset, "Ac Ad Ah Kh", melds=[meld("As*3", side=1)], opening_ranks={1: "As", 3: "As"})
    assert broken_clause(state, "lay Ac Ad Ah") is None
    play_out(state, "lay Ac Ad Ah")
    assert state.seats[0].opening_ranks == 1 << 10


@not_for("HF-6.3")
def test_hf_6_3_elsewhere_ranks_are_free(ruleset: Ruleset) -> None:
    """Where seats do not open one by one, no rank is barred."""
    state = unopened(ruleset, "Ac Ad Ah", melds=[meld("As*7")], opening_ranks={2: "As"})
    assert broken_clause(state, "lay Ac Ad Ah") is None


STEPS = {
    50: ("Kc Kd Kh 4h 4d 4s", "As Ad Ah"),
    70: ("As Ad Ah", "Kc Kd Kh JR"),
    90: ("As Ad Ah 2c", "As Ad Ah Kc Kd Kh"),
    120: ("As Ad Ah JR", "As Ad Ah JR 5h 5d 5s"),
    150: ("As Ad Ah JR Kc Kd Kh", "As Ad Ah Ac 2c JR"),
}
"""For each minimum an opening that misses it and one that reaches it."""


def by_rank(cards: str) -> str:
    """Return a lay-down of *cards* with one entry a natural rank; wild cards join the entry before them."""
    entries: list[list[str]] = []
    for card in cards.split():
        if entries and ((card[0] in "2J" and card[1] in "cRB") or entries[-1][0][0] == card[0]):
            entries[-1].append(card)
        else:
            entries.append([card])
    return "lay " + ", ".join(" ".join(entry) for entry in entries)


@holds_for("HF-6.4")
def test_hf_6_4_the_minimum(ruleset: Ruleset) -> None:
    """Each round has its minimum, which is reached exactly or not at all; after the last one it stays."""
    for number in range(6):
        minimum = ruleset.opening.minimums[min(number, 3)]
        missing, reaching = STEPS[minimum]
        state = unopened(ruleset, f"{missing} {reaching}", number=number)
        assert broken_clause(state, by_rank(missing)) == "HF-6.4"
        assert broken_clause(state, by_rank(reaching)) is None


@holds_for("HF-6.4")
def test_hf_6_4_the_published_minimums(ruleset: Ruleset) -> None:
    """Publisher rises from 50 over 70 and 90 to 120, the others over 90 and 120 to 150."""
    expected = (50, 70, 90, 120) if ruleset is PUBLISHER else (50, 90, 120, 150)
    assert tuple(ruleset.opening.minimum(number) for number in range(4)) == expected


@holds_for("HF-6.5")
def test_hf_6_5_what_counts(ruleset: Ruleset) -> None:
    """The melds of one action count together; bonuses and red threes do not, and eights are 5 in publisher."""
    state = unopened(ruleset, "Kc Kd Kh 9c 9d 9h", red_threes={0: "3h 3d"})
    assert broken_clause(state, "lay Kc Kd Kh") == "HF-6.4"
    assert broken_clause(state, "lay Kc Kd Kh, 9c 9d 9h") is None
    book = unopened(ruleset, "4h*7")
    assert broken_clause(book, "lay " + "4h " * 7) == "HF-6.4"
    eights = unopened(ruleset, "8c 8d 8h 9c 9d 9h")
    expected = "HF-6.4" if ruleset is PUBLISHER else None
    assert broken_clause(eights, "lay 8c 8d 8h, 9c 9d 9h") == expected


def test_hf_6_5_a_wild_meld_opens_with_its_cards() -> None:
    """Where melds of wild cards are known, one may be the opening: three jokers are 150."""
    assert broken_clause(unopened(BEGINNER, "JR JR JB", number=3), "lay JR JR JB") is None
    assert broken_clause(unopened(ONLINE, "JR JR JB", number=3), "lay JR JR JB") == "HF-5.3"


@holds_for("HF-6.6")
def test_hf_6_6_a_set_in_a_rank_that_the_partner_laid_later(ruleset: Ruleset) -> None:
    """The set joins the unfinished meld of its rank and counts with its own cards only."""
    melds = [meld("As*3"), meld("9s*3")]
    state = unopened(ruleset, "9h 9d 9c JR", melds=melds, opening_ranks={2: "As"})
    assert broken_clause(state, "lay 9h 9d 9c") == "HF-6.4"
    assert broken_clause(state, "lay 1+ 9h JR") == "HF-6.2"
    for text in ("lay 9h 9d 9c JR", "lay 1+ 9h 9d 9c JR"):
        joined = state.copy()
        play_out(joined, text)
        assert (joined.melds[1].naturals, joined.melds[1].wilds) == (6, 1)


@holds_for("HF-6.6")
def test_hf_6_6_the_joined_meld_has_to_be_valid(ruleset: Ruleset) -> None:
    """A set that is valid by itself is refused if the meld that it would join cannot take it."""
    state = unopened(ruleset, "9h 9d 9c 9h 2c JR", melds=[meld("9s*3 2c 2d")], opening_ranks={2: "As"})
    assert broken_clause(state, "lay 9h 9d 9c 2c JR") == "HF-5.10"
    assert broken_clause(state, "lay 9h 9d JR") is None


@holds_for("HF-6.7")
def test_hf_6_7_opening_with_the_pile_all_melds(ruleset: Ruleset) -> None:
    """The upcard and all melds of the action count, the other cards taken do not."""
    state = unopened(ruleset, "Kc Kd As Ad Ah", number=1, phase=Phase.DRAW, pile="Ac Ad Ac Kh")
    assert broken_clause(state, "take 4 with Kc Kd") == "HF-6.4"
    assert broken_clause(state, "take 4 with Kc Kd, As Ad Ah") is None


@holds_for("HF-6.8")
def test_hf_6_8_opening_with_the_pile_one_meld(ruleset: Ruleset) -> None:
    """The meld around the upcard reaches the minimum alone; neither other melds nor cards taken help."""
    state = unopened(ruleset, "Kc Kd As Ad Ah JR", number=1, phase=Phase.DRAW, pile="Ac Ad Ac Kh")
    assert broken_clause(state, "take 4 with Kc Kd, As Ad Ah") == "HF-6.4"
    assert broken_clause(state, "take 4 with Kc Kd JR") == "HF-6.4"
    first_round = unopened(ruleset, "Kc Kd JR", phase=Phase.DRAW, pile="Ac Ad Ac Kh")
    assert broken_clause(first_round, "take 4 with Kc Kd") == "HF-6.4"
    assert broken_clause(first_round, "take 4 with Kc Kd JR") is None


@holds_for("HF-6.9")
def test_hf_6_9_no_opening(ruleset: Ruleset) -> None:
    """Three fours are enough for the first meld, from the holding or with the pile."""
    state = unopened(ruleset, "4h 4d 4s")
    assert broken_clause(state, "lay 4h 4d 4s") is None
    drawing = unopened(ruleset, "4h 4d", phase=Phase.DRAW, pile="4s")
    assert broken_clause(drawing, "take 1 with 4h 4d") is None


@pytest.mark.parametrize("counts", ["all_melds", "upcard_meld"])
def test_hf_6_7_and_6_8_follow_one_field(counts: Literal["all_melds", "upcard_meld"]) -> None:
    """The same take opens or does not as the ruleset says what counts with the pile."""
    pile = replace(BEGINNER.pile, opening_counts=counts)
    state = unopened(replace(BEGINNER, pile=pile), "Kc Kd As Ad Ah", number=1, phase=Phase.DRAW, pile="Kh")
    expected = None if counts == "all_melds" else "HF-6.4"
    assert broken_clause(state, "take 1 with Kc Kd, As Ad Ah") == expected
