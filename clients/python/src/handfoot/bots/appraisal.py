"""What cards are worth to the own side, in points: laid on a meld, kept in the holding, or still to come."""

from typing import ClassVar, Final

from handfoot import ACE, BLACK_THREE, BOOK, NATURAL_RANKS, TWO, Meld, Rank
from handfoot.bots.position import NO_BOOKS, RANKS, Books, Position, book_of
from handfoot.bots.prospects import Prospects

KEPT = 0.9
"""The part of its worth on the table that a card has in the holding: it may come too late."""

BURDEN_HAND = 12.0
"""Points against each card of the hand: it keeps the foot away."""

BURDEN_FOOT = 4.0
"""Points against each card of the foot: it keeps the seat from going out."""

WILD = 90.0
"""Points of a wild card kept for a dirty book to come, while there is time."""

TIME_FOR_WILDS = 6.0
"""With fewer turns to come, wild cards that are kept lose their worth."""

PAIR = 25.0
"""Points for the card that makes a pair, with which the pile can be taken."""

NEEDED = 50.0
"""Points for a book that going out needs, on top of its bonus."""

THREE = -5.0
"""Points of a three, which is never melded."""

NO_MELD: Final = Meld(-1, -1, NATURAL_RANKS[0], (), 0, 0)
"""What a new meld grows from."""


class Appraisal:
    """The worth of cards at one position; it does not follow what is played there."""

    keeping: ClassVar[float] = KEPT
    wild: ClassVar[float] = WILD
    pair: ClassVar[float] = PAIR

    def __init__(self, position: Position, prospects: Prospects) -> None:
        ruleset = position.view.ruleset
        self.position = position
        self.prospects = prospects
        self.wild_melds = ruleset.wild_melds
        self.pile = ruleset.pile.allowed
        self.over = not prospects.turns
        """Whether the round ends now and what is held is lost."""
        self.points = (0, *ruleset.card_points, 0)
        """What a card of each rank costs that is left over."""
        self.laid_points = self.points if ruleset.scores.melded_cards else (0,) * len(self.points)
        """What a card of each rank brings on the table."""
        self._missing = position.missing
        self._burden = BURDEN_FOOT if position.view.in_foot else BURDEN_HAND
        self._wild = self.wild * min(1.0, prospects.turns / TIME_FOR_WILDS)

    def laid(self, rank: Rank, meld: Meld, naturals: int, wilds: int) -> float:
        """Return what laying so many cards on *meld*, or on `NO_MELD`, brings."""
        after = meld.naturals + naturals, meld.wilds + wilds
        gain = self.prospects.meld(rank, *after)
        if meld is not NO_MELD:
            gain -= self.prospects.meld(rank, meld.naturals, meld.wilds)
        gain += self.laid_points[rank] * naturals + self.laid_points[TWO] * wilds
        book = book_of(*after)
        return gain if book is NO_BOOKS or self.over else gain + self._need(book)

    def _need(self, book: Books) -> float:
        missing = zip(book, self._missing, strict=True)
        return NEEDED if any(gained and lacking for gained, lacking in missing) else 0.0

    def kept(self, rank: Rank, count: int, meld: Meld) -> float:
        """Return what *count* naturals of *rank* are worth in the holding while *meld* is on the table."""
        if self.over or not count:
            return -count * self.points[rank]
        value = count * (self.keeping * self.laid_points[rank] - self._burden)
        if meld.size + count > BOOK:
            return value
        more = self.prospects.meld(rank, meld.naturals + count, meld.wilds)
        return value + self.keeping * (more - self.prospects.meld(rank, meld.naturals, meld.wilds))

    def kept_wilds(self, count: int, melded: int) -> float:
        """Return what *count* wild cards are worth in the holding while *melded* lie in a meld of their own."""
        if self.over or not count:
            return -count * self.points[TWO]
        value = count * (self.keeping * self.laid_points[TWO] - self._burden)
        if not self.wild_melds:
            return value + count * self._wild
        more = self.prospects.meld(TWO, 0, min(BOOK, melded + count))
        return value + self.keeping * (more - self.prospects.meld(TWO, 0, melded))

    def one_more(self, rank: Rank, count: int) -> float:
        """Return what one more card of *rank* is worth beside *count* that are held."""
        if rank >= BLACK_THREE:
            return THREE
        if rank > ACE:
            return self.laid_points[rank] + self._one_more_wild(count)
        meld = self.position.unfinished.get(rank, NO_MELD)
        naturals, wilds = meld.naturals + count, meld.wilds
        if naturals + wilds >= BOOK:
            naturals, wilds = (naturals + wilds) % BOOK, 0
        pair = self.pair if count == 1 and self.pile else 0.0
        more = self.prospects.meld(rank, naturals + 1, wilds)
        return self.laid_points[rank] + pair + more - self.prospects.meld(rank, naturals, wilds)

    def _one_more_wild(self, count: int) -> float:
        if not self.wild_melds:
            return self.wild
        wilds = (self.position.unfinished.get(TWO, NO_MELD).wilds + count) % BOOK
        return self.prospects.meld(TWO, 0, wilds + 1) - self.prospects.meld(TWO, 0, wilds)

    def unseen_card(self) -> float:
        """Return what a card drawn from the stock is worth on average."""
        cards, unseen = self.position.cards, self.prospects.unseen
        worth = sum(unseen[rank] * self.one_more(rank, len(cards[rank])) for rank in RANKS if unseen[rank])
        return worth / max(1, sum(unseen))
