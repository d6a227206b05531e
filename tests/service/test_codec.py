"""Tests of the codec: what is written reads back, what is broken is named, and nothing hidden is written."""

import contextlib
import random
from collections.abc import Callable

import pytest
from handfoot.v1.action_pb2 import Action as ActionMessage
from handfoot.v1.event_pb2 import Event as EventMessage
from handfoot.v1.observation_pb2 import Observation as ObservationMessage
from handfoot.v1.referee_service_pb2 import PlayRequest, PlayResponse
from handfoot.v1.ruleset_pb2 import Ruleset as RulesetMessage
from hypothesis import given
from hypothesis import strategies as st
from service.sitting import Sitting, keys, spec

from referee.rules import (
    BEGINNER,
    ONLINE,
    PUBLISHER,
    RULESETS,
    SIMPLE,
    Action,
    AnswerPartner,
    Card,
    CardsDrawn,
    Discard,
    Entry,
    FootPickedUp,
    LayDown,
    MatchState,
    Phase,
    Ruleset,
    TakePile,
    begin_match,
    legal_actions,
    observe,
    play,
    seen_by,
    sole_action,
)
from referee.rules.actions import ASK_PARTNER, DRAW_STOCK, PASS
from referee.service.clock import Reading
from referee.service.codec import (
    Ledger,
    add_ended,
    add_refusal,
    add_request,
    add_seated,
    read_actions,
    read_envelope,
    write_action,
    write_event,
    write_observation,
    write_ruleset,
)
from referee.service.effects import Ask, Finish, Refuse
from referee.service.errors import BrokenMessage

CLOCK = Reading(1000, 5000, 0)

cards = st.integers(0, 53).map(Card)
entries = st.builds(
    Entry, st.lists(cards, min_size=1, max_size=12).map(tuple), st.none() | st.integers(0, 2**32 - 1)
)
melds = st.lists(entries, min_size=1, max_size=6).map(tuple)
actions = st.one_of(
    st.sampled_from([DRAW_STOCK, ASK_PARTNER, PASS]),
    st.builds(TakePile, st.integers(1, 512), melds),
    st.builds(LayDown, melds),
    st.builds(AnswerPartner, st.booleans()),
    st.builds(Discard, cards),
)


def written(action: Action) -> ActionMessage:
    """Return *action* as a bot would send it."""
    message = ActionMessage()
    write_action(action, message)
    return message


@given(st.lists(actions, min_size=1, max_size=5))
def test_actions_read_back(batch: list[Action]) -> None:
    """Write and read are a pair, over the bytes of the wire."""
    received = [ActionMessage.FromString(written(action).SerializeToString()) for action in batch]
    assert read_actions(received) == batch


def entry(**fields: object) -> list[dict[str, object]]:
    """Return the melds of an action with a single entry."""
    return [fields]


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({}, "actions[0]"),
        ({"discard": {}}, "actions[0].discard.card"),
        ({"discard": {"card": 55}}, "actions[0].discard.card"),
        ({"discard": {"card": -1}}, "actions[0].discard.card"),
        ({"discard": {"card": 2**31 - 1}}, "actions[0].discard.card"),
        ({"answer_partner": {}}, "actions[0].answer_partner.agree"),
        ({"lay_down": {}}, "actions[0].lay_down.melds"),
        ({"lay_down": {"melds": entry(target=1)}}, "actions[0].lay_down.melds[0].cards"),
        ({"lay_down": {"melds": entry(cards=[1, 0, 3])}}, "actions[0].lay_down.melds[0].cards"),
        ({"lay_down": {"melds": entry(cards=[1, 99])}}, "actions[0].lay_down.melds[0].cards"),
        ({"lay_down": {"melds": entry(cards=[1] * 513)}}, "actions[0].lay_down.melds[0].cards"),
        ({"lay_down": {"melds": entry(cards=[1]) * 513}}, "actions[0].lay_down.melds"),
        ({"take_pile": {"count": 0, "melds": entry(cards=[1, 1])}}, "actions[0].take_pile.count"),
        ({"take_pile": {"count": 2**32 - 1, "melds": entry(cards=[1, 1])}}, "actions[0].take_pile.count"),
        ({"take_pile": {"count": 3}}, "actions[0].take_pile.melds"),
    ],
    ids=str,
)
def test_a_broken_action_is_refused_by_its_field(action: dict[str, object], field: str) -> None:
    """Whatever is missing, unknown or beyond bounds is named, in one line."""
    with pytest.raises(BrokenMessage) as caught:
        read_actions([ActionMessage(**action)])
    assert f" {field} " in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("count", [0, 65, 10_000])
def test_a_decision_has_a_bounded_number_of_actions(count: int) -> None:
    """No action is refused, and so are too many."""
    with pytest.raises(BrokenMessage, match=f"actions is wrong; got {count}; expected 1 to 64"):
        read_actions([written(DRAW_STOCK)] * count)


def test_the_broken_action_of_a_batch_is_numbered() -> None:
    """The index of the field tells which action could not be read."""
    with pytest.raises(BrokenMessage, match=r"actions\[1\]\.discard\.card"):
        read_actions([written(DRAW_STOCK), ActionMessage(discard={})])


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_a_message_or_refused(data: bytes) -> None:
    """Whatever arrives is either read or refused; nothing else is raised."""
    with contextlib.suppress(BrokenMessage):
        assert read_envelope(data) == PlayRequest.FromString(data)


def test_an_empty_message_is_refused() -> None:
    """A message with nothing in it is nothing that was asked for."""
    with pytest.raises(BrokenMessage, match="nothing in it"):
        read_envelope(b"")


def walk(
    ruleset: Ruleset, visit: Callable[[MatchState, list[object]], None], seats: int = 4, salt: int = 0
) -> None:
    """Play a round of random legal actions and show every state on the way, with the events so far."""
    match, begun = begin_match(ruleset, seats, keys(ruleset, salt))
    events = list(begun)
    rng = random.Random(salt)
    for _ in range(400):
        visit(match, events)
        choices = [sole_action(match.state)] if sole_action(match.state) else list(legal_actions(match.state))
        events += play(match, rng.choice(choices))
        if match.finished or match.round:
            break


def request(match: MatchState, events: list[object], seat: int, *, list_actions: bool) -> bytes:
    """Return the bytes of the request that *seat* would be sent."""
    ledger = Ledger(match.seats)
    ledger.take(events)
    response = PlayResponse()
    add_request(response, "table", Ask(seat, 1, 0, CLOCK), match, ledger, list_actions=list_actions)
    return response.SerializeToString(deterministic=True)


@pytest.mark.parametrize("ruleset", [BEGINNER, ONLINE, PUBLISHER, SIMPLE], ids=lambda ruleset: ruleset.name)
def test_observations_say_what_the_rules_let_a_seat_see(ruleset: Ruleset) -> None:
    """Every field of an observation arrives, with cards and ranks counted from 1."""

    def compare(match: MatchState, events: list[object]) -> None:
        for seat in range(match.seats):
            seen = observe(match.state, seat, match.totals)
            message = ObservationMessage()
            write_observation(seen, message)
            public = message.public
            assert list(message.private.holding) == [card + 1 for card in seen.holding]
            assert list(public.pile) == [card + 1 for card in seen.pile]
            assert list(public.holding_sizes) == list(seen.holding_sizes)
            assert list(public.foot_sizes) == list(seen.foot_sizes)
            assert list(public.meld_ranks) == [meld.rank + 1 for meld in seen.melds]
            assert list(public.meld_sizes) == [len(meld.cards) for meld in seen.melds]
            assert list(public.meld_cards) == [card + 1 for meld in seen.melds for card in meld.cards]
            assert list(public.opening_ranks) == [2 * bits for bits in seen.opening_ranks]
            assert (public.turn, public.phase, public.stock) == (seen.turn, seen.phase, seen.stock)
            assert public.opening_minimum == seen.opening_minimum
            assert list(public.opened) == list(seen.opened)

    walk(ruleset, compare)


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [(BEGINNER, 4), (ONLINE, 3), (ONLINE, 4), (PUBLISHER, 6), (SIMPLE, 4)],
    ids=lambda value: getattr(value, "name", value),
)
def test_nothing_hidden_is_written(ruleset: Ruleset, seats: int) -> None:
    """States that differ only in what a seat cannot see give it byte-equal requests, legal actions included."""
    rng = random.Random(7)

    def permute(match: MatchState, events: list[object]) -> None:
        if len(events) % 2:
            return
        seat = match.state.decider
        before = request(match, events, seat, list_actions=True)
        other = MatchState(match.ruleset, match.seats, match.keys, match.state.copy(), match.totals)
        _shuffle_hidden(other, seat, rng)
        hidden = [seen_by(event, seat) for event in events]
        assert request(other, hidden, seat, list_actions=True) == before

    walk(ruleset, permute, seats)


def _shuffle_hidden(match: MatchState, seat: int, rng: random.Random) -> None:
    """Deal everything that *seat* cannot see anew: the stock, all feet, and the holdings of the others."""
    from referee.rules.cards import count_ranks

    state = match.state
    places = list(state.stock.stripes)
    hidden = [card for stripe in places for card in stripe]
    hidden += [card for each in state.seats for card in each.foot]
    others = [each for number, each in enumerate(state.seats) if number != seat]
    hidden += [card for each in others for card in each.cards]
    rng.shuffle(hidden)
    pool = iter(hidden)
    state.stock.stripes = tuple(tuple(next(pool) for _ in stripe) for stripe in places)
    for each in state.seats:
        each.foot = tuple(next(pool) for _ in each.foot)
    for each in others:
        each.cards = [next(pool) for _ in each.cards]
        each.counts = count_ranks(each.cards)


def test_only_the_seat_itself_hears_which_cards_it_drew() -> None:
    """In the ledger of a seat the cards of others are counted, not named; numbers have no gaps."""
    seen: list[list[object]] = []
    walk(ONLINE, lambda match, events: seen.append(events))
    events = seen[-1]
    ledger = Ledger(4)
    ledger.take(events)
    ledger.take(events)
    for seat in range(4):
        heard = ledger.after(seat, 0)
        assert [event.number for event in heard] == list(range(1, len(events) + 1))
        for event, message in zip(events, heard, strict=True):
            assert message == write_event(seen_by(event, seat), message.number)
            if isinstance(event, CardsDrawn | FootPickedUp):
                drawn = getattr(message, message.WhichOneof("kind"))
                assert (len(drawn.cards) > 0) == (event.seat == seat)
                assert drawn.count == event.count


def test_every_kind_of_event_is_written() -> None:
    """No event of the rules is without its message."""
    from typing import get_args

    from referee.rules import Event
    from referee.service.codec import encoding

    assert set(encoding._EVENTS) == set(get_args(Event))
    assert len(EventMessage.DESCRIPTOR.oneofs_by_name["kind"].fields) == len(get_args(Event))
    assert set(encoding._ACTIONS) == set(get_args(Action))


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_a_ruleset_is_disclosed_whole(ruleset: Ruleset) -> None:
    """Every enum has a value, and what a table of that size plays is said."""
    for seats in ruleset.seats:
        message = write_ruleset(ruleset, seats)
        assert (message.name, message.hash) == (ruleset.name, ruleset.hash)
        assert message.packs == ruleset.deal.packs_for(seats)
        for part in (message, message.scores):
            for field in part.DESCRIPTOR.fields:
                if field.enum_type is not None and not field.is_repeated:
                    assert getattr(part, field.name) > 0, field.name
        assert message.HasField("target") == (ruleset.match.target is not None)
        assert list(message.card_points) == list(ruleset.scores.points)


def test_rulesets_with_different_rules_are_told_apart() -> None:
    """No two rulesets are disclosed alike, their names and hashes aside."""
    told = set()
    for ruleset in RULESETS.values():
        message = RulesetMessage()
        message.CopyFrom(write_ruleset(ruleset, 4))
        message.name = message.hash = ""
        told.add(message.SerializeToString(deterministic=True))
    assert len(told) == len(RULESETS)


def test_required_ranks_of_clean_books_are_disclosed() -> None:
    """A ruleset that asks for a clean book of sevens says RANK_SEVEN."""
    from dataclasses import replace

    from handfoot.v1.card_pb2 import RANK_SEVEN

    ruleset = replace(ONLINE, going_out=replace(ONLINE.going_out, clean_book_ranks=("7",)))
    assert list(write_ruleset(ruleset, 4).clean_book_ranks_needed) == [RANK_SEVEN]


def test_being_seated_says_nothing_of_the_others() -> None:
    """Seat, ruleset, clock and the bot's own seed; no key, no label, no name."""
    response = PlayResponse()
    match = spec(SIMPLE, label="000001-abc-def-1")
    add_seated(response, "t", 2, match, CLOCK)
    (seated,) = response.seated
    assert (seated.seat, seated.seats, seated.sides, seated.bot_seed) == (2, 4, 2, match.bot_seeds[2])
    assert seated.clock.bank_ms == 5000
    sent = response.SerializeToString()
    assert not any(key in sent or key.hex().encode() in sent for key in match.keys)
    assert b"000001" not in sent


def test_the_list_of_legal_actions_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list within the limit is complete, a longer one is cut."""
    from referee.service.codec import encoding

    match, events = begin_match(ONLINE, 4, keys(ONLINE))
    events += play(match, DRAW_STOCK)
    assert match.state.phase is Phase.PLAY
    listed = list(legal_actions(match.state))
    for limit, complete in ((len(listed), True), (len(listed) - 1, False)):
        monkeypatch.setattr(encoding, "MAX_LEGAL_ACTIONS", limit)
        (asked,) = PlayResponse.FromString(
            request(match, list(events), match.state.decider, list_actions=True)
        ).requests
        assert read_actions(asked.legal_actions) == listed[:limit]
        assert asked.legal_actions_complete is complete


def test_refusals_and_results_are_written() -> None:
    """Index 0 and side 0 are values, not absent."""
    response = PlayResponse()
    add_refusal(response, "t", Refuse(1, 4, "illegal", "no", 2, index=0, clause="HF-5.4", corrections_left=1))
    add_refusal(response, "t", Refuse(1, 0, "protocol", "no", 3))
    illegal, protocol = response.refusals
    assert illegal.HasField("index")
    assert (illegal.clause, illegal.corrections_left, illegal.count) == ("HF-5.4", 1, 2)
    assert not protocol.HasField("index")
    add_ended(response, "t", Finish(1, "forfeit", (-5, 10), (1,), 0, "side 0 forfeited", 0), Ledger(4))
    (ended,) = response.ended
    assert ended.result.HasField("forfeited")
    assert list(ended.result.totals) == [-5, 10]


def test_unheard_events_come_with_the_result() -> None:
    """At the end a seat hears what happened since its last request."""
    sitting = Sitting(SIMPLE, ask_always=False)
    sitting.play_on()
    ledger = Ledger(4)
    ledger.take(sitting.table.events)
    response = PlayResponse()
    add_ended(response, "t", sitting.results()[1], ledger)
    (ended,) = response.ended
    assert ended.events[-1].HasField("round_ended")
    assert ended.events[0].number == sitting.results()[1].heard + 1
