"""The moments when something hidden is seen, and by whom: small tables made by hand, and rare moments of matches."""

from dataclasses import replace
from typing import Any

import pytest
from builders import cards, entry
from handfoot.v1.event_pb2 import Event as EventMessage
from handfoot.v1.referee_service_pb2 import DecisionRequest
from laws.playouts import Table as Place
from leak.deals import dealing
from leak.matches import TABLES, matches, spec_of
from leak.room import Room, copy_table, run

from referee.rules import (
    BEGINNER,
    ONLINE,
    PUBLISHER,
    SIMPLE,
    Action,
    AnswerPartner,
    Card,
    Deal,
    Discard,
    LayDown,
    Ruleset,
    TakePile,
    format_cards,
    parse_card,
)
from referee.rules.actions import DRAW_STOCK


def deal(hand: str, foot: str, stripe: str, **more: Any) -> Deal:
    """Return a deal of four in which seat 0 has these cards and draws *stripe*; the others can take a five."""
    stripes = zip(cards(stripe), *[cards("4s 4c 4h 4d")] * 3, strict=False)
    stock = tuple(card for row in stripes for card in row)
    others = (cards("5d 5h Kc Kd"),) * 3
    dealt: dict[str, Any] = {"stock": stock, "under": (), "upcard": None, "rejected": (), "first_seat": 0}
    return Deal(hands=(cards(hand), *others), feet=(cards(foot), *others), **dealt | more)


async def hear(place: Place, *actions: Action) -> tuple[list[str], list[str]]:
    """Return what seats 0 and 1 hear of seat 0 doing *actions*; then the match is called off."""
    room = await Room(spec_of(place, 0), ask_always=True).get_ready()
    for action in actions:
        await room.decide(room.table.match.state.decider, action)
    await room.close()
    return hearsay(room, 0), hearsay(room, 1)


def hearsay(room: Room, seat: int) -> list[str]:
    """Return the events that *seat* was told, each as its kind and its cards."""
    messages = [sent.message for sent in room.sent(seat)]
    events = [event for each in messages for part in (*each.requests, *each.ended) for event in part.events]
    return [describe(event) for event in events]


def describe(event: EventMessage) -> str:
    """Return an event in words: its kind, how many cards, and which."""
    kind = event.WhichOneof("kind")
    assert kind is not None
    fields = {field.name: value for field, value in getattr(event, kind).ListFields()}
    listed = [
        *fields.get("rejected_upcards", ()),
        *fields.get("cards", ()),
        *([fields["card"]] if "card" in fields else ()),
    ]
    shown = format_cards(Card(card - 1) for card in listed)
    return " ".join(str(word) for word in (kind, fields.get("count", ""), shown) if word)


def test_a_red_three_is_seen_and_what_replaces_it_is_not() -> None:
    """Drawn cards are the drawer's alone; the red three among them is laid before everybody."""
    dealt = deal("5c 6c 7c", "As", stripe="3d 8c 9h")
    with dealing([dealt]):
        own, others = run(hear(Place(SIMPLE, 4), DRAW_STOCK, Discard(parse_card("5c"))))
    assert own[1:] == ["cards_drawn 2 3d 8c", "red_three_laid 3d", "cards_drawn 1 9h", "card_discarded 5c"]
    assert others[1:] == ["cards_drawn 2", "red_three_laid 3d", "cards_drawn 1", "card_discarded 5c"]


def test_a_foot_is_seen_by_its_owner_when_it_is_picked_up() -> None:
    """Nobody, the owner included, is told its cards before; the others learn how many there are, and its red threes."""
    dealt = deal("4c", "As 3h Kd", stripe="4d 4h 9h")
    plays = (DRAW_STOCK, LayDown((entry("4c 4d 4h"),)))
    with dealing([dealt]):
        before, _ = run(hear(Place(SIMPLE, 4), *plays[:1]))
        own, others = run(hear(Place(SIMPLE, 4), *plays))
    melded = "cards_melded 4c 4d 4h"
    assert before[1:] == ["cards_drawn 2 4d 4h"]
    assert own[2:] == [melded, "foot_picked_up 3 As 3h Kd", "red_three_laid 3h", "cards_drawn 1 9h"]
    assert others[2:] == [melded, "foot_picked_up 3", "red_three_laid 3h", "cards_drawn 1"]


@pytest.mark.parametrize("ruleset", [ONLINE, BEGINNER], ids=["under", "buried"])
def test_rejected_upcards_are_told_and_not_where_they_are(ruleset: Ruleset) -> None:
    """Everybody sees which cards were turned and set aside; nobody is told when somebody else draws one of them."""
    rejected = cards("2h JR")
    under = rejected if ruleset is ONLINE else ()
    stripe = "8c 9c" if under else "2h JR"
    dealt = deal("5c 6c 7c", "As", stripe, under=under, rejected=rejected, upcard=parse_card("9s"))
    stock = dealt.stock[:1] if under else dealt.stock
    with dealing([replace(dealt, stock=stock)]):
        own, others = run(hear(Place(ruleset, 4), DRAW_STOCK, Discard(parse_card("5c"))))
    assert own[0] == others[0] == "round_started 2h JR"
    assert own[1:] == [f"cards_drawn 2 {'8c 2h' if under else '2h JR'}", "card_discarded 5c"]
    assert others[1:] == ["cards_drawn 2", "card_discarded 5c"]


def test_a_pile_is_taken_before_everybody() -> None:
    """What is taken from the pile lay face up: all of it is named to all, from the upcard downwards."""
    dealt = deal("5c 6c 7c", "As", "8c 9h", upcard=parse_card("9s"))
    take = TakePile(2, (entry("5d 5h"),))
    with dealing([dealt]):
        taken_from, taker = run(hear(Place(SIMPLE, 4), DRAW_STOCK, Discard(parse_card("5c")), take))
    assert taken_from[-2:] == taker[-2:] == ["pile_taken 5c 9s", "cards_melded 5c 5d 5h"]


@pytest.mark.parametrize("name", ["beginner-4", "online-4", "polite-4"])
def test_a_partner_answers_without_seeing_more(name: str) -> None:
    """Whoever is asked for permission sees its own cards, and has two answers; everybody hears question and answer."""
    place = next(each for each in TABLES if str(each) == name)
    match = next(each for each in matches(place) if "answer" in each.moments)
    moment = match.moments["answer"]

    async def steps() -> tuple[DecisionRequest, list[list[str]]]:
        room = Room(match.spec, table=copy_table(moment.table), now=moment.now)
        await room.settle()
        partner = room.table.match.state.decider
        (request,) = [request for sent in room.sent(partner) for request in sent.message.requests]
        await room.decide(partner, AnswerPartner(agree=True))
        await room.close()
        return request, [hearsay(room, seat) for seat in range(place.seats)]

    request, heard = run(steps())
    state = moment.table.match.state
    assert [card - 1 for card in request.observation.private.holding] == sorted(
        state.seats[request.seat].cards
    )
    assert [action.answer_partner.agree for action in request.legal_actions] == [False, True]
    assert all(events[-2:] == ["partner_asked", "partner_answered"] for events in heard)


def test_cards_that_are_handed_over_are_told_by_their_value() -> None:
    """Where the opponents of the side that went out hand over their cards, everybody hears the scores and no card."""
    place = next(each for each in TABLES if each.ruleset is PUBLISHER)
    for match in matches(place):
        ends = [match.sent[seat][-1].message.ended[0].events[-1].round_ended for seat in range(place.seats)]
        assert all(end == ends[0] for end in ends)
        given = [score.received_cards + score.red_from_opponents for score in ends[0].scores]
        assert [value != 0 for value in given] == [side == ends[0].went_out % 2 for side in (0, 1)]
