"""How long a round can last at most. Nothing here is played."""

from referee.rules.cards import PACK_SIZE
from referee.rules.ruleset import MIN_MELD, Ruleset

_THREES = 4
"""Threes of a pack, which are never melded."""


def action_bound(ruleset: Ruleset, seats: int) -> int:
    """
    Return a number of actions that no round of *ruleset* at a table of *seats* exceeds.

    Every turn begins with a draw or with taking the pile. Cards never return to the stock, so there are at most as many
    draws as it takes to empty it. Cards never leave a meld, and taking the pile melds three at least, so there are at
    most as many takes as a third of the cards that can be melded. A turn has one of the two, one discard or pass, and
    where partners are asked one question and one answer; every lay-down melds at least one card more. A pass may end
    the round.

    >>> from referee.rules.variants import ONLINE, PUBLISHER
    >>> action_bound(ONLINE, 4), action_bound(PUBLISHER, 4)
    (666, 433)

    Raises:
        InvalidRuleset: the ruleset is not played at such a table.
    """
    ruleset.sides(seats)
    packs = ruleset.deal.packs_for(seats)
    stock = packs * PACK_SIZE - seats * (ruleset.deal.hand + ruleset.deal.foot) - int(ruleset.deal.upcard)
    draws = -(-stock // ruleset.deal.draw)
    per_turn = 2 if ruleset.going_out.permission == "none" else 4
    melded = packs * (PACK_SIZE - _THREES)
    most_takes = melded // MIN_MELD if ruleset.pile.allowed else 0
    return 1 + max((draws + takes) * per_turn + melded - MIN_MELD * takes for takes in (0, most_takes))
