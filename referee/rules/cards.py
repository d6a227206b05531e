"""Cards, ranks and their notation. Nothing here knows what a card is worth or what may be done with it."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Final, NewType

from referee.rules.errors import InvalidNotation

Card = NewType("Card", int)
"""The face of a card, 0..53: clubs, diamonds, hearts, spades from the two to the ace, then red and black joker."""

Rank = NewType("Rank", int)
"""What melds and legality look at, 0..14: 4, 5 .. K, A, then two, joker, black three, red three."""

PACK_SIZE: Final = 54
"""Cards of one pack, two jokers among them."""

NATURALS: Final = 11
"""Ranks below this number are natural."""

ACE: Final = Rank(10)
TWO: Final = Rank(11)
JOKER: Final = Rank(12)
BLACK_THREE: Final = Rank(13)
RED_THREE: Final = Rank(14)
RANKS: Final = 15

WILD: Final = TWO
"""The rank under which a meld of wild cards only is kept."""

RANK_NAMES: Final[tuple[str, ...]] = (
    *("4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"),
    *("2", "joker", "black 3", "red 3"),
)

RANK_PLURALS: Final[tuple[str, ...]] = (
    *("fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens", "kings", "aces"),
    *("twos", "jokers", "black threes", "red threes"),
)
"""What several cards of a rank are called: "7s" would be read as the seven of spades."""

_SUITS: Final = "cdhs"
_FACES: Final = "23456789TJQKA"
_NAMES: Final[tuple[str, ...]] = (*(face + suit for suit in _SUITS for face in _FACES), "JR", "JB")
_CARDS: Final[dict[str, Card]] = {name: Card(number) for number, name in enumerate(_NAMES)}


def _rank(name: str) -> Rank:
    if name in ("JR", "JB"):
        return JOKER
    if name[0] == "3":
        return RED_THREE if name[1] in "dh" else BLACK_THREE
    return TWO if name[0] == "2" else Rank(RANK_NAMES.index(name[0]))


RANK_OF: Final[tuple[Rank, ...]] = tuple(_rank(name) for name in _NAMES)
"""The rank of each card, by card."""

CARDS_OF: Final[tuple[tuple[Card, ...], ...]] = tuple(
    tuple(Card(card) for card, its_rank in enumerate(RANK_OF) if its_rank == rank) for rank in range(RANKS)
)
"""The cards of each rank, lowest suits first."""

IS_OF: Final[tuple[Callable[[object], bool], ...]] = tuple(
    frozenset(cards).__contains__ for cards in CARDS_OF
)
"""By rank, whether a card is of it: the quickest way to pick the cards of a rank from others with `filter`."""

CUT_ORDER: Final[tuple[int, ...]] = tuple(
    -1 if len(name) == 2 and name[0] == "J" and name[1] in "RB" else _FACES.index(name[0]) for name in _NAMES
)
"""The height of each card in the high cut: two low, ace high; -1 for jokers, which are cut again."""


def is_wild(card: Card) -> bool:
    """
    Return whether *card* is a two or a joker.

    >>> is_wild(parse_card("2s")), is_wild(parse_card("JR")), is_wild(parse_card("3s"))
    (True, True, False)
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
    """Return the notation of *card*: rank and suit, or JR and JB for the jokers."""
    return _NAMES[card]


def parse_cards(text: str) -> tuple[Card, ...]:
    """
    Return the cards of a list separated by spaces.

    >>> format_cards(parse_cards("4h 2c JR"))
    '4h 2c JR'

    Raises:
        InvalidNotation: a word is not a card.
    """
    return tuple(parse_card(word) for word in text.split())


def format_cards(cards: Iterable[Card]) -> str:
    """Return the notation of several cards, separated by spaces."""
    return " ".join(_NAMES[card] for card in cards)


def count_ranks(cards: Iterable[Card]) -> list[int]:
    """
    Return how many cards of each rank there are, by rank.

    >>> counts = count_ranks(parse_cards("4h 4c JR 3d"))
    >>> counts[0], counts[JOKER], counts[RED_THREE]
    (2, 1, 1)
    """
    counts = [0] * RANKS
    for card in cards:
        counts[RANK_OF[card]] += 1
    return counts


@cache
def pack_cards(packs: int) -> tuple[Card, ...]:
    """
    Return the cards of *packs* packs in the order in which a deal numbers them: pack by pack, in order of cards.

    >>> len(pack_cards(5)), format_cards(pack_cards(1)[:3]), format_cards(pack_cards(1)[-3:])
    (270, '2c 3c 4c', 'As JR JB')
    """
    return tuple(Card(card) for _ in range(packs) for card in range(PACK_SIZE))


def lowest_card(held: Sequence[Card], rank: int) -> Card:
    """
    Return the lowest card of *rank* among those *held*, which have one.

    >>> format_card(lowest_card(parse_cards("4s Ah 4c 4d"), 0))
    '4c'
    """
    for card in CARDS_OF[rank]:
        if card in held:
            return card
    raise AssertionError("a rank that is looked for is held")


def lowest_cards(held: Sequence[Card], rank: int, number: int) -> list[Card]:
    """
    Return the *number* lowest cards of *rank* among those *held*, which have as many; 1 or more.

    >>> format_cards(lowest_cards(parse_cards("4s Ah 4c 4d"), 0, 2))
    '4c 4d'
    """
    if number == 1:  # as mostly; looking for it takes half the time
        return [lowest_card(held, rank)]
    return sorted(filter(IS_OF[rank], held))[:number]


def sort_cards(cards: Sequence[Card]) -> tuple[Card, ...]:
    """
    Return *cards* in the order of a held hand: by rank, then by face.

    >>> format_cards(sort_cards(parse_cards("JR 4s Ah 4c 2d")))
    '4c 4s Ah 2d JR'
    """
    return tuple(sorted(cards, key=lambda card: (RANK_OF[card], card)))
