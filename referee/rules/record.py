"""The record of a match: from it anybody can deal the same cards again, replay the match, and get the same score."""

import hashlib
import json
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

from referee.rules.actions import Action, format_action, parse_action
from referee.rules.content import ruleset_from_content
from referee.rules.errors import IllegalAction, InvalidNotation, InvalidRecord, InvalidRuleset
from referee.rules.events import Event
from referee.rules.match import MatchState, begin_match, play
from referee.rules.ruleset import Ruleset

VERSION: Final = 1
"""The version of the format that this module writes, and the only one it reads."""

_MAGIC: Final = b"HANDFOOT-RECORD"


@dataclass(frozen=True, slots=True)
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
    """no_show, timeout, crash, illegal, protocol or referee_error."""

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
    """played, forfeit, double_forfeit, no_show or void."""

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

    Says nothing about whether it replays; that is `replay`.

    Raises:
        InvalidRecord: the bytes are no record, are damaged or not canonical, or of an unknown version.
    """
    text = _open(data)
    try:
        values = json.loads(text)
        record = _from_json(values)
    except (ValueError, KeyError, TypeError, AttributeError, InvalidRuleset, InvalidNotation) as error:
        raise InvalidRecord(f"unreadable record: {error}") from error
    if _canonical(_to_json(record)) != text:
        raise InvalidRecord("unreadable record: the text is not canonical")
    return record


def _open(data: bytes) -> bytes:
    head, newline, payload = data.partition(b"\n")
    words = head.split(b" ")
    if not newline or len(words) != 3 or words[0] != _MAGIC:
        raise InvalidRecord("unreadable record: the file does not begin like a record")
    if words[1] != b"%d" % VERSION:
        version = words[1].decode("ascii", "replace")
        raise InvalidRecord(f"unknown version of the record: expected {VERSION}; got {version!r}")
    if hashlib.sha256(payload).hexdigest().encode() != words[2]:
        raise InvalidRecord("damaged record: the bytes do not match their digest")
    try:
        return zlib.decompress(payload)
    except zlib.error as error:
        raise InvalidRecord(f"damaged record: {error}") from error


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


def _from_json(values: dict[str, Any]) -> MatchRecord:
    ruleset = ruleset_from_content(values["ruleset"], values["rules"])
    if ruleset.hash != values["rules_hash"]:
        raise ValueError(f"the rules do not match their hash; got {values['rules_hash']!r}")
    return MatchRecord(
        match=values["match"],
        ruleset=ruleset,
        seats=tuple(values["seats"]),
        keys=tuple(bytes.fromhex(key) for key in values["keys"]),
        actions=tuple(
            RecordedAction(number, seat, parse_action(text), ms, bool(by_referee))
            for number, seat, text, ms, by_referee in values["actions"]
        ),
        termination=values["termination"],
        forfeited=tuple(values["forfeited"]),
        scores=tuple(tuple(scores) for scores in values["scores"]),
        totals=tuple(values["totals"]),
        faults=tuple(RecordedFault(**fault) for fault in values["faults"]),
        isolation=values["isolation"],
    )


def replay(record: MatchRecord) -> MatchState:
    """
    Deal and play the match of *record* again and return it as it stood at the end.

    Raises:
        InvalidRecord: an action was not legal or not that seat's, or a score differs; the place is named.
    """
    *_, (match, _, _) = replay_steps(record)
    _compare_scores(record, match)
    if record.termination == "played" and not match.finished:
        raise InvalidRecord(
            f"the record does not replay: the match is not over; {_place(record, len(record.actions))}"
        )
    return match


class Step(NamedTuple):
    """A moment of a replay."""

    match: MatchState
    """The one running match, as it stands now: read it before the next step."""

    recorded: RecordedAction | None
    """The action that led here; None at the start."""

    events: tuple[Event, ...]
    """What followed from it."""


def replay_steps(record: MatchRecord) -> Iterator[Step]:
    """
    Yield the match at its start and after each action of *record*.

    Raises:
        InvalidRecord: the deal is impossible, or an action is not legal or not that seat's.
    """
    try:
        match, events = begin_match(record.ruleset, len(record.seats), record.keys)
    except (InvalidRuleset, ValueError) as error:
        raise InvalidRecord(f"the record does not replay: {error}") from error
    yield Step(match, None, events)
    for number, recorded in enumerate(record.actions):
        where = _place(record, number)
        if match.finished or (recorded.round, recorded.seat) != (match.round, match.state.decider):
            raise InvalidRecord(f"the record does not replay: seat {recorded.seat} is not to act; {where}")
        try:
            events = play(match, recorded.action)
        except IllegalAction as error:
            raise InvalidRecord(f"the record does not replay: {error}; {where}") from error
        yield Step(match, recorded, events)


def _compare_scores(record: MatchRecord, match: MatchState) -> None:
    replayed = score_lines(match)
    for number, (expected, got) in enumerate(zip(record.scores, replayed, strict=False)):
        if expected != got:
            raise InvalidRecord(
                f"the record does not replay: the score of round {number + 1} differs; expected {got}; got {expected}"
            )
    if len(record.scores) != len(replayed) or list(record.totals) != match.totals:
        raise InvalidRecord(
            f"the record does not replay: the totals differ; expected {match.totals}; got {list(record.totals)}"
        )


def _place(record: MatchRecord, number: int) -> str:
    if number >= len(record.actions):
        return f"match {record.match} after action {number}"
    return f"match {record.match} round {record.actions[number].round + 1} action {number + 1}"
