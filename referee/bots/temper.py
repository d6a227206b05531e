"""What cards are worth to the searcher: the appraisal of `steady`, with less patience and more trust in wild cards."""

from typing import Final

from handfoot import BOOK, TWO, Meld, Rank, View
from handfoot.bots.appraisal import Appraisal
from handfoot.bots.prospects import Prospects, chance, count_unseen

HORIZON: Final = 0.3
"""The part of the turns allowed by the stock that the seat counts on; `steady` counts on half as much again."""

SPARE_WILDS: Final = 20
"""Tenths of a wild card that an unfinished meld of naturals can hope for."""

KEPT: Final = 0.75
"""The part of its worth on the table that a card has in the holding."""


class Outlook(Prospects):
    """What one side may hope for."""

    def _meld(self, rank: Rank, naturals: int, wilds: int) -> float:
        scores, hope, missing = self.view.ruleset.scores, self.hopes[rank], BOOK - naturals - wilds
        if rank == TWO:
            return scores.wild_book * chance(hope, missing)
        helped = chance(hope + round(SPARE_WILDS * self._ready), missing)
        if wilds:
            return scores.dirty_book * helped
        alone = chance(hope, missing)
        return scores.clean_book * alone + scores.dirty_book * (helped - alone)


class Judgement(Appraisal):
    """The worth of cards at one position."""

    def kept(self, rank: Rank, count: int, meld: Meld) -> float:
        """Return what *count* naturals of *rank* are worth in the holding while *meld* is on the table."""
        if self.over or not count:
            return -count * self.points[rank]
        value = count * (KEPT * self.laid_points[rank] - self._burden)
        if meld.size + count > BOOK:
            return value
        more = self.prospects.meld(rank, meld.naturals + count, meld.wilds)
        return value + KEPT * (more - self.prospects.meld(rank, meld.naturals, meld.wilds))

    def kept_wilds(self, count: int, melded: int) -> float:
        """Return what *count* wild cards are worth in the holding while *melded* lie in a meld of their own."""
        if self.over or not count:
            return -count * self.points[TWO]
        value = count * (KEPT * self.laid_points[TWO] - self._burden)
        if not self.wild_melds:
            return value + count * self._wild
        more = self.prospects.meld(TWO, 0, min(BOOK, melded + count))
        return value + KEPT * (more - self.prospects.meld(TWO, 0, melded))


def look_ahead(view: View) -> Outlook:
    """Return what the own side may hope for at *view*."""
    turns = HORIZON * view.stock / (view.ruleset.draw_count * view.seats)
    return Outlook(view, count_unseen(view), turns)
