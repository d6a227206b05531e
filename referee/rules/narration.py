"""A match as a text that a player would follow. It shows all cards: for records of finished matches only."""

from collections.abc import Iterator, Sequence

from referee.rules.cards import RANK_NAMES, WILD, Card, format_card, format_cards, sort_cards
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
from referee.rules.match import MatchState
from referee.rules.record import MatchRecord, RecordedAction, Step, replay_steps
from referee.rules.state import Meld, Phase, RoundState


def narrate(record: MatchRecord) -> Iterator[str]:
    """
    Yield the lines of a text about the match of *record*.

    Raises:
        InvalidRecord: the record does not replay.
    """
    yield from _heading(record)
    for number, step in enumerate(replay_steps(record)):
        if step.recorded is not None:
            yield _turn_mark(step.recorded, number)
        for event in step.events:
            yield from _tell(record, step.match, event)
    yield from _closing(record)


def show_at(record: MatchRecord, number: int) -> Iterator[str]:
    """
    Yield the lines that show the table of *record* just before action *number*, counted from 1, and that action.

    Raises:
        InvalidRecord: the record does not replay up to there.
        ValueError: there is no such action.
    """
    if not 1 <= number <= len(record.actions):
        raise ValueError(f"no such action: expected a number from 1 to {len(record.actions)}; got {number}")
    steps = replay_steps(record)
    step = next(step for place, step in enumerate(steps, start=1) if place == number)
    yield from _heading(record)
    yield from show_table(record, step)
    recorded = record.actions[number - 1]
    following = next(steps)
    yield _turn_mark(recorded, number)
    for event in following.events:
        yield from _tell(record, following.match, event)


def show_table(record: MatchRecord, step: Step) -> Iterator[str]:
    """Yield the lines that show everything that lies on and is held at the table of *step*."""
    state = step.match.state
    yield f"round {state.round + 1}, seat {state.turn} in turn, {_PHASES[state.phase]}"
    yield f"stock {state.stock.left}, discard pile of {len(state.pile)}: {format_cards(state.pile[-12:]) or 'empty'}"
    for side, each in enumerate(state.sides):
        yield f"side {side}: {step.match.totals[side]} points, red threes {format_cards(each.red_threes) or 'none'}"
        for number, meld in enumerate(state.melds):
            if meld.side == side:
                yield f"  meld {number}: {describe_meld(meld)}"
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
    """Return what a meld is and holds, in words."""
    kind = "wild cards" if meld.rank == WILD else f"{RANK_NAMES[meld.rank]}s"
    if meld.is_book:
        quality = "wild" if meld.rank == WILD else "dirty" if meld.wilds else "clean"
        return f"{quality} book of {kind}: {format_cards(meld.cards)}"
    return f"{kind}: {format_cards(meld.cards)}"


def _heading(record: MatchRecord) -> Iterator[str]:
    yield f"match {record.match}"
    yield f"ruleset {record.ruleset.name} ({record.ruleset.hash[:12]})"
    sides = record.ruleset.sides(len(record.seats))
    for seat, label in enumerate(record.seats):
        yield f"seat {seat}, side {seat % sides}: {label}"


def _turn_mark(recorded: RecordedAction, number: int) -> str:
    played = "by the referee" if recorded.by_referee else f"{recorded.ms} ms"
    return f"{number:5}  seat {recorded.seat}, {played}"


def _tell(record: MatchRecord, match: MatchState, event: Event) -> Iterator[str]:
    if isinstance(event, RoundStarted):
        yield from _tell_start(match.state, event)
    elif isinstance(event, RoundEnded):
        yield from _tell_end(match, event)
    else:
        yield f"         {_sentence(match.state, event)}"


def _tell_start(state: RoundState, event: RoundStarted) -> Iterator[str]:
    yield ""
    yield f"--- round {event.round + 1}: seat {event.first_seat} begins, {_upcard(event.upcard, event.rejected)}"
    for number, seat in enumerate(state.seats):
        yield f"         seat {number} holds {format_cards(sort_cards(seat.cards))}"


def _upcard(upcard: Card | None, rejected: Sequence[Card]) -> str:
    if upcard is None:
        return "no card is turned"
    aside = f" after {format_cards(rejected)} went back to the stock" if rejected else ""
    return f"{format_card(upcard)} is turned{aside}"


def _sentence(state: RoundState, event: Event) -> str:
    match event:
        case CardsDrawn(_, _, cards):
            return f"draws {format_cards(cards)}"
        case PileTaken(_, cards):
            return f"takes {format_cards(cards)} from the pile"
        case RedThreeLaid(seat, card):
            return f"seat {seat} lays {format_card(card)} on the table"
        case CardsMelded(_, meld, cards, size):
            return f"lays {format_cards(cards)} on meld {meld}, now {size} cards"
        case FootPickedUp(_, _, cards):
            return f"picks up the foot: {format_cards(sort_cards(cards))}"
        case PartnerAsked():
            return "asks the partner whether to go out"
        case PartnerAnswered(_, agree):
            return "answers yes" if agree else "answers no"
        case CardDiscarded(_, card):
            return f"discards {format_card(card)}"
        case TurnPassed(seat):
            return f"seat {seat} ends the turn without a discard"
    raise AssertionError(f"no sentence for {event!r}")


def _tell_end(match: MatchState, event: RoundEnded) -> Iterator[str]:
    how = "the stock is used up" if event.went_out is None else f"seat {event.went_out} goes out"
    yield f"         {how}, the round is over"
    for side, score in enumerate(event.scores):
        lines = ", ".join(
            f"{name.replace('_', ' ')} {value}" for name in score.__slots__ if (value := getattr(score, name))
        )
        yield f"         side {side}: {score.total} ({lines or 'nothing'}), {match.totals[side]} in all"


def _closing(record: MatchRecord) -> Iterator[str]:
    yield ""
    for fault in record.faults:
        yield f"fault of seat {fault.seat} after action {fault.action}: {fault.kind}, {fault.reason}"
    totals = " : ".join(map(str, record.totals))
    forfeited = "".join(f", side {side} forfeited" for side in record.forfeited)
    yield f"{record.termination.replace('_', ' ')}, {totals}{forfeited}"
