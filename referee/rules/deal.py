"""From a key to a deal, spelled out so that any language can deal the same cards. Nothing here is played."""

import hashlib
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from referee.rules.cards import CUT_ORDER, RANK_OF, RED_THREE, Card, is_wild, pack_cards
from referee.rules.ruleset import Ruleset

KEY_SIZE: Final = 32
"""Bytes of a deal key."""

_PREFIX: Final = b"HANDFOOT-DEAL-v1\0"
_WORDS: Final = 2**64
_LEAST_BOUND: Final = _WORDS - 2**32
"""Numbers below this are below the last multiple of any limit up to 2**32, so that none is skipped."""

_FOUR_WORDS: Final = struct.Struct(">4Q")

Cut = Callable[[], Card]
"""Cuts the packs once and returns the card."""


def words(key: bytes, label: bytes) -> Iterator[int]:
    """
    Yield the 64-bit numbers of the stream of *key* and *label*.

    The stream is SHA-256 over prefix, key, label and a counter of eight bytes, big-endian, from 0; each digest is four
    big-endian numbers.
    """
    begun = _PREFIX + key + label
    for counter in count():
        yield from _FOUR_WORDS.unpack(hashlib.sha256(begun + counter.to_bytes(8, "big")).digest())


def first_words(key: bytes, label: bytes, number: int) -> tuple[int, ...]:
    """Return at least the first *number* numbers that `words` yields, all at once."""
    begun = _PREFIX + key + label
    blocks = -(-number // 4)
    digests = [hashlib.sha256(begun + counter.to_bytes(8, "big")).digest() for counter in range(blocks)]
    return struct.unpack(f">{4 * blocks}Q", b"".join(digests))


def below(stream: Iterator[int], limit: int) -> int:
    """Return the next number of *stream* below *limit*, without bias: what lies past the last multiple is skipped."""
    bound = _WORDS - _WORDS % limit
    for word in stream:
        if word < bound:
            return word % limit
    raise AssertionError("the stream never ends")


def shuffled(key: bytes, label: bytes, size: int) -> list[int]:
    """
    Return the numbers 0 .. size-1 shuffled: for i from the last place to the second, swap i and below(i+1).

    >>> key = bytes.fromhex("c9a79b56ecea587e2a366f8a770b35c26584a316f13c0a5c5e1f19abdba28b23")
    >>> shuffled(key, b"deck", 270)[:6]
    [178, 19, 31, 107, 64, 154]
    """
    order = list(range(size))
    for place, word in zip(range(size - 1, 0, -1), first_words(key, label, size - 1), strict=False):
        if word >= _LEAST_BOUND:
            return _shuffled_with_skips(key, label, size)
        other = word % (place + 1)
        order[place], order[other] = order[other], order[place]
    return order


def _shuffled_with_skips(key: bytes, label: bytes, size: int) -> list[int]:
    """Do what `shuffled` does where a number may have to be skipped: once in sixteen million deals."""
    order = list(range(size))
    stream = words(key, label)
    for place in range(size - 1, 0, -1):
        other = below(stream, place + 1)
        order[place], order[other] = order[other], order[place]
    return order


@dataclass(frozen=True, slots=True)
class Deal:
    """The initial distribution of a round, before any red three is laid."""

    hands: tuple[tuple[Card, ...], ...]
    """By seat."""

    feet: tuple[tuple[Card, ...], ...]
    """By seat."""

    stock: tuple[Card, ...]
    """Top first; position p belongs to seat p mod n."""

    under: tuple[Card, ...]
    """Rejected upcards that lie under the stock, the first drawn first."""

    upcard: Card | None
    rejected: tuple[Card, ...]
    """Rejected upcards in the order turned, wherever they went."""

    first_seat: int


def deal_round(ruleset: Ruleset, seats: int, round_number: int, key: bytes) -> Deal:
    """
    Return the deal that *key* makes for round *round_number* (from 0) at a table of *seats*.

    In the shuffled order the hands come first, seat 0's cards, then seat 1's; then the feet likewise; then the stock.

    Raises:
        InvalidRuleset: the ruleset is not played at such a table.
        ValueError: *key* has not 32 bytes.
    """
    if len(key) != KEY_SIZE:
        raise ValueError(f"unusable deal key: expected {KEY_SIZE} bytes; got {len(key)}")
    ruleset.sides(seats)
    packs = pack_cards(ruleset.deal.packs_for(seats))
    cards = [packs[number] for number in shuffled(key, b"deck", len(packs))]
    hands, rest = _packets(cards, seats, ruleset.deal.hand)
    feet, stock = _packets(rest, seats, ruleset.deal.foot)
    upcard, rejected = _turn_upcard(stock) if ruleset.deal.upcard else (None, ())
    under = rejected
    if ruleset.deal.rejected_upcards == "buried":
        _bury(stock, rejected, key)
        under = ()
    first = _high_cut(key, seats, packs) if ruleset.deal.start == "high_cut" else round_number % seats
    return Deal(hands, feet, tuple(stock), under, upcard, rejected, first)


def _packets(cards: list[Card], seats: int, size: int) -> tuple[tuple[tuple[Card, ...], ...], list[Card]]:
    packets = tuple(tuple(cards[seat * size : (seat + 1) * size]) for seat in range(seats))
    return packets, cards[seats * size :]


def _turn_upcard(stock: list[Card]) -> tuple[Card, tuple[Card, ...]]:
    """Take cards from the top until one is neither a red three nor wild; return it and those before it."""
    place = next(i for i, card in enumerate(stock) if RANK_OF[card] != RED_THREE and not is_wild(card))
    rejected = tuple(stock[:place])
    upcard = stock[place]
    del stock[: place + 1]
    return upcard, rejected


def _bury(stock: list[Card], rejected: tuple[Card, ...], key: bytes) -> None:
    stream = words(key, b"bury")
    for card in rejected:
        stock.insert(below(stream, len(stock) + 1), card)


def _high_cut(key: bytes, seats: int, packs: tuple[Card, ...]) -> int:
    stream = words(key, b"cut")
    return winner_of_cut(seats, lambda: packs[below(stream, len(packs))])


def winner_of_cut(seats: int, cut: Cut) -> int:
    """
    Return the seat that cuts highest: aces high, twos low, a joker cut again at once, equal highest cuts cut again.

    >>> from referee.rules.cards import parse_cards
    >>> winner_of_cut(4, iter(parse_cards("Kd JR 9c 2h As")).__next__)
    3
    """
    rivals = list(range(seats))
    while len(rivals) > 1:
        heights = [_height(cut) for _ in rivals]
        rivals = [seat for seat, height in zip(rivals, heights, strict=True) if height == max(heights)]
    return rivals[0]


def _height(cut: Cut) -> int:
    while (height := CUT_ORDER[cut()]) < 0:
        pass
    return height
