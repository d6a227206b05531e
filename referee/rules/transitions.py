"""What follows from an action: the only place that changes a round."""

from collections.abc import Callable
from typing import Any, Final

from referee.rules.actions import ATTEMPTS as _ATTEMPTS
from referee.rules.actions import (
    Action,
    AnswerPartner,
    AskPartner,
    Discard,
    DrawStock,
    LayDown,
    Pass,
    TakePile,
    format_action,
)
from referee.rules.cards import RANK_OF, RED_THREE, Card
from referee.rules.deal import deal_round
from referee.rules.errors import Fault, IllegalAction
from referee.rules.events import (
    CardDiscarded,
    CardsDrawn,
    CardsMelded,
    Event,
    FootPickedUp,
    PartnerAnswered,
    PartnerAsked,
    PileTaken,
    RedThreeLaid,
    RoundEnded,
    RoundStarted,
    TurnPassed,
)
from referee.rules.legal_actions import can_take, must_pass
from referee.rules.legality import judge_or_plan
from referee.rules.plan import Plan
from referee.rules.ruleset import Ruleset
from referee.rules.scoring import score_round
from referee.rules.state import ANSWER, DRAW, OVER, PLAY, RoundState


def begin_round(
    ruleset: Ruleset, seats: int, round_number: int, key: bytes
) -> tuple[RoundState, tuple[Event, ...]]:
    """
    Return round *round_number* (from 0) as *key* deals it, with red threes laid where they are laid.

    Raises:
        InvalidRuleset: the ruleset is not played at a table of *seats*.
    """
    deal = deal_round(ruleset, seats, round_number, key)
    state = RoundState(ruleset, round_number, deal)
    events: list[Event] = [RoundStarted(round_number, deal.first_seat, deal.upcard, deal.rejected)]
    for step in range(seats):
        seat = (deal.first_seat + step) % seats
        _lay_red_threes(state, seat, deal.hands[seat], events)
    return state, tuple(events)


def apply(state: RoundState, action: Action) -> tuple[Event, ...]:
    """
    Carry *action* out and return what followed from it, forced ends of turns and of the round included.

    Everything is known to be legal before anything changes: an illegal action leaves no trace.

    Raises:
        IllegalAction: with the first broken clause, in rulebook order.
    """
    verdict = judge_or_plan(state, action)
    kind = type(action)
    if isinstance(verdict, Fault):
        raise IllegalAction(_ATTEMPTS[kind], verdict, format_action(action))
    events: list[Event] = []
    _CONSEQUENCES[kind](state, action, verdict, events)
    return tuple(events)


def after(state: RoundState, action: Action) -> RoundState:
    """
    Return the state that follows from *action*, leaving *state* as it is.

    Raises:
        IllegalAction: with the first broken clause.
    """
    copy = state.copy()
    apply(copy, action)
    return copy


def _discard(state: RoundState, action: Discard, _: None, events: list[Event]) -> None:
    card = action.card
    number = state.turn
    seat = state.seats[number]
    seat.cards.remove(card)
    seat.counts[RANK_OF[card]] -= 1
    state.pile.append(card)
    events.append(CardDiscarded(number, card))
    seat.played_foot = seat.on_foot
    if seat.cards:
        _next_turn(state, events)
    elif seat.on_foot:
        _end_round(state, number, events)
    else:
        _pick_up_foot(state, number, events)
        _next_turn(state, events)


def _draw(state: RoundState, _: DrawStock, __: None, events: list[Event]) -> None:
    number = state.turn
    count = min(state.ruleset.deal.draw, state.stock.left)
    _receive(state, number, state.stock.draw(number, count), events)
    state.phase = PLAY
    _strand(state, events)


def _receive(state: RoundState, number: int, cards: tuple[Card, ...], events: list[Event]) -> None:
    """Put cards drawn from the stock into the holding, and lay and replace red threes where they are laid."""
    seat = state.seats[number]
    counts = seat.counts
    seat.cards += cards
    for card in cards:
        counts[RANK_OF[card]] += 1
    events.append(CardsDrawn(number, len(cards), cards))
    _lay_red_threes(state, number, cards, events)


def _lay_red_threes(state: RoundState, number: int, fresh: tuple[Card, ...], events: list[Event]) -> None:
    seat = state.seats[number]
    if not seat.counts[RED_THREE] or state.ruleset.red_threes == "held":
        return
    for card in fresh:
        if RANK_OF[card] == RED_THREE:
            seat.cards.remove(card)
            seat.counts[RED_THREE] -= 1
            state.sides[state.side_of(number)].red_threes.append(card)
            events.append(RedThreeLaid(number, card))
            if state.stock.left:
                _receive(state, number, state.stock.draw(number), events)


def _strand(state: RoundState, events: list[Event]) -> None:
    """Mark a seat that holds at most one card of its foot as stranded, and end its turn where it can only pass."""
    seat = state.seats[state.turn]
    if len(seat.cards) >= 2 or not seat.on_foot:
        return
    state.stranded = True
    if must_pass(state):
        events.append(TurnPassed(state.turn))
        _next_turn(state, events)


def _lay_down(state: RoundState, _: LayDown, plan: Plan, events: list[Event]) -> None:
    _carry_out(state, plan, [], events)


def _take_pile(state: RoundState, action: TakePile, plan: Plan, events: list[Event]) -> None:
    start = len(state.pile) - action.count
    taken = state.pile[start:]
    del state.pile[start:]
    events.append(PileTaken(state.turn, tuple(reversed(taken))))
    state.phase = PLAY
    upcard = taken.pop()
    seat = state.seats[state.turn]
    seat.counts[RANK_OF[upcard]] += 1
    _carry_out(state, plan, taken, events)


def _carry_out(state: RoundState, plan: Plan, taken: list[Card], events: list[Event]) -> None:
    """Put the melds of *plan* on the table and *taken* into the holding; then see whether the holding is empty."""
    number = state.turn
    seat = state.seats[number]
    _place_melds(state, plan, events)
    for card in taken:
        seat.counts[RANK_OF[card]] += 1
    seat.cards = plan.rest + taken
    seat.played_foot = seat.on_foot
    if not seat.opened:
        _open(state, number, plan.ranks)
    if seat.cards:
        return
    if seat.on_foot:
        _end_round(state, number, events)
    else:
        _pick_up_foot(state, number, events)
        _strand(state, events)


def _place_melds(state: RoundState, plan: Plan, events: list[Event]) -> None:
    seat = state.turn
    counts = state.seats[seat].counts
    for number, cards, size in plan.laid:
        events.append(CardsMelded(seat, number, cards, size))
        for card in cards:
            counts[RANK_OF[card]] -= 1
    melds, side = state.melds, state.sides[seat % len(state.sides)]
    side.books = plan.books
    for number, meld in plan.melds.items():
        if number == len(melds):
            melds.append(meld)
        else:
            melds[number] = meld
        side.track(number, meld)


def _open(state: RoundState, number: int, ranks: int) -> None:
    if state.ruleset.opening.unit == "side":
        for partner in (number, *state.partners(number)):
            state.seats[partner].opened = True
    else:
        state.seats[number].opened = True
        state.seats[number].opening_ranks = ranks


def _pick_up_foot(state: RoundState, number: int, events: list[Event]) -> None:
    seat = state.seats[number]
    foot = seat.foot
    seat.cards = list(foot)
    for card in foot:
        seat.counts[RANK_OF[card]] += 1
    seat.foot = ()
    seat.on_foot = True
    events.append(FootPickedUp(number, len(foot), foot))
    _lay_red_threes(state, number, foot, events)


def _ask(state: RoundState, _: AskPartner, __: None, events: list[Event]) -> None:
    state.asked = True
    state.phase = ANSWER
    state.decider = state.partners(state.turn)[0]
    events.append(PartnerAsked(state.turn))


def _answer(state: RoundState, action: AnswerPartner, _: None, events: list[Event]) -> None:
    state.agreed = action.agree
    state.phase = PLAY
    events.append(PartnerAnswered(state.decider, action.agree))
    state.decider = state.turn


def _pass(state: RoundState, _: Pass, __: None, events: list[Event]) -> None:
    events.append(TurnPassed(state.turn))
    if state.stranded:
        _next_turn(state, events)
    else:
        _end_round(state, None, events)


def _next_turn(state: RoundState, events: list[Event]) -> None:
    state.turn = state.decider = (state.turn + 1) % len(state.seats)
    state.phase = DRAW
    state.asked, state.agreed, state.stranded = False, None, False
    if not state.stock.left and not can_take(state):
        _end_round(state, None, events)


def _end_round(state: RoundState, went_out: int | None, events: list[Event]) -> None:
    state.phase = OVER
    state.went_out = went_out
    events.append(RoundEnded(went_out, score_round(state)))


_CONSEQUENCES: Final[dict[type, Callable[[RoundState, Any, Any, list[Event]], None]]] = {
    DrawStock: _draw,
    TakePile: _take_pile,
    LayDown: _lay_down,
    AskPartner: _ask,
    AnswerPartner: _answer,
    Discard: _discard,
    Pass: _pass,
}
"""What each kind of legal action does: with the state, the action, its plan where it melds, and the events so far."""
