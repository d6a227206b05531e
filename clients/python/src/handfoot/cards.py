"""
Cards, ranks and their notation, on the numbers of the protocol. What may be done with a card is not said.

A card is the number of its face in ``handfoot.v1.card_pb2.Card``, a rank the number in ``card_pb2.Rank``; as
plain integers they compare, count and sort as fast as anything in Python does.
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

from handfoot.errors import InvalidNotation
from handfoot.v1 import card_pb2, ruleset_pb2

Card: TypeAlias = card_pb2.Card.ValueType
"""The face of a card, 1..54; cards of different packs with the same face are equal."""

Rank: TypeAlias = card_pb2.Rank.ValueType
"""What melds look at, 1..15: four, five .. king, ace, then two, joker, black three, red three."""

ACE: Final[Rank] = card_pb2.RANK_ACE
TWO: Final[Rank] = card_pb2.RANK_TWO
"""Twos; as the rank of a meld: wild cards only, jokers among them."""
JOKER: Final[Rank] = card_pb2.RANK_JOKER
BLACK_THREE: Final[Rank] = card_pb2.RANK_BLACK_THREE
RED_THREE: Final[Rank] = card_pb2.RANK_RED_THREE

NATURAL_RANKS: Final[tuple[Rank, ...]] = tuple(rank for rank in card_pb2.Rank.values() if 0 < rank <= ACE)
"""Four to ace, the ranks of ordinary melds, in order."""

CARDS: Final[tuple[Card, ...]] = tuple(face for face in card_pb2.Card.values() if face)
"""Each face once, in order of numbers."""

_NAMES: Final[dict[Card, str]] = {
    face: name if name[0] == "J" and name[1] in "RB" else name[0] + name[1].lower()
    for face, name in ((face, card_pb2.Card.Name(face).removeprefix("CARD_")) for face in CARDS)
}
_CARDS: Final[dict[str, Card]] = {name: face for face, name in _NAMES.items()}
_RANK_NAMES: Final[tuple[str, ...]] = ("none", *"456789TJQKA2", "joker", "black 3", "red 3")


def _rank(name: str) -> Rank:
    if name in ("JR", "JB"):
        return JOKER
    if name[0] == "3":
        return RED_THREE if name[1] in "dh" else BLACK_THREE
    return TWO if name[0] == "2" else NATURAL_RANKS["456789TJQKA".index(name[0])]


RANK_OF: Final[tuple[Rank, ...]] = (card_pb2.RANK_UNSPECIFIED, *(_rank(_NAMES[face]) for face in CARDS))
"""The rank of each card, by card: ``RANK_OF[card]``."""


def is_wild(card: Card) -> bool:
    """
    Return whether *card* is a two or a joker.

    >>> [is_wild(card) for card in parse_cards("2s JR 3s Ah")]
    [True, True, False, False]
    """
    return RANK_OF[card] in (TWO, JOKER)


def parse_card(text: str) -> Card:
    """
    Return the card that *text* names.

    >>> format_card(parse_card("Th"))
    'Th'

    Raises:
        InvalidNotation: *text* is not a card.
    """
    try:
        return _CARDS[text]
    except KeyError:
        raise InvalidNotation(
            f"unreadable card: expected a card such as '4h', 'Tc' or 'JR'; got {text!r}"
        ) from None


def format_card(card: Card) -> str:
    """
    Return the notation of *card*: rank and suit, or JR and JB for the jokers.

    Raises:
        InvalidNotation: *card* is not the number of a card.
    """
    try:
        return _NAMES[card]
    except KeyError:
        raise InvalidNotation(f"not a card: expected a number from 1 to 54; got {card!r}") from None


def parse_cards(text: str) -> list[Card]:
    """
    Return the cards of a list separated by spaces.

    >>> format_cards(parse_cards("4h 2c JR"))
    '4h 2c JR'

    Raises:
        InvalidNotation: a word is not a card.
    """
    return [parse_card(word) for word in text.split()]


def format_cards(cards: Iterable[Card]) -> str:
    """Return the notation of several cards, separated by spaces."""
    return " ".join(map(format_card, cards))


def format_rank(rank: Rank) -> str:
    """
    Return what *rank* is called: 4 .. 9, T, J, Q, K, A, 2, joker, black 3, red 3.

    >>> format_rank(RANK_OF[parse_card("3h")])
    'red 3'
    """
    return _RANK_NAMES[rank]


def points_by_card(ruleset: ruleset_pb2.Ruleset) -> tuple[int, ...]:
    """
    Return the points of each card under *ruleset*, by card: ``points_by_card(view.ruleset)[card]``.

    Red threes count nothing here: what they are worth depends on where they end, see ``ruleset.scores``.
    """
    points = (0, *ruleset.card_points)
    return tuple(points[rank] if rank < len(points) else 0 for rank in RANK_OF)
