"""What the referee sends beside requests: welcomes, seats, refusals and results, added to a PlayResponse."""

from typing import Final

from handfoot.v1 import referee_service_pb2, result_pb2

from referee.service.clock import Reading
from referee.service.codec.events import Ledger
from referee.service.codec.requests import MAX_LEGAL_ACTIONS, encode_clock
from referee.service.codec.rulesets import write_ruleset
from referee.service.codec.wire import tag
from referee.service.effects import Finish, Refuse
from referee.service.reports import MatchSpec, Termination

PROTOCOL_VERSION: Final = 1
"""The version of the protocol that the referee speaks."""

_TERMINATION: Final[dict[Termination, result_pb2.Termination.ValueType]] = {
    "played": result_pb2.TERMINATION_PLAYED,
    "forfeit": result_pb2.TERMINATION_FORFEIT,
    "double_forfeit": result_pb2.TERMINATION_DOUBLE_FORFEIT,
    "no_show": result_pb2.TERMINATION_VOID,
    "void": result_pb2.TERMINATION_VOID,
}

_FAULT: Final = {
    "illegal": referee_service_pb2.Refusal.FAULT_ILLEGAL,
    "protocol": referee_service_pb2.Refusal.FAULT_PROTOCOL,
}

_EVENTS: Final = tag(referee_service_pb2.MatchEnded, "events")


def add_welcome(response: referee_service_pb2.PlayResponse, session_id: str, max_message_bytes: int) -> None:
    """Add to *response* the answer to a hello."""
    response.welcome.session_id = session_id
    response.welcome.protocol_version = PROTOCOL_VERSION
    response.welcome.max_message_bytes = max_message_bytes
    response.welcome.max_legal_actions = MAX_LEGAL_ACTIONS


def add_seated(
    response: referee_service_pb2.PlayResponse, table_id: str, seat: int, spec: MatchSpec, clock: Reading
) -> None:
    """Add to *response* that a seat was given."""
    seated = response.seated.add(
        table_id=table_id,
        seat=seat,
        seats=spec.seats,
        sides=spec.ruleset.sides(spec.seats),
        bot_seed=spec.bot_seeds[seat],
    )
    seated.ruleset.CopyFrom(write_ruleset(spec.ruleset, spec.seats))
    seated.clock.ParseFromString(encode_clock(clock))


def add_refusal(response: referee_service_pb2.PlayResponse, table_id: str, refusal: Refuse) -> None:
    """Add to *response* that something was refused; *table_id* is empty where it concerns no table."""
    response.refusals.add(
        table_id=table_id,
        seat=refusal.seat,
        request_id=refusal.request_id,
        fault=_FAULT[refusal.fault],
        index=refusal.index,
        clause=refusal.clause,
        reason=refusal.reason,
        corrections_left=refusal.corrections_left,
        count=refusal.count,
    )


def add_ended(
    response: referee_service_pb2.PlayResponse, table_id: str, finish: Finish, ledger: Ledger
) -> None:
    """Add to *response* that the match is over for a seat, with the events that it has not heard."""
    ended = response.ended.add(table_id=table_id, seat=finish.seat)
    ended.MergeFromString(ledger.after(finish.seat, finish.heard, _EVENTS, finish.until))
    ended.result.termination = _TERMINATION[finish.termination]
    ended.result.totals.extend(finish.totals)
    ended.result.winners.extend(finish.winners)
    if finish.forfeited is not None:
        ended.result.forfeited = finish.forfeited
    ended.result.reason = finish.reason
