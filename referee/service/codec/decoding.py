"""What bots send, read strictly: whatever is missing, unknown or beyond bounds is refused by the name of its field."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

from google.protobuf.message import DecodeError
from handfoot.v1 import action_pb2, referee_service_pb2

from referee.rules import Action, AnswerPartner, Card, Entry, LayDown, TakePile
from referee.rules.actions import ASK_PARTNER, DISCARDS, DRAW_STOCK, PASS
from referee.rules.cards import PACK_SIZE
from referee.service.errors import BrokenMessage

MAX_ACTIONS: Final = 64
"""Most actions of one decision."""

_CARD_OF: Final = tuple(Card(max(number - 1, 0)) for number in range(PACK_SIZE + 1))
"""The card of the rules for each number of the protocol; for 0, which is none, any."""

MAX_CARDS: Final = 512
"""Most cards of one meld entry, entries of one action, and cards of one pick-up."""

SHORT_BYTES: Final = 64
"""The length up to which actions that were read are remembered."""


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


def answer_about(table_id: str, data: bytes) -> bytes:
    """Return what *data*, a message of a bot, says of the table *table_id*; all of it where that cannot be told."""
    try:
        request = referee_service_pb2.PlayRequest.FromString(data)
    except DecodeError:
        return data
    if len(request.ready) + len(request.decisions) < 2:
        return data
    about = referee_service_pb2.PlayRequest(
        ready=[ready for ready in request.ready if ready.table_id == table_id],
        decisions=[decision for decision in request.decisions if decision.table_id == table_id],
    )
    return about.SerializeToString() or data


def read_actions(actions: Sequence[action_pb2.Action]) -> list[Action]:
    """
    Return the actions of a decision.

    Raises:
        BrokenMessage: there is none, there are too many, or one cannot be read.
    """
    count = len(actions)
    if not 1 <= count <= MAX_ACTIONS:
        raise BrokenMessage(_complaint("actions", f"1 to {MAX_ACTIONS} actions", count))
    return [_read_action(actions[index], index) for index in range(count)]


def _read_action(action: action_pb2.Action, index: int) -> Action:
    data = action.SerializeToString()
    try:
        return _read_short(data) if len(data) <= SHORT_BYTES else _read(action)
    except _Broken as error:
        field, expected, got = error.args
        raise BrokenMessage(_complaint(f"actions[{index}]{field}", expected, got)) from None


@lru_cache(4096)
def _read_short(data: bytes) -> Action:
    """Return the action in *data*; most actions of a match have been played before."""
    return _read(action_pb2.Action.FromString(data))


def _read(action: action_pb2.Action) -> Action:
    kind = action.WhichOneof("kind")
    if kind is None:
        raise _Broken("", "one kind of action", "none")
    try:
        return _READERS[kind](getattr(action, kind))
    except _Broken as error:
        field, *more = error.args
        raise _Broken(f".{kind}.{field}", *more) from None


class _Broken(Exception):
    """A field of an action, what was expected there, and what was found."""


def _complaint(field: str, expected: str, got: object) -> str:
    return f"unreadable decision: {field} is wrong; got {got!r}; expected {expected}"


def _read_discard(message: action_pb2.Discard) -> Action:
    card = message.card
    if not 1 <= card <= PACK_SIZE:
        raise _Broken("card", f"a Card from 1 to {PACK_SIZE}", card)
    return DISCARDS[card - 1]


def _read_lay_down(message: action_pb2.LayDown) -> Action:
    return LayDown(_read_entries(message.melds))


def _read_take(message: action_pb2.TakePile) -> Action:
    if not 1 <= message.count <= MAX_CARDS:
        raise _Broken("count", f"1 to {MAX_CARDS}", message.count)
    return TakePile(message.count, _read_entries(message.melds))


def _read_answer(message: action_pb2.AnswerPartner) -> Action:
    if not message.HasField("agree"):
        raise _Broken("agree", "true or false", "none")
    return AnswerPartner(agree=message.agree)


def _read_entries(entries: Sequence[action_pb2.MeldEntry]) -> tuple[Entry, ...]:
    if not 1 <= len(entries) <= MAX_CARDS:
        raise _Broken("melds", f"1 to {MAX_CARDS} entries", len(entries))
    return tuple([_read_entry(entry, index) for index, entry in enumerate(entries)])


def _read_entry(entry: action_pb2.MeldEntry, index: int) -> Entry:
    cards = list(entry.cards)
    if not 1 <= len(cards) <= MAX_CARDS:
        raise _Broken(f"melds[{index}].cards", f"1 to {MAX_CARDS} cards", len(cards))
    if min(cards) < 1 or max(cards) > PACK_SIZE:
        got = next(card for card in cards if not 1 <= card <= PACK_SIZE)
        raise _Broken(f"melds[{index}].cards", f"Cards from 1 to {PACK_SIZE}", got)
    target = entry.target if entry.HasField("target") else None
    return Entry(tuple(map(_CARD_OF.__getitem__, cards)), target)


_READERS: Final[dict[str, Callable[[Any], Action]]] = {
    "draw_stock": lambda message: DRAW_STOCK,
    "take_pile": _read_take,
    "lay_down": _read_lay_down,
    "ask_partner": lambda message: ASK_PARTNER,
    "answer_partner": _read_answer,
    "discard": _read_discard,
    "pass_turn": lambda message: PASS,
}
