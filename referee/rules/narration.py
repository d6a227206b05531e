"""A match as a text that a player would follow. It shows all cards: for records of finished matches only."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from itertools import groupby
from typing import Final, NamedTuple

from referee.rules.cards import RANK_PLURALS, WILD, Card, format_card, format_cards, sort_cards
from referee.rules.events import (
    CardDiscarded,
    CardsDrawn,
    CardsMelded,
    Event,
    FootPickedUp,
    PartnerAnswered,
    PartnerAsked,
    PileTaken,
    RedThreeLaid,
    RoundEnded,
    RoundStarted,
    TurnPassed,
)
from referee.rules.export import winners_of
from referee.rules.match import MatchState
from referee.rules.record import MatchRecord, RecordedAction
from referee.rules.replay import Step, replay_steps
from referee.rules.ruleset import Ruleset
from referee.rules.scoring import RoundScore
from referee.rules.state import Meld, Phase, RoundState
from referee.rules.variants import RULESETS, is_published

INDENT: Final = " " * 17
"""What stands before a line that is no action: as much as number and time of one take."""


class _Before(NamedTuple):
    """What has to be known of the table as it was before an action."""

    state: RoundState
    """The round in which the action was played, as it stands after it."""

    opened: tuple[bool, ...]
    """By seat."""


def narrate(record: MatchRecord, only: int | None = None) -> Iterator[str]:
    """
    Yield the lines of a text about the match of *record*, or about one round of it, counted from 0.

    Raises:
        InvalidRecord: the record does not replay; what came before that is told.
        ValueError: there is no such round.
    """
    last = max([len(record.scores), *(each.round + 1 for each in record.actions[-1:])])
    if only is not None and not 0 <= only < last:
        raise ValueError(f"no such round; got {only + 1}; expected a number from 1 to {last}")
    yield from _heading(record)
    for place, line in _tell_match(record):
        if only in (None, place):
            yield line
    if only is None:
        yield from _closing(record)


def show_at(record: MatchRecord, number: int) -> Iterator[str]:
    """
    Yield the lines that show the table of *record* just before action *number*, counted from 1, and that action.

    One action more than were played shows the table at which a match was broken off.

    Raises:
        InvalidRecord: the record does not replay up to there.
        ValueError: there is no such action.
    """
    last = len(record.actions) + (record.termination != "played")
    if not 1 <= number <= last:
        raise ValueError(f"no such action; got {number}; expected a number from 1 to {last}")
    steps = replay_steps(record)
    step = next(step for place, step in enumerate(steps, start=1) if place == number)
    yield from _heading(record)
    yield ""
    yield from show_table(record, step)
    yield ""
    before = _before(step.match)
    if (following := next(steps, None)) is None:
        yield f"{number:5} was not played: here the match ended"
        return
    for place, line in _tell_step(following, number, before):
        if place == before.state.round:
            yield line


def show_table(record: MatchRecord, step: Step) -> Iterator[str]:
    """Yield the lines that show everything that lies on and is held at the table of *step*."""
    state = step.match.state
    yield f"round {state.round + 1}, seat {state.turn} in turn, {_PHASES[state.phase]}"
    yield f"cards in the stock: {state.stock.left}"
    yield f"cards in the discard pile, the top one last: {format_cards(state.pile) or 'none'}"
    for side, each in enumerate(state.sides):
        yield f"side {side}: {step.match.totals[side]} points, red threes {format_cards(each.red_threes) or 'none'}"
        for number, meld in enumerate(state.melds):
            if meld.side == side:
                yield f"  meld {number}, {describe_meld(meld)}: {format_cards(meld.cards)}"
    for number, seat in enumerate(state.seats):
        where = "foot" if seat.on_foot else "hand"
        yield f"seat {number} ({record.seats[number]}) {where}: {format_cards(sort_cards(seat.cards))}"
        if seat.foot:
            yield f"  untouched foot: {format_cards(sort_cards(seat.foot))}"


_PHASES = {
    Phase.DRAW: "to draw",
    Phase.PLAY: "to meld and discard",
    Phase.ANSWER: "waiting for its partner's answer",
    Phase.OVER: "the round is over",
}


def describe_meld(meld: Meld) -> str:
    """Return what a meld is, in words."""
    kind = "wild cards" if meld.rank == WILD else RANK_PLURALS[meld.rank]
    if not meld.is_book:
        return kind
    quality = "" if meld.rank == WILD else "dirty " if meld.wilds else "clean "
    grown = f" with {meld.size} cards" if meld.size > 7 else ""
    return f"{quality}book of {kind}{grown}"


def describe_name(ruleset: Ruleset) -> str:
    """
    Return what *ruleset* is called and what its name stands for.

    >>> from dataclasses import replace
    >>> from referee.rules.variants import ONLINE
    >>> describe_name(ONLINE), describe_name(replace(ONLINE, name="mine")).partition(" (")[0]
    ('ruleset online', 'house rules mine')
    """
    if is_published(ruleset):
        return f"ruleset {ruleset.name}"
    kind = "not the published ruleset" if ruleset.name in RULESETS else "house rules"
    return f"{kind} {ruleset.name} ({ruleset.hash[:12]})"


def _heading(record: MatchRecord) -> Iterator[str]:
    yield f"match {record.match}"
    yield f"{describe_name(record.ruleset)}, {len(record.seats)} seats"
    sides = record.ruleset.sides(len(record.seats))
    for seat, label in enumerate(record.seats):
        yield f"seat {seat}, side {seat % sides}: {label}"


def _before(match: MatchState) -> _Before:
    return _Before(match.state, tuple(seat.opened for seat in match.state.seats))


def _tell_match(record: MatchRecord) -> Iterator[tuple[int, str]]:
    """Yield the lines about deals and actions, each with the round that it belongs to."""
    before: _Before | None = None
    for number, step in enumerate(replay_steps(record)):
        yield from _tell_step(step, number, before)
        before = _before(step.match)


def _tell_step(step: Step, number: int, before: _Before | None) -> Iterator[tuple[int, str]]:
    events = list(step.events)
    dealt = next(
        (place for place, event in enumerate(events) if isinstance(event, RoundStarted)), len(events)
    )
    if before is not None and step.recorded is not None:
        mark = _mark(number, step.recorded)
        for line in _tell_action(step.match, mark, before, events[:dealt]):
            yield before.state.round, line
    for event in events[dealt : dealt + 1]:
        assert isinstance(event, RoundStarted)
        for line in _tell_deal(step.match.state, event, events[dealt + 1 :]):
            yield event.round, line


def _mark(number: int, recorded: RecordedAction) -> str:
    time = "referee" if recorded.by_referee else f"{recorded.ms} ms"
    return f"{number:5}{time:>10}  "


def _tell_action(match: MatchState, mark: str, before: _Before, events: Sequence[Event]) -> Iterator[str]:
    """Yield a line for each seat to which something happened; the first one begins with *mark*."""
    for said in _by_seat(before, events):
        yield mark + said
        mark = INDENT
    for event in events:
        if isinstance(event, RoundEnded):
            yield from _tell_end(match, event)


def _tell_deal(state: RoundState, event: RoundStarted, events: Sequence[Event]) -> Iterator[str]:
    yield ""
    upcard = _upcard(event.upcard, event.rejected, state.ruleset)
    yield f"--- round {event.round + 1}: seat {event.first_seat} begins, {upcard}"
    for said in _by_seat(_Before(state, ()), events):
        yield INDENT + said
    for number, seat in enumerate(state.seats):
        yield f"{INDENT}seat {number} holds {format_cards(sort_cards(seat.cards))}"


def _upcard(upcard: Card | None, rejected: Sequence[Card], ruleset: Ruleset) -> str:
    if upcard is None:
        return "no card is turned"
    went = "were buried in" if ruleset.deal.rejected_upcards == "buried" else "went under"
    aside = f" after {format_cards(rejected)} {went} the stock" if rejected else ""
    return f"{format_card(upcard)} is turned{aside}"


def _by_seat(before: _Before, events: Sequence[Event]) -> Iterator[str]:
    """Yield a sentence about what each seat did, in order."""
    said = [
        (event.seat, _phrase(before, event, events[:place], events[place + 1 :]))
        for place, event in enumerate(events)
        if not isinstance(event, RoundStarted | RoundEnded)
    ]
    for seat, phrases in groupby(said, key=lambda pair: pair[0]):
        yield f"seat {seat} {', '.join(phrase for _, phrase in phrases)}"


def _phrase(before: _Before, event: Event, earlier: Sequence[Event], later: Sequence[Event]) -> str:
    """Return what *event* is about; *earlier* and *later* are the other events of the same action."""
    match event:
        case CardsDrawn(_, _, cards):
            replaces = bool(earlier) and isinstance(earlier[-1], RedThreeLaid)
            return f"draws {format_cards(cards)}{' in its place' if replaces else ''}"
        case PileTaken(_, cards):
            return f"takes {format_cards(cards)} from the pile"
        case RedThreeLaid(_, card):
            return f"lays the red three {format_card(card)}"
        case CardsMelded():
            first = not any(isinstance(other, CardsMelded) for other in earlier)
            return _phrase_meld(before, event, first=first)
        case FootPickedUp(_, _, cards):
            return f"picks up the foot with {format_cards(sort_cards(cards))}"
        case PartnerAsked(seat):
            return f"asks seat {before.state.partners(seat)[0]} whether to go out"
        case PartnerAnswered(_, agree):
            return "answers yes" if agree else "answers no"
        case CardDiscarded(seat, card):
            held = len(before.state.seats[seat].cards)
            ends = any(isinstance(other, FootPickedUp | RoundEnded) for other in later)
            return f"discards {format_card(card)}{'' if ends else f' and keeps {held}'}"
        case TurnPassed():
            return "ends the turn without a discard"
    raise AssertionError(f"no words for {event!r}")


def _phrase_meld(before: _Before, event: CardsMelded, *, first: bool) -> str:
    state, cards = before.state, format_cards(event.cards)
    meld = state.melds[event.meld]
    if event.size > len(event.cards):
        is_book = meld.is_book and event.size == meld.size
        now = f"a {describe_meld(meld)}" if is_book else f"{event.size} cards"
        return f"adds {cards} to meld {event.meld} (now {now})"
    opens = first and state.seats[event.seat].opened and not before.opened[event.seat]
    book = f" (a {describe_meld(meld)})" if event.size >= 7 else ""
    return f"{'opens with' if opens else 'lays'} {cards} as meld {event.meld}{book}"


def _tell_end(match: MatchState, event: RoundEnded) -> Iterator[str]:
    how = "the stock has run out" if event.went_out is None else f"seat {event.went_out} goes out"
    yield f"{INDENT}{how}, the round is over"
    yield ""
    yield from _score_table(event.scores, match.totals)


def _score_table(scores: Sequence[RoundScore], totals: Sequence[int]) -> Iterator[str]:
    """Yield a line for each line of a score that is not 0 for everybody, the sides beside each other."""
    rows = [("", [f"side {side}" for side in range(len(scores))])]
    for line in fields(RoundScore):
        values = [getattr(score, line.name) for score in scores]
        if any(values):
            rows.append((line.name.replace("_", " "), list(map(str, values))))
    rows.append(("this round", [str(score.total) for score in scores]))
    rows.append(("all rounds", list(map(str, totals))))
    for name, cells in rows:
        yield f"{INDENT}{name:<20}" + "".join(f"{cell:>9}" for cell in cells)


def _closing(record: MatchRecord) -> Iterator[str]:
    yield ""
    for fault in record.faults:
        who = "the referee" if fault.seat < 0 else f"seat {fault.seat}"
        yield f"{fault.kind.replace('_', ' ')} of {who} after action {fault.action}: {fault.reason}"
    forfeited = "".join(f", side {side} forfeited" for side in record.forfeited)
    winners = winners_of(record)
    won = f"side {winners[0]} wins" if len(winners) == 1 else "a draw" if winners else "nobody wins"
    yield f"{record.termination.replace('_', ' ')}{forfeited}: {won}, {' : '.join(map(str, record.totals))}"
