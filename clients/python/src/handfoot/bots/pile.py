"""The discard pile: whether to take it, and which card to put on it."""

from collections.abc import Iterable
from math import exp

from handfoot import (
    ACE,
    BLACK_THREE,
    RANK_OF,
    RED_THREE,
    Action,
    Rank,
    Ruleset,
    discard,
    draw_stock,
    pass_turn,
)
from handfoot.bots.appraisal import Appraisal
from handfoot.bots.position import RANKS

WILD = 60.0
"""Points against each wild card that is needed to meld a natural upcard."""

OPENING = 60.0
"""Points for opening with the pile."""

BLOCKER = 12.0
"""Points of a black three where it closes the pile for the next seat."""

USELESS = -10.0
"""Points of a black three where there is no pile to close."""

LOADED = -100.0
"""Points of a red three that has to be held: others are paid for it."""

PILE_CARD = 30.0
"""Points of each card of the pile to the seat that takes it."""

MELDED = 0.5
"""How likely a seat holds a pair of a rank that its side has begun to meld, compared with others."""

UNOPENED = 0.4
"""How likely a seat that has to open can do it with the pile."""


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


def best_discard(appraisal: Appraisal) -> Action:
    """Return the discard that weighs least; something that may be discarded has to be held."""
    position = appraisal.position
    threes_stay = position.view.ruleset.red_threes == Ruleset.RED_THREE_RULE_LAID
    ranks = [rank for rank in RANKS if position.cards[rank] and not (rank == RED_THREE and threes_stay)]
    lightest = min(ranks, key=lambda rank: loss(appraisal, rank) + feeding(appraisal, rank))
    return discard(position.cards[lightest][-1])


def loss(appraisal: Appraisal, rank: Rank) -> float:
    """Return what the own side loses with a card of *rank*."""
    if rank == RED_THREE:
        return LOADED
    if rank == BLACK_THREE:
        return BLOCKER if appraisal.pile else USELESS
    return appraisal.one_more(rank, len(appraisal.position.cards[rank]) - 1)


def feeding(appraisal: Appraisal, rank: Rank) -> float:
    """Return what the next seat can be expected to make of the pile with a card of *rank* on top."""
    if not appraisal.pile or rank > ACE:
        return 0.0
    rule, size = appraisal.position.view.ruleset.pile, len(appraisal.position.pile) + 1
    taken = min(size, rule.limit) if rule.HasField("limit") else size
    return PILE_CARD * taken * _chance_to_take(appraisal, rank)


def _chance_to_take(appraisal: Appraisal, rank: Rank) -> float:
    """Return how likely the next seat holds two cards of *rank* and can meld them with the discard."""
    view, unseen = appraisal.position.view, appraisal.prospects.unseen
    seat = (view.seat + 1) % view.seats
    expected = view.public.holding_sizes[seat] * unseen[rank] / max(1, sum(unseen))
    pair = 1.0 - exp(-expected) * (1.0 + expected)
    for meld in view.melds_of(seat % view.sides):
        if meld.rank == rank and not meld.is_book:
            pair *= MELDED if meld.size <= 4 else 0.0
    return pair if view.public.opened[seat] else pair * UNOPENED
