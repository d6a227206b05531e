"""Tests of the codec: what is written reads back, what is broken is named, and nothing hidden is written."""

import contextlib
import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from handfoot.v1.action_pb2 import Action as ActionMessage
from handfoot.v1.event_pb2 import Event as EventMessage
from handfoot.v1.observation_pb2 import Observation as ObservationMessage
from handfoot.v1.referee_service_pb2 import DecisionRequest, PlayRequest, PlayResponse
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
    CardDiscarded,
    CardsDrawn,
    CardsMelded,
    Discard,
    Entry,
    FootPickedUp,
    LayDown,
    MatchState,
    PartnerAnswered,
    PartnerAsked,
    Phase,
    PileTaken,
    RedThreeLaid,
    RoundEnded,
    RoundScore,
    RoundStarted,
    Ruleset,
    TakePile,
    TurnPassed,
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
    Scribe,
    add_ended,
    add_refusal,
    add_seated,
    encode_action,
    encode_event,
    encode_melds,
    encode_observation,
    read_actions,
    read_envelope,
    write_ruleset,
)
from referee.service.codec.wire import tag
from referee.service.effects import Ask, Finish, Refuse
from referee.service.errors import BrokenMessage

CLOCK = Reading(1000, 5000, 0)
EVENTS_TAG = tag(DecisionRequest, "events")

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
    return ActionMessage.FromString(encode_action(action))


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
    scribe = Scribe(match.seats)
    scribe.ledger.take(events)
    return scribe.request("table", Ask(seat, 1, 0, CLOCK), match, list_actions=list_actions)


@pytest.mark.parametrize("ruleset", [BEGINNER, ONLINE, PUBLISHER, SIMPLE], ids=lambda ruleset: ruleset.name)
def test_observations_say_what_the_rules_let_a_seat_see(ruleset: Ruleset) -> None:
    """Every field of an observation arrives, with cards and ranks counted from 1."""

    def compare(match: MatchState, events: list[object]) -> None:
        for seat in range(match.seats):
            seen = observe(match.state, seat, match.totals)
            message = ObservationMessage.FromString(encode_observation(seen, encode_melds(seen.melds)))
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
        heard = DecisionRequest.FromString(ledger.after(seat, 0, EVENTS_TAG)).events
        assert [event.number for event in heard] == list(range(1, len(events) + 1))
        for event, message in zip(events, heard, strict=True):
            assert message == EventMessage.FromString(encode_event(seen_by(event, seat), message.number))
            if isinstance(event, CardsDrawn | FootPickedUp):
                drawn = getattr(message, message.WhichOneof("kind"))
                assert (len(drawn.cards) > 0) == (event.seat == seat)
                assert drawn.count == event.count


def test_every_kind_of_event_is_written() -> None:
    """No event of the rules is without its message."""
    from typing import get_args

    from referee.rules import Event
    from referee.service.codec import events, requests

    assert set(events._KINDS) == set(get_args(Event))
    assert len(EventMessage.DESCRIPTOR.oneofs_by_name["kind"].fields) == len(get_args(Event))
    assert set(requests._ACTIONS) == set(get_args(Action))


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (
            RoundStarted(1, 3, Card(5), (Card(0), Card(53))),
            {"round_started": {"round": 1, "first_seat": 3, "upcard": 6, "rejected_upcards": [1, 54]}},
        ),
        (RoundStarted(0, 0, None, ()), {"round_started": {}}),
        (CardsDrawn(2, 2, (Card(7), Card(8))), {"cards_drawn": {"seat": 2, "count": 2, "cards": [8, 9]}}),
        (PileTaken(1, (Card(3),)), {"pile_taken": {"seat": 1, "cards": [4]}}),
        (RedThreeLaid(1, Card(14)), {"red_three_laid": {"seat": 1, "card": 15}}),
        (
            CardsMelded(1, 200, (Card(9),) * 130, 131),
            {"cards_melded": {"seat": 1, "meld": 200, "cards": [10] * 130, "size": 131}},
        ),
        (FootPickedUp(3, 11, ()), {"foot_picked_up": {"seat": 3, "count": 11}}),
        (PartnerAsked(1), {"partner_asked": {"seat": 1}}),
        (PartnerAnswered(3, True), {"partner_answered": {"seat": 3, "agree": True}}),
        (CardDiscarded(0, Card(0)), {"card_discarded": {"seat": 0, "card": 1}}),
        (TurnPassed(2), {"turn_passed": {"seat": 2}}),
        (
            RoundEnded(0, (RoundScore(books=500, leftover=-20), RoundScore())),
            {"round_ended": {"went_out": 0, "scores": [{"books": 500, "leftover": -20, "total": 480}, {}]}},
        ),
        (RoundEnded(None, ()), {"round_ended": {}}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_events_say_what_happened(event: object, expected: dict[str, object]) -> None:
    """Every field of every event arrives; cards count from 1, and an absent seat or card stays absent."""
    assert EventMessage.FromString(encode_event(event, 300)) == EventMessage(number=300, **expected)


def test_a_round_trip_is_written_where_there_is_one() -> None:
    """Nought is a time; none is none."""
    match, _ = begin_match(ONLINE, 4, keys(ONLINE))
    for told in (None, 0, 300, 2**32 - 1):
        data = Scribe(4).request("t", Ask(0, 1, 0, CLOCK), match, list_actions=False, round_trip_us=told)
        [request] = PlayResponse.FromString(data).requests
        assert (request.round_trip_us if request.HasField("round_trip_us") else None) == told


def test_numbers_of_any_size_are_packed() -> None:
    """Many cards in a holding, a high total and a loss are said as they are."""
    match, _ = begin_match(ONLINE, 4, keys(ONLINE))
    seen = observe(match.state, 0, (70_000, -3_000))._replace(
        holding_sizes=(127, 128, 300, 0),
        opening_ranks=(0, 1, 2**14, 5),
        pile=tuple(Card(number % 54) for number in range(300)),
        agreed=False,
    )
    public = ObservationMessage.FromString(encode_observation(seen, b"")).public
    assert list(public.totals) == [70_000, -3_000]
    assert list(public.holding_sizes) == [127, 128, 300, 0]
    assert list(public.opening_ranks) == [0, 2, 2**15, 10]
    assert len(public.pile) == 300
    assert public.HasField("agreed")


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
    from referee.service.codec import requests

    match, events = begin_match(ONLINE, 4, keys(ONLINE))
    events += play(match, DRAW_STOCK)
    assert match.state.phase is Phase.PLAY
    listed = list(legal_actions(match.state))
    for limit, complete in ((len(listed), True), (len(listed) - 1, False)):
        monkeypatch.setattr(requests, "MAX_LEGAL_ACTIONS", limit)
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
