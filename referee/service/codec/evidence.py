"""What a seat was sent and what it answered, as it was on the wire, told to people and to programs after the match."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import DecodeError
from handfoot.v1 import observation_pb2
from handfoot.v1.referee_service_pb2 import DecisionRequest, PlayRequest, PlayResponse

from referee.rules import Card, Phase, format_action, format_cards, sort_cards
from referee.service.codec.decoding import read_actions
from referee.service.errors import BrokenMessage

SHOWN_BYTES: Final = 256
"""How much of a message that cannot be read is shown."""


def tell_request(data: bytes) -> dict[str, Any] | None:
    """Return the request in *data*, a PlayResponse, as JSON values that protobuf reads back; None without one."""
    request = _request(data)
    return None if request is None else MessageToDict(request, preserving_proto_field_name=True)


def write_request(data: bytes) -> list[str]:
    """Return lines about what the seat saw in the request that *data*, a PlayResponse, holds."""
    request = _request(data)
    if request is None:
        return ["nothing: it was not asked"]
    public, own, clock = request.observation.public, request.observation.private, request.clock
    way = f"{request.round_trip_us} us" if request.HasField("round_trip_us") else "unknown"
    return [
        f"request {request.request_id}, round {public.round + 1}, seat {public.turn} in turn, "
        f"{Phase(public.phase).name.lower()} phase",
        f"own cards: {_write_cards(own.holding, in_order=True)}",
        f"discard pile, the top card last: {_write_cards(public.pile)}",
        f"stock: {public.stock} cards; totals: {_join(public.totals)}",
        f"cards held by seat: {_join(public.holding_sizes)}; in the foot: {_join(public.foot_sizes)}",
        *_write_melds(public),
        f"clock: {clock.used_ms} of {clock.turn_limit_ms} ms used in this turn, {clock.bank_ms} ms in the bank; "
        f"last round trip: {way}",
    ]


def _write_melds(public: observation_pb2.PublicObservation) -> list[str]:
    lines, begin = [], 0
    for number, (side, size) in enumerate(zip(public.meld_sides, public.meld_sizes, strict=True)):
        lines.append(f"meld {number} of side {side}: {_write_cards(public.meld_cards[begin : begin + size])}")
        begin += size
    return lines


def tell_answer(data: bytes) -> dict[str, Any] | None:
    """Return what *data*, the last message of a bot, holds as JSON values; None if nothing came."""
    if not data:
        return None
    request = _answer(data)
    if request is None:
        return {"unreadable": data[:SHOWN_BYTES].hex(), "bytes": len(data)}
    return MessageToDict(request, preserving_proto_field_name=True)


def write_answer(data: bytes) -> list[str]:
    """Return lines about what *data*, the last message of a bot, holds."""
    if not data:
        return ["nothing"]
    request = _answer(data)
    if request is None:
        return [f"{len(data)} bytes that are no message, beginning with {data[:SHOWN_BYTES]!r}"]
    if not request.decisions:
        return [f"a message without a decision: {' '.join(str(request).split())[:SHOWN_BYTES]}"]
    return [line for decision in request.decisions for line in _write_decision(decision)]


def _write_decision(decision: Any) -> list[str]:
    head = f"an answer to request {decision.request_id} of seat {decision.seat}:"
    try:
        return [head, *(f"  {format_action(action)}" for action in read_actions(decision.actions))]
    except BrokenMessage as error:
        return [head, f"  {error}"]


def _request(data: bytes) -> DecisionRequest | None:
    requests = PlayResponse.FromString(data).requests
    return requests[0] if requests else None


def _answer(data: bytes) -> PlayRequest | None:
    try:
        return PlayRequest.FromString(data)
    except DecodeError:
        return None


def _write_cards(cards: Iterable[int], *, in_order: bool = False) -> str:
    known: Sequence[Card] = [Card(card - 1) for card in cards]
    return format_cards(sort_cards(known) if in_order else known) or "none"


def _join(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
