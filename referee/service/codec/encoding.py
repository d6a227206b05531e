"""
What the referee sends: requests, refusals and results, filled into a PlayResponse in place.

The observation and the events of a request are written at every decision: integers go in flat, and what does not
change is written once.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, Final

from handfoot.v1 import action_pb2, event_pb2, observation_pb2, referee_service_pb2, result_pb2

from referee.rules import (
    Action,
    AnswerPartner,
    AskPartner,
    CardDiscarded,
    CardsDrawn,
    CardsMelded,
    Discard,
    DrawStock,
    Entry,
    Event,
    FootPickedUp,
    LayDown,
    MatchState,
    Observation,
    PartnerAnswered,
    PartnerAsked,
    Pass,
    Phase,
    PileTaken,
    RedThreeLaid,
    RoundEnded,
    RoundScore,
    RoundStarted,
    TakePile,
    TurnPassed,
    legal_actions,
    observe,
    seen_by,
)
from referee.service.clock import Reading
from referee.service.codec.rulesets import write_ruleset
from referee.service.effects import Ask, Finish, Refuse
from referee.service.reports import MatchSpec, Termination

PROTOCOL_VERSION: Final = 1
"""The version of the protocol that the referee speaks."""

MAX_LEGAL_ACTIONS: Final = 1000
"""The most legal actions that a request lists."""

_NEXT: Final = bytes((number + 1) % 256 for number in range(256))
"""Cards and ranks of the rules, from 0, to those of the protocol, from 1."""

_TERMINATION: Final[dict[Termination, result_pb2.Termination.ValueType]] = {
    "played": result_pb2.TERMINATION_PLAYED,
    "forfeit": result_pb2.TERMINATION_FORFEIT,
    "double_forfeit": result_pb2.TERMINATION_DOUBLE_FORFEIT,
    "no_show": result_pb2.TERMINATION_VOID,
    "void": result_pb2.TERMINATION_VOID,
}

_PHASE: Final = {
    Phase.DRAW: observation_pb2.PHASE_DRAW,
    Phase.PLAY: observation_pb2.PHASE_PLAY,
    Phase.ANSWER: observation_pb2.PHASE_ANSWER,
}

_FAULT: Final = {
    "illegal": referee_service_pb2.Refusal.FAULT_ILLEGAL,
    "protocol": referee_service_pb2.Refusal.FAULT_PROTOCOL,
}


# ---------------------------------------------------------------------- events


class Ledger:
    """The events of one match as each seat hears them, written once."""

    def __init__(self, seats: int) -> None:
        self._heard: list[list[event_pb2.Event]] = [[] for _ in range(seats)]

    def take(self, events: Sequence[Event]) -> None:
        """Write those of *events*, all events of the match so far, that are new."""
        for number, event in enumerate(islice(events, len(self._heard[0]), None), len(self._heard[0]) + 1):
            public = write_event(seen_by(event, -1), number)
            for heard in self._heard:
                heard.append(public)
            if isinstance(event, CardsDrawn | FootPickedUp):
                self._heard[event.seat][-1] = write_event(event, number)

    def after(self, seat: int, heard: int) -> list[event_pb2.Event]:
        """Return what *seat* may know of all events after the first *heard*."""
        return self._heard[seat][heard:]


def write_event(event: Event, number: int) -> event_pb2.Event:
    """Return *event*, already as its reader may see it, under *number*."""
    message = event_pb2.Event(number=number)
    _EVENTS[type(event)](event, message)
    return message


def _write_round_started(event: RoundStarted, message: event_pb2.Event) -> None:
    message.round_started.round = event.round
    message.round_started.first_seat = event.first_seat
    if event.upcard is not None:
        message.round_started.upcard = _card(event.upcard)
    message.round_started.rejected_upcards.extend(_cards(event.rejected))


def _write_cards_drawn(event: CardsDrawn, message: event_pb2.Event) -> None:
    message.cards_drawn.seat = event.seat
    message.cards_drawn.count = event.count
    message.cards_drawn.cards.extend(_cards(event.cards))


def _write_foot_picked_up(event: FootPickedUp, message: event_pb2.Event) -> None:
    message.foot_picked_up.seat = event.seat
    message.foot_picked_up.count = event.count
    message.foot_picked_up.cards.extend(_cards(event.cards))


def _write_pile_taken(event: PileTaken, message: event_pb2.Event) -> None:
    message.pile_taken.seat = event.seat
    message.pile_taken.cards.extend(_cards(event.cards))


def _write_red_three_laid(event: RedThreeLaid, message: event_pb2.Event) -> None:
    message.red_three_laid.seat = event.seat
    message.red_three_laid.card = _card(event.card)


def _write_cards_melded(event: CardsMelded, message: event_pb2.Event) -> None:
    message.cards_melded.seat = event.seat
    message.cards_melded.meld = event.meld
    message.cards_melded.cards.extend(_cards(event.cards))
    message.cards_melded.size = event.size


def _write_partner_asked(event: PartnerAsked, message: event_pb2.Event) -> None:
    message.partner_asked.seat = event.seat


def _write_partner_answered(event: PartnerAnswered, message: event_pb2.Event) -> None:
    message.partner_answered.seat = event.seat
    message.partner_answered.agree = event.agree


def _write_card_discarded(event: CardDiscarded, message: event_pb2.Event) -> None:
    message.card_discarded.seat = event.seat
    message.card_discarded.card = _card(event.card)


def _write_turn_passed(event: TurnPassed, message: event_pb2.Event) -> None:
    message.turn_passed.seat = event.seat


def _write_round_ended(event: RoundEnded, message: event_pb2.Event) -> None:
    if event.went_out is not None:
        message.round_ended.went_out = event.went_out
    message.round_ended.scores.extend(write_score(score) for score in event.scores)
    message.round_ended.SetInParent()


_EVENTS: Final[dict[type, Callable[[Any, event_pb2.Event], None]]] = {
    RoundStarted: _write_round_started,
    CardsDrawn: _write_cards_drawn,
    PileTaken: _write_pile_taken,
    RedThreeLaid: _write_red_three_laid,
    CardsMelded: _write_cards_melded,
    FootPickedUp: _write_foot_picked_up,
    PartnerAsked: _write_partner_asked,
    PartnerAnswered: _write_partner_answered,
    CardDiscarded: _write_card_discarded,
    TurnPassed: _write_turn_passed,
    RoundEnded: _write_round_ended,
}


def write_score(score: RoundScore) -> result_pb2.RoundScore:
    """Return the score of one side in one round."""
    return result_pb2.RoundScore(
        books=score.books,
        melded_cards=score.melded_cards,
        going_out=score.going_out,
        red_table=score.red_table,
        red_unplaced=score.red_unplaced,
        leftover=score.leftover,
        black_threes=score.black_threes,
        red_from_opponents=score.red_from_opponents,
        red_from_partner=score.red_from_partner,
        received_cards=score.received_cards,
        red_held_stock_out=score.red_held_stock_out,
        total=score.total,
    )


# ---------------------------------------------------------------------- cards and actions


def _card(card: int) -> Any:
    return card + 1


def _cards(cards: Iterable[int]) -> Any:
    """Return cards, or ranks, as the protocol numbers them."""
    return bytes(cards).translate(_NEXT)


def write_action(action: Action, message: action_pb2.Action) -> None:
    """Fill *message*, which is empty, with *action*."""
    _ACTIONS[type(action)](action, message)


def _write_take(action: TakePile, message: action_pb2.Action) -> None:
    message.take_pile.count = action.count
    _write_entries(action.melds, message.take_pile.melds)


def _write_lay_down(action: LayDown, message: action_pb2.Action) -> None:
    _write_entries(action.melds, message.lay_down.melds)


def _write_answer(action: AnswerPartner, message: action_pb2.Action) -> None:
    message.answer_partner.agree = action.agree


def _write_discard(action: Discard, message: action_pb2.Action) -> None:
    message.discard.card = _card(action.card)


def _write_entries(entries: Iterable[Entry], melds: Any) -> None:
    for entry in entries:
        meld = melds.add()
        if entry.target is not None:
            meld.target = entry.target
        meld.cards.extend(_cards(entry.cards))


_ACTIONS: Final[dict[type, Callable[[Any, action_pb2.Action], None]]] = {
    DrawStock: lambda action, message: message.draw_stock.SetInParent(),
    TakePile: _write_take,
    LayDown: _write_lay_down,
    AskPartner: lambda action, message: message.ask_partner.SetInParent(),
    AnswerPartner: _write_answer,
    Discard: _write_discard,
    Pass: lambda action, message: message.pass_turn.SetInParent(),
}


# ---------------------------------------------------------------------- messages


def add_welcome(response: referee_service_pb2.PlayResponse, session_id: str, max_message_bytes: int) -> None:
    """Add to *response* the answer to a hello."""
    response.welcome.session_id = session_id
    response.welcome.protocol_version = PROTOCOL_VERSION
    response.welcome.max_message_bytes = max_message_bytes
    response.welcome.max_legal_actions = MAX_LEGAL_ACTIONS


def add_seated(
    response: referee_service_pb2.PlayResponse, table_id: str, seat: int, spec: MatchSpec, clock: Reading
) -> None:
    """Add to *response* that a seat was given."""
    seated = response.seated.add(
        table_id=table_id,
        seat=seat,
        seats=spec.seats,
        sides=spec.ruleset.sides(spec.seats),
        bot_seed=spec.bot_seeds[seat],
    )
    seated.ruleset.CopyFrom(write_ruleset(spec.ruleset, spec.seats))
    _write_clock(clock, seated.clock)


def add_request(
    response: referee_service_pb2.PlayResponse,
    table_id: str,
    ask: Ask,
    match: MatchState,
    ledger: Ledger,
    *,
    list_actions: bool,
) -> None:
    """Add to *response* the request that *ask* stands for, at the match as it stands."""
    request = response.requests.add(table_id=table_id, seat=ask.seat, request_id=ask.request_id)
    write_observation(observe(match.state, ask.seat, match.totals), request.observation)
    request.events.extend(ledger.after(ask.seat, ask.heard))
    _write_clock(ask.clock, request.clock)
    if list_actions:
        _list_actions(match, request)


def _list_actions(match: MatchState, request: referee_service_pb2.DecisionRequest) -> None:
    actions = iter(legal_actions(match.state))
    for action in islice(actions, MAX_LEGAL_ACTIONS):
        write_action(action, request.legal_actions.add())
    request.legal_actions_complete = next(actions, None) is None


def write_observation(seen: Observation, message: observation_pb2.Observation) -> None:
    """Fill *message*, which is empty, with what a seat sees."""
    public = message.public
    public.round = seen.round
    public.turn = seen.turn
    public.phase = _PHASE[seen.phase]
    public.totals.extend(seen.totals)
    public.stock = seen.stock
    public.pile.extend(_cards(seen.pile))
    public.opening_minimum = seen.opening_minimum
    public.holding_sizes.extend(seen.holding_sizes)
    public.foot_sizes.extend(seen.foot_sizes)
    public.played_from_foot.extend(seen.played_from_foot)
    public.opened.extend(seen.opened)
    _write_melds(seen, public)
    public.red_threes.extend(seen.red_threes)
    public.asked = seen.asked
    if seen.agreed is not None:
        public.agreed = seen.agreed
    public.opening_ranks.extend([bits << 1 for bits in seen.opening_ranks])  # ranks count from 1 there
    message.private.seat = seen.seat
    message.private.holding.extend(_cards(seen.holding))


def _write_melds(seen: Observation, public: observation_pb2.PublicObservation) -> None:
    if seen.melds:
        sides, ranks, naturals, wilds, cards = zip(*seen.melds, strict=True)
        public.meld_sides.extend(sides)
        public.meld_ranks.extend(_cards(ranks))
        public.meld_sizes.extend(map(sum, zip(naturals, wilds, strict=True)))
        public.meld_cards.extend(_cards(sum(cards, ())))


def _write_clock(reading: Reading, clock: referee_service_pb2.Clock) -> None:
    clock.turn_limit_ms = reading.turn_limit_ms
    clock.bank_ms = reading.bank_ms
    clock.used_ms = reading.used_ms


def add_refusal(response: referee_service_pb2.PlayResponse, table_id: str, refusal: Refuse) -> None:
    """Add to *response* that something was refused; *table_id* is empty where it concerns no table."""
    response.refusals.add(
        table_id=table_id,
        seat=refusal.seat,
        request_id=refusal.request_id,
        fault=_FAULT[refusal.fault],
        index=refusal.index,
        clause=refusal.clause,
        reason=refusal.reason,
        corrections_left=refusal.corrections_left,
        count=refusal.count,
    )


def add_ended(
    response: referee_service_pb2.PlayResponse, table_id: str, finish: Finish, ledger: Ledger
) -> None:
    """Add to *response* that the match is over for a seat."""
    ended = response.ended.add(table_id=table_id, seat=finish.seat)
    ended.events.extend(ledger.after(finish.seat, finish.heard))
    ended.result.termination = _TERMINATION[finish.termination]
    ended.result.totals.extend(finish.totals)
    ended.result.winners.extend(finish.winners)
    if finish.forfeited is not None:
        ended.result.forfeited = finish.forfeited
    ended.result.reason = finish.reason
