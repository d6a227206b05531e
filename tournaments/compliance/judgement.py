"""What a match, or a process, says of the bot that is checked, as findings with advice."""

import shlex
from collections.abc import Mapping
from typing import Final

from referee.service.reports import FaultReport
from tournaments.compliance.room import Played, Subject
from tournaments.compliance.steps import Finding

ADVICE: Final[Mapping[str, str]] = {
    "no_show": "answer each `seated` with `ready`; what takes long belongs before the hello or fits into the limit",
    "timeout": "decide faster, or look at the clock of each request; --time sets another one",
    "crash": "look at the last lines of standard error; the process has to stay until the referee closes the stream",
    "illegal": "play one of the legal actions of the request; the clause stands in docs/rules",
    "protocol": "answer each request once, with its table, seat and request id, as in docs/protocol.md",
}
"""What to do about a fault of each class."""


def failed(subject: Subject, detail: str, advice: str) -> Finding:
    """Return that a step failed, with what was said and what the bot wrote to standard error."""
    return Finding("fail", detail, advice, tuple(subject.line.exchange), subject.bot.stderr)


def judge(played: Played) -> Finding | None:
    """Return what is wrong with the bot in a match; None if nothing is."""
    faults = sorted(played.faults, key=lambda fault: not fault.ends_match)
    if faults:
        return failed(played.subject, _fault_text(faults[0]), ADVICE[faults[0].kind])
    unread = [refusal for refusal in played.subject.line.refusals if refusal.fault == refusal.FAULT_PROTOCOL]
    if unread:
        return failed(played.subject, f"protocol: {unread[0].reason}", ADVICE["protocol"])
    return None


def corrections(played: Played) -> str:
    """Return a remark on the actions that were refused and corrected; empty where there are none."""
    number = len(played.subject.line.refusals)
    return f"; {number} illegal {'action' if number == 1 else 'actions'} corrected" if number else ""


def thinking(played: Played) -> str:
    """Return in words how many requests the bot answered, and how long it took."""
    times = played.report.times[played.seat]
    return f"{played.subject.line.answers} answers, {times.longest_ms} ms at most"


def command_text(subject: Subject) -> str:
    """Return the command of the bot as it is typed."""
    return shlex.join(subject.bot.spec.command)


def _fault_text(fault: FaultReport) -> str:
    return f"{fault.kind}: {fault.reason}"
