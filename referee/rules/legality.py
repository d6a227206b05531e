"""The single judge of legality. What follows from a legal action is in `referee.rules.transitions`."""

from collections.abc import Callable
from typing import Any, Final

from referee.rules.actions import (
    ATTEMPTS,
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
from referee.rules.cards import BLACK_THREE, JOKER, RANK_OF, RED_THREE, TWO, Card
from referee.rules.errors import Fault, IllegalAction
from referee.rules.going_out import judge_going_out, judge_rest, partners_played
from referee.rules.plan import NOT_HELD, Plan, hold_back, plan_entries
from referee.rules.state import ANSWER, DRAW, OVER, PLAY, Phase, RoundState

ROUND_OVER: Final = Fault("HF-2.1", "the round is over")
ANSWER_FIRST: Final = Fault("HF-2.1", "the partner's question is to be answered first")
DRAW_FIRST: Final = Fault("HF-2.1", "draw or take the pile first")
DRAWN_ALREADY: Final = Fault("HF-2.1", "this turn has drawn already")
NOTHING_ASKED: Final = Fault("HF-2.1", "no question was asked")
EMPTY_STOCK: Final = Fault("HF-2.2", "the stock is empty; expected the pile or a pass")
PASS_BARRED: Final = Fault(
    "HF-2.5", "a turn ends with a discard; a pass declines the pile when the stock is empty"
)
NO_PILE: Final = Fault("HF-3.1", "nobody takes from the discard pile in this ruleset")
EMPTY_PILE: Final = Fault("HF-3.2", "the discard pile is empty")
THREE_ON_TOP: Final = Fault("HF-3.3", "a three on top blocks the pile")
WILD_ON_TOP: Final = Fault("HF-3.4", "a wild card on top cannot be taken in this ruleset")
NO_PAIR: Final = Fault("HF-3.7", "two cards of the upcard's rank from the holding are needed in its meld")
RED_THREE_STAYS: Final = Fault("HF-4.3", "a red three lies on the table and is never discarded")
NEVER_ASKED: Final = Fault("HF-8.2", "the partner is not asked in this ruleset")
NO_PARTNER: Final = Fault("HF-8.3", "there is no partner to ask")
ASKED_ALREADY: Final = Fault("HF-8.3", "the partner was asked in this turn already")
ASK_FROM_FOOT: Final = Fault("HF-8.3", "the question is put from the foot, with at least two cards held")


def judge(state: RoundState, action: Action) -> Fault | None:
    """
    Return the first clause that *action* breaks in *state*, in rulebook order; None if it is legal.

    Says nothing about whether the action is wise.
    """
    verdict = judge_or_plan(state, action)
    return verdict if isinstance(verdict, Fault) else None


def check(state: RoundState, action: Action) -> None:
    """
    Raise unless *action* is legal in *state*.

    Raises:
        IllegalAction: with the first broken clause, in rulebook order.
    """
    if fault := judge(state, action):
        raise IllegalAction(ATTEMPTS[type(action)], fault, format_action(action))


def judge_or_plan(state: RoundState, action: Action) -> Plan | Fault | None:
    """Return what `judge` returns, but for a legal action that melds the plan of what it does to the table."""
    kind = type(action)
    judge_kind = _JUDGES[state.phase].get(kind)
    return judge_kind(state, action) if judge_kind else _judge_phase(state.phase, kind)


def _judge_phase(phase: Phase, kind: type[Action]) -> Fault:
    """Return what a decision of *kind* breaks, which has no place in *phase*."""
    if phase is OVER:
        return ROUND_OVER
    if phase is ANSWER:
        return ANSWER_FIRST
    if kind is AnswerPartner:
        return NOTHING_ASKED
    return DRAWN_ALREADY if phase is PLAY else DRAW_FIRST


def _judge_draw(state: RoundState, _: DrawStock) -> Fault | None:
    return None if state.stock.left else EMPTY_STOCK


def _judge_pass(state: RoundState, _: Pass) -> Fault | None:
    return None if state.stranded or (not state.stock.left and state.phase is DRAW) else PASS_BARRED


def _judge_answer(_: RoundState, __: AnswerPartner) -> None:
    """Answer as you like."""


def _judge_discard(state: RoundState, action: Discard) -> Fault | None:
    card = action.card
    seat = state.seats[state.turn]
    if card not in seat.cards:
        return NOT_HELD
    if RANK_OF[card] == RED_THREE and state.ruleset.red_threes == "laid":
        return RED_THREE_STAYS
    if seat.on_foot and len(seat.cards) == 1:
        books = state.sides[state.side_of(state.turn)].books
        return judge_going_out(state, state.turn, books, by_discard=True)
    return None


def _judge_lay_down(state: RoundState, action: LayDown) -> Plan | Fault:
    rest = hold_back(state.seats[state.turn].cards, action.melds)
    if isinstance(rest, Fault):
        return rest
    plan = plan_entries(state, state.turn, action.melds, rest)
    if isinstance(plan, Fault):
        return plan
    return judge_rest(state, state.turn, plan, plan.rest) or plan


def _judge_take(state: RoundState, action: TakePile) -> Plan | Fault:
    rest = hold_back(state.seats[state.turn].cards, action.melds)
    if isinstance(rest, Fault):
        return rest
    if fault := judge_upcard(state) or _judge_count(state, action.count):
        return fault
    upcard = state.pile[-1]
    if not action.melds or not _holds_pair(action.melds[0].cards, upcard):
        return NO_PAIR
    plan = plan_entries(state, state.turn, action.melds, rest, upcard)
    if isinstance(plan, Fault):
        return plan
    taken = state.pile[len(state.pile) - action.count : -1]
    return judge_rest(state, state.turn, plan, plan.rest + taken) or plan


def judge_upcard(state: RoundState) -> Fault | None:
    """Return what keeps everybody from taking the pile as it lies; None if nothing does."""
    rule = state.ruleset.pile
    if not rule.allowed:
        return NO_PILE
    if not state.pile:
        return EMPTY_PILE
    rank = RANK_OF[state.pile[-1]]
    if rank >= BLACK_THREE:
        return THREE_ON_TOP
    return WILD_ON_TOP if rank >= TWO and not rule.wild_upcard else None


def counts_of_pile(state: RoundState) -> range:
    """Return the numbers of cards that may be taken from the pile as it lies."""
    rule = state.ruleset.pile
    most = len(state.pile) if rule.limit is None else min(rule.limit, len(state.pile))
    return range(1 if rule.choice else most, most + 1)


def _judge_count(state: RoundState, count: int) -> Fault | None:
    counts = counts_of_pile(state)
    if count in counts:
        return None
    least, most = counts[0], counts[-1]
    number = str(most) if least == most else f"{least} to {most}"
    clause = "HF-3.5" if state.ruleset.pile.choice else "HF-3.6"
    return Fault(clause, f"the number of cards taken from the pile is {number} here")


def _holds_pair(cards: tuple[Card, ...], upcard: Card) -> bool:
    rank, ranks = RANK_OF[upcard], [RANK_OF[card] for card in cards]
    return ranks.count(rank) >= 2 and {rank, TWO, JOKER}.issuperset(ranks)


def _judge_question(state: RoundState, _: AskPartner) -> Fault | None:
    seat = state.seats[state.turn]
    if state.ruleset.going_out.permission == "none":
        return NEVER_ASKED
    if not state.partners(state.turn):
        return NO_PARTNER
    if state.asked:
        return ASKED_ALREADY
    if not seat.on_foot or len(seat.cards) < 2:
        return ASK_FROM_FOOT
    return partners_played(state, state.turn)


_JUDGES: Final[tuple[dict[type, Callable[[RoundState, Any], Plan | Fault | None]], ...]] = (
    {},
    {DrawStock: _judge_draw, TakePile: _judge_take, Pass: _judge_pass},
    {LayDown: _judge_lay_down, Discard: _judge_discard, AskPartner: _judge_question, Pass: _judge_pass},
    {AnswerPartner: _judge_answer},
    {},
)
"""By phase, how each kind of action is judged that has a place in it."""
