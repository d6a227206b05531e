"""
The errors of the rules. Texts say what, why and where, and never hold a card that the reader may not see.

    RulesError
    ├─ InvalidNotation      not a card or an action at all: the client is broken
    ├─ InvalidRuleset       an unknown name, key or an impossible combination: the operator is wrong; carries .keys
    │  └─ InvalidHouseRules everything that is wrong in a file with house rules; carries .problems
    ├─ InvalidRecord        a record that does not replay to what it says
    └─ IllegalAction        understood, not allowed here: the bot played wrongly; carries .clause and .reason
"""

from dataclasses import dataclass


class RulesError(Exception):
    """Anything that the rules refuse."""


class InvalidNotation(RulesError):
    """A text or message that is not a card or an action."""


def quoted(value: object) -> str:
    """
    Return *value* as messages about rules show it: as it would stand in a TOML file, more or less.

    >>> quoted(False), quoted("laid"), quoted((1, 2))
    ('false', "'laid'", '[1, 2]')
    """
    if isinstance(value, bool):
        return str(value).lower()
    return repr(list(value) if isinstance(value, tuple) else value)


class InvalidRuleset(RulesError):
    """A ruleset that cannot be played."""

    def __init__(self, text: str, *keys: str) -> None:
        super().__init__(text)
        self.keys = keys
        """The dotted names of the keys that make it so, the one that the text is about first."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in a file with house rules."""

    text: str
    """What is wrong, in one line."""

    key: str | None
    """The dotted name of the key that it is about."""

    line: int | None
    """From 1; None where it cannot be told."""

    def __str__(self) -> str:
        return self.text if self.line is None else f"line {self.line}: {self.text}"


class InvalidHouseRules(InvalidRuleset):
    """House rules in which something is wrong; the text names everything that is."""

    def __init__(self, source: str, problems: tuple[Problem, ...]) -> None:
        said = f"invalid house rules {source}"
        if len(problems) == 1:
            where = "" if problems[0].line is None else f", line {problems[0].line}"
            said += f"{where}: {problems[0].text}"
        else:
            said += "\n".join((f": {len(problems)} problems", *(f"  {problem}" for problem in problems)))
        super().__init__(said, *(problem.key for problem in problems if problem.key is not None))
        self.problems = problems


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
