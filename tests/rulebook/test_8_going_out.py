"""Chapter 8 of the rulebook: going out."""

from dataclasses import replace

import pytest
from builders import books, broken_clause, cards, meld, play_out, round_with
from rulebook.holding import holds_for, not_for

from referee.rules import (
    BEGINNER,
    ONLINE,
    PUBLISHER,
    SIMPLE,
    Meld,
    PartnerAnswered,
    PartnerAsked,
    Phase,
    RoundEnded,
    RoundState,
    Ruleset,
    TurnPassed,
    legal_actions,
    parse_action,
)


def needed(ruleset: Ruleset) -> list[Meld]:
    """Return the books that going out needs, and an unfinished meld of fours to lay off on."""
    rule = ruleset.going_out
    return [*books(rule.clean_books, rule.dirty_books, rule.wild_books), meld("4s*3")]


def ready(ruleset: Ruleset, holding: str, **more: object) -> RoundState:
    """Return a round in which nothing but a yes could keep the seat from going out."""
    agreed = ruleset.going_out.permission == "required" or None
    settings: dict[str, object] = {
        "on_foot": True,
        "others_played_foot": [2],
        "melds": needed(ruleset),
        "agreed": agreed,
        "asked": bool(agreed),
    }
    return round_with(ruleset, holding=holding, **(settings | more))  # type: ignore[arg-type]


def goes_out(state: RoundState, *actions: str) -> bool:
    """Return whether the last of *actions* ends the round by going out."""
    ended = play_out(state, *actions)[-1]
    return isinstance(ended, RoundEnded) and ended.went_out == state.turn


@holds_for("HF-8.1")
def test_hf_8_1_only_from_the_foot(ruleset: Ruleset) -> None:
    """The last card of the foot ends the round, the last card of the hand does not."""
    assert goes_out(ready(ruleset, "4h"), "lay " + lay_off(ruleset, "4h"))
    for action in ("discard 4h", "lay " + lay_off(ruleset, "4h")):
        state = ready(ruleset, "4h", on_foot=False)
        play_out(state, action)
        assert not state.over
        assert state.seats[0].on_foot


def lay_off(ruleset: Ruleset, card: str) -> str:
    """Return the entry that lays *card* off on the fours."""
    return f"{len(needed(ruleset)) - 1}+ {card}"


@holds_for("HF-8.2")
def test_hf_8_2_no_question(ruleset: Ruleset) -> None:
    """The question is refused in every position."""
    assert broken_clause(ready(ruleset, "4h 5c"), "ask") == "HF-8.2"
    assert broken_clause(ready(ruleset, "4h 5c", on_foot=False), "ask") == "HF-8.2"


@holds_for("HF-8.3")
def test_hf_8_3_the_question(ruleset: Ruleset) -> None:
    """The question is put from the foot, with two cards held, once a turn; the partner answers it."""
    state = ready(ruleset, "4h 5c", asked=False, agreed=None)
    assert play_out(state, "ask", "answer yes") == (PartnerAsked(0), PartnerAnswered(2, True))
    assert (state.agreed, state.decider) == (True, 0)
    assert broken_clause(state, "ask") == "HF-8.3"
    assert broken_clause(ready(ruleset, "4h", asked=False), "ask") == "HF-8.3"
    assert broken_clause(ready(ruleset, "4h 5c", asked=False, on_foot=False), "ask") == "HF-8.3"


@holds_for("HF-8.3")
def test_hf_8_3_books_are_not_needed_for_asking(ruleset: Ruleset) -> None:
    """The question may come before the books are complete, but not before the partner has played its foot."""
    assert broken_clause(ready(ruleset, "4h 5c", asked=False, melds=[]), "ask") is None
    unplayed = ready(ruleset, "4h 5c", asked=False, others_played_foot=[], others_on_foot=[2])
    assert broken_clause(unplayed, "ask") == "HF-8.5"
    assert parse_action("ask") not in list(legal_actions(unplayed))


@pytest.mark.parametrize("seats", [2, 3])
def test_hf_8_3_nobody_to_ask(seats: int) -> None:
    """Who plays alone asks nobody and goes out without."""
    state = ready(ONLINE, "5c 6c", seats=seats, others_played_foot=[])
    assert broken_clause(state, "ask") == "HF-8.3"
    single = ready(ONLINE, "5c", seats=seats, others_played_foot=[])
    assert goes_out(single, "discard 5c")


@holds_for("HF-8.4")
def test_hf_8_4_the_books(ruleset: Ruleset) -> None:
    """Every kind of book is needed; more of another kind does not help."""
    rule = ruleset.going_out
    counts = [rule.clean_books, rule.dirty_books, rule.wild_books]
    last = lay_off(ruleset, "4h")
    assert goes_out(ready(ruleset, "4h"), f"lay {last}")
    for kind in [kind for kind, count in enumerate(counts) if count]:
        fewer = [
            count - (kind == other) + (kind != other and count > 0) for other, count in enumerate(counts)
        ]
        melds = [meld("4s*3"), *books(*fewer)]
        assert broken_clause(ready(ruleset, "4h", melds=melds), "lay 0+ 4h") == "HF-8.4"


@not_for("HF-8.4")
def test_hf_8_4_no_books_needed(ruleset: Ruleset) -> None:
    """Where no books are needed, the last card may go at any time."""
    assert goes_out(ready(ruleset, "4h", melds=[]), "discard 4h")


def test_hf_8_4_books_of_certain_ranks() -> None:
    """House rules may want a clean book of sevens; another clean book does not stand in for it."""
    rule = replace(ONLINE.going_out, clean_books=1, dirty_books=0, clean_book_ranks=("7",))
    house = replace(ONLINE, name="house", going_out=rule)
    for rank, expected in (("7", None), ("8", "HF-8.4")):
        state = ready(house, "5c", melds=[meld(f"{rank}s*7")])
        assert broken_clause(state, "discard 5c") == expected
    dirty = ready(house, "5c", melds=[meld("8s*7"), meld("7s*6 2c")])
    assert broken_clause(dirty, "discard 5c") == "HF-8.4"


@holds_for("HF-8.5")
def test_hf_8_5_the_partners_foot(ruleset: Ruleset) -> None:
    """A partner that holds its hand, or a foot of which it has played nothing, keeps the seat from going out."""
    for others in ({}, {"others_on_foot": [2]}):
        state = ready(ruleset, "4h", others_played_foot=[], **others)
        assert broken_clause(state, "discard 4h") == "HF-8.5"
        assert broken_clause(state, "lay " + lay_off(ruleset, "4h")) == "HF-8.5"


@not_for("HF-8.5")
def test_hf_8_5_the_partner_does_not_matter_elsewhere(ruleset: Ruleset) -> None:
    """Under the other rulesets the partner may still hold its hand."""
    assert goes_out(ready(ruleset, "4h", others_played_foot=[]), "lay " + lay_off(ruleset, "4h"))


@holds_for("HF-8.6")
def test_hf_8_6_a_no_binds(ruleset: Ruleset) -> None:
    """After a no the seat keeps two cards in this turn; in its next one the no is forgotten."""
    state = ready(ruleset, "4h 5c", asked=False, agreed=None)
    play_out(state, "ask", "answer no")
    assert broken_clause(state, "lay " + lay_off(ruleset, "4h")) == "HF-8.12"
    assert broken_clause(ready(ruleset, "5c", agreed=False), "discard 5c") == "HF-8.6"
    play_out(state, "discard 4h")
    assert (state.asked, state.agreed) == (False, None)


@holds_for("HF-8.6")
def test_hf_8_6_a_yes_obliges_to_nothing(ruleset: Ruleset) -> None:
    """A seat that was allowed to go out may keep its cards all the same."""
    state = ready(ruleset, "4h 5c 6c", asked=False, agreed=None)
    play_out(state, "ask", "answer yes", "discard 6c")
    assert not state.over


@holds_for("HF-8.7")
def test_hf_8_7_a_yes_is_needed(ruleset: Ruleset) -> None:
    """Without a yes of this turn nobody goes out, by whatever way."""
    state = ready(ruleset, "4h", asked=False, agreed=None)
    assert broken_clause(state, "discard 4h") == "HF-8.7"
    assert broken_clause(state, "lay " + lay_off(ruleset, "4h")) == "HF-8.7"
    assert goes_out(ready(ruleset, "4h", agreed=True), "discard 4h")


@not_for("HF-8.7")
def test_hf_8_7_no_yes_needed_elsewhere(ruleset: Ruleset) -> None:
    """Under the other rulesets a seat goes out without having asked."""
    assert goes_out(ready(ruleset, "4h", asked=False, agreed=None), "lay " + lay_off(ruleset, "4h"))


@holds_for("HF-8.8")
@pytest.mark.parametrize("card", ["5c", "3s", "2c", "JR"])
def test_hf_8_8_the_last_card_may_be_discarded(ruleset: Ruleset, card: str) -> None:
    """Any last card may be discarded, or everything melded."""
    assert goes_out(ready(ruleset, card), f"discard {card}")
    assert goes_out(ready(ruleset, "4h 4d"), "lay " + lay_off(ruleset, "4h 4d"))
    assert goes_out(ready(ruleset, f"4h {card}"), "lay " + lay_off(ruleset, "4h"), f"discard {card}")


@holds_for("HF-8.9")
def test_hf_8_9_the_last_card_is_melded(ruleset: Ruleset) -> None:
    """The last card is no discard; a card that fits nowhere has to be kept until it does."""
    assert broken_clause(ready(ruleset, "4h"), "discard 4h") == "HF-8.9"
    assert broken_clause(ready(ruleset, "4h 3c"), "lay " + lay_off(ruleset, "4h")) == "HF-8.12"
    assert goes_out(ready(ruleset, "Kh"), "lay 0+ Kh")
    threes = round_with(ruleset, holding="5c", feet={0: "3c 3c 3s 3h 3d"})
    play_out(threes, "discard 5c")
    assert threes.seats[0].on_foot


@pytest.mark.parametrize("base", [BEGINNER, ONLINE, PUBLISHER, SIMPLE], ids=lambda base: base.name)
def test_hf_8_10_the_last_card_is_discarded(base: Ruleset) -> None:
    """Under house rules that want a final discard, melding everything is refused and one card is left for it."""
    house = replace(base, name="house", going_out=replace(base.going_out, final_discard="required"))
    assert broken_clause(ready(house, "4h"), "lay " + lay_off(house, "4h")) == "HF-8.10"
    assert goes_out(ready(house, "4h 5c"), "lay " + lay_off(house, "4h"), "discard 5c")


@holds_for("HF-8.11")
def test_hf_8_11_judged_after_the_melds(ruleset: Ruleset) -> None:
    """The book that the last cards complete counts for going out with them."""
    melds = needed(ruleset)[1:-1] if needed(ruleset)[1:] else []
    last = meld("Ks*6")
    assert goes_out(ready(ruleset, "Kh", melds=[last, *melds]), "lay 0+ Kh")


@holds_for("HF-8.12")
def test_hf_8_12_two_cards_are_kept(ruleset: Ruleset) -> None:
    """While the seat may not go out, a meld from the foot leaves two cards and the last card is not discarded."""
    state = round_with(ruleset, holding="Kh 5c 6c", on_foot=True, melds=[meld("Ks*3")])
    play_out(state, "lay 0+ Kh")
    two = round_with(ruleset, holding="Kh 5c", on_foot=True, melds=[meld("Ks*3")])
    assert broken_clause(two, "lay 0+ Kh") == "HF-8.12"
    assert broken_clause(two, "discard Kh") is None
    assert broken_clause(round_with(ruleset, holding="5c", on_foot=True), "discard 5c") == "HF-8.4"
    everything = round_with(ruleset, holding="Kh Kd", on_foot=True, melds=[meld("Ks*3")])
    assert broken_clause(everything, "lay 0+ Kh Kd") == "HF-8.4"


@holds_for("HF-8.12")
def test_hf_8_12_a_hand_may_be_played_down(ruleset: Ruleset) -> None:
    """From the hand one may meld down to one card or none."""
    for holding, left in (("Kh 5c", 1), ("Kh", 11)):
        state = round_with(ruleset, holding=holding, melds=[meld("Ks*3")])
        play_out(state, "lay 0+ Kh")
        assert len(state.seats[0].cards) == left


@holds_for("HF-8.12")
def test_hf_8_12_a_single_card_with_which_the_seat_goes_out(ruleset: Ruleset) -> None:
    """One card may be left if discarding it, or laying it off, ends the round."""
    state = ready(ruleset, "4h Kh", melds=[*needed(ruleset), meld("Qs*3")])
    number = len(needed(ruleset)) - 1
    text = f"lay {number}+ 4h"
    fits = ready(ruleset, "4h 4d", melds=needed(ruleset))
    assert goes_out(fits, text, f"lay {number}+ 4d")
    if ruleset.going_out.final_discard == "optional":
        assert goes_out(state, text, "discard Kh")
    else:
        assert goes_out(state, text, "lay 0+ Kh")


@not_for("HF-8.12")
def test_hf_8_12_nothing_to_keep_elsewhere(ruleset: Ruleset) -> None:
    """Where nothing keeps a seat from going out, it may meld down to one card and to none."""
    state = round_with(ruleset, holding="Kh 5c", on_foot=True, melds=[meld("Ks*3")])
    play_out(state, "lay 0+ Kh")
    assert goes_out(state, "discard 5c")


@pytest.mark.parametrize("ruleset", [ONLINE, SIMPLE], ids=lambda ruleset: ruleset.name)
def test_hf_8_13_stranded(ruleset: Ruleset) -> None:
    """A seat left with one card by red threes may go out with it, or pass."""
    state = ready(ruleset, "5c", phase=Phase.DRAW, stock="3h", pile="3s")
    play_out(state, "draw")
    assert list(legal_actions(state)) == [parse_action("discard 5c"), parse_action("pass")]
    assert goes_out(state.copy(), "discard 5c")
    assert play_out(state, "pass")[0] == TurnPassed(0)
    assert state.seats[0].cards == list(cards("5c"))


@pytest.mark.parametrize("ruleset", [BEGINNER, ONLINE], ids=lambda ruleset: ruleset.name)
def test_hf_8_13_a_stranded_seat_that_cannot_go_out(ruleset: Ruleset) -> None:
    """Where the one card cannot be parted with, the turn ends by itself and the card is kept."""
    state = ready(ruleset, "5c", phase=Phase.DRAW, stock="3h", pile="3s", melds=[], agreed=None, asked=False)
    assert TurnPassed(0) in play_out(state, "draw")
    assert state.seats[0].cards == list(cards("5c"))


@holds_for("HF-8.13")
def test_hf_8_13_a_foot_of_red_threes_only(ruleset: Ruleset) -> None:
    """A seat whose whole foot goes to the table when the stock is empty holds nothing, and its turn ends."""
    state = round_with(ruleset, holding="Qc Qd Qh", feet={0: "3h 3d"}, stock="", pile="3s")
    events = play_out(state, "lay Qc Qd Qh")
    assert TurnPassed(0) in events
    assert isinstance(events[-1], RoundEnded)
    assert events[-1].went_out is None


@not_for("HF-8.13")
def test_hf_8_13_nobody_is_stranded_elsewhere(ruleset: Ruleset) -> None:
    """Where red threes are held, a draw always leaves two cards."""
    state = round_with(ruleset, phase=Phase.DRAW, holding="5c", on_foot=True, stock="3h")
    play_out(state, "draw")
    assert not state.stranded
    assert broken_clause(state, "pass") == "HF-2.5"


@holds_for("HF-8.14")
def test_hf_8_14_going_out_with_the_pile(ruleset: Ruleset) -> None:
    """Two cards of the upcard's rank are the last of the foot, and the whole pile is the upcard."""
    state = ready(ruleset, "4c 4d", phase=Phase.DRAW, pile="4h")
    assert goes_out(state, f"take 1 with {lay_off(ruleset, '4c 4d')}")
    assert (
        broken_clause(ready(ruleset, "4c 4d", phase=Phase.DRAW, pile="5h 4h"), "take 2 with 4c 4d")
        == "HF-5.5"
    )


def test_hf_8_14_not_where_a_yes_is_needed() -> None:
    """In beginner the question comes after the draw, so the pile leaves too few cards."""
    state = ready(BEGINNER, "4c 4d", phase=Phase.DRAW, pile="5h 4h", agreed=None, asked=False)
    target = lay_off(BEGINNER, "4c 4d")
    assert broken_clause(state, f"take 1 with {target}") == "HF-8.7"
    assert broken_clause(state, f"take 2 with {target}") == "HF-8.12"
    assert (
        broken_clause(ready(PUBLISHER, "4c 4d", phase=Phase.DRAW, pile="4h"), "take 1 with 4c 4d") == "HF-3.1"
    )
