"""The holding and the melds of the own side while a turn is planned on them. What is wise is not judged here."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from handfoot import (
    ACE,
    BLACK_THREE,
    BOOK,
    JOKER,
    NATURAL_RANKS,
    RANK_OF,
    RED_THREE,
    TWO,
    Action,
    Card,
    Meld,
    MeldEntry,
    Rank,
    View,
    lay_down,
    lay_off,
    new_meld,
)

RANKS: Final[tuple[Rank, ...]] = (*NATURAL_RANKS, TWO, JOKER, BLACK_THREE, RED_THREE)
"""All ranks, in order."""


class Books(NamedTuple):
    """How many books there are of each kind."""

    clean: int = 0
    dirty: int = 0
    wild: int = 0

    def plus(self, other: "Books") -> "Books":
        """Return both together."""
        return Books(self.clean + other.clean, self.dirty + other.dirty, self.wild + other.wild)

    def short_of(self, needed: "Books") -> "Books":
        """
        Return how many of each kind are missing to *needed*.

        >>> Books(clean=3).short_of(Books(clean=2, dirty=2))
        Books(clean=0, dirty=2, wild=0)
        """
        clean, dirty, wild = self
        return Books(max(0, needed.clean - clean), max(0, needed.dirty - dirty), max(0, needed.wild - wild))


NO_BOOKS: Final = Books()
CLEAN_BOOK: Final = Books(clean=1)
DIRTY_BOOK: Final = Books(dirty=1)
WILD_BOOK: Final = Books(wild=1)


def book_of(naturals: int, wilds: int) -> Books:
    """
    Return the book that a meld of so many cards is; `NO_BOOKS` itself where it is none.

    >>> book_of(5, 2)
    Books(clean=0, dirty=1, wild=0)
    """
    if naturals + wilds < BOOK:
        return NO_BOOKS
    if not naturals:
        return WILD_BOOK
    return DIRTY_BOOK if wilds else CLEAN_BOOK


class Lay(NamedTuple):
    """Cards for one meld, by their counts."""

    rank: Rank
    """The rank of the meld; TWO for one of wild cards only."""

    naturals: int
    wilds: int
    target: int | None
    """The number of the meld they go to; None for a new one."""


class Position:
    """
    What the own seat holds and its side has on the table, first of all as a request says.

    Playing actions on it (`lay`, `follow`) keeps it up to date, so that a turn is planned to its end.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        """The request that it began with."""
        self.opened = view.opened
        """Whether nothing is to be opened any more."""
        self.pile = list(view.pile)
        """The discard pile, bottom first."""
        self.cards: list[list[Card]] = [[] for _ in range(RED_THREE + 1)]
        """The holding: the cards of each rank."""
        for card in view.holding:
            self.cards[RANK_OF[card]].append(card)
        self.held = len(view.holding)
        """How many cards are held."""
        self.unfinished: dict[Rank, Meld] = {}
        """The melds of the side that are no books, under TWO that of wild cards; their `cards` are left behind."""
        self.growing: dict[Rank, int] = {}
        """The number of a book for each rank that takes more naturals, where the ruleset lets books grow."""
        self.books = NO_BOOKS
        """The books of the side."""
        for meld in view.own_melds:
            self._place(meld)
        self._melds = len(view.melds)

    @property
    def wilds(self) -> int:
        """How many wild cards are held."""
        return len(self.cards[TWO]) + len(self.cards[JOKER])

    @property
    def missing(self) -> Books:
        """The books that going out still needs."""
        rule = self.view.ruleset
        needed = Books(rule.clean_books_needed, rule.dirty_books_needed, rule.wild_books_needed)
        return self.books.short_of(needed)

    def lay(self, lays: Iterable[Lay]) -> Action:
        """Lay cards down, all in one action, and return it."""
        return lay_down(*[self._lay(lay) for lay in lays])

    def follow(self, action: Action) -> None:
        """Play an opening, or a taking of the pile, as it was listed."""
        self.opened = True
        if not action.HasField("take_pile"):
            for entry in action.lay_down.melds:
                self._follow(entry)
            return
        upcard, *taken = [self.pile.pop() for _ in range(action.take_pile.count)]
        around_upcard, *further = action.take_pile.melds
        self._follow(around_upcard, upcard)
        for entry in further:
            self._follow(entry)
        for card in taken:
            self.cards[RANK_OF[card]].append(card)
        self.held += len(taken)

    def _lay(self, lay: Lay) -> MeldEntry:
        naturals, twos, jokers = self.cards[lay.rank], self.cards[TWO], self.cards[JOKER]
        cards = [naturals.pop() for _ in range(lay.naturals)]
        cards += [(twos or jokers).pop() for _ in range(lay.wilds)]
        self.held -= len(cards)
        self._grow(*lay)
        return new_meld(cards) if lay.target is None else lay_off(lay.target, cards)

    def _follow(self, entry: MeldEntry, upcard: Card | None = None) -> None:
        cards = list(entry.cards)
        for card in cards:
            self.cards[RANK_OF[card]].remove(card)
        self.held -= len(cards)
        ranks = [RANK_OF[card] for card in (cards if upcard is None else [*cards, upcard])]
        naturals = [rank for rank in ranks if rank <= ACE]
        target = entry.target if entry.HasField("target") else None
        self._grow(naturals[0] if naturals else TWO, len(naturals), len(ranks) - len(naturals), target)

    def _grow(self, rank: Rank, naturals: int, wilds: int, target: int | None) -> None:
        if target is None:
            target = self._melds
            self._melds += 1
            self.unfinished[rank] = Meld(target, self.view.side, rank, (), 0, 0)
        meld = self.unfinished.get(rank)
        if meld is not None and meld.number == target:
            self._place(meld._replace(naturals=meld.naturals + naturals, wilds=meld.wilds + wilds))

    def _place(self, meld: Meld) -> None:
        if not meld.is_book:
            self.unfinished[meld.rank] = meld
            return
        self.books = self.books.plus(book_of(meld.naturals, meld.wilds))
        if meld.rank in self.unfinished and self.unfinished[meld.rank].number == meld.number:
            del self.unfinished[meld.rank]
        if self.view.ruleset.books_grow and meld.naturals:
            self.growing[meld.rank] = meld.number
