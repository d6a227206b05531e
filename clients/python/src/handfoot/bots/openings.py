"""Which opening to choose of those that reach the minimum."""

from collections.abc import Iterable

from handfoot import ACE, RANK_OF, TWO, Action, MeldEntry
from handfoot.bots.prospects import Prospects

WILD_IN_NATURALS = 100.0
"""Points against each wild card that goes to a meld of naturals."""

WILD = 50.0
"""Points against each wild card that goes to a meld of its own kind."""


def best_opening(prospects: Prospects, actions: Iterable[Action]) -> Action | None:
    """Return the opening among *actions* whose melds promise most; None where there is none."""
    openings = [action for action in actions if action.HasField("lay_down")]
    return max(openings, key=lambda action: _promise(prospects, action), default=None)


def _promise(prospects: Prospects, opening: Action) -> float:
    return sum(_promise_of_meld(prospects, entry) for entry in opening.lay_down.melds)


def _promise_of_meld(prospects: Prospects, entry: MeldEntry) -> float:
    naturals = [rank for card in entry.cards if (rank := RANK_OF[card]) <= ACE]
    wilds = len(entry.cards) - len(naturals)
    if not naturals:
        return prospects.meld(TWO, 0, wilds) - WILD * wilds
    return prospects.meld(naturals[0], len(naturals), wilds) - WILD_IN_NATURALS * wilds
