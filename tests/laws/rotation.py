"""The same round with everybody one seat further round the table."""

from dataclasses import replace

from referee.rules import (
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
    RoundState,
    TurnPassed,
)


def rotate(state: RoundState) -> RoundState:
    """Return *state* with what belongs to each seat moved to the next one, clockwise."""
    turned = state.copy()
    seats, sides = len(state.seats), len(state.sides)
    turned.seats = turned.seats[-1:] + turned.seats[:-1]
    turned.sides = turned.sides[-1:] + turned.sides[:-1]
    turned.melds = [meld._replace(side=(meld.side + 1) % sides) for meld in state.melds]
    stripes, taken = state.stock.stripes, state.stock.taken
    turned.stock.stripes = stripes[-1:] + stripes[:-1]
    turned.stock.taken = taken[-1:] + taken[:-1]
    turned.turn = (state.turn + 1) % seats
    turned.decider = (state.decider + 1) % seats
    turned.went_out = None if state.went_out is None else (state.went_out + 1) % seats
    return turned


def rotate_event(event: Event, seats: int) -> Event:
    """Return *event* as it is told of the next seat."""
    match event:
        case RoundStarted(first_seat=first):
            return replace(event, first_seat=(first + 1) % seats)
        case RoundEnded(went_out=out, scores=scores):
            turned = scores[-1:] + scores[:-1]
            return RoundEnded(None if out is None else (out + 1) % seats, turned)
        case (
            CardsDrawn(seat=seat)
            | PileTaken(seat=seat)
            | RedThreeLaid(seat=seat)
            | CardsMelded(seat=seat)
            | FootPickedUp(seat=seat)
            | PartnerAsked(seat=seat)
            | PartnerAnswered(seat=seat)
            | CardDiscarded(seat=seat)
            | TurnPassed(seat=seat)
        ):
            return replace(event, seat=(seat + 1) % seats)
