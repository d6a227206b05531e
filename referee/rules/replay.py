"""Playing a record again, and holding what it says against what comes out."""

from collections.abc import Iterator
from typing import NamedTuple

from referee.rules.errors import IllegalAction, InvalidRecord, InvalidRuleset
from referee.rules.events import Event
from referee.rules.match import MatchState, begin_match, play
from referee.rules.record import MatchRecord, RecordedAction, score_lines


class Step(NamedTuple):
    """A moment of a replay."""

    match: MatchState
    """The one running match, as it stands now: read it before the next step."""

    recorded: RecordedAction | None
    """The action that led here; None at the start."""

    events: tuple[Event, ...]
    """What followed from it."""


def replay(record: MatchRecord) -> MatchState:
    """
    Deal and play the match of *record* again and return it as it stood at the end.

    Raises:
        InvalidRecord: an action was not legal or not that seat's, or a score differs; the place is named.
    """
    *_, (match, _, _) = replay_steps(record)
    _compare_scores(record, match)
    _compare_end(record, match)
    return match


def replay_steps(record: MatchRecord) -> Iterator[Step]:
    """
    Yield the match at its start and after each action of *record*.

    Raises:
        InvalidRecord: the deal is impossible, or an action is not legal or not that seat's.
    """
    try:
        match, events = begin_match(record.ruleset, len(record.seats), record.keys)
    except (InvalidRuleset, ValueError) as error:
        raise _refused(record, str(error)) from error
    yield Step(match, None, events)
    for number, recorded in enumerate(record.actions):
        where = f"round {recorded.round + 1} action {number + 1}"
        if match.finished:
            raise _refused(record, "the match is over", where)
        turn = (match.round, match.state.decider)
        if (recorded.round, recorded.seat) != turn:
            got = f"seat {recorded.seat} in round {recorded.round + 1}"
            expected = f"seat {turn[1]} in round {turn[0] + 1}"
            raise _refused(record, f"another seat is to act; got {got}; expected {expected}", where)
        try:
            events = play(match, recorded.action)
        except IllegalAction as error:
            raise _refused(record, str(error), where) from error
        yield Step(match, recorded, events)


def _compare_scores(record: MatchRecord, match: MatchState) -> None:
    played = score_lines(match)
    for number, (told, found) in enumerate(zip(record.scores, played, strict=False)):
        if len(told) != len(found):
            raise _differs(record, f"the number of sides of round {number + 1}", len(told), len(found))
        for side, lines in enumerate(found):
            _compare_lines(record, f"round {number + 1} side {side}", told[side], lines)
    if len(record.scores) != len(played):
        raise _differs(record, "the number of finished rounds", len(record.scores), len(played))
    if list(record.totals) != match.totals:
        raise _differs(record, "the list of totals", list(record.totals), match.totals)


def _compare_lines(record: MatchRecord, where: str, told: dict[str, int], found: dict[str, int]) -> None:
    if told.keys() != found.keys():
        raise _differs(record, f"the lines of the score of {where}", sorted(told), sorted(found))
    for line, value in found.items():
        if told[line] != value:
            raise _differs(record, f"{line!r} in the score of {where}", told[line], value)


def _compare_end(record: MatchRecord, match: MatchState) -> None:
    where = f"after action {len(record.actions)}"
    if match.finished and record.termination != "played":
        raise _refused(record, f"the match was played to its end; got {record.termination!r}", where)
    if record.termination == "played" and not match.finished:
        raise _refused(record, "the match is not over; got 'played'", where)


def _refused(record: MatchRecord, reason: str, where: str = "") -> InvalidRecord:
    return InvalidRecord(f"the record does not replay: {reason}; match {record.match} {where}".rstrip())


def _differs(record: MatchRecord, what: str, told: object, found: object) -> InvalidRecord:
    return _refused(record, f"{what} differs; got {told!r}; expected {found!r}")
