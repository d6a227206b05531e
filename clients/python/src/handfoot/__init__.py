"""
Write a bot for the card game Hand and Foot.

    from handfoot import Bot

    class MyBot(Bot):
        def act(self, view):
            return self.rng.choice(view.legal_actions)

``python -m handfoot my_bot:MyBot`` plays it at the referee that the environment names.
"""

import os

from handfoot.actions import (
    answer,
    ask_partner,
    discard,
    draw_stock,
    format_action,
    lay_down,
    lay_off,
    new_meld,
    parse_action,
    pass_turn,
    take_pile,
)
from handfoot.bot import Bot
from handfoot.cards import (
    ACE,
    BLACK_THREE,
    CARDS,
    JOKER,
    NATURAL_RANKS,
    RANK_OF,
    RED_THREE,
    TWO,
    Card,
    Rank,
    format_card,
    format_cards,
    format_rank,
    is_wild,
    parse_card,
    parse_cards,
    points_by_card,
)
from handfoot.errors import (
    Disconnected,
    HandfootError,
    InvalidBot,
    InvalidNotation,
    MissingAddress,
    StreamLost,
)
from handfoot.v1.action_pb2 import Action, MeldEntry
from handfoot.v1.event_pb2 import Event
from handfoot.v1.observation_pb2 import PHASE_ANSWER, PHASE_DRAW, PHASE_PLAY
from handfoot.v1.referee_service_pb2 import MatchEnded, Refusal, Seated
from handfoot.v1.ruleset_pb2 import Ruleset
from handfoot.view import BOOK, Meld, View

# gRPC without its event engine: a message costs a fifth less. It looks at this once, when it is imported.
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener")

__all__ = [
    "ACE",
    "BLACK_THREE",
    "BOOK",
    "CARDS",
    "JOKER",
    "NATURAL_RANKS",
    "PHASE_ANSWER",
    "PHASE_DRAW",
    "PHASE_PLAY",
    "RANK_OF",
    "RED_THREE",
    "TWO",
    "Action",
    "Bot",
    "Card",
    "Disconnected",
    "Event",
    "HandfootError",
    "InvalidBot",
    "InvalidNotation",
    "MatchEnded",
    "Meld",
    "MeldEntry",
    "MissingAddress",
    "Rank",
    "Refusal",
    "Ruleset",
    "Seated",
    "StreamLost",
    "View",
    "answer",
    "ask_partner",
    "discard",
    "draw_stock",
    "format_action",
    "format_card",
    "format_cards",
    "format_rank",
    "is_wild",
    "lay_down",
    "lay_off",
    "new_meld",
    "parse_action",
    "parse_card",
    "parse_cards",
    "pass_turn",
    "points_by_card",
    "take_pile",
]
