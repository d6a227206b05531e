"""What a side may still hope for: the cards of each rank that will come to it, and the books they make of its melds."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from math import exp
from typing import ClassVar

from handfoot import BLACK_THREE, BOOK, JOKER, NATURAL_RANKS, RANK_OF, RED_THREE, TWO, Meld, Rank, View

HORIZON = 0.45
"""The part of the turns allowed by the stock that a round is expected to last."""

YIELD = 0.85
"""The part of the cards coming to a side that ends in its melds."""

SPARE_WILDS = 12
"""Tenths of a wild card that an unfinished meld of naturals can hope for."""

TIME_TO_LAY = 2.0
"""With fewer turns to come, not all that is held already can still be laid."""


@lru_cache(maxsize=8192)
def chance(hope: int, needed: int) -> float:
    """
    Return the probability of at least *needed* cards where *hope* tenths of a card are expected (Poisson).

    >>> round(chance(20, 2), 3), chance(0, 1), chance(0, 0)
    (0.594, 0.0, 1.0)
    """
    mean = hope / 10
    term, fewer = exp(-mean), 0.0
    for count in range(needed):
        fewer += term
        term *= mean / (count + 1)
    return 1.0 - fewer


class Prospects:
    """What one side may hope for, as one seat sees it."""

    spare_wilds: ClassVar[int] = SPARE_WILDS

    def __init__(self, view: View, unseen: list[int], turns: float, side: int | None = None) -> None:
        """
        Expect each seat to have *turns* more turns, none at all where the round ends now.

        *unseen* counts the cards of each rank that *view* does not show; without a *side* it is the own one.
        """
        self.view = view
        self.unseen = unseen
        self.turns = turns
        self._ready = min(1.0, turns / TIME_TO_LAY)
        share = self._share(view.side if side is None else side)
        self.hopes = [round(10 * count * share) for count in unseen]
        """Tenths of cards of each rank that will come to the side; jokers are counted with the twos as well."""
        self.hopes[TWO] += self.hopes[JOKER]
        self._worth: dict[tuple[Rank, int, int], float] = {}

    def _share(self, side: int) -> float:
        """Return which part of the unseen cards will come to the melds of *side*."""
        view, public = self.view, self.view.public
        seats = range(side, view.seats, view.sides)
        hidden = sum(public.foot_sizes[seat] for seat in seats)
        hidden += sum(public.holding_sizes[seat] for seat in seats if seat != view.seat)
        drawn = self.turns * view.ruleset.draw_count * len(seats)
        return YIELD * (drawn + hidden * self._ready) / max(1, sum(self.unseen))

    def meld(self, rank: Rank, naturals: int, wilds: int) -> float:
        """Return the bonus that a meld may bring, as likely as it is; the rank of one of wild cards only is TWO."""
        key = (rank, naturals, wilds)
        if key not in self._worth:
            self._worth[key] = self._meld(rank, naturals, wilds)
        return self._worth[key]

    def _meld(self, rank: Rank, naturals: int, wilds: int) -> float:
        scores, hope, missing = self.view.ruleset.scores, self.hopes[rank], BOOK - naturals - wilds
        if rank == TWO:
            return scores.wild_book * chance(hope, missing)
        helped = chance(hope + round(self.spare_wilds * self._ready), missing)
        if wilds:
            return scores.dirty_book * helped
        alone = chance(hope, missing)
        return scores.clean_book * alone + scores.dirty_book * (helped - alone)

    def unfinished(self, melds: Iterable[Meld]) -> float:
        """Return what those of *melds* that are no books yet may bring together."""
        return sum(self.meld(meld.rank, meld.naturals, meld.wilds) for meld in melds if not meld.is_book)


def expected_turns(view: View, horizon: float = HORIZON) -> float:
    """Return how many turns each seat may still have in this round; *horizon* is the part that it counts on."""
    return horizon * view.stock / (view.ruleset.draw_count * view.seats)


def count_unseen(view: View) -> list[int]:
    """Return how many cards of each rank lie where the own seat cannot see them."""
    packs = view.ruleset.packs
    unseen = [0] * (RED_THREE + 1)
    for rank in (*NATURAL_RANKS, TWO):
        unseen[rank] = 4 * packs
    for rank in (JOKER, BLACK_THREE, RED_THREE):
        unseen[rank] = 2 * packs
    for card, count in Counter((*view.holding, *view.pile, *view.public.meld_cards)).items():
        unseen[RANK_OF[card]] -= count
    unseen[RED_THREE] -= sum(view.public.red_threes)
    return [max(0, count) for count in unseen]
