"""What is told to whom: field by field as the protocol has them, and event by event as they happened."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from handfoot.v1.action_pb2 import Action as ActionMessage
from handfoot.v1.event_pb2 import Event as EventMessage
from handfoot.v1.result_pb2 import RoundScore as ScoreMessage
from laws.playouts import Table as Place
from leak.audience import AUDIENCES, SEAT, sent_messages, walk
from leak.matches import TABLES, Played, matches

from referee.rules import (
    Card,
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
    RoundScore,
    RoundStarted,
    TurnPassed,
)

KINDS = {field.name for field in EventMessage.DESCRIPTOR.oneofs_by_name["kind"].fields}


def events_sent(match: Played, seat: int) -> list[EventMessage]:
    """Return the events that *seat* was sent, each once, in the order of their numbers."""
    events: dict[int, EventMessage] = {}
    for sent in match.sent[seat]:
        message = sent.message
        for part in (*message.requests, *message.ended):
            for event in part.events:
                assert events.setdefault(event.number, event) == event, "told in two ways"
    assert list(events) == list(range(1, len(events) + 1))
    return list(events.values())


# ---------------------------------------------------------------------- field by field


def test_every_field_has_an_audience() -> None:
    """A field that is new in the protocol is on no list yet: say in `leak.audience` who may see it, and why."""
    sent = {name: set(message.fields_by_name) for name, message in sent_messages().items()}
    assert sent == {name: set(fields) for name, fields in AUDIENCES.items()}


@pytest.mark.parametrize("place", TABLES, ids=str)
def test_what_belongs_to_a_seat_is_sent_to_it_alone(place: Place) -> None:
    """Drawn cards, holdings, clocks, legal actions and results name the seat that receives them."""
    match = matches(place)[0]
    for seat, everything in enumerate(match.sent):
        for sent in everything:
            for message, field, about in walk(sent.message):
                assert about == seat or AUDIENCES[message][field] is not SEAT, (
                    f"{message}.{field} of seat {about}"
                )


@pytest.mark.parametrize("place", TABLES, ids=str)
def test_legal_actions_hold_only_cards_of_the_seat(place: Place) -> None:
    """Every card of a listed action is in the holding of the observation that comes with it."""
    for everything in matches(place)[0].sent:
        for request in (request for sent in everything for request in sent.message.requests):
            holding = set(request.observation.private.holding)
            assert all(set(cards_of(action)) <= holding for action in request.legal_actions)


def cards_of(action: ActionMessage) -> Iterator[int]:
    """Yield the cards that leave the holding by *action*."""
    if action.HasField("discard"):
        yield action.discard.card
    for laid in (*action.lay_down.melds, *action.take_pile.melds):
        yield from laid.cards


# ---------------------------------------------------------------------- event by event


def expected(number: int, event: Event, seat: int) -> EventMessage:
    """Return what *seat* is to be told of *event*."""
    return EventMessage(number=number, **told(event, seat))


def told(event: Event, seat: int) -> dict[str, Any]:
    """Return the one kind of event that is set, and its fields."""
    match event:
        case RoundStarted(number, first, upcard, rejected):
            begun = {"round": number, "first_seat": first, "rejected_upcards": faces(rejected)}
            return {"round_started": begun | ({} if upcard is None else {"upcard": upcard + 1})}
        case CardsDrawn(who, count, drawn):
            return {
                "cards_drawn": {"seat": who, "count": count, "cards": faces(drawn) if who == seat else []}
            }
        case FootPickedUp(who, count, foot):
            return {
                "foot_picked_up": {"seat": who, "count": count, "cards": faces(foot) if who == seat else []}
            }
        case PileTaken(who, taken):
            return {"pile_taken": {"seat": who, "cards": faces(taken)}}
        case RedThreeLaid(who, card):
            return {"red_three_laid": {"seat": who, "card": card + 1}}
        case CardsMelded(who, meld, laid, size):
            return {"cards_melded": {"seat": who, "meld": meld, "cards": faces(laid), "size": size}}
        case CardDiscarded(who, card):
            return {"card_discarded": {"seat": who, "card": card + 1}}
        case PartnerAsked(who):
            return {"partner_asked": {"seat": who}}
        case PartnerAnswered(who, agree):
            return {"partner_answered": {"seat": who, "agree": agree}}
        case TurnPassed(who):
            return {"turn_passed": {"seat": who}}
        case RoundEnded(who, scores):
            lines = [
                {name: getattr(score, name) for name in ScoreMessage.DESCRIPTOR.fields_by_name}
                for score in scores
            ]
            return {"round_ended": {"went_out": who, "scores": lines}}
    raise AssertionError(f"say who may see {event}")


def lines(score: RoundScore) -> dict[str, int]:
    """Return the lines of a score and their sum by name."""
    return {name: getattr(score, name) for name in ScoreMessage.DESCRIPTOR.fields_by_name}


def faces(shown: Iterable[Card]) -> list[int]:
    """Return cards as the protocol numbers them."""
    return [card + 1 for card in shown]


@pytest.mark.parametrize("place", TABLES, ids=str)
def test_events_say_what_was_seen_and_no_more(place: Place) -> None:
    """Each seat is told of every event of a match, once and in order, with the cards that were seen from its chair."""
    for match in matches(place):
        for seat in range(place.seats):
            wanted = [expected(number, event, seat) for number, event in enumerate(match.events, start=1)]
            heard = events_sent(match, seat)
            assert heard == wanted[: len(heard)]
            assert len(heard) == len(wanted)


def test_every_kind_of_event_was_looked_at() -> None:
    """The matches hold each kind of event, and draws from under the stock, where everybody knows the cards."""
    played = [match for place in TABLES for match in matches(place)]
    kinds = {event.WhichOneof("kind") for match in played for event in events_sent(match, 0)}
    assert kinds == KINDS
    assert any(drew_from_under(match) for match in played)


def drew_from_under(match: Played) -> bool:
    """Return whether rejected upcards that lay under the stock were drawn."""
    under = match.spec.ruleset.deal.rejected_upcards == "under"
    started = match.events[0]
    assert isinstance(started, RoundStarted)
    return under and bool(started.rejected) and "empty stock" in match.moments
