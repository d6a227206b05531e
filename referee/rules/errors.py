"""
The errors of the rules. Texts say what, why and where, and never hold a card that the reader may not see.

    RulesError
    ├─ InvalidNotation      not a card or an action at all: the client is broken
    ├─ InvalidRuleset       an unknown name, key or an impossible combination: the operator is wrong
    ├─ InvalidRecord        a record that does not replay to what it says
    └─ IllegalAction        understood, not allowed here: the bot played wrongly; carries .clause and .reason
"""

from dataclasses import dataclass


class RulesError(Exception):
    """Anything that the rules refuse."""


class InvalidNotation(RulesError):
    """A text or message that is not a card or an action."""


class InvalidRuleset(RulesError):
    """A ruleset that cannot be played."""


class InvalidRecord(RulesError):
    """A record that is damaged or does not replay to what it says."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The first clause that an action breaks, in rulebook order."""

    clause: str
    """The clause of the rulebook, for example ``HF-5.4``."""

    reason: str
    """What is wrong, in words that hold no hidden card."""


class IllegalAction(RulesError):
    """An action that is understood and not allowed here."""

    def __init__(self, attempt: str, fault: Fault, got: str) -> None:
        super().__init__(f"illegal {attempt}: {fault.reason} [{fault.clause}]; got {got!r}")
        self.clause = fault.clause
        self.reason = fault.reason
