"""What cards are worth to the searcher: the appraisal of `steady`, with less patience and more trust in wild cards."""

from typing import Final

from handfoot import View
from handfoot.bots.appraisal import Appraisal
from handfoot.bots.prospects import Prospects, count_unseen, expected_turns

HORIZON: Final = 0.3
"""The part of the turns allowed by the stock that the seat counts on; `steady` counts on half as much again."""

SPARE_WILDS: Final = 20
"""Tenths of a wild card that an unfinished meld of naturals can hope for."""

KEPT: Final = 0.75
"""The part of its worth on the table that a card has in the holding."""


class Outlook(Prospects):
    """What one side may hope for."""

    spare_wilds = SPARE_WILDS


class Judgement(Appraisal):
    """The worth of cards at one position."""

    keeping = KEPT


def look_ahead(view: View) -> Outlook:
    """Return what the own side may hope for at *view*."""
    return Outlook(view, count_unseen(view), expected_turns(view, HORIZON))
