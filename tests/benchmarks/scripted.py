"""
A bot that plays what is written: it costs what the SDK costs and no thinking.

Run by the referee as a process: the file with what is written, and at how many tables it plays at once.
"""

import os
import pickle
import sys
from pathlib import Path

from handfoot import Action, Bot, View
from handfoot.loop import run
from handfoot.play import play
from handfoot.session import Introduction, Session
from handfoot.transport import GrpcTransport, find_referee
from handfoot.v1.referee_service_pb2 import Seated

SCRIPTS: dict[int, list[Action]] = {}
"""By the seed that the referee gives to a seat of a match: what it does, in order."""


class ScriptedBot(Bot):
    """Plays the match that its seed stands for."""

    def on_start(self, match: Seated) -> None:
        """Find the script."""
        self.actions = iter(SCRIPTS[match.bot_seed])

    def act(self, view: View) -> Action:
        """Return what comes next in it."""
        return next(self.actions)


def main() -> None:
    """Read the scripts and play."""
    written = pickle.loads(Path(sys.argv[1]).read_bytes())
    for seed, actions in written.items():
        SCRIPTS[seed] = [Action.FromString(action) for action in actions]
    address = find_referee(os.environ)
    introduction = Introduction("scripted", "1", legal_actions=sys.argv[2] == "listed", tables=64)
    session = Session(ScriptedBot, introduction, address.token)
    run(play(session, lambda: GrpcTransport(address)))


if __name__ == "__main__":
    main()
