"""The law on single moments: exchange all that a seat cannot see, and every byte that it is sent stays the same."""

from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from operator import ne
from random import Random
from typing import Any

import pytest
from handfoot.v1.referee_service_pb2 import PlayRequest, PlayResponse, Ready
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.mutations import vary
from laws.playouts import Table as Place
from leak.exchange import disguise, exchange_cards
from leak.matches import TABLES, Moment, Played, illegal_action, matches, unreadable_answer
from leak.room import LIMITS, Room, copy_table, run

from referee.rules import (
    Action,
    Card,
    Entry,
    LayDown,
    Phase,
    RoundState,
    TakePile,
    format_cards,
    judge,
    legal_actions,
    observe,
)
from referee.rules.actions import DISCARDS
from referee.rules.cards import PACK_SIZE
from referee.service.table import Table

PHASES = ("draw", "play", "answer")
ASKING = ("beginner-4", "online-4", "polite-4")
"""Tables at which a partner is asked."""

Ending = Callable[[Room, int], Coroutine[Any, Any, None]]


# ---------------------------------------------------------------------- how a match may end for a seat


def hidden_text(room: Room, seat: int) -> str:
    """Return what nobody may tell *seat*, as an error might."""
    state = room.table.match.state
    others = [each.cards for number, each in enumerate(state.seats) if number != seat]
    feet = [each.foot for each in state.seats]
    return " | ".join(format_cards(cards) for cards in (*others, *feet, state.stock.cards()))


def another_seat(room: Room, seat: int) -> int:
    """Return a seat that can go without the referee having to play for it at once."""
    table = room.table
    deciding = table.match.state.decider % table.sides
    seats = [other for other in range(room.spec.seats) if other != seat]
    return next((other for other in seats if table.sides == 2 or other % table.sides != deciding), seats[0])


async def call_off(room: Room, seat: int) -> None:
    """The referee fails, and says more about it than a seat may know."""
    await room.do(room.runner.abandon, f"KeyError: {hidden_text(room, seat)}")


async def crash_another(room: Room, seat: int) -> None:
    """The process of another seat ends."""
    other = room.seatings[another_seat(room, seat)]
    await room.do(room.runner.leave, other, f"wrote {hidden_text(room, seat)}")
    await room.pass_time(LIMITS.settle)


async def crash(room: Room, seat: int) -> None:
    """The process of the seat itself ends, though its stream still reads."""
    await room.do(room.runner.leave, room.seatings[seat], "exited with code 3")
    await room.pass_time(LIMITS.settle)


async def babble(room: Room, seat: int) -> None:
    """Another seat is not understood ten times."""
    other = another_seat(room, seat)
    for _ in range(LIMITS.protocol_faults):
        await room.do(room.runner.misbehave, room.seatings[other], hidden_text(room, seat), room.loop.now)
    await room.pass_time(LIMITS.settle)


async def fall_silent(room: Room, seat: int) -> None:
    """The seat that is asked says nothing for so long that it loses."""
    decider = room.table.match.state.decider
    if decider == seat or room.table.sides == 2:
        await room.pass_time(10_000.0)
        await room.pass_time(LIMITS.settle)


ENDINGS: tuple[Ending, ...] = (call_off, crash_another, crash, babble, fall_silent)


# ---------------------------------------------------------------------- what is compared


@dataclass(frozen=True, slots=True)
class Visit:
    """What *seat* is about to do at a moment of a match."""

    match: Played
    moment: Moment
    seat: int
    attempts: tuple[tuple[Action, ...], ...]
    """Answers that will be refused, one after the other."""

    ending: Ending

    async def pay(self, table: Table) -> list[bytes]:
        """Return all that the seat is sent when it comes back to *table* and does all that until the match ends."""
        room = Room(self.match.spec, present=[self.seat], table=table, now=self.moment.now)
        await room.settle()
        await room.say(self.seat, PlayRequest(ready=[Ready(table_id=room.seatings[self.seat].table_id)]))
        await room.decide(self.seat, *self.attempts[0], request_id=99_999)
        await room.say(self.seat, unreadable_answer(room, self.seat))
        for attempt in self.attempts if table.chairs[self.seat].pending else self.attempts[:1]:
            await room.decide(self.seat, *attempt)
        await self.ending(room, self.seat)
        await room.close()
        return [sent.data for sent in room.sent(self.seat)]


def attempts_at(state: RoundState, random: Random) -> Iterator[tuple[Action, ...]]:
    """Yield answers that will be refused, the last one in order but for its end."""
    wrong = [*unheld(state, random), *islice(nearly_legal(state, random), 4), illegal_action(state)]
    yield from ((action,) for action in wrong if judge(state, action) is not None)
    yield (*islice(harmless_lay_downs(state), 1), illegal_action(state))


def unheld(state: RoundState, random: Random) -> Iterator[Action]:
    """Yield attempts to play cards that the seat in turn does not hold, so that somebody else may."""
    held = state.seats[state.turn].cards
    others = random.sample([card for card in range(PACK_SIZE) if card not in held], 4)
    yield from (DISCARDS[card] for card in others)
    yield LayDown((Entry((Card(others[0]),) * 3),))
    yield TakePile(1, (Entry((state.pile[-1] if state.pile else Card(others[1]),) * 2),))


def nearly_legal(state: RoundState, random: Random) -> Iterator[Action]:
    """Yield actions that are close to what is allowed, and are not."""
    listed = list(islice(legal_actions(state), 100))
    for _ in range(20):
        action = vary(state, random.choice(listed), listed, random)
        if judge(state, action) is not None and can_be_said(action):
            yield action


def can_be_said(action: Action) -> bool:
    """Return whether the protocol has words for *action*, so that it is refused as illegal and not as unreadable."""
    entries = action.melds if isinstance(action, LayDown | TakePile) else ()
    counted = not isinstance(action, TakePile) or action.count > 0
    return counted and all(entry.cards and (entry.target is None or entry.target >= 0) for entry in entries)


def harmless_lay_downs(state: RoundState) -> Iterator[Action]:
    """Yield what the seat in turn may lay without emptying its holding, so that it learns nothing new."""
    if state.phase is Phase.PLAY:
        held = len(state.seats[state.turn].cards)
        for action in islice(legal_actions(state), 100):
            if isinstance(action, LayDown) and sum(len(entry.cards) for entry in action.melds) < held - 2:
                yield action


def compare(match: Played, moment: Moment, seat: int, ending: Ending, random: Random) -> int:
    """Check that *seat* is sent the same whatever it cannot see, and return how many messages that were."""
    real, other = copy_table(moment.table), copy_table(moment.table)
    disguise(other, seat, random, moment.now)
    visit = Visit(match, moment, seat, tuple(attempts_at(real.match.state, random)), ending)
    for table in (real, other):
        chair = table.chairs[seat]
        chair.corrections, chair.protocol_faults = -len(visit.attempts), 0  # it may try as often as it likes
    seen, seen_otherwise = run(visit.pay(real)), run(visit.pay(other))
    for message, otherwise in zip(seen, seen_otherwise, strict=True):
        assert message == otherwise, (
            f"{PlayResponse.FromString(message)}\n{PlayResponse.FromString(otherwise)}"
        )
    return len(seen)


@pytest.mark.parametrize("place", TABLES, ids=str)
def test_no_byte_depends_on_what_a_seat_cannot_see(place: Place) -> None:
    """In every phase every seat is sent the same requests, refusals and results, whatever the others hold."""
    random = Random(str(place))
    endings = cycle(ENDINGS)
    for phase in PHASES if str(place) in ASKING else PHASES[:2]:
        match = next(each for each in matches(place) if phase in each.moments)
        for seat in range(place.seats):
            assert compare(match, match.moments[phase], seat, next(endings), random) >= 5


def test_what_is_exchanged_is_nearly_everything() -> None:
    """Most cards that a seat cannot see are others afterwards; what it sees, and what lies under the stock, is not."""
    for place in TABLES:
        state = matches(place)[0].moments["play"].table.match.state
        other = exchange_cards(state, 0, Random(0))
        assert observe(other, 0, ()) == observe(state, 0, ())
        assert other.stock.under == state.stock.under
        before, after = (
            [card for each in one.seats[1:] for card in each.cards] + one.stock.cards()
            for one in (state, other)
        )
        assert sum(map(ne, before, after)) > len(before) / 2


@settings(max_examples=settings().max_examples // 4)
@given(st.sampled_from(TABLES), st.data())
def test_no_byte_depends_on_it_at_rare_moments(place: Place, data: st.DataObject) -> None:
    """The same while opening, on the foot, with few cards, at the end of the stock, and when asking or asked."""
    match = data.draw(st.sampled_from(matches(place)))
    tag = data.draw(st.sampled_from(sorted(match.moments)), label="moment")
    seat = data.draw(st.integers(0, place.seats - 1), label="seat")
    ending = data.draw(st.sampled_from(ENDINGS), label="ending")
    compare(
        match, match.moments[tag], seat, ending, data.draw(st.randoms(use_true_random=False), label="random")
    )
