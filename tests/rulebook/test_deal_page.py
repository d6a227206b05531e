"""The page about the deal is enough to deal: a second dealer, written from the page alone, deals the same cards."""

import hashlib
import re
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st
from rulebook.clauses import RULEBOOK

from referee.rules import RULESETS, Deal, Ruleset, deal_round, format_card, format_cards

FACES = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"] + ["JR", "JB"]
RANKS = "23456789TJQKA"


class SecondDealer:
    """Deals as the page says, knowing nothing of the referee's code; cards are faces as text."""

    def __init__(self, key: bytes, packs: int) -> None:
        self.key = key
        self.size = 54 * packs

    def stream(self, label: str) -> Iterator[int]:
        """Yield the numbers of the key and *label*."""
        counter = 0
        while True:
            head = b"HANDFOOT-DEAL-v1" + bytes(1) + self.key + label.encode("ascii")
            digest = hashlib.sha256(head + counter.to_bytes(8, "big")).digest()
            yield from (int.from_bytes(digest[8 * part : 8 * part + 8], "big") for part in range(4))
            counter += 1

    @staticmethod
    def below(stream: Iterator[int], m: int) -> int:
        """Return the next number below *m*."""
        return next(number % m for number in stream if number < 2**64 - 2**64 % m)

    def shuffle(self) -> list[str]:
        """Return the shuffled cards."""
        cards, stream = [FACES[card % 54] for card in range(self.size)], self.stream("deck")
        for i in range(self.size - 1, 0, -1):
            j = self.below(stream, i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return cards

    def bury(self, stock: list[str], rejected: list[str]) -> None:
        """Put the rejected cards back."""
        stream = self.stream("bury")
        for card in rejected:
            stock.insert(self.below(stream, len(stock) + 1), card)

    def high_cut(self, seats: int) -> int:
        """Return the seat that cuts highest."""
        stream, rivals = self.stream("cut"), list(range(seats))
        while len(rivals) > 1:
            heights = {}
            for seat in rivals:
                card = "JR"
                while card in ("JR", "JB"):
                    card = FACES[self.below(stream, self.size) % 54]
                heights[seat] = RANKS.index(card[0])
            rivals = [seat for seat in rivals if heights[seat] == max(heights.values())]
        return rivals[0]


def deal_again(ruleset: Ruleset, seats: int, number: int, key: bytes) -> tuple[object, ...]:
    """Return hands, feet, stock, under, upcard and first seat as the second dealer deals them."""
    rule = ruleset.deal
    dealer = SecondDealer(key, rule.packs if isinstance(rule.packs, int) else seats + 1)
    cards = dealer.shuffle()
    hands = [[cards.pop(0) for _ in range(rule.hand)] for _ in range(seats)]
    feet = [[cards.pop(0) for _ in range(rule.foot)] for _ in range(seats)]
    rejected: list[str] = []
    while rule.upcard and cards[0] in ("3d", "3h", "2c", "2d", "2h", "2s", "JR", "JB"):
        rejected.append(cards.pop(0))
    upcard = cards.pop(0) if rule.upcard else None
    if rule.rejected_upcards == "buried":
        dealer.bury(cards, rejected)
    under = rejected if rule.rejected_upcards == "under" else []
    first = dealer.high_cut(seats) if rule.start == "high_cut" else number % seats
    return hands, feet, cards, under, upcard, first


def in_words(deal: Deal) -> tuple[object, ...]:
    """Return a deal of the referee in the form of `deal_again`."""
    hands, feet = (
        [[format_card(card) for card in packet] for packet in part] for part in (deal.hands, deal.feet)
    )
    stock, under = ([format_card(card) for card in cards] for cards in (deal.stock, deal.under))
    return hands, feet, stock, under, deal.upcard and format_card(deal.upcard), deal.first_seat


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(st.sampled_from(list(RULESETS.values())), st.data(), st.binary(min_size=32, max_size=32))
def test_a_second_dealer_deals_the_same(ruleset: Ruleset, data: st.DataObject, key: bytes) -> None:
    """For any key, ruleset and table the page and the referee deal the same cards."""
    seats, number = data.draw(st.sampled_from(ruleset.seats)), data.draw(st.integers(0, ruleset.rounds - 1))
    assert in_words(deal_round(ruleset, seats, number, key)) == deal_again(ruleset, seats, number, key)


def test_the_vector_of_the_page() -> None:
    """The key of the page shuffles 270 cards into the order whose digest the page gives."""
    page = (RULEBOOK / "deal.md").read_text(encoding="utf-8")
    key, digest = re.findall(r"```\n([0-9a-f]{64})\n```", page)
    assert key == "c9a79b56ecea587e2a366f8a770b35c26584a316f13c0a5c5e1f19abdba28b23"
    assert digest == "a82554a48c2f4efe85e5e539589ce138b17dbdfc1b7be69a68aa95d65aded4f7"
    dealer = SecondDealer(bytes.fromhex(key), 5)
    order, stream = list(range(270)), dealer.stream("deck")
    for i in range(269, 0, -1):
        j = dealer.below(stream, i + 1)
        order[i], order[j] = order[j], order[i]
    assert f"begins {', '.join(map(str, order[:12]))};" in page
    assert hashlib.sha256(b"".join(number.to_bytes(2, "big") for number in order)).hexdigest() == digest


def test_stripes_of_the_page() -> None:
    """A seat's draws are every n-th card of the stock from its own number on, as the example lists them."""
    page = (RULEBOOK / "deal.md").read_text(encoding="utf-8")
    deal = deal_round(RULESETS["online"], 2, 0, bytes(31) + bytes([139]))
    example = " ".join(page.partition("stripe 0")[2].partition("```")[0].split())
    first, second = example.split(" stripe 1 ")
    assert (first, second) == (format_cards(deal.stock[0::2]), format_cards(deal.stock[1::2]))
