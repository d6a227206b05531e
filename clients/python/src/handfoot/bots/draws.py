"""Whether to draw from the stock or to take the pile, and how much of it."""

from collections.abc import Iterable

from handfoot import ACE, RANK_OF, Action, draw_stock, pass_turn
from handfoot.bots.appraisal import Appraisal

WILD = 60.0
"""Points against each wild card that is needed to meld a natural upcard."""

OPENING = 60.0
"""Points for opening with the pile."""


def best_draw(appraisal: Appraisal, actions: Iterable[Action]) -> Action:
    """Return the way to take the pile that is worth most; where the stock promises more, or none is listed, not to."""
    view = appraisal.position.view
    best, most = draw_stock() if view.stock else pass_turn(), float("-inf")
    for action in actions:
        if action.HasField("take_pile"):
            if view.stock and most == float("-inf"):
                most = view.ruleset.draw_count * appraisal.unseen_card()
            value = value_of_take(appraisal, action)
            if value > most:
                best, most = action, value
    return best


def value_of_take(appraisal: Appraisal, action: Action) -> float:
    """Return what the cards of the pile are worth, less what taking them costs."""
    position, take = appraisal.position, action.take_pile
    counts = [len(cards) for cards in position.cards]
    value = 0.0 if position.opened else OPENING
    for card in position.pile[-take.count :]:
        rank = RANK_OF[card]
        value += appraisal.one_more(rank, counts[rank])
        counts[rank] += 1
    if RANK_OF[position.pile[-1]] > ACE:
        return value
    return value - WILD * sum(RANK_OF[card] > ACE for entry in take.melds for card in entry.cards)
