"""What a seat was sent, as values of the rules; and actions of the rules as the client sends them."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from handfoot import Action as ActionMessage
from handfoot import View

from referee.rules import (
    Action,
    Card,
    CardDiscarded,
    CardsMelded,
    Event,
    FootPickedUp,
    Meld,
    Observation,
    Phase,
    PileTaken,
    Rank,
    RedThreeLaid,
    RoundStarted,
)
from referee.service.codec import encode_action


def read_observation(view: View) -> Observation:
    """Return what *view* shows, as `referee.rules.observe` gave it to the referee."""
    public = view.public
    return Observation(
        seat=view.seat,
        round=public.round,
        turn=public.turn,
        phase=Phase(public.phase),
        totals=tuple(public.totals),
        stock=public.stock,
        pile=_cards(public.pile),
        opening_minimum=public.opening_minimum,
        holding_sizes=tuple(public.holding_sizes),
        foot_sizes=tuple(public.foot_sizes),
        played_from_foot=tuple(public.played_from_foot),
        opened=tuple(public.opened),
        melds=tuple(
            Meld(meld.side, Rank(meld.rank - 1), meld.naturals, meld.wilds, _cards(meld.cards))
            for meld in view.melds
        ),
        red_threes=tuple(public.red_threes),
        asked=public.asked,
        agreed=view.agreed,
        opening_ranks=tuple(ranks >> 1 for ranks in public.opening_ranks),
        holding=_cards(view.holding),
    )


def read_events(view: View) -> list[Event]:
    """Return those events that *view* brought which tell where cards are; no questions, answers, passes and draws."""
    events = []
    for message in view.events:
        kind = message.WhichOneof("kind")
        if kind is not None and kind in _READERS:
            events.append(_READERS[kind](getattr(message, kind)))
    return events


def write_action(action: Action) -> ActionMessage:
    """Return *action* as a bot answers it."""
    return ActionMessage.FromString(encode_action(action))


def _cards(cards: Iterable[int]) -> tuple[Card, ...]:
    return tuple([Card(card - 1) for card in cards])


_READERS: Final[dict[str, Callable[[Any], Event]]] = {
    "round_started": lambda event: RoundStarted(
        event.round,
        event.first_seat,
        Card(event.upcard - 1) if event.HasField("upcard") else None,
        _cards(event.rejected_upcards),
    ),
    "pile_taken": lambda event: PileTaken(event.seat, _cards(event.cards)),
    "red_three_laid": lambda event: RedThreeLaid(event.seat, Card(event.card - 1)),
    "cards_melded": lambda event: CardsMelded(event.seat, event.meld, _cards(event.cards), event.size),
    "foot_picked_up": lambda event: FootPickedUp(event.seat, event.count, _cards(event.cards)),
    "card_discarded": lambda event: CardDiscarded(event.seat, Card(event.card - 1)),
}
