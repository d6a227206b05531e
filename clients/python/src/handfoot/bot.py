"""
What a bot author writes: a class with one method. How it is asked over the wire is not its concern.
"""

import random
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from handfoot.v1.action_pb2 import Action
from handfoot.v1.referee_service_pb2 import MatchEnded, Refusal, Seated
from handfoot.view import View


class Bot(ABC):
    """
    A bot: subclass it, write `act`, and play it with ``python -m handfoot my_bot:MyBot``.

    Each match gets an instance of its own, made without arguments when the seat is given out, so nothing
    carries over from one match to the next unless the author keeps it in the class.
    """

    name: ClassVar[str] = ""
    """What the bot calls itself, as in its `bot.toml`; nothing where empty."""

    version: ClassVar[str] = "0"
    """The version, as in its `bot.toml`; ``0`` where the bot does not say."""

    wants_legal_actions: ClassVar[bool] = True
    """Whether each request shall list the legal actions; without them requests are smaller."""

    tables: ClassVar[int] = 1
    """How many matches one process may play at once."""

    rng: random.Random
    """Randomness of this match, made from the seed that the referee gives: what uses it can be replayed."""

    @abstractmethod
    def act(self, view: View) -> Action | Sequence[Action]:
        """
        Return what to do now: one action, or several to be applied in order.

        The referee applies them until the turn is over or something new becomes known (a drawn card, a foot,
        the partner's answer), drops the rest and asks again.
        """

    def on_start(self, match: Seated) -> None:  # noqa: B027 (an author may leave it out)
        """Get ready for *match*, which has the seat and the ruleset; no clock runs yet, `rng` is there."""

    def on_refused(self, refusal: Refusal) -> None:
        """
        Learn that an answer was refused; `act` is called again for the same request next.

        Unless overridden, the reason goes to standard error, where the referee keeps it for the author.
        """
        print(f"refused: {refusal.reason}; request {refusal.request_id}", file=sys.stderr)

    def on_end(self, ended: MatchEnded) -> None:  # noqa: B027 (an author may leave it out)
        """Learn how the match ended; this instance is not called again."""
