"""The record of a match: from it anybody can deal the same cards again, replay the match, and get the same score."""

import hashlib
import json
import zlib
from dataclasses import asdict, dataclass
from typing import Any, Final

from referee.rules.actions import Action, format_action, parse_action
from referee.rules.content import ruleset_from_content
from referee.rules.deal import KEY_SIZE
from referee.rules.errors import InvalidNotation, InvalidRecord, RulesError
from referee.rules.match import MatchState
from referee.rules.ruleset import Ruleset
from referee.rules.values import value

VERSION: Final = 1
"""The version of the format that this module writes, and the only one it reads."""

TERMINATIONS: Final = ("played", "forfeit", "double_forfeit", "no_show", "void")
"""How a match can end."""

FAULTS: Final = ("no_show", "timeout", "crash", "illegal", "protocol", "referee_error")
"""What a bot or the referee can be guilty of."""

MOST_TEXT: Final = 64 * 1024 * 1024
"""Most bytes of the text of a record: a match of a hundred rounds needs a tenth of it."""

_MAGIC: Final = b"HANDFOOT-RECORD"


@value
class RecordedAction:
    """One action of a match, in order of play."""

    round: int
    """From 0."""

    seat: int
    action: Action
    ms: int
    """Milliseconds of the seat's clock that the decision used; 0 where the referee played."""

    by_referee: bool
    """Whether the referee played it: the only legal action, or after a fault."""


@dataclass(frozen=True, slots=True)
class RecordedFault:
    """A fault that counted: a strike, or the one that ended the match."""

    seat: int
    kind: str
    """One of `FAULTS`."""

    action: int
    """How many actions had been played."""

    reason: str


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """Everything from which a match replays."""

    match: str
    """The id of the match."""

    ruleset: Ruleset
    seats: tuple[str, ...]
    """Who sat there: the label of the entrant, by seat."""

    keys: tuple[bytes, ...]
    """A deal key a round."""

    actions: tuple[RecordedAction, ...]
    termination: str
    """One of `TERMINATIONS`."""

    forfeited: tuple[int, ...]
    """The sides that forfeited."""

    scores: tuple[tuple[dict[str, int], ...], ...]
    """By finished round, then by side: the lines of the score and the total."""

    totals: tuple[int, ...]
    """By side, over the finished rounds."""

    faults: tuple[RecordedFault, ...] = ()
    isolation: str = "none"
    """How the bots were kept apart."""


def score_lines(match: MatchState) -> tuple[tuple[dict[str, int], ...], ...]:
    """Return the scores of *match* as plain values: by finished round, then by side."""
    return tuple(tuple(asdict(score) | {"total": score.total} for score in scores) for scores in match.scores)


def to_bytes(record: MatchRecord) -> bytes:
    """Return *record* as the bytes of a file: format, version and digest in a line, then compressed canonical JSON."""
    payload = zlib.compress(_canonical(_to_json(record)), 9)
    digest = hashlib.sha256(payload).hexdigest().encode()
    return b"%s %d %s\n%s" % (_MAGIC, VERSION, digest, payload)


def from_bytes(data: bytes) -> MatchRecord:
    """
    Return the record that *data* holds.

    Says nothing about whether it replays; that is `referee.rules.replay`.

    Raises:
        InvalidRecord: the bytes are no record, are damaged or not canonical, or of an unknown version.
    """
    text = _open(data)
    try:
        record = _from_json(json.loads(text))
        written = _canonical(_to_json(record))
    except KeyError as error:
        raise InvalidRecord(f"unreadable record: missing key {error}") from None
    except (TypeError, AttributeError) as error:
        raise InvalidRecord(f"unreadable record: a part has the wrong form ({error})") from None
    except (ValueError, RecursionError, RulesError) as error:
        raise InvalidRecord(f"unreadable record: {error}") from None
    if written != text:
        raise InvalidRecord(
            f"unreadable record: the text is not canonical {_first_difference(text, written)}"
        )
    return record


def _first_difference(text: bytes, other: bytes) -> str:
    pairs = enumerate(zip(text, other, strict=False))
    place = next((place for place, (one, two) in pairs if one != two), min(len(text), len(other)))
    near = text[max(0, place - 20) : place + 20].decode("utf-8", "replace")
    return f"from byte {place + 1} on, near {near!r}"


def _open(data: bytes) -> bytes:
    """Return the text that *data* holds, if the first line and the digest in it are right."""
    head, newline, payload = data.partition(b"\n")
    words = head.split(b" ")
    if not newline or len(words) != 3 or words[0] != _MAGIC:
        raise InvalidRecord("not a record: the first line is not that of a record")
    if words[1] != b"%d" % VERSION:
        version = words[1].decode("ascii", "replace")
        raise InvalidRecord(
            f"unknown version of the record in the first line; got {version!r}; expected '{VERSION}'"
        )
    text, readable = _decompress(payload)
    state = f"can be decompressed up to byte {readable} of {len(payload)}"
    if hashlib.sha256(payload).hexdigest().encode() != words[2]:
        raise InvalidRecord(
            f"damaged record: the digest in the first line is not that of what follows, which {state}"
        )
    if text is None:
        raise InvalidRecord(f"damaged record: what follows the first line {state}")
    return text


def _decompress(payload: bytes) -> tuple[bytes | None, int]:
    """Return the text of *payload*, None if it is not one whole stream, and how many bytes of it can be read."""
    stream = zlib.decompressobj()
    try:
        text = stream.decompress(payload, MOST_TEXT)
    except zlib.error:
        return None, _readable(payload)
    return text if stream.eof and not stream.unused_data else None, len(payload) - len(stream.unused_data)


def _readable(payload: bytes) -> int:
    """Return how many bytes of a damaged *payload* come before the one at which it cannot be read any more."""
    stream = zlib.decompressobj()
    for place, byte in enumerate(payload):
        try:
            stream.decompress(bytes([byte]))
        except zlib.error:
            return place
    return len(payload)


def _canonical(values: Any) -> bytes:
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _to_json(record: MatchRecord) -> dict[str, Any]:
    return {
        "version": VERSION,
        "match": record.match,
        "ruleset": record.ruleset.name,
        "rules": record.ruleset.content(),
        "rules_hash": record.ruleset.hash,
        "seats": list(record.seats),
        "keys": [key.hex() for key in record.keys],
        "actions": [
            [each.round, each.seat, format_action(each.action), each.ms, int(each.by_referee)]
            for each in record.actions
        ],
        "termination": record.termination,
        "forfeited": list(record.forfeited),
        "scores": [list(scores) for scores in record.scores],
        "totals": list(record.totals),
        "faults": [asdict(fault) for fault in record.faults],
        "isolation": record.isolation,
    }


def _from_json(values: Any) -> MatchRecord:
    """Return the record of *values*, of which nothing is taken for granted."""
    ruleset = ruleset_from_content(_text(values["ruleset"]), values["rules"])
    if ruleset.hash != values["rules_hash"]:
        raise ValueError(f"the rules do not match their hash; got {values['rules_hash']!r}")
    seats = tuple(_text(label) for label in values["seats"])
    termination = _one_of(values["termination"], TERMINATIONS, "termination")
    return MatchRecord(
        match=_text(values["match"]),
        ruleset=ruleset,
        seats=seats,
        keys=_keys(values["keys"], ruleset.rounds),
        actions=tuple(_action(number, *each) for number, each in enumerate(values["actions"], start=1)),
        termination=termination,
        forfeited=_forfeited(values["forfeited"], ruleset.sides(len(seats)), termination),
        scores=tuple(tuple(map(_lines, scores)) for scores in values["scores"]),
        totals=tuple(_number(total, "a total") for total in values["totals"]),
        faults=tuple(_fault(**fault) for fault in values["faults"]),
        isolation=_text(values["isolation"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected a text; got {value!r}")
    return value


def _number(value: object, what: str, least: int | None = None) -> int:
    if type(value) is not int or (least is not None and value < least):
        raise ValueError(
            f"{what} must be a whole number{'' if least is None else f' from {least}'}; got {value!r}"
        )
    return value


def _one_of(value: object, known: tuple[str, ...], what: str) -> str:
    if value not in known or not isinstance(value, str):
        raise ValueError(f"unknown {what}; got {value!r}; expected one of {', '.join(known)}")
    return value


def _keys(values: list[str], rounds: int) -> tuple[bytes, ...]:
    keys = tuple(bytes.fromhex(key) for key in values)
    if len(keys) != rounds or any(len(key) != KEY_SIZE for key in keys):
        raise ValueError(f"expected {rounds} deal keys of {KEY_SIZE} bytes; got {values!r}")
    return keys


def _action(number: int, round_number: int, seat: int, text: str, ms: int, by_referee: int) -> RecordedAction:
    where = f"of action {number}"
    try:
        action = parse_action(text)
    except InvalidNotation as error:
        raise ValueError(f"{error}; action {number}") from None
    return RecordedAction(
        _number(round_number, f"the round {where}", 0),
        _number(seat, f"the seat {where}", 0),
        action,
        _number(ms, f"the time {where}", 0),
        bool(_number(by_referee, f"the mark of the referee {where}", 0)),
    )


def _forfeited(values: list[int], sides: int, termination: str) -> tuple[int, ...]:
    """Return the sides that forfeited, if *termination* goes with them."""
    forfeited = tuple(_number(side, "a side", 0) for side in values)
    ascending = list(forfeited) == sorted(set(forfeited)) and all(side < sides for side in forfeited)
    wanted = {"forfeit": range(1, sides + 1), "double_forfeit": range(2, 3)}
    if sides == 2:
        wanted |= {"played": range(1), "forfeit": range(1, 2)}
    if not ascending or len(forfeited) not in wanted.get(termination, range(sides + 1)):
        raise ValueError(f"impossible forfeits of a match that ended {termination!r}; got {values!r}")
    return forfeited


def _lines(values: dict[str, int]) -> dict[str, int]:
    return {name: _number(value, f"the line {name!r} of a score") for name, value in values.items()}


def _fault(seat: int, kind: str, action: int, reason: str) -> RecordedFault:
    return RecordedFault(
        _number(seat, "the seat of a fault", -1),
        _one_of(kind, FAULTS, "fault"),
        _number(action, "the action of a fault", 0),
        _text(reason),
    )
