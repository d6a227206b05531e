"""Who may see each field of what the referee sends. A field that is not listed here must not be sent."""

from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import Final

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from handfoot.v1.referee_service_pb2 import PlayResponse


class Audience(Enum):
    """Who may see a field."""

    EVERYBODY = "everybody at the table: it lies face up, was said aloud, or is a rule"
    SEAT = "the seat alone that the message around it names"
    BOT = "the bot alone, about its own stream and its own messages"


EVERYBODY, SEAT, BOT = Audience


def fields(**names: str) -> dict[str, Audience]:
    """Return who may see the fields of a message, from their names by audience."""
    audiences = {"everybody": EVERYBODY, "seat": SEAT, "bot": BOT}
    return {name: audiences[audience] for audience, listed in names.items() for name in listed.split()}


AUDIENCES: Final = {
    # What happened, as it is told to a seat.
    "Event": fields(
        everybody="number round_started cards_drawn pile_taken red_three_laid cards_melded foot_picked_up "
        "partner_asked partner_answered card_discarded turn_passed round_ended"
    ),
    "RoundStarted": fields(everybody="round first_seat upcard rejected_upcards"),
    "CardsDrawn": fields(everybody="seat count", seat="cards"),
    "PileTaken": fields(everybody="seat cards"),
    "RedThreeLaid": fields(everybody="seat card"),
    "CardsMelded": fields(everybody="seat meld cards size"),
    "FootPickedUp": fields(everybody="seat count", seat="cards"),
    "PartnerAsked": fields(everybody="seat"),
    "PartnerAnswered": fields(everybody="seat agree"),
    "CardDiscarded": fields(everybody="seat card"),
    "TurnPassed": fields(everybody="seat"),
    "RoundEnded": fields(everybody="went_out scores"),
    "RoundScore": fields(
        everybody="books melded_cards going_out red_table red_unplaced leftover black_threes red_from_opponents "
        "red_from_partner received_cards red_held_stock_out total"
    ),
    # How it looks just now, and what the seat may do.
    "DecisionRequest": fields(
        bot="table_id seat request_id round_trip_us",
        seat="observation events clock legal_actions legal_actions_complete",
    ),
    "Observation": fields(everybody="public", seat="private"),
    "PublicObservation": fields(
        everybody="round turn phase totals stock pile opening_minimum holding_sizes foot_sizes played_from_foot "
        "opened meld_sides meld_ranks meld_sizes meld_cards red_threes asked agreed opening_ranks"
    ),
    "PrivateObservation": fields(seat="seat holding"),
    "Clock": fields(seat="turn_limit_ms bank_ms used_ms"),
    "Action": fields(seat="draw_stock take_pile lay_down ask_partner answer_partner discard pass_turn"),
    "DrawStock": {},
    "TakePile": fields(seat="count melds"),
    "LayDown": fields(seat="melds"),
    "MeldEntry": fields(seat="target cards"),
    "AskPartner": {},
    "AnswerPartner": fields(seat="agree"),
    "Discard": fields(seat="card"),
    "PassTurn": {},
    # What goes on between the referee and one bot.
    "PlayResponse": fields(bot="welcome seated refusals requests ended"),
    "Welcome": fields(bot="session_id protocol_version max_message_bytes max_legal_actions"),
    "Seated": fields(bot="table_id seat", seat="clock bot_seed", everybody="seats sides ruleset"),
    "Refusal": fields(bot="table_id seat request_id fault index clause reason corrections_left count"),
    "MatchEnded": fields(bot="table_id seat", seat="result events"),
    "MatchResult": fields(everybody="termination totals winners forfeited", seat="reason"),
    # The rules.
    "Ruleset": fields(
        everybody="name hash packs hand_size foot_size upcard start rounds target red_threes draw_count pile "
        "books_grow max_wilds wild_melds opening_minimums opening_unit opening_excludes_partner_ranks "
        "clean_books_needed clean_book_ranks_needed dirty_books_needed wild_books_needed "
        "partner_must_have_played_foot permission final_discard card_points scores"
    ),
    "PileRule": fields(everybody="allowed limit choice wild_upcard opening_counts_upcard_meld_only"),
    "ScoreRule": fields(
        everybody="clean_book dirty_book wild_book going_out melded_cards red_three_laid red_three_laid_unmelded "
        "red_three_unplaced leftover leftover_black_three red_three_from_opponent red_three_from_partner "
        "red_three_held_at_stock_out"
    ),
}
"""Every message that the referee sends, and who may see each of its fields."""


def sent_messages() -> dict[str, Descriptor]:
    """Return every message that the referee can send, by name."""
    found: dict[str, Descriptor] = {}
    waiting = [PlayResponse.DESCRIPTOR]
    while waiting:
        message = waiting.pop()
        if message.name not in found:
            found[message.name] = message
            waiting += [field.message_type for field in message.fields if field.message_type is not None]
    return found


@cache
def names_a_seat(message: Descriptor) -> bool:
    """Return whether *message*, or one in it, says which seat it is about."""
    if "seat" in message.fields_by_name:
        return True
    parts = (field.message_type for field in message.fields)
    return any(part is not None and names_a_seat(part) for part in parts)


def walk(message: Message, seat: int | None = None) -> Iterator[tuple[str, str, int | None]]:
    """
    Yield message and field of all that is set in *message* and in its parts, with the seat that it is about.

    That is the seat which the innermost message around it names. Parts in which no seat is named are left out.
    """
    described = message.DESCRIPTOR
    if "seat" in described.fields_by_name:
        seat = message.seat  # type: ignore[attr-defined]
    for field, value in message.ListFields():
        yield described.name, field.name, seat
        if field.message_type is not None and names_a_seat(field.message_type):
            for part in value if field.is_repeated else [value]:
                yield from walk(part, seat)
