"""Messages between a bot and the referee in words, for people. Nothing here says more than the messages do."""

from collections.abc import Iterator
from typing import Any, Final

from google.protobuf.message import Message
from handfoot import Action, Seated, format_action, format_cards
from handfoot.v1.referee_service_pb2 import (
    Decision,
    DecisionRequest,
    Hello,
    MatchEnded,
    PlayRequest,
    PlayResponse,
    Refusal,
)

MOST_ACTIONS: Final = 6
"""How many of the listed legal actions are told."""

MOST_CARDS: Final = 30


def from_bot(request: PlayRequest) -> Iterator[str]:
    """Yield a line for each thing that a bot said in *request*."""
    if request.HasField("hello"):
        yield f"bot: {_hello(request.hello)}"
    for _ in request.ready:
        yield "bot: ready"
    for decision in request.decisions:
        yield f"bot: {_decision(decision)}"


def from_referee(response: PlayResponse) -> Iterator[str]:
    """Yield a line for each thing that the referee said in *response*."""
    if response.HasField("welcome"):
        yield f"referee: welcome, protocol {response.welcome.protocol_version}"
    for seated in response.seated:
        yield f"referee: {_seated(seated)}"
    for refusal in response.refusals:
        yield f"referee: {_refusal(refusal)}"
    for request in response.requests:
        yield f"referee: {_request(request)}"
    for ended in response.ended:
        yield f"referee: {_ended(ended)}"


def unreadable(data: bytes) -> str:
    """Return what can be said of a message of a bot that is none."""
    return f"bot: {len(data)} bytes that are no PlayRequest, beginning with {data[:16].hex(' ')}"


def name_of(hello: Hello) -> str:
    """Return what a bot calls itself."""
    return f"{hello.name or '(no name)'} {hello.version or '(no version)'}"


def _hello(hello: Hello) -> str:
    spoken = ", ".join(map(str, hello.protocol_versions)) or "none"
    again = ", back with its session id" if hello.HasField("session_id") else ""
    return f"hello, {name_of(hello)}, protocol {spoken}{again}"


def _decision(decision: Decision) -> str:
    actions = "; ".join(map(_action, decision.actions)) or "nothing"
    return f"decision {decision.request_id}: {actions}"


def _seated(seated: Seated) -> str:
    limit, bank = seated.clock.turn_limit_ms, seated.clock.bank_ms
    place = f"seat {seated.seat} of {seated.seats}, ruleset {seated.ruleset.name}"
    return f"seated: {place}, {limit} ms a turn and {bank} ms in the bank"


def _refusal(refusal: Refusal) -> str:
    kind = _enum(refusal, "fault").removeprefix("FAULT_").lower()
    return f"refused ({kind}), decision {refusal.request_id}: {refusal.reason}"


def _request(request: DecisionRequest) -> str:
    seen, own = request.observation.public, request.observation.private
    phase = _enum(seen, "phase").removeprefix("PHASE_").lower()
    upcard = format_cards(seen.pile[-1:]) or "none"
    holding = format_cards(own.holding[:MOST_CARDS]) + (" …" if len(own.holding) > MOST_CARDS else "")
    told = f"request {request.request_id} ({phase}): you hold {holding or 'no cards'}; upcard {upcard}"
    if not request.legal_actions:
        return f"{told}; legal actions are not listed"
    shown = "; ".join(map(_action, request.legal_actions[:MOST_ACTIONS]))
    more = len(request.legal_actions) - MOST_ACTIONS
    return f"{told}; legal: {shown}{f'; and {more} more' if more > 0 else ''}"


def _ended(ended: MatchEnded) -> str:
    kind = _enum(ended.result, "termination").removeprefix("TERMINATION_").lower()
    totals = " to ".join(map(str, ended.result.totals))
    return f"the match is over ({kind}), {totals}: {ended.result.reason}"


def _action(action: Action) -> str:
    try:
        return format_action(action)
    except Exception:  # a bot may send whatever fits into the message
        return " ".join(str(action).split()) or "an action without a kind"


def _enum(message: Message, field: str) -> str:
    """Return the name of the value that *field*, an enum, has in *message*."""
    kind: Any = message.DESCRIPTOR.fields_by_name[field].enum_type
    number = getattr(message, field)
    value = kind.values_by_number.get(number)
    return str(number) if value is None else str(value.name)
