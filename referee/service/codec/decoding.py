"""What bots send, read strictly: whatever is missing, unknown or beyond bounds is refused by the name of its field."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from google.protobuf.message import DecodeError
from handfoot.v1 import action_pb2, referee_service_pb2

from referee.rules import Action, AnswerPartner, Card, Entry, LayDown, TakePile
from referee.rules.actions import ASK_PARTNER, DISCARDS, DRAW_STOCK, PASS
from referee.rules.cards import PACK_SIZE
from referee.service.errors import BrokenMessage

MAX_ACTIONS: Final = 64
"""Most actions of one decision."""

MAX_CARDS: Final = 512
"""Most cards of one meld entry, entries of one action, and cards of one pick-up."""


def read_envelope(data: bytes) -> referee_service_pb2.PlayRequest:
    """
    Return the message of a stream.

    Raises:
        BrokenMessage: the bytes are no PlayRequest, or it is empty.
    """
    try:
        request = referee_service_pb2.PlayRequest.FromString(data)
    except DecodeError:
        raise BrokenMessage(
            f"unreadable message: not a handfoot.v1.PlayRequest; got {len(data)} bytes"
        ) from None
    if not (request.decisions or request.ready or request.HasField("hello")):
        raise BrokenMessage("unreadable message: nothing in it; expected hello, ready or decisions")
    return request


def read_actions(actions: Sequence[action_pb2.Action]) -> list[Action]:
    """
    Return the actions of a decision.

    Raises:
        BrokenMessage: there is none, there are too many, or one cannot be read.
    """
    if not 1 <= len(actions) <= MAX_ACTIONS:
        raise _broken("actions", f"1 to {MAX_ACTIONS} actions", len(actions))
    read = []
    for index, action in enumerate(actions):
        kind = action.WhichOneof("kind")
        if kind is None:
            raise _broken(f"actions[{index}]", "one kind of action", "none")
        read.append(_READERS[kind](getattr(action, kind), f"actions[{index}].{kind}"))
    return read


def _broken(field: str, expected: str, got: object) -> BrokenMessage:
    return BrokenMessage(f"unreadable decision: {field} is wrong; got {got!r}; expected {expected}")


def _read_discard(message: action_pb2.Discard, field: str) -> Action:
    card = message.card
    if not 1 <= card <= PACK_SIZE:
        raise _broken(f"{field}.card", f"a Card from 1 to {PACK_SIZE}", card)
    return DISCARDS[card - 1]


def _read_lay_down(message: action_pb2.LayDown, field: str) -> Action:
    return LayDown(_read_entries(message.melds, field))


def _read_take(message: action_pb2.TakePile, field: str) -> Action:
    if not 1 <= message.count <= MAX_CARDS:
        raise _broken(f"{field}.count", f"1 to {MAX_CARDS}", message.count)
    return TakePile(message.count, _read_entries(message.melds, field))


def _read_answer(message: action_pb2.AnswerPartner, field: str) -> Action:
    if not message.HasField("agree"):
        raise _broken(f"{field}.agree", "true or false", "none")
    return AnswerPartner(agree=message.agree)


def _read_entries(entries: Sequence[action_pb2.MeldEntry], field: str) -> tuple[Entry, ...]:
    if not 1 <= len(entries) <= MAX_CARDS:
        raise _broken(f"{field}.melds", f"1 to {MAX_CARDS} entries", len(entries))
    return tuple([_read_entry(entry, field, index) for index, entry in enumerate(entries)])


def _read_entry(entry: action_pb2.MeldEntry, field: str, index: int) -> Entry:
    cards = list(entry.cards)
    if not 1 <= len(cards) <= MAX_CARDS:
        raise _broken(f"{field}.melds[{index}].cards", f"1 to {MAX_CARDS} cards", len(cards))
    if min(cards) < 1 or max(cards) > PACK_SIZE:
        got = next(card for card in cards if not 1 <= card <= PACK_SIZE)
        raise _broken(f"{field}.melds[{index}].cards", f"Cards from 1 to {PACK_SIZE}", got)
    return Entry(
        tuple([Card(card - 1) for card in cards]), entry.target if entry.HasField("target") else None
    )


_READERS: Final[dict[str, Callable[[Any, str], Action]]] = {
    "draw_stock": lambda message, field: DRAW_STOCK,
    "take_pile": _read_take,
    "lay_down": _read_lay_down,
    "ask_partner": lambda message, field: ASK_PARTNER,
    "answer_partner": _read_answer,
    "discard": _read_discard,
    "pass_turn": lambda message, field: PASS,
}
