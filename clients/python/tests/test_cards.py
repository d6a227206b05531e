"""Cards and their notation."""

import handfoot
import pytest
from handfoot import CARDS, RANK_OF, format_card, format_rank, is_wild, parse_card, points_by_card
from handfoot.testing import sample_ruleset
from handfoot.v1 import card_pb2


def test_every_card_is_read_as_it_is_written() -> None:
    """Notation of each of the 54 faces is a round trip, and no two share one."""
    assert [parse_card(format_card(card)) for card in CARDS] == list(CARDS)
    assert len(CARDS) == 54


def test_notation_is_the_name_in_the_protocol() -> None:
    """A card is called what the protocol calls it, with the suit in small letters."""
    assert all(f"CARD_{format_card(card).upper()}" == card_pb2.Card.Name(card) for card in CARDS)


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("4c", card_pb2.RANK_FOUR),
        ("Ts", card_pb2.RANK_TEN),
        ("Jh", card_pb2.RANK_JACK),
        ("Ad", card_pb2.RANK_ACE),
        ("2s", card_pb2.RANK_TWO),
        ("JR", card_pb2.RANK_JOKER),
        ("JB", card_pb2.RANK_JOKER),
        ("3s", card_pb2.RANK_BLACK_THREE),
        ("3c", card_pb2.RANK_BLACK_THREE),
        ("3d", card_pb2.RANK_RED_THREE),
        ("3h", card_pb2.RANK_RED_THREE),
    ],
)
def test_ranks_of_cards(text: str, rank: int) -> None:
    """Threes are two ranks by colour, the jokers are one, everything else goes by its face."""
    assert RANK_OF[parse_card(text)] == rank


def test_twos_and_jokers_are_wild() -> None:
    """Ten cards of a pack are neither natural nor threes: four twos and two jokers are wild, four threes are not."""
    assert [format_card(card) for card in CARDS if is_wild(card)] == ["2c", "2d", "2h", "2s", "JR", "JB"]


def test_ranks_have_names() -> None:
    """Each rank is called what players call it."""
    assert [format_rank(RANK_OF[parse_card(text)]) for text in ("4c", "Ts", "2d", "JB", "3s", "3d")] == [
        "4",
        "T",
        "2",
        "joker",
        "black 3",
        "red 3",
    ]


def test_points_follow_the_ruleset() -> None:
    """The table of points by card is the ruleset's list by rank; red threes have none in it."""
    ruleset = sample_ruleset()
    ruleset.card_points[:] = range(1, 15)
    points = points_by_card(ruleset)
    assert [points[parse_card(text)] for text in ("4h", "Ac", "2d", "JR", "3s", "3h")] == [
        1,
        11,
        12,
        13,
        14,
        0,
    ]


@pytest.mark.parametrize("text", ["", "4", "4H", "10h", "1h", "Jr", "4h "])
def test_what_is_no_card_is_named(text: str) -> None:
    """A text that is not exactly a card is refused, and shown."""
    with pytest.raises(handfoot.InvalidNotation) as caught:
        parse_card(text)
    assert repr(text) in str(caught.value)


def test_numbers_that_are_no_card_are_named() -> None:
    """The empty card and numbers beyond the last one have no notation."""
    for number in (0, 55):
        with pytest.raises(handfoot.InvalidNotation, match=str(number)):
            handfoot.format_cards([number])  # type: ignore[list-item]
