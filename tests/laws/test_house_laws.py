"""The laws under rulesets drawn at random: whatever can be written down as a ruleset can be played."""

from collections import Counter
from itertools import islice
from random import Random

import pytest
from builders import snapshot
from hypothesis import given, note, settings
from hypothesis import strategies as st
from laws.mutations import vary
from laws.playouts import STYLES, Style, choose
from laws.rotation import rotate, rotate_event
from laws.zones import all_cards
from rulesets import rulesets

from referee.rules import (
    Action,
    IllegalAction,
    RoundState,
    Ruleset,
    action_bound,
    after,
    apply,
    begin_round,
    judge,
    legal_actions,
    sole_action,
)
from referee.rules.cards import pack_cards

CHECKED = 0.06
"""Share of positions at which everything is looked at."""


@settings(max_examples=30)
@given(rulesets(), st.integers(0, 2**32), st.sampled_from(STYLES))
def test_any_ruleset_can_be_played(ruleset: Ruleset, seed: int, style: Style) -> None:
    """A round ends within its bound, loses no card, always offers something, and does not depend on places."""
    random = Random(seed)
    seats = random.choice(ruleset.seats)
    state, _ = begin_round(ruleset, seats, random.randrange(ruleset.rounds), random.randbytes(32))
    packs, actions = Counter(pack_cards(ruleset.deal.packs_for(seats))), 0
    note(f"{seats} seats: {ruleset.content()}")
    while not state.over:
        listed = list(islice(legal_actions(state), 200))
        assert listed
        if random.random() < CHECKED:
            assert Counter(all_cards(state)) == packs
            assert all(judge(state, action) is None for action in listed)
            assert sole_action(state) in (None, listed[0])
            attempt = vary(state, random.choice(listed), listed, random)
            _agrees(state, attempt)
            turned, action = rotate(state), random.choice(listed)
            events = apply(state.copy(), action)
            assert apply(turned, action) == tuple(rotate_event(event, seats) for event in events)
        apply(state, choose(state, listed, random, style))
        actions += 1
    assert actions <= action_bound(ruleset, seats)


def _agrees(state: RoundState, attempt: Action) -> None:
    before, fault = snapshot(state), judge(state, attempt)
    assert (attempt in legal_actions(state)) is (fault is None)
    if fault is None:
        after(state, attempt)
    else:
        with pytest.raises(IllegalAction, match=fault.clause):
            apply(state, attempt)
    assert snapshot(state) == before
