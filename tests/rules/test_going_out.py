"""A seat on its foot that keeps a single card: it has to be able to go out with it, by a discard or by laying it."""

from dataclasses import replace

import pytest
from builders import books, broken_clause, entry, meld, play_out, round_with

from referee.rules import (
    BEGINNER,
    ONLINE,
    PUBLISHER,
    LayDown,
    Meld,
    Phase,
    RoundEnded,
    RoundState,
    Ruleset,
    format_action,
    legal_actions,
)

WILD_LAST = replace(
    BEGINNER,
    name="wild last",
    going_out=replace(
        BEGINNER.going_out,
        clean_books=0,
        dirty_books=0,
        wild_books=1,
        partner_played_foot=False,
        permission="none",
        final_discard="forbidden",
    ),
)
"""House rules under which a wild book is all that is needed, and the last card is melded."""


def last_two(holding: str, *melds: Meld, ruleset: Ruleset = PUBLISHER) -> RoundState:
    """Return a round whose seat in turn holds *holding* of its foot; with *melds* on the table."""
    return round_with(ruleset, holding=holding, on_foot=True, melds=melds)


def goes_out(state: RoundState, *actions: str) -> bool:
    """Return whether the last of *actions*, and none before it, ends the round by going out."""
    *before, last = actions
    play_out(state, *before)
    assert not state.over
    ended = play_out(state, last)[-1]
    return isinstance(ended, RoundEnded) and ended.went_out == 0


@pytest.mark.parametrize(
    ("meld_of_the_card", "card"),
    [("7c*3", "7h"), ("7c*7", "7h"), ("7c*5 2c JR", "7h"), ("7c*3", "2h"), ("7c*3 2c", "JB")],
)
def test_the_card_kept_fits_a_meld(meld_of_the_card: str, card: str) -> None:
    """A natural fits an unfinished meld or a book of its rank, a wild card an unfinished meld."""
    state = last_two(f"Qh {card}", meld("Qc*3"), meld(meld_of_the_card), *books(clean=2, dirty=3))
    assert goes_out(state, "lay 0+ Qh", f"lay 1+ {card}")


@pytest.mark.parametrize(
    ("meld_of_the_card", "card"),
    [("7c*7", "2h"), ("7c*3 2c*2", "2h"), ("7c*3", "8h"), ("7c*3", "3h"), ("7c*3", "3s")],
)
def test_the_card_kept_fits_nowhere(meld_of_the_card: str, card: str) -> None:
    """No wild card goes on a book or on too many others, and no card on another rank; threes go nowhere."""
    melds = [meld("9c*6 2c"), meld(meld_of_the_card), *books(clean=2, dirty=2)]
    assert broken_clause(last_two(f"9h {card}", *melds), "lay 0+ 9h") == "HF-8.12"


def test_the_card_kept_fits_only_a_meld_of_the_others() -> None:
    """On the melds of the other side nothing is laid, the last card included."""
    melds = [meld("9c*6 2c"), *books(clean=2, dirty=2), meld("7c*3", side=1)]
    assert broken_clause(last_two("9h 7h", *melds), "lay 0+ 9h") == "HF-8.12"


def test_the_card_kept_completes_the_book_that_is_missing() -> None:
    """The seventh card may be the last one: the book that it makes is the one that going out needs."""
    clean = [meld("9c*7"), meld("7c*6"), *books(dirty=3)]
    assert goes_out(last_two("9h 7h", *clean), "lay 0+ 9h", "lay 1+ 7h")
    dirty = [meld("9c*7"), meld("7c*5 2c"), *books(clean=1, dirty=2)]
    assert goes_out(last_two("9h JR", *dirty), "lay 0+ 9h", "lay 1+ JR")


def test_the_card_kept_makes_another_kind_of_book_than_is_missing() -> None:
    """A wild card makes a dirty book where a clean one is missing, so the seat keeps two cards."""
    melds = [meld("9c*7"), meld("7c*6"), *books(dirty=3)]
    assert broken_clause(last_two("9h 2h", *melds), "lay 0+ 9h") == "HF-8.12"
    melds = [meld("9c*7"), meld("7c*6"), *books(clean=1, dirty=2)]
    assert broken_clause(last_two("9h 7h", *melds), "lay 0+ 9h") == "HF-8.12"


@pytest.mark.parametrize("meld_of_the_card", ["7c*3", "7c*7"])
def test_the_card_kept_makes_no_book(meld_of_the_card: str) -> None:
    """One more card on a small meld or on a book is not the clean book that is missing."""
    melds = [meld("9c*6"), meld(meld_of_the_card), *books(dirty=3)]
    missing = melds if meld_of_the_card == "7c*3" else [meld("9c*3"), *melds[1:]]
    assert broken_clause(last_two("9h 7h", *missing), "lay 0+ 9h") == "HF-8.12"


def test_the_card_kept_goes_to_the_meld_just_laid() -> None:
    """The meld of the same action counts among those that the last card may go to."""
    state = last_two("7c 7d 7h 7s", *books(clean=2, dirty=3))
    assert goes_out(state, "lay 7c 7d 7h", "lay 5+ 7s")


def test_the_wild_card_kept_completes_a_wild_book() -> None:
    """A wild card fits a meld of wild cards, and no natural does."""
    melds = [meld("9c*3"), meld("2c*5 JR")]
    assert goes_out(last_two("9h 2h", *melds, ruleset=WILD_LAST), "lay 0+ 9h", "lay 1+ 2h")
    assert broken_clause(last_two("9h 8h", *melds, ruleset=WILD_LAST), "lay 0+ 9h") == "HF-8.12"


def test_taking_the_pile_leaves_a_card_that_goes_out() -> None:
    """With the pile too one card may be left if the seat can discard it and go out."""
    ready = {"on_foot": True, "phase": Phase.DRAW, "holding": "9c 9d", "others_played_foot": [2]}
    enough = round_with(ONLINE, **ready, melds=books(clean=2, dirty=2), pile="4c 9h")  # type: ignore[arg-type]
    assert goes_out(enough, "take 2 with 9c 9d", "discard 4c")
    lacking = round_with(ONLINE, **ready, melds=books(clean=2, dirty=1), pile="4c 9h")  # type: ignore[arg-type]
    assert broken_clause(lacking, "take 2 with 9c 9d") == "HF-8.12"


def test_an_answer_of_a_turn_is_forgotten_in_the_next() -> None:
    """A yes does not outlive its turn: in the next one the seat has to ask again."""
    state = round_with(
        BEGINNER,
        on_foot=True,
        holding="4c 5c 6d",
        others={1: "7c 8c", 2: "7d 8d", 3: "7h 8h"},
        others_played_foot=[2],
        melds=[meld("9c*3"), meld("6c*3"), *books(clean=2, dirty=2, wild=1)],
        stock="Tc Jc Td Jd Th Jh 9h 9s",
    )
    play_out(state, "ask", "answer yes", "discard 4c")
    for card in ("7c", "7d", "7h"):
        play_out(state, "draw", f"discard {card}")
    play_out(state, "draw", "lay 0+ 9h 9s")
    assert broken_clause(state, "lay 1+ 6d") == "HF-8.12"
    assert goes_out(state, "ask", "answer yes", "lay 1+ 6d", "discard 5c")


def test_nobody_waits_for_the_yes_of_a_partner_it_does_not_have() -> None:
    """At a table where everybody plays alone, house rules that need a yes keep nobody from going out."""
    deal = replace(ONLINE.deal, seats=(2,), solo=(2,))
    alone = replace(
        ONLINE, name="alone", deal=deal, going_out=replace(ONLINE.going_out, permission="required")
    )
    state = round_with(alone, seats=2, holding="5c", on_foot=True, melds=books(clean=2, dirty=2))
    assert goes_out(state, "discard 5c")


def test_an_opening_that_goes_out_is_listed() -> None:
    """A seat that opens from its foot may get rid of all its cards, or of all but one, with the partner's books."""
    for holding in ("Ac Ad Ah", "Ac Ad Ah As"):
        state = round_with(
            PUBLISHER, holding=holding, on_foot=True, opened=[2], melds=books(clean=2, dirty=3)
        )
        assert LayDown((entry("Ac Ad Ah"),)) in list(legal_actions(state)), holding


def test_a_sample_keeps_two_cards_too() -> None:
    """With few cards left a sample is taken from what is listed, not from all that could lie on the table."""
    view = legal_actions(last_two("9c 9d 9h 9s Kc", ruleset=ONLINE))
    listed = [format_action(action) for action in view]
    assert listed == ["lay 9c 9d 9h", "discard 9c", "discard Kc"]
    numbers = iter([(place + 0.5) / 12 for place in range(12)])
    sampled = [format_action(view.sample(numbers.__next__)) for _ in range(12)]
    assert sampled == [action for action in listed for _ in range(4)]
