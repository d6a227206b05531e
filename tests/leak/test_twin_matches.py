"""
The law on whole matches: two deals that differ only in what a seat does not get to see give it the same messages.

The others act alike in both, but take other times, make other mistakes, combine their actions otherwise, and play by
themselves where in the first match the referee played for them.
"""

from contextlib import suppress
from dataclasses import replace
from itertools import groupby, takewhile
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.playouts import Table as Place
from leak.deals import Pooling, Tracker, dealing, exchange_deal, freely, within_ranks, within_sides
from leak.matches import TABLES, Played, answer, matches
from leak.room import Room, Sent, run

from referee.rules import (
    CardsDrawn,
    Deal,
    Event,
    FootPickedUp,
    IllegalAction,
    RoundStarted,
    begin_match,
    deal_round,
    play,
)
from referee.service.reports import MatchSpec

Fact = Event | tuple[str, int, int]


def fact(event: Event, seat: int) -> Fact:
    """Return what a person in the chair of *seat* sees of *event*."""
    match event:
        case CardsDrawn(other, count) if other != seat:
            return "drew", other, count
        case FootPickedUp(other, count) if other != seat:
            return "picked up", other, count
    return event


# ---------------------------------------------------------------------- other deals


def happened(match: Played, actions: int) -> list[tuple[Event, ...]]:
    """
    Return what followed from the deal and from each of the first *actions* of a match.

    Raises:
        IllegalAction: the cards are not dealt so that they can be played.
    """
    state, begun = begin_match(match.spec.ruleset, match.spec.seats, match.spec.keys)
    return [begun, *(play(state, entry.action) for entry in match.log[:actions])]


def facts(steps: list[tuple[Event, ...]], seat: int) -> list[list[Fact]]:
    """Return what *seat* sees of all that happened."""
    return [[fact(event, seat) for event in events] for events in steps]


def other_deals(match: Played, seat: int, actions: int, random: Random) -> tuple[list[Deal], Pooling]:
    """Return deals with which the first *actions* look the same to *seat*, and how freely cards were exchanged."""
    steps = happened(match, actions)
    for pooling in (freely, freely, within_sides, within_sides, within_ranks):
        deals = exchanged_deals(match.spec, steps, seat, pooling, random)
        with dealing(deals), suppress(IllegalAction):
            if facts(happened(match, actions), seat) == facts(steps, seat):
                return deals, pooling
    raise AssertionError("suits decide nothing")


def exchanged_deals(
    spec: MatchSpec, steps: list[tuple[Event, ...]], seat: int, pooling: Pooling, random: Random
) -> list[Deal]:
    """Return the deal of each round with cards exchanged that *seat* has not seen after *steps*."""
    deals = [deal_round(spec.ruleset, spec.seats, number, key) for number, key in enumerate(spec.keys)]
    trackers = [Tracker(deal, seat) for deal in deals]
    current = -1
    for events in steps:
        for started, part in groupby(events, key=lambda event: isinstance(event, RoundStarted)):
            current += started
            trackers[current].follow(part)
    pools = [
        within_ranks if number < current and pooling is freely else pooling for number in range(len(deals))
    ]
    return [
        exchange_deal(deal, tracker, spec.ruleset, pool, random)
        for deal, tracker, pool in zip(deals, trackers, pools, strict=True)
    ]


# ---------------------------------------------------------------------- the same match again


async def replay(match: Played, seat: int, actions: int, random: Random) -> list[Sent]:
    """Return what *seat* is sent while the first *actions* are played again, now that other cards are dealt."""
    seeds = tuple(
        own if each == seat else random.getrandbits(64) for each, own in enumerate(match.spec.bot_seeds)
    )
    keys = tuple(random.randbytes(32) for _ in match.spec.keys)
    spec = replace(match.spec, keys=keys, bot_seeds=seeds, label="another one")
    room = await Room(spec, ask_always=match.ask_always, present=[seat]).get_ready()
    while len(room.table.log) < actions and not room.over:
        played_already = len(room.table.log)
        if room.table.match.state.decider == seat:
            await answer(room, (match.log[played_already].action,), "as played", strikes=True)
        else:
            ahead = match.log[played_already : min(actions, played_already + random.randint(1, 3))]
            same = takewhile(lambda entry: entry.seat == room.table.match.state.decider, ahead)
            await answer(room, [entry.action for entry in same], f"again {random.random()}", strikes=False)
    sent = room.sent(seat)
    await room.close()
    return sent


def compare(match: Played, seat: int, actions: int, random: Random) -> Pooling:
    """Check that *seat* is sent the same through the first *actions* of both matches."""
    deals, pooling = other_deals(match, seat, actions, random)
    with dealing(deals):
        again = run(replay(match, seat, actions, random))
    again = [sent for sent in again if sent.played <= actions]
    assert len(again) + 1 >= sum(sent.played < actions for sent in match.sent[seat])
    for one, other in zip(match.sent[seat], again, strict=False):
        assert one.data == other.data, f"{one.message}\n{other.message}"
    return pooling


@pytest.mark.parametrize("place", TABLES, ids=str)
def test_a_seat_is_sent_the_same_in_both_matches(place: Place) -> None:
    """Through the first half of a match and to its very end, with as much exchanged as a seat cannot notice."""
    random = Random(str(place))
    first, last = matches(place)[0], matches(place)[-1]
    assert compare(first, random.randrange(place.seats), len(first.log) // 2, random) is freely
    compare(last, random.randrange(place.seats), len(last.log), random)


@settings(max_examples=settings().max_examples // 4)
@given(st.sampled_from(TABLES), st.data())
def test_a_seat_is_sent_the_same_up_to_any_moment(place: Place, data: st.DataObject) -> None:
    """Up to any action of a match, for any seat."""
    match = data.draw(st.sampled_from(matches(place)))
    seat = data.draw(st.integers(0, place.seats - 1), label="seat")
    actions = data.draw(st.integers(0, len(match.log)), label="actions")
    compare(match, seat, actions, data.draw(st.randoms(use_true_random=False), label="random"))


def test_the_referee_has_played_for_others() -> None:
    """In some of the matches the referee played where seats are asked even for what they have no choice in."""
    played = [match for place in TABLES for match in matches(place) if match.ask_always]
    assert sum(any(entry.by_referee for entry in match.log) for match in played) > len(played) // 2
