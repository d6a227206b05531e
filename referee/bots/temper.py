"""What cards are worth to the searcher: the appraisal of `steady`, with less patience and more trust in wild cards."""

from typing import Final

from handfoot import BLACK_THREE, Rank, View
from handfoot.bots.appraisal import Appraisal
from handfoot.bots.pile import feeding, loss
from handfoot.bots.prospects import Prospects, count_unseen, expected_turns

HORIZON: Final = 0.3
"""The part of the turns allowed by the stock that the seat counts on; `steady` counts on half as much again."""

SPARE_WILDS: Final = 20
"""Tenths of a wild card that an unfinished meld of naturals can hope for."""

KEPT: Final = 0.8
"""The part of its worth on the table that a card has in the holding."""

WILD: Final = 110.0
"""Points of a wild card kept for a dirty book to come, while there is time."""

PAIR: Final = 40.0
"""Points for the card that makes a pair, with which the pile can be taken."""

BLOCKER: Final = -5.0
"""Points of a black three where it closes the pile for the next seat: it goes first."""


class Outlook(Prospects):
    """What one side may hope for."""

    spare_wilds = SPARE_WILDS


class Judgement(Appraisal):
    """The worth of cards at one position."""

    keeping = KEPT
    wild = WILD
    pair = PAIR


def look_ahead(view: View) -> Outlook:
    """Return what the own side may hope for at *view*."""
    return Outlook(view, count_unseen(view), expected_turns(view, HORIZON))


def cost_of_discard(judgement: Judgement, rank: Rank) -> float:
    """Return what a discard of *rank* costs the own side, what the next seat can make of it counted in."""
    if rank == BLACK_THREE and judgement.pile:
        return BLOCKER
    return loss(judgement, rank) + feeding(judgement, rank)
