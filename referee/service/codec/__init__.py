"""
Between the rules and the protocol: the only place that knows both.

`requests` and `events` write what a seat hears at each decision, `messages` and `rulesets` what the referee sends
beside, and `decoding` reads what bots send, strictly.
"""

from referee.service.codec.decoding import answer_about, read_actions, read_envelope
from referee.service.codec.events import Ledger, encode_event
from referee.service.codec.messages import PROTOCOL_VERSION, add_ended, add_refusal, add_seated, add_welcome
from referee.service.codec.requests import (
    MAX_LEGAL_ACTIONS,
    Scribe,
    encode_action,
    encode_clock,
    encode_melds,
    encode_observation,
)
from referee.service.codec.rulesets import write_ruleset

__all__ = [
    "MAX_LEGAL_ACTIONS",
    "PROTOCOL_VERSION",
    "Ledger",
    "Scribe",
    "add_ended",
    "add_refusal",
    "add_seated",
    "add_welcome",
    "answer_about",
    "encode_action",
    "encode_clock",
    "encode_event",
    "encode_melds",
    "encode_observation",
    "read_actions",
    "read_envelope",
    "write_ruleset",
]
