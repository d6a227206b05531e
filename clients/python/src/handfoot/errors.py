"""
The errors of the SDK. Texts are one line and say what is wrong, what was found and what was expected.

    HandfootError
    ├─ InvalidNotation      a text that is not a card or an action: the caller is wrong
    ├─ InvalidBot           MODULE:CLASS leads to no bot, or the bot answered with something that is no action
    ├─ MissingAddress       the environment does not say where the referee is, or with which token to come
    └─ Disconnected         the referee could not be reached, refused the bot, or was lost for good
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
    """The stream to the referee could not be opened, or was lost and did not come back."""
