"""
Between the rules and the protocol: the only place that knows both.

`encoding` writes what the referee sends, `rulesets` the ruleset in it, and `decoding` reads what bots send, strictly.
"""

from referee.service.codec.decoding import read_actions, read_envelope
from referee.service.codec.encoding import (
    MAX_LEGAL_ACTIONS,
    PROTOCOL_VERSION,
    Ledger,
    add_ended,
    add_refusal,
    add_request,
    add_seated,
    add_welcome,
    write_action,
    write_event,
    write_observation,
    write_score,
)
from referee.service.codec.rulesets import write_ruleset

__all__ = [
    "MAX_LEGAL_ACTIONS",
    "PROTOCOL_VERSION",
    "Ledger",
    "add_ended",
    "add_refusal",
    "add_request",
    "add_seated",
    "add_welcome",
    "read_actions",
    "read_envelope",
    "write_action",
    "write_event",
    "write_observation",
    "write_ruleset",
    "write_score",
]
