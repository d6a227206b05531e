"""Playing a state on by rules of thumb, quickly: what an action is worth shows in what becomes of it."""

from itertools import islice
from typing import Final

from referee.bots.lots import Lot, complete_books, lots_of_naturals, pair_up, spread_wilds, write_entries
from referee.rules import (
    Action,
    AnswerPartner,
    LayDown,
    Phase,
    RoundState,
    TakePile,
    apply,
    judge,
    legal_actions,
)
from referee.rules.actions import ASK_PARTNER, DISCARDS, DRAW_STOCK, PASS
from referee.rules.cards import BLACK_THREE, JOKER, NATURALS, RANK_OF, RANKS, RED_THREE, TWO, Card

LEAST_PILE: Final = 3
"""A smaller pile is left alone."""

OPENINGS: Final = 12
"""So many openings are looked at."""

PAIR: Final = 40
"""Points against breaking a pair by a discard."""

WILD: Final = 150
"""Points against discarding a wild card."""

BLOCKER: Final = 12
"""Points against discarding a black three, which keeps the next seat from the pile."""

RISK: Final = 4.0
"""Points against each card of a pile that the next seat may take."""

UNOPENED: Final = 0.4
"""How much smaller that risk is while the next seat has to open."""

MELDED: Final = 0.6
"""How much smaller it is where the next seat's side has begun to meld the rank."""

STILL_COMING: Final = 1.5
"""Points against discarding a card for each one of its rank that is not melded yet."""

RED_THREE_PAID: Final = 100
"""Points for getting rid of a red three that has to be held."""

NOT_AGREED: Final = "HF-8.7"


def play_out(state: RoundState, turns: int = 10_000) -> int:
    """
    Play *state* on to the end of the round, or of so many *turns*; return how many turns that were.

    Every seat follows the same rules of thumb, and looks at nothing that it would not see.
    """
    played = 0
    while played < turns and state.phase is not Phase.OVER:
        play_turn(state)
        played += 1
    return played


def play_turn(state: RoundState) -> None:
    """Play the turn of *state* to its end, from wherever in the turn it is."""
    number = state.turn
    while state.turn == number and not state.over:
        if state.phase is Phase.DRAW:
            apply(state, choose_draw(state))
        elif state.phase is Phase.ANSWER:
            apply(state, AnswerPartner(agree=True))
        else:
            _play(state)


def _play(state: RoundState) -> None:
    """Lay down what there is to lay, and discard unless something new became known by it."""
    seat = state.seats[state.turn]
    if seat.on_foot and len(seat.cards) < 2:
        apply(state, next(iter(legal_actions(state))))
        return
    before = state.phase, state.turn, seat.opened, seat.on_foot
    if (action := choose_lay_down(state)) is not None:
        apply(state, action)
    same = before == (state.phase, state.turn, seat.opened, seat.on_foot)
    if same and (len(seat.cards) >= 2 or not seat.on_foot):
        apply(state, DISCARDS[choose_discard(state)])


def choose_draw(state: RoundState) -> Action:
    """Return the way to take most of a pile that is worth it, or else the draw."""
    pile = state.pile
    worth = len(pile) >= LEAST_PILE or not state.stock.left
    if worth and pile and state.seats[state.turn].counts[RANK_OF[pile[-1]]] >= 2:
        takes = [action for action in legal_actions(state) if isinstance(action, TakePile)]
        if takes:
            return takes[-1]
    return DRAW_STOCK if state.stock.left else PASS


def choose_lay_down(state: RoundState) -> Action | None:
    """Return what to lay down, the question if that needs an answer, or None if nothing is laid."""
    seat = state.seats[state.turn]
    if not seat.opened:
        return _choose_opening(state)
    lots = lots_of_naturals(state)
    wilds = seat.counts[TWO] + seat.counts[JOKER]
    left = len(seat.cards) - wilds - sum([lot.naturals for lot in lots])
    if wilds:
        wilds = complete_books(state, lots, wilds, hurry=left <= 1 and not seat.on_foot)
        wilds, left = pair_up(state, lots, wilds, left)
        if left <= 1:
            wilds = spread_wilds(state, lots, wilds)
    lots = [lot for lot in lots if lot.naturals or lot.wilds]
    if not lots:
        return None
    return _keep_two(state, lots, left + wilds) if seat.on_foot else LayDown(write_entries(seat, lots))


def _choose_opening(state: RoundState) -> Action | None:
    """Return, of the first openings that are listed, the one with the fewest wild cards."""
    best, least = None, 100
    for action in islice(legal_actions(state), OPENINGS):
        if not isinstance(action, LayDown):
            break
        wilds = sum([RANK_OF[card] >= NATURALS for entry in action.melds for card in entry.cards])
        if wilds < least:
            best, least = action, wilds
    return best


def _keep_two(state: RoundState, lots: list[Lot], left: int) -> Action | None:
    """Return how *lots* are laid from the foot: to go out, or else without those that would leave too little."""
    seat = state.seats[state.turn]
    if left < 2:
        action = LayDown(write_entries(seat, lots))
        fault = judge(state, action)
        if fault is None:
            return action
        if fault.clause == NOT_AGREED and judge(state, ASK_PARTNER) is None:
            return ASK_PARTNER
    while lots and left < 2:
        lot = lots.pop()
        left += lot.naturals + lot.wilds
    return LayDown(write_entries(seat, lots)) if lots else None


def choose_discard(state: RoundState) -> Card:
    """Return the card of the seat in turn that costs it least, what the next seat may make of it counted in."""
    number = state.turn
    seat = state.seats[number]
    laid = [0] * RANKS
    for meld in state.melds:
        laid[meld.rank] += meld.naturals
    costs = {rank: _cost(state, rank, held, laid[rank]) for rank, held in enumerate(seat.counts) if held}
    if state.ruleset.red_threes == "laid":
        costs.pop(RED_THREE, None)
    lightest = min(costs, key=lambda rank: (costs[rank], rank))
    return next(card for card in seat.cards if RANK_OF[card] == lightest)


def _cost(state: RoundState, rank: int, held: int, laid: int) -> float:
    """Return what a card of *rank* is worth to the seat in turn, of which it holds *held* and *laid* are melded."""
    if rank == RED_THREE:
        return -RED_THREE_PAID
    if rank == BLACK_THREE:
        return BLOCKER
    if rank >= NATURALS:
        return WILD
    number, ruleset = state.turn, state.ruleset
    theirs = state.sides[(number + 1) % len(state.sides)].open_melds[rank]
    cost = ruleset.scores.points[rank] + STILL_COMING * max(0, 20 - laid) + (0 if held == 1 else PAIR)
    if not ruleset.pile.allowed:
        return cost
    risk = RISK * min(len(state.pile) + 1, 7)
    if not state.seats[(number + 1) % len(state.seats)].opened:
        risk *= UNOPENED
    if theirs >= 0:
        meld = state.melds[theirs]
        risk = risk * MELDED if meld.size <= 4 else 0.0
    return cost + risk
