"""
The wire format of protobuf, as far as requests need it: they are written at every decision, and assembling the bytes
from parts costs a fifth of filling messages. A test compares every byte string with what the messages read from it.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from google.protobuf.message import Message

_NEXT: Final = bytes((number + 1) % 256 for number in range(256))


def varint(number: int) -> bytes:
    """
    Return the varint of *number*, which is not negative.

    >>> varint(5).hex(), varint(300).hex()
    ('05', 'ac02')
    """
    if number < _SHORT:
        return VARINTS[number]
    return _write(number)


def _write(number: int) -> bytes:
    parts = bytearray()
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    parts.append(number)
    return bytes(parts)


_SHORT: Final = 4096
VARINTS: Final = tuple(map(_write, range(_SHORT)))
"""The varints of numbers below 4096, for those that cannot be larger."""


def zigzag(number: int) -> int:
    """
    Return the unsigned number that stands for *number* in a sint32.

    >>> [zigzag(number) for number in (0, -1, 1, -2)]
    [0, 1, 2, 3]
    """
    return number << 1 if number >= 0 else -number * 2 - 1


def tag(message: type[Message], field: str) -> bytes:
    """
    Return the bytes before a value of *field*: its number, and whether a number or a length follows.

    Raises:
        KeyError: the message has no such field, or one of a kind that requests do not need.
    """
    described = message.DESCRIPTOR.fields_by_name[field]
    kinds = {
        described.TYPE_UINT32: 0,
        described.TYPE_ENUM: 0,
        described.TYPE_BOOL: 0,
        described.TYPE_SINT32: 0,
        described.TYPE_STRING: 2,
        described.TYPE_MESSAGE: 2,
    }
    packed = described.is_repeated and kinds[described.type] == 0
    return varint(described.number << 3 | (2 if packed else kinds[described.type]))


def form(message: type[Message], *fields: str) -> bytes:
    """
    Return a form for the values of *fields*, in that order: their tags, with room for the bytes of each value.

    >>> from handfoot.v1.event_pb2 import TurnPassed
    >>> form(TurnPassed, "seat") % varint(3)
    b'\\x08\\x03'
    """
    return b"".join(tag(message, field).replace(b"%", b"%%") + b"%b" for field in fields)


def delimit(data: bytes) -> bytes:
    """Return *data* behind its length."""
    length = len(data)
    return (VARINTS[length] if length < _SHORT else _write(length)) + data


def pack(numbers: Sequence[int]) -> bytes:
    """Return *numbers*, none of them negative, as a packed field without its tag."""
    if not numbers or max(numbers) < 128:
        return delimit(bytes(numbers))
    return delimit(b"".join(map(varint, numbers)))


def pack_cards(cards: Iterable[int]) -> bytes:
    """Return cards or ranks of the rules, from 0, as a packed field of the protocol, which counts them from 1."""
    data = bytes(cards).translate(_NEXT)
    length = len(data)
    return (VARINTS[length] if length < _SHORT else _write(length)) + data
