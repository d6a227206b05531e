"""
The errors of leagues and scrimmages, as a person at a terminal reads them.

    TournamentError           anything that ends a command: one line, sometimes with indented lines below it
    ├─ InvalidEntrant         not a bot, or a bot whose description is wrong: its author acts
    ├─ InvalidLeague          not a league, or one with wrong settings or of a newer version: the organiser acts
    ├─ DidNotShow             a bot did not get ready: its author acts; shows what the bot said last
    └─ EngineFailed           the machinery itself broke: no bot is to blame
"""


class TournamentError(Exception):
    """
    Say what could not be done, why, what was found and what was expected, in that order.

    >>> print(TournamentError("invalid seed", "it is negative", got=-1, expected="a whole number from 0"))
    invalid seed: it is negative; got -1; expected a whole number from 0
    """

    def __init__(
        self,
        what: str,
        reason: str | None = None,
        *,
        got: object = None,
        expected: str | None = None,
        details: tuple[str, ...] = (),
    ) -> None:
        parts = [what if reason is None else f"{what}: {reason}"]
        parts += [] if got is None else [f"got {got!r}"]
        parts += [] if expected is None else [f"expected {expected}"]
        super().__init__("\n".join(["; ".join(parts), *(f"  {line}" for line in details)]))


class InvalidEntrant(TournamentError):
    """A bot that is unknown, or whose folder or description is wrong."""


class InvalidLeague(TournamentError):
    """A folder that is not a league, or a league that cannot be read."""


class DidNotShow(TournamentError):
    """A bot that never got ready to play."""


class EngineFailed(TournamentError):
    """A unit that could not be played for reasons that no bot is to blame for."""
