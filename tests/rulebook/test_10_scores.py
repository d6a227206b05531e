"""Chapter 10 of the rulebook: scores, line by line."""

from dataclasses import fields, replace

import pytest
from builders import books, cards, meld, round_with
from rulebook.holding import holds_for, not_for

from referee.rules import (
    BEGINNER,
    ONLINE,
    PUBLISHER,
    SIMPLE,
    Meld,
    RoundScore,
    RoundState,
    Ruleset,
    score_round,
)
from referee.rules.scoring import points_of

NOTHING = "9c"
"""A holding that scores as little as one can."""


def table(
    ruleset: Ruleset,
    melds: list[Meld] | None = None,
    *,
    hands: dict[int, str] | None = None,
    feet: dict[int, str] | None = None,
    red_threes: dict[int, str] | None = None,
    seats: int = 4,
) -> RoundState:
    """Return a finished round; seats without a foot in *feet* have picked it up and hold what *hands* says."""
    on_foot = [seat for seat in range(seats) if seat not in (feet or {})]
    held = dict.fromkeys(range(seats), "") | (hands or {})
    return round_with(
        ruleset,
        seats=seats,
        melds=melds or [],
        holding=held[0],
        on_foot=0 in on_foot,
        others=held,
        others_on_foot=on_foot,
        feet=feet,
        red_threes=red_threes,
    )


def score(state: RoundState, side: int = 0, *, went_out: int | None = None) -> RoundScore:
    """Return the score of *side* if *went_out* ended the round."""
    state.went_out = went_out
    return score_round(state)[side]


POINTS = {
    "beginner": (5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 20, 20, 50, 5),
    "online": (5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 20, 20, 50, 5),
    "publisher": (5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 20, 20, 50, -5),
    "simple": (0,) * 14,
}
"""Points from the four to the ace, of twos, jokers and black threes."""


@holds_for("HF-10.1")
def test_hf_10_1_points_of_cards(ruleset: Ruleset) -> None:
    """Every rank has its points, the same in all suits; red threes have none."""
    low = cards("4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2c JR 3c")
    high = cards("4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah 2h JB 3s")
    for suit in (low, high):
        assert tuple(points_of(ruleset.scores, [card]) for card in suit) == POINTS[ruleset.name]
    assert points_of(ruleset.scores, cards("3h 3d")) == 0


BONUSES = {
    "beginner": (500, 300, 1500),
    "online": (500, 300),
    "publisher": (300, 200),
    "simple": (700, 300, 1500),
}


@holds_for("HF-10.2")
def test_hf_10_2_books(ruleset: Ruleset) -> None:
    """Each book brings the bonus of its kind, and unfinished melds bring none."""
    for kind, bonus in enumerate(BONUSES[ruleset.name]):
        counts = [2 * (kind == other) for other in range(3)]
        state = table(ruleset, [*books(*counts), meld("4s*6"), meld("Ks*7", side=1)])
        assert score(state).books == 2 * bonus
        assert score(state, 1).books == BONUSES[ruleset.name][0]


@holds_for("HF-5.7")
def test_hf_10_2_a_large_book_counts_once(ruleset: Ruleset) -> None:
    """Fourteen cards of a rank are one book."""
    assert score(table(ruleset, [meld("Ks*14")])).books == 300


@holds_for("HF-10.3")
def test_hf_10_3_melded_cards(ruleset: Ruleset) -> None:
    """All cards of all melds of the side count, in books and unfinished melds."""
    state = table(ruleset, [meld("Qs*5 2c JR"), meld("As*3"), meld("Ks*3", side=1)])
    assert score(state).melded_cards == 50 + 20 + 50 + 60
    assert score(state, 1).melded_cards == 30


@not_for("HF-10.3")
def test_hf_10_3_melded_cards_count_nothing_elsewhere(ruleset: Ruleset) -> None:
    """Where cards are worth nothing, only the bonus of a book is scored."""
    found = score(table(ruleset, [meld("Qs*5 2c JR"), meld("As*3")]))
    assert (found.melded_cards, found.total) == (0, 300)


@holds_for("HF-10.4")
def test_hf_10_4_going_out(ruleset: Ruleset) -> None:
    """A hundred for the side of whoever went out, whichever partner it was; nobody gets it if nobody did."""
    state = table(ruleset)
    for seat in range(4):
        assert [score(state, side, went_out=seat).going_out for side in (0, 1)] == [
            100 * (seat % 2 == side) for side in (0, 1)
        ]
    assert [score(state, side).going_out for side in (0, 1)] == [0, 0]


@holds_for("HF-10.5")
def test_hf_10_5_red_threes_on_the_table(ruleset: Ruleset) -> None:
    """A hundred each; under online they count against a side that has melded nothing."""
    melded = table(ruleset, [meld("4s*3")], red_threes={0: "3h 3d 3h", 1: "3h 3d"})
    assert score(melded).red_table == 300
    assert score(melded, 1).red_table == (-200 if ruleset is ONLINE else 200)
    assert score(melded, 1).total == score(melded, 1).red_table


@holds_for("HF-10.6")
def test_hf_10_6_red_threes_that_never_got_there(ruleset: Ruleset) -> None:
    """A hundred less for each red three in an untouched foot, the partner's included."""
    state = table(ruleset, feet={0: "3h 9c", 2: "3d 3h 9c", 1: "9c"})
    assert [score(state, side, went_out=3).red_unplaced for side in (0, 1)] == [-300, 0]


@holds_for("HF-10.7")
def test_hf_10_7_cards_left(ruleset: Ruleset) -> None:
    """Hands, played feet and untouched feet of both partners are taken off, whoever went out."""
    state = table(ruleset, hands={0: "Kc JR", 2: "4c 3c"}, feet={2: "Ac 2c 3s 3h"})
    for went_out in (None, 1, 0):
        assert score(state, went_out=went_out).leftover == -(60 + 10 + 45)
    assert score(state, 1).leftover == 0


@not_for("HF-10.7")
def test_hf_10_7_nothing_is_taken_off_elsewhere(ruleset: Ruleset) -> None:
    """Where leftovers cost nothing, naturals and wild cards left do not count."""
    state = table(ruleset, hands={0: "Kc JR", 2: "4c"}, feet={2: "Ac 2c"})
    assert score(state, went_out=None).total == 0
    assert score(state, went_out=1).total == 0


def test_hf_10_8_black_threes_left() -> None:
    """Publisher charges five for each black three anywhere, simple only for those in feet, played or not."""
    hands, feet = {0: "3c 3s 9c", 2: "3c 9c"}, {2: "3s 3s 3c 9c"}
    for went_out in (None, 0, 1):
        assert score(table(PUBLISHER, hands=hands, feet=feet), went_out=went_out).black_threes == -30
        assert score(table(SIMPLE, hands=hands, feet=feet), went_out=went_out).black_threes == -25


@not_for("HF-10.8")
def test_hf_10_8_no_line_of_their_own_elsewhere(ruleset: Ruleset) -> None:
    """Elsewhere black threes are cards left like others."""
    found = score(table(ruleset, hands={0: "3c 3s"}))
    assert (found.black_threes, found.leftover) == (0, -10)


def settled(seats: int = 4) -> RoundState:
    """Return a round of publisher with cards left everywhere."""
    hands = {2: "3d 3c Kh 5s", 1: "Ah 3h 3s", 3: "JR", 0: ""}
    feet = {1: "3d 4c 3s", 2: "3h 9c"}
    if seats == 6:
        hands = {0: "Kh 3h 3c", 3: "", 1: "JR 5c", 4: "", 2: "", 5: "3d 9c"}
        feet = {}
    return table(PUBLISHER, hands=hands, feet=feet, seats=seats)


def test_hf_10_9_red_threes_of_opponents() -> None:
    """Three hundred for each red three of the other sides, in hands and feet; those sides lose nothing by it."""
    state = settled()
    assert score(state, went_out=0).red_from_opponents == 600
    assert score(state, 1, went_out=0).total == -10
    assert score(state, went_out=None).red_from_opponents == 0


def test_hf_10_10_red_threes_of_the_partner() -> None:
    """Three hundred less for each red three that the partner has left, in hand or foot."""
    assert score(settled(), went_out=0).red_from_partner == -600
    assert score(settled(), went_out=None).red_from_partner == 0


def test_hf_10_11_received_cards() -> None:
    """All cards of the other sides count for the side that went out, but threes; the partner's are thrown away."""
    found = score(settled(), went_out=0)
    assert found.received_cards == 20 + 50 + 5
    assert found.total == 100 + 600 - 600 + 75 - 5


def test_hf_10_11_every_other_side_hands_over() -> None:
    """With six seats both other sides give up their cards; black threes stay with their holder."""
    state = settled(seats=6)
    found = [score(state, side, went_out=2) for side in range(3)]
    assert found[2].received_cards == 10 + 50 + 5
    assert (found[2].red_from_opponents, found[2].red_from_partner) == (300, -300)
    assert [line.total for line in found] == [-5, 0, 100 + 65]


def test_hf_10_12_red_threes_when_the_stock_ends_the_round() -> None:
    """Nobody hands over: three hundred less for each red three held, nothing for other cards."""
    found = [score(settled(), side) for side in (0, 1)]
    assert [line.red_held_stock_out for line in found] == [-600, -600]
    assert [line.received_cards for line in found] == [0, 0]
    assert [line.total for line in found] == [-605, -610]
    assert score(settled(), 1, went_out=0).red_held_stock_out == 0


@pytest.mark.parametrize("ruleset", [BEGINNER, ONLINE, SIMPLE], ids=lambda ruleset: ruleset.name)
def test_hf_10_9_to_10_12_belong_to_publisher(ruleset: Ruleset) -> None:
    """Where nothing is handed over, these lines are empty."""
    for went_out in (0, None):
        found = score(table(ruleset, hands={1: "3h Kc"}, feet={2: "3d"}), went_out=went_out)
        lines = (
            found.red_from_opponents,
            found.red_from_partner,
            found.received_cards,
            found.red_held_stock_out,
        )
        assert lines == (0, 0, 0, 0)


@holds_for("HF-10.13")
def test_hf_10_13_the_total(ruleset: Ruleset) -> None:
    """The total adds up all lines, each once."""
    lines = [field.name for field in fields(RoundScore)]
    assert RoundScore(**{line: 1 << place for place, line in enumerate(lines)}).total == (1 << len(lines)) - 1
    state = table(ruleset, [*books(1, 1), meld("As*3")], hands={0: "Kc 3c"}, red_threes={0: "3h"})
    found = score(state, went_out=0)
    assert found.total == sum(getattr(found, line) for line in lines) != 0


def test_hf_10_4_the_bonus_is_a_field() -> None:
    """House rules may pay more for going out."""
    house = replace(ONLINE, name="house", scores=replace(ONLINE.scores, going_out=250))
    assert score(table(house), went_out=2).going_out == 250
