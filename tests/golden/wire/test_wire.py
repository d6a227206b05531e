"""One message of each kind, as JSON beside this file, so that a change of the protocol shows in review."""

import json
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from builders import books, cards, entry, meld, round_with
from google.protobuf.descriptor import Descriptor
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from handfoot.v1.event_pb2 import Event as EventMessage
from handfoot.v1.referee_service_pb2 import Decision, Hello, PlayRequest, PlayResponse, Ready
from leak.room import Room, run, write_action

from referee.rules import (
    BEGINNER,
    AnswerPartner,
    AskPartner,
    Card,
    CardDiscarded,
    CardsDrawn,
    CardsMelded,
    Discard,
    DrawStock,
    Event,
    FootPickedUp,
    LayDown,
    PartnerAnswered,
    PartnerAsked,
    Pass,
    Phase,
    PileTaken,
    RedThreeLaid,
    RoundEnded,
    RoundScore,
    RoundStarted,
    RoundState,
    TakePile,
    TurnPassed,
    seen_by,
)
from referee.rules.ruleset import MatchRule
from referee.service.clock import TimeControl
from referee.service.codec import encode_event
from referee.service.reports import Limits, MatchSpec

HERE = Path(__file__).parent
WIDTH = 110

SPEC = MatchSpec(
    replace(
        BEGINNER,
        name="golden",
        going_out=replace(BEGINNER.going_out, clean_book_ranks=("7",)),
        match=MatchRule(rounds=4, target=10_000),
    ),
    seats=4,
    keys=tuple(bytes([number]) * 32 for number in range(4)),
    bot_seeds=(2**63, 1, 2, 3),
    time=TimeControl(turn=1.0, bank=30.0),
)

SCORE = RoundScore(
    books=1600,
    melded_cards=845,
    going_out=100,
    red_table=200,
    red_unplaced=-100,
    leftover=-75,
    black_threes=-5,
    red_from_opponents=300,
    red_from_partner=-300,
    received_cards=60,
    red_held_stock_out=-300,
)
"""All lines at once, as no ruleset has them."""

EVENTS: tuple[Event, ...] = (
    RoundStarted(1, 3, Card(7), cards("3d 2s")),
    CardsDrawn(2, 2, cards("4c 3h")),
    RedThreeLaid(2, *cards("3h")),
    PileTaken(2, cards("9s 7s")),
    CardsMelded(2, 4, cards("9s 9c 9d"), 3),
    FootPickedUp(2, 3, cards("4h 5h JR")),
    PartnerAsked(2),
    PartnerAnswered(0, agree=True),
    CardDiscarded(2, *cards("4h")),
    TurnPassed(3),
    RoundEnded(2, (SCORE, RoundScore())),
)

ACTIONS = (
    DrawStock(),
    TakePile(2, (entry("9c 9d"), entry("Kh", target=5))),
    LayDown((entry("Kh Ks 2s"),)),
    AskPartner(),
    AnswerPartner(agree=False),
    Discard(*cards("4h")),
    Pass(),
)


def position() -> RoundState:
    """Return a table at which seat 0 may take the pile, ask its partner, and go out."""
    return round_with(
        SPEC.ruleset,
        phase=Phase.DRAW,
        holding="9c 9d Kh 2s",
        on_foot=True,
        others={1: "5c 6c 7c", 2: "8c Th", 3: "Jc Qc"},
        others_played_foot=[2],
        feet={1: "4d 4h", 3: "5d 5h"},
        melds=[*books(clean=2, dirty=2, wild=1), meld("5c 5d 5h"), meld("6c 6d 6h", side=1)],
        pile="7s 9s",
        stock="4s 8d",
        red_threes={0: "3d 3h"},
    )


# ---------------------------------------------------------------------- messages of the referee


@cache
def sent() -> dict[str, PlayResponse]:
    """Return what seat 0, its partner and an opponent are sent in a short story, by the names of the files."""
    return run(_story())


async def _story() -> dict[str, PlayResponse]:
    room = Room(SPEC, limits=Limits(time=SPEC.time), ask_always=True)
    await room.settle()
    (first,) = room.sent(0)
    await room.get_ready()
    room.table.match.state = position()
    room.connect(0)
    await room.settle()
    told = {"seated": first.message, "request_draw": await _next(room, 0)}
    room.loop.now += 0.125
    await room.decide(0, DrawStock())
    told["request_play"] = await _next(room, 0)
    await room.decide(0, AskPartner())
    told["request_answer"] = await _next(room, 2)
    room.loop.now += 0.25
    await room.decide(2, AnswerPartner(agree=True))
    await room.decide(0, Discard(*cards("9c")), LayDown((entry("6s", target=6),)), request_id=9)
    told["refusal_protocol"] = await _next(room, 0)
    await room.decide(0, LayDown((entry("Kh", target=6),)))
    told["refusal_illegal"] = await _next(room, 0)
    await room.do(room.runner.leave, room.seatings[0], "exited with code 3")
    await room.pass_time(1.0)
    return told | {"ended_own_fault": await _next(room, 0), "ended": await _next(room, 1)}


async def _next(room: Room, seat: int) -> PlayResponse:
    """Return the last message that *seat* was sent."""
    return room.sent(seat)[-1].message


def events() -> list[EventMessage]:
    """Return each kind of event as its seat hears it, and as seat 0 does where that is less."""
    heard = [shown for event in EVENTS for shown in dict.fromkeys((seen_by(event, 2), seen_by(event, 0)))]
    return [
        EventMessage.FromString(encode_event(event, number)) for number, event in enumerate(heard, start=1)
    ]


# ---------------------------------------------------------------------- messages of bots


def said() -> dict[str, PlayRequest]:
    """Return what a bot may send, by the names of the files."""
    hello = Hello(
        token="what HANDFOOT_TOKEN says",
        name="example",
        version="1.0",
        language="python",
        protocol_versions=[1],
        tables=2,
        legal_actions=True,
        session_id="what Welcome said, when coming back",
    )
    actions = [write_action(action) for action in ACTIONS]
    decision = Decision(table_id="table 02", seat=2, request_id=17, actions=actions, thinking_us=1_250)
    return {
        "hello": PlayRequest(hello=hello),
        "ready": PlayRequest(ready=[Ready(table_id="table 02")]),
        "decision": PlayRequest(decisions=[decision]),
    }


# ---------------------------------------------------------------------- as text


def text_of(value: Any, indent: int = 0) -> str:
    """Return *value* as JSON that a person can read: what fits on a line is on one."""
    line, inner = json.dumps(value, ensure_ascii=False), " " * (indent + 2)
    if len(line) + indent <= WIDTH or not isinstance(value, dict | list):
        return line
    if isinstance(value, list) and not any(isinstance(part, dict) for part in value):
        scalars = textwrap.fill(line[1:-1], WIDTH, initial_indent=inner, subsequent_indent=inner)
        return "[\n" + scalars + "\n" + " " * indent + "]"
    if isinstance(value, dict):
        parts = [f"{inner}{json.dumps(key)}: {text_of(part, indent + 2)}" for key, part in value.items()]
    else:
        parts = [inner + text_of(part, indent + 2) for part in value]
    return ("{%s}" if isinstance(value, dict) else "[%s]") % ("\n" + ",\n".join(parts) + "\n" + " " * indent)


def plain(message: Message) -> dict[str, Any]:
    """Return *message* as plain values, named and ordered as in the protocol; what is 0 is shown."""
    values = MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    ordered = _in_order(values, message.DESCRIPTOR)
    return {name: value for name, value in ordered.items() if value != []}


def _in_order(values: dict[str, Any], message: Descriptor) -> dict[str, Any]:
    fields = [field for field in message.fields if field.name in values]
    return {field.name: _part_in_order(values[field.name], field.message_type) for field in fields}


def _part_in_order(value: Any, message: Descriptor | None) -> Any:
    if message is None:
        return value
    if isinstance(value, list):
        return [_in_order(part, message) for part in value]
    return _in_order(value, message)


MESSAGES = {
    **{name: [message] for name, message in sent().items()},
    "events": events(),
    **{name: [message] for name, message in said().items()},
}
"""Messages by the names of their files."""


@pytest.mark.parametrize("name", MESSAGES)
def test_golden_message(name: str, golden: Callable[[Path, str], None]) -> None:
    """A message looks as it did."""
    values = [plain(message) for message in MESSAGES[name]]
    golden(HERE / f"{name}.json", text_of(values[0] if len(values) == 1 else values) + "\n")


def test_every_field_is_in_a_golden_message() -> None:
    """Whatever the protocol can say between a bot and the referee is said in one of the files."""
    everything = {pair for root in (PlayRequest, PlayResponse) for pair in fields_of(root.DESCRIPTOR)}
    shown = {pair for messages in MESSAGES.values() for message in messages for pair in fields_in(message)}
    assert everything - shown == set()


def test_no_golden_message_is_left_over() -> None:
    """Each file belongs to a message."""
    assert {path.stem for path in HERE.glob("*.json")} == set(MESSAGES)


def fields_of(message: Descriptor) -> Iterator[tuple[str, str]]:
    """Yield message and field of all that *message* can hold."""
    for field in message.fields:
        yield message.name, field.name
        if field.message_type is not None:
            yield from fields_of(field.message_type)


def fields_in(message: Message) -> Iterator[tuple[str, str]]:
    """Yield message and field of all that *message* holds and shows."""
    name = message.DESCRIPTOR.name
    always = (
        field for field in message.DESCRIPTOR.fields if not field.is_repeated and not field.has_presence
    )
    yield from ((name, field.name) for field in always)
    for field, value in message.ListFields():
        yield name, field.name
        if field.message_type is not None:
            for part in value if field.is_repeated else [value]:
                yield from fields_in(part)
