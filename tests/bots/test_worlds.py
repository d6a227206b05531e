"""Laws of worlds: a sampled state agrees with everything a seat knows, and with nothing else."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.playouts import Playout, trace
from laws.strategies import Position, playouts, positions, some
from laws.tables import PUBLISHED

from referee.bots import Memory, Worlds, play_out, sample_world
from referee.rules import Card, RoundState, apply, legal_actions, observe, seen_by, sole_action
from referee.rules.cards import pack_cards

TOTALS = (120, -35, 1000, 5, 0, 70)
"""Totals of earlier rounds, as many as there are sides."""


def all_cards(state: RoundState) -> Counter[Card]:
    """All cards of *state*, wherever they lie."""
    cards = Counter(state.pile + state.stock.cards())
    for seat in state.seats:
        cards.update([*seat.cards, *seat.foot])
    for side in state.sides:
        cards.update(side.red_threes)
    for meld in state.melds:
        cards.update(meld.cards)
    return cards


def remembered(position: Position, seat: int) -> Memory:
    """What *seat* remembers at *position*."""
    state, events, _ = position.playout.begin()
    memory = Memory(len(state.seats))
    memory.follow(seen_by(event, seat) for event in events)
    for action in trace(position.playout).actions[: position.ply]:
        memory.follow(seen_by(event, seat) for event in apply(state, action))
    return memory


@given(positions(), st.integers(0, 11), st.integers(0, 2**32), st.booleans())
def test_a_world_looks_the_same(position: Position, chair: int, seed: int, remembering: bool) -> None:
    """From the own seat nothing tells a sampled world from the table, and no card is made or lost."""
    state = position.state
    seat, totals = chair % len(state.seats), TOTALS[: len(state.sides)]
    seen = observe(state, seat, totals)
    memory = remembered(position, seat) if remembering else None
    world = sample_world(state.ruleset, seen, Random(seed), memory)
    assert observe(world, seat, totals) == seen
    packs = state.ruleset.deal.packs_for(len(state.seats))
    assert all_cards(world) == all_cards(state) == Counter(pack_cards(packs))


@given(positions(), st.integers(0, 2**32))
def test_the_same_is_legal_there(position: Position, seed: int) -> None:
    """What the seat that decides may do in a sampled world is what it may do at the table, in the same order."""
    state = position.state
    seen = observe(state, state.decider, TOTALS[: len(state.sides)])
    world = sample_world(state.ruleset, seen, Random(seed))
    assert world.decider == state.decider
    assert list(legal_actions(world)) == list(legal_actions(state))
    assert sole_action(world) == sole_action(state)


@given(positions(), st.integers(0, 11))
def test_memory_holds_what_is_certain(position: Position, chair: int) -> None:
    """What is remembered of a holding is in it, and what lies under the stock lies there in every world."""
    state = position.state
    seat = chair % len(state.seats)
    memory = remembered(position, seat)
    for other, held in zip(state.seats, memory.held, strict=True):
        assert held <= Counter(other.cards)
    for side, cards in enumerate(state.sides):
        laid = [card for own in memory.red_threes[side :: len(state.sides)] for card in own]
        assert Counter(laid) <= Counter(cards.red_threes)
    seen = observe(state, seat, TOTALS[: len(state.sides)])
    world = sample_world(state.ruleset, seen, Random(1), memory)
    for number, held in enumerate(memory.held):
        assert number == seat or held <= Counter(world.seats[number].cards)


@some()
@given(positions(), st.integers(0, 2**32))
def test_every_world_can_be_played_out(position: Position, seed: int) -> None:
    """The rules of thumb end the round from any state, by legal actions alone."""
    state = position.state
    seen = observe(state, state.decider, TOTALS[: len(state.sides)])
    world = sample_world(state.ruleset, seen, Random(seed))
    play_out(world, 10_000)
    assert world.over


@some()
@given(playouts())
def test_a_seed_gives_the_same_worlds(playout: Playout) -> None:
    """The same observation and the same randomness give the same cards; other randomness gives others."""
    state = trace(playout).kept[0]
    worlds = Worlds(state.ruleset, observe(state, 0, TOTALS[: len(state.sides)]))
    one, again, other = (worlds.sample(Random(seed)) for seed in (1, 1, 2))
    assert one.seats[1].cards == again.seats[1].cards
    assert one.stock.cards() == again.stock.cards() != other.stock.cards()


def test_a_finished_round_has_no_worlds() -> None:
    """There is nothing to sample where nothing is hidden from the score any more."""
    state = trace(Playout(PUBLISHED[0], 0)).kept[0].copy()
    play_out(state, 10_000)
    with pytest.raises(ValueError, match="the round is over"):
        sample_world(state.ruleset, observe(state, 0, [0, 0]), Random(0))
