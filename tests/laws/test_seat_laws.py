"""Laws of seats: nobody's place matters, and nobody learns what a person in that chair would not see."""

from random import Random

from builders import snapshot
from hypothesis import assume, given
from hypothesis import strategies as st
from laws.hidden import Place, exchange, hidden_places, is_red_three
from laws.mutations import vary
from laws.playouts import Playout, trace
from laws.rotation import rotate, rotate_event
from laws.strategies import Position, playouts, positions, some

from referee.rules import (
    Action,
    CardsDrawn,
    Event,
    FootPickedUp,
    IllegalAction,
    RoundState,
    after,
    apply,
    judge,
    legal_actions,
    observe,
    seen_by,
    sole_action,
)

TOTALS = (120, -35, 1000, 5, 0, 70)
"""Totals of earlier rounds, as many as there are sides."""


@given(positions())
def test_a_round_does_not_depend_on_who_sits_where(position: Position) -> None:
    """With everybody one seat further the same actions are legal and the same follows, one seat further."""
    state = position.state
    turned = rotate(state)
    listed = list(legal_actions(state))
    assert list(legal_actions(turned)) == listed
    assert sole_action(turned) == sole_action(state)
    action = trace(position.playout).actions[position.ply]
    events = apply(state, action)
    assert apply(turned, action) == tuple(rotate_event(event, len(state.seats)) for event in events)
    assert snapshot(turned) == snapshot(rotate(state))


@some()
@given(playouts())
def test_scores_turn_with_the_seats(playout: Playout) -> None:
    """A whole round played one seat further ends with the same scores, one side further."""
    played = trace(playout)
    state, turned = played.kept[0].copy(), rotate(played.kept[0])
    for action in played.actions:
        told, told_turned = apply(state, action), apply(turned, action)
    assert told_turned[-1] == rotate_event(told[-1], len(state.seats))


@given(positions(), st.integers(0, 11), st.integers(0, 2**32))
def test_a_view_shows_nothing_hidden(position: Position, chair: int, seed: int) -> None:
    """Other hands, feet and the stock may hold any other cards: the view of a seat is the same."""
    state = position.state
    seat = chair % len(state.seats)
    other = exchange(state, hidden_places(state, seat), Random(seed))
    totals = TOTALS[: len(state.sides)]
    assert observe(other, seat, totals) == observe(state, seat, totals)


@given(positions(), st.integers(0, 2**32))
def test_what_is_legal_shows_nothing_hidden(position: Position, seed: int) -> None:
    """List, sole action, verdicts and reasons for the seat that decides depend only on what it sees."""
    state, random = position.state, Random(seed)
    other = exchange(state, hidden_places(state, state.decider), random)
    listed = list(legal_actions(state))
    assert list(legal_actions(other)) == listed
    assert sole_action(other) == sole_action(state)
    for _ in range(5):
        attempt = vary(state, random.choice(listed), listed, random)
        assert judge(other, attempt) == judge(state, attempt)
        assert refusal(other, attempt) == refusal(state, attempt)


def refusal(state: RoundState, action: Action) -> str | None:
    """Return what a seat is told of an illegal action."""
    try:
        after(state, action)
    except IllegalAction as error:
        return str(error)
    return None


def told(events: tuple[Event, ...], seat: int) -> list[Event]:
    """Return what *seat* is told of *events*."""
    return [seen_by(event, seat) for event in events]


def unrevealed(state: RoundState, seat: int, events: tuple[Event, ...]) -> list[Place]:
    """
    Return the hidden places whose cards do not show in what *events* tell *seat*.

    Red threes that are laid show to everybody. What *seat* draws or picks up shows to it, and how the seat in turn
    plays, whether it can go on and whether the next one can take a pile show to all.
    """
    shown = {("holding", state.turn)} if seat != state.turn else set()
    own = [event for event in events if isinstance(event, CardsDrawn | FootPickedUp) and event.seat == seat]
    if any(isinstance(event, CardsDrawn) for event in own):
        shown |= {("stripe", owner) for owner in range(len(state.seats))}
    if any(isinstance(event, FootPickedUp) for event in own):
        shown.add(("foot", seat))
    if state.stock.left <= 8:
        shown |= {(zone, owner) for zone in ("holding", "stripe") for owner in range(len(state.seats))}
    laid = state.ruleset.red_threes == "laid"
    return [
        place
        for place in hidden_places(state, seat)
        if place[:2] not in shown and not (laid and is_red_three(state, place))
    ]


@given(positions(), st.integers(0, 11), st.integers(0, 2**32))
def test_events_show_nothing_hidden(position: Position, chair: int, seed: int) -> None:
    """What a seat is told of an action, and its view afterwards, are the same whatever stays hidden from it."""
    state = position.state
    seat, action = chair % len(state.seats), trace(position.playout).actions[position.ply]
    reached = state.copy()
    events = apply(reached, action)
    assume(not reached.over)
    other = exchange(state, unrevealed(state, seat, events), Random(seed))
    assert told(apply(other, action), seat) == told(events, seat)
    totals = TOTALS[: len(state.sides)]
    assert observe(other, seat, totals) == observe(reached, seat, totals)


@given(positions(tags=("draw", "foot picked up", "red three", "take")), st.integers(0, 11))
def test_cards_are_told_to_their_owner_only(position: Position, chair: int) -> None:
    """What is drawn or picked up is told in full to the seat itself, and as a number to the others."""
    state = position.state
    seat = chair % len(state.seats)
    for event in apply(state, trace(position.playout).actions[position.ply]):
        seen = seen_by(event, seat)
        assert seen_by(seen, seat) == seen
        if isinstance(event, CardsDrawn | FootPickedUp):
            assert isinstance(seen, CardsDrawn | FootPickedUp)
            assert seen.count == len(event.cards)
            assert seen.cards == (event.cards if event.seat == seat else ())
        else:
            assert seen == event
