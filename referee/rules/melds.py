"""What a meld may hold and how it grows. Whose turn it is, openings and going out are judged elsewhere."""

from collections.abc import Sequence
from typing import Final

from referee.rules.cards import BLACK_THREE, NATURALS, RANK_OF, WILD, Card, Rank
from referee.rules.errors import Fault
from referee.rules.ruleset import BOOK_SIZE, MIN_MELD, MeldRule

MIXED_RANKS: Final = Fault("HF-5.1", "a meld holds cards of one rank and wild cards")
THREE: Final = Fault("HF-4.6", "a three is never melded")
TOO_SMALL: Final = Fault("HF-5.8", "a meld has at least three cards")
TOO_LARGE: Final = Fault("HF-5.9", "a meld has at most seven cards")
TOO_WILD: Final = Fault("HF-5.10", "too many wild cards for the naturals of the meld")
NO_WILD_MELDS: Final = Fault("HF-5.3", "melds of wild cards only are not laid in this ruleset")
ONLY_WILDS: Final = Fault("HF-5.4", "a meld of wild cards takes only wild cards")
CLOSED: Final = Fault("HF-5.6", "nothing is added to a book in this ruleset")
WILD_ON_BOOK: Final = Fault("HF-5.7", "a wild card is never added to a book")
EMPTY: Final = Fault("HF-5.1", "no cards named")

Makeup = tuple[Rank, int, int]
"""Rank (WILD for wild cards only), naturals, wild cards."""


def make_up(cards: Sequence[Card]) -> Makeup | Fault:
    """
    Return rank, naturals and wild cards of *cards*, or what keeps them from lying in one meld.

    >>> from referee.rules.cards import parse_cards
    >>> make_up(parse_cards("9h 9c JR"))
    (5, 2, 1)
    """
    if not cards:
        return EMPTY
    rank, naturals, mixed = WILD, 0, False
    for card in cards:
        its_rank = RANK_OF[card]
        if its_rank < NATURALS:
            if naturals and its_rank != rank:
                mixed = True
            rank = its_rank
            naturals += 1
        elif its_rank >= BLACK_THREE:
            return THREE
    if mixed:
        return MIXED_RANKS
    return rank, naturals, len(cards) - naturals


def judge_growth(
    rule: MeldRule, naturals: int, wilds: int, more_naturals: int, more_wilds: int
) -> Fault | None:
    """
    Return what forbids a mixed meld of *naturals* and *wilds* to take more cards in one action; None if nothing does.

    Cards may be placed in any order; wild cards have to be in place before the meld is a book, so that the naturals
    which would complete it come after them. A new meld grows from nothing.

    >>> rule = MeldRule(max_wilds=(1, 1, 2, 2, 3), wild_melds=False, books_grow=True)
    >>> judge_growth(rule, 4, 2, 1, 1), judge_growth(rule, 5, 1, 1, 2)
    (None, Fault(clause='HF-5.7', reason='a wild card is never added to a book'))
    """
    before = naturals + wilds
    after = before + more_naturals + more_wilds
    if before >= BOOK_SIZE:
        if not rule.books_grow:
            return CLOSED
        return WILD_ON_BOOK if more_wilds else None
    if after > BOOK_SIZE and not rule.books_grow:
        return TOO_LARGE
    if after < MIN_MELD:
        return TOO_SMALL
    if before + more_wilds > BOOK_SIZE:
        return WILD_ON_BOOK
    allowed = rule.max_wilds[min(after, BOOK_SIZE) - MIN_MELD]
    return TOO_WILD if wilds + more_wilds > allowed else None


def judge_wild_growth(rule: MeldRule, wilds: int, more_naturals: int, more_wilds: int) -> Fault | None:
    """Return what forbids a meld of *wilds* wild cards only to take more cards in one action; None if nothing does."""
    if not rule.wild_melds:
        return NO_WILD_MELDS
    if more_naturals:
        return ONLY_WILDS
    if wilds >= BOOK_SIZE:
        return WILD_ON_BOOK if rule.books_grow else CLOSED
    if wilds + more_wilds > BOOK_SIZE:
        return TOO_LARGE
    return TOO_SMALL if wilds + more_wilds < MIN_MELD else None
