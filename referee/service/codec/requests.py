"""Requests for a decision: the observation, the events and the legal actions of a seat, as bytes."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain, islice
from operator import add
from typing import Any, Final

from handfoot.v1 import action_pb2, observation_pb2, referee_service_pb2

from referee.rules import (
    Action,
    AnswerPartner,
    AskPartner,
    Discard,
    DrawStock,
    Entry,
    LayDown,
    MatchState,
    Meld,
    Observation,
    Pass,
    TakePile,
    legal_actions,
    observe,
)
from referee.rules.actions import DISCARDS
from referee.service.clock import Reading
from referee.service.codec.events import Ledger
from referee.service.codec.wire import VARINTS, delimit, form, pack, pack_cards, tag, varint, zigzag
from referee.service.effects import Ask

MAX_LEGAL_ACTIONS: Final = 1000
"""The most legal actions that a request lists."""

_BITS: Final = (varint(0), varint(1))


_SEEN: Final = form(observation_pb2.Observation, "public", "private")
_OWN: Final = form(observation_pb2.PrivateObservation, "seat", "holding")
_PUBLIC: Final = (
    form(
        observation_pb2.PublicObservation,
        *("round", "turn", "phase", "totals", "stock", "pile", "opening_minimum", "holding_sizes"),
    )
    + b"%b"
)
_SEATS: Final = form(
    observation_pb2.PublicObservation,
    *("foot_sizes", "played_from_foot", "opened", "red_threes", "asked", "opening_ranks"),
)
_MELDS: Final = form(
    observation_pb2.PublicObservation, "meld_sides", "meld_ranks", "meld_sizes", "meld_cards"
)
_AGREED: Final = form(observation_pb2.PublicObservation, "agreed")
_CLOCK: Final = form(referee_service_pb2.Clock, "turn_limit_ms", "bank_ms", "used_ms")
_ASKED: Final = form(
    referee_service_pb2.DecisionRequest, "table_id", "seat", "request_id", "observation", "clock"
)
_ROUND_TRIP: Final = tag(referee_service_pb2.DecisionRequest, "round_trip_us")
_EVENTS: Final = tag(referee_service_pb2.DecisionRequest, "events")
_LISTED: Final = tag(referee_service_pb2.DecisionRequest, "legal_actions")
_COMPLETE: Final = form(referee_service_pb2.DecisionRequest, "legal_actions_complete")
_REQUEST: Final = tag(referee_service_pb2.PlayResponse, "requests")


class Scribe:
    """Writes the requests of one match; what did not change since the last one is not written anew."""

    def __init__(self, seats: int) -> None:
        self.ledger = Ledger(seats)
        self._melds: tuple[Meld, ...] = ()
        self._written = b""

    def request(
        self,
        table_id: str,
        ask: Ask,
        match: MatchState,
        *,
        list_actions: bool,
        round_trip_us: int | None = None,
    ) -> bytes:
        """Return the request that *ask* stands for, at the match as it stands, as a field of a PlayResponse."""
        seen = observe(match.state, ask.seat, match.totals)
        if seen.melds != self._melds:
            self._melds, self._written = seen.melds, encode_melds(seen.melds)
        asked = _ASKED % (
            _write_name(table_id),
            VARINTS[ask.seat],
            varint(ask.request_id),
            delimit(encode_observation(seen, self._written)),
            _write_clock(*ask.clock),
        )
        asked += self.ledger.after(ask.seat, ask.heard, _EVENTS)
        if round_trip_us is not None:
            asked += _ROUND_TRIP + varint(round_trip_us)
        return _REQUEST + delimit(asked + _list_actions(match) if list_actions else asked)


def _list_actions(match: MatchState) -> bytes:
    actions = iter(legal_actions(match.state))
    listed = [delimit(encode_action(action)) for action in islice(actions, MAX_LEGAL_ACTIONS)]
    complete = _COMPLETE % _BITS[next(actions, None) is None]
    return _LISTED + _LISTED.join(listed) + complete


def encode_clock(reading: Reading) -> bytes:
    """Return *reading* as the bytes of a Clock."""
    return _CLOCK % tuple(map(varint, reading))


@lru_cache(256)
def _write_clock(turn_limit_ms: int, bank_ms: int, used_ms: int) -> bytes:
    return delimit(encode_clock(Reading(turn_limit_ms, bank_ms, used_ms)))


@lru_cache(1024)
def _write_name(table_id: str) -> bytes:
    return delimit(table_id.encode())


# ---------------------------------------------------------------------- what a seat sees


def encode_observation(seen: Observation, melds: bytes) -> bytes:
    """Return *seen* as the bytes of an Observation; *melds* is what `encode_melds` made of its melds."""
    own = _OWN % (VARINTS[seen.seat], pack_cards(seen.holding))
    return _SEEN % (delimit(_encode_public(seen) + melds), delimit(own))


def _encode_public(seen: Observation) -> bytes:
    public = _PUBLIC % (
        VARINTS[seen.round],
        VARINTS[seen.turn],
        VARINTS[seen.phase],
        _pack_totals(seen.totals),
        varint(seen.stock),
        pack_cards(seen.pile),
        varint(seen.opening_minimum),
        pack(seen.holding_sizes),
        _write_seats(
            seen.foot_sizes,
            seen.played_from_foot,
            seen.opened,
            seen.red_threes,
            seen.asked,
            seen.opening_ranks,
        ),
    )
    return public if seen.agreed is None else public + _AGREED % _BITS[seen.agreed]


@lru_cache(4096)
def _write_seats(
    foot_sizes: tuple[int, ...],
    played_from_foot: tuple[bool, ...],
    opened: tuple[bool, ...],
    red_threes: tuple[int, ...],
    asked: bool,
    opening_ranks: tuple[int, ...],
) -> bytes:
    """Return the fields of a PublicObservation that seldom change."""
    return _SEATS % (
        pack(foot_sizes),
        pack(played_from_foot),
        pack(opened),
        pack(red_threes),
        _BITS[asked],
        pack([bits << 1 for bits in opening_ranks]),  # ranks count from 1 there
    )


def encode_melds(melds: tuple[Meld, ...]) -> bytes:
    """Return *melds* as the bytes of the fields of a PublicObservation that tell of them."""
    if not melds:
        return b""
    sides, ranks, naturals, wilds, cards = zip(*melds, strict=True)
    return _MELDS % (
        pack(sides),
        pack_cards(ranks),
        pack(list(map(add, naturals, wilds))),
        pack_cards(chain.from_iterable(cards)),
    )


@lru_cache(1024)
def _pack_totals(totals: tuple[int, ...]) -> bytes:
    return pack([zigzag(total) for total in totals])


# ---------------------------------------------------------------------- actions


def encode_action(action: Action) -> bytes:
    """Return *action* as the bytes of an Action."""
    return _ACTIONS[type(action)](action)


def _encode_take(action: TakePile) -> bytes:
    return _TAKE % delimit(_COUNT + varint(action.count) + _encode_entries(_TAKE_MELDS, action.melds))


def _encode_lay_down(action: LayDown) -> bytes:
    return _LAY_DOWN % delimit(_encode_entries(_LAY_DOWN_MELDS, action.melds))


def _encode_entries(before: bytes, entries: Iterable[Entry]) -> bytes:
    return before + before.join([_encode_entry(entry) for entry in entries])


def _encode_entry(entry: Entry) -> bytes:
    cards = _CARDS + pack_cards(entry.cards)
    return delimit(cards if entry.target is None else _TARGET + varint(entry.target) + cards)


_TAKE: Final = form(action_pb2.Action, "take_pile")
_COUNT: Final = tag(action_pb2.TakePile, "count")
_TAKE_MELDS: Final = tag(action_pb2.TakePile, "melds")
_LAY_DOWN: Final = form(action_pb2.Action, "lay_down")
_LAY_DOWN_MELDS: Final = tag(action_pb2.LayDown, "melds")
_CARDS: Final = tag(action_pb2.MeldEntry, "cards")
_TARGET: Final = tag(action_pb2.MeldEntry, "target")
_ANSWERS: Final = tuple(
    tag(action_pb2.Action, "answer_partner") + delimit(tag(action_pb2.AnswerPartner, "agree") + bit)
    for bit in _BITS
)
_DISCARDS: Final = tuple(
    tag(action_pb2.Action, "discard") + delimit(tag(action_pb2.Discard, "card") + varint(discard.card + 1))
    for discard in DISCARDS
)
_DRAW_STOCK: Final = tag(action_pb2.Action, "draw_stock") + delimit(b"")
_ASK_PARTNER: Final = tag(action_pb2.Action, "ask_partner") + delimit(b"")
_PASS: Final = tag(action_pb2.Action, "pass_turn") + delimit(b"")

_ACTIONS: Final[dict[type, Callable[[Any], bytes]]] = {
    DrawStock: lambda action: _DRAW_STOCK,
    TakePile: _encode_take,
    LayDown: _encode_lay_down,
    AskPartner: lambda action: _ASK_PARTNER,
    AnswerPartner: lambda action: _ANSWERS[action.agree],
    Discard: lambda action: _DISCARDS[action.card],
    Pass: lambda action: _PASS,
}
