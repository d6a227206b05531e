"""
Bots that search: they import the engine, sample the cards they do not see, and play the round out in process.

`reading` turns what a seat was sent into values of `referee.rules`, `memory` keeps what it has seen of others' cards,
`worlds` samples complete states that agree with both, `playouts` plays them on. What an author needs is exported here.
"""

from referee.bots.memory import Memory
from referee.bots.playouts import play_out, play_turn
from referee.bots.reading import read_events, read_observation, write_action
from referee.bots.rulesets import read_ruleset
from referee.bots.worlds import Worlds, sample_world

__all__ = [
    "Memory",
    "Worlds",
    "play_out",
    "play_turn",
    "read_events",
    "read_observation",
    "read_ruleset",
    "sample_world",
    "write_action",
]
