"""The events of a match, each written once and handed to every seat as it may see it."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

from handfoot.v1 import event_pb2, result_pb2

from referee.rules import (
    Card,
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
    RoundScore,
    RoundStarted,
    TurnPassed,
)
from referee.service.codec.wire import VARINTS, delimit, form, pack_cards, tag, varint

_PRIVATE: Final = (CardsDrawn, FootPickedUp)
"""Events whose cards only the seat itself sees."""


class Ledger:
    """The events of one match as each seat hears them."""

    def __init__(self, seats: int) -> None:
        self._heard: list[list[bytes]] = [[] for _ in range(seats)]

    def take(self, events: Sequence[Event]) -> None:
        """Write those of *events*, all events of the match so far, that are new."""
        known = len(self._heard[0])
        for number, event in enumerate(events[known:], known + 1):
            head = _NUMBER + varint(number)
            written = delimit(head + _write(event))
            if not isinstance(event, _PRIVATE):
                for heard in self._heard:
                    heard.append(written)
                continue
            hidden = delimit(head + _write_hidden(isinstance(event, FootPickedUp), event.seat, event.count))
            for seat, heard in enumerate(self._heard):
                heard.append(written if seat == event.seat else hidden)

    def after(self, seat: int, heard: int, field: bytes, until: int | None = None) -> bytes:
        """
        Return what *seat* may know of the events after the first *heard*, each behind the tag *field*.

        With *until* those after that many are left out: they happened when the match was over for the seat.
        """
        events = self._heard[seat][heard:until]
        return field + field.join(events) if events else b""


def encode_event(event: Event, number: int) -> bytes:
    """Return *event*, already as its reader may see it, as the bytes of the Event *number*."""
    return _NUMBER + varint(number) + _write(event)


def _write(event: Event) -> bytes:
    """Return the field of an Event that *event* is."""
    kind, encode = _KINDS[type(event)]
    return kind + delimit(encode(event))


@lru_cache(1024)
def _write_hidden(foot: bool, seat: int, count: int) -> bytes:
    """Return the field of an Event that tells others that *seat* got so many cards, its *foot* or drawn ones."""
    return _write((FootPickedUp if foot else CardsDrawn)(seat, count, ()))


def _encode_round_started(event: RoundStarted) -> bytes:
    begun = _ROUND_STARTED % (varint(event.round), varint(event.first_seat), pack_cards(event.rejected))
    return begun if event.upcard is None else begun + _UPCARD + varint(event.upcard + 1)


def _encode_drawn(event: CardsDrawn) -> bytes:
    return _DRAWN % (VARINTS[event.seat], varint(event.count), pack_cards(event.cards))


def _encode_foot(event: FootPickedUp) -> bytes:
    return _FOOT % (VARINTS[event.seat], varint(event.count), pack_cards(event.cards))


def _encode_taken(event: PileTaken) -> bytes:
    return _TAKEN % (VARINTS[event.seat], pack_cards(event.cards))


def _encode_red_three(event: RedThreeLaid) -> bytes:
    return _RED_THREE % (VARINTS[event.seat], VARINTS[event.card + 1])


def _encode_melded(event: CardsMelded) -> bytes:
    return _MELDED % (VARINTS[event.seat], varint(event.meld), pack_cards(event.cards), varint(event.size))


def _encode_asked(event: PartnerAsked) -> bytes:
    return _ASKED % VARINTS[event.seat]


def _encode_answered(event: PartnerAnswered) -> bytes:
    return _ANSWERED % (VARINTS[event.seat], VARINTS[event.agree])


def _encode_discarded(event: CardDiscarded) -> bytes:
    return _write_discard(event.seat, event.card)


@lru_cache(1024)
def _write_discard(seat: int, card: Card) -> bytes:
    return _DISCARDED % (VARINTS[seat], VARINTS[card + 1])


def _encode_passed(event: TurnPassed) -> bytes:
    return _PASSED % VARINTS[event.seat]


def _encode_round_ended(event: RoundEnded) -> bytes:
    message = event_pb2.RoundEnded(
        went_out=event.went_out, scores=[write_score(score) for score in event.scores]
    )
    return message.SerializeToString()


def write_score(score: RoundScore) -> result_pb2.RoundScore:
    """Return the score of one side in one round."""
    return result_pb2.RoundScore(
        books=score.books,
        melded_cards=score.melded_cards,
        going_out=score.going_out,
        red_table=score.red_table,
        red_unplaced=score.red_unplaced,
        leftover=score.leftover,
        black_threes=score.black_threes,
        red_from_opponents=score.red_from_opponents,
        red_from_partner=score.red_from_partner,
        received_cards=score.received_cards,
        red_held_stock_out=score.red_held_stock_out,
        total=score.total,
    )


_NUMBER: Final = tag(event_pb2.Event, "number")
_ROUND_STARTED: Final = form(event_pb2.RoundStarted, "round", "first_seat", "rejected_upcards")
_UPCARD: Final = tag(event_pb2.RoundStarted, "upcard")
_DRAWN: Final = form(event_pb2.CardsDrawn, "seat", "count", "cards")
_FOOT: Final = form(event_pb2.FootPickedUp, "seat", "count", "cards")
_TAKEN: Final = form(event_pb2.PileTaken, "seat", "cards")
_RED_THREE: Final = form(event_pb2.RedThreeLaid, "seat", "card")
_MELDED: Final = form(event_pb2.CardsMelded, "seat", "meld", "cards", "size")
_ASKED: Final = form(event_pb2.PartnerAsked, "seat")
_ANSWERED: Final = form(event_pb2.PartnerAnswered, "seat", "agree")
_DISCARDED: Final = form(event_pb2.CardDiscarded, "seat", "card")
_PASSED: Final = form(event_pb2.TurnPassed, "seat")


def _kind(field: str, encode: Callable[[Any], bytes]) -> tuple[bytes, Callable[[Any], bytes]]:
    return tag(event_pb2.Event, field), encode


_KINDS: Final[dict[type, tuple[bytes, Callable[[Any], bytes]]]] = {
    RoundStarted: _kind("round_started", _encode_round_started),
    CardsDrawn: _kind("cards_drawn", _encode_drawn),
    PileTaken: _kind("pile_taken", _encode_taken),
    RedThreeLaid: _kind("red_three_laid", _encode_red_three),
    CardsMelded: _kind("cards_melded", _encode_melded),
    FootPickedUp: _kind("foot_picked_up", _encode_foot),
    PartnerAsked: _kind("partner_asked", _encode_asked),
    PartnerAnswered: _kind("partner_answered", _encode_answered),
    CardDiscarded: _kind("card_discarded", _encode_discarded),
    TurnPassed: _kind("turn_passed", _encode_passed),
    RoundEnded: _kind("round_ended", _encode_round_ended),
}
