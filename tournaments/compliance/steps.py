"""What comes out of a compliance check, as values: its steps in order, and whether the bot passed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

Outcome = Literal["pass", "fail", "skipped"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a step found."""

    outcome: Outcome
    detail: str
    """What was seen, or why the step failed or was skipped; one line."""

    advice: str = ""
    """What to do about a failure; one line."""

    exchange: tuple[str, ...] = ()
    """On a failure: what bot and referee said to each other last, line by line; only what its seat may see."""

    stderr: str = ""
    """On a failure: the last lines of the bot's standard error."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a check, done."""

    number: int
    """From 1."""

    name: str
    finding: Finding

    def to_dict(self) -> dict[str, Any]:
        """Return the step as plain JSON values."""
        found = self.finding
        return {
            "number": self.number,
            "name": self.name,
            "outcome": found.outcome,
            "detail": found.detail,
            "advice": found.advice,
            "exchange": list(found.exchange),
            "stderr": found.stderr,
        }


@dataclass(frozen=True, slots=True)
class Compliance:
    """A finished check."""

    bot: str
    """The bot, as ``name@version``."""

    steps: tuple[Step, ...]

    @property
    def failures(self) -> tuple[Step, ...]:
        """The steps that failed."""
        return tuple(step for step in self.steps if step.finding.outcome == "fail")

    @property
    def passed(self) -> bool:
        """Whether no step failed."""
        return not self.failures

    def to_dict(self) -> dict[str, Any]:
        """Return the check as plain JSON values."""
        return {
            "bot": self.bot,
            "passed": self.passed,
            "steps": [step.to_dict() for step in self.steps],
        }


def passed(detail: str) -> Finding:
    """Return that a step was passed."""
    return Finding("pass", detail)


def skipped(reason: str) -> Finding:
    """Return that a step was left out."""
    return Finding("skipped", reason)


def summary(compliance: Compliance) -> str:
    """
    Return in one line how the check ended.

    >>> summary(Compliance("careful@1", (Step(1, "starts", passed("it runs")),)))
    'careful@1 passes: 1 step passed'
    """
    counts = [
        (number, outcome)
        for outcome in ("passed", "failed", "skipped")
        if (number := _count(compliance.steps, outcome))
    ]
    told = ", ".join(
        f"{number} {'step ' if number == 1 else 'steps '}{outcome}" for number, outcome in counts
    )
    return f"{compliance.bot} {'passes' if compliance.passed else 'does not pass'}: {told}"


def _count(steps: Sequence[Step], outcome: str) -> int:
    kept = {"passed": "pass", "failed": "fail"}.get(outcome, outcome)
    return sum(step.finding.outcome == kept for step in steps)
