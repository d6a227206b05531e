"""
The errors of the SDK. Texts are one line and say what is wrong, what was found and what was expected.

    HandfootError
    ├─ InvalidNotation      a text that is not a card or an action: the caller is wrong
    ├─ InvalidBot           a class that is no bot, or an answer that is no action: the author is wrong
    ├─ MissingAddress       the environment does not say where the referee is, or with which token to come
    └─ Disconnected         the referee was not reached, refused the bot, or was lost for good
       └─ StreamLost        the stream broke; coming back with the session may still work
"""


class HandfootError(Exception):
    """Anything that the SDK refuses or cannot do."""


class InvalidNotation(HandfootError):
    """A text that is not a card or an action."""


class InvalidBot(HandfootError):
    """A class that is no bot, or a bot that answers with something that is no action."""


class MissingAddress(HandfootError):
    """No usable address, token or certificate of the referee."""


class Disconnected(HandfootError):
    """The referee was not reached, refused the bot, or was lost and did not come back."""


class StreamLost(Disconnected):
    """A stream that broke although nobody ended it."""
