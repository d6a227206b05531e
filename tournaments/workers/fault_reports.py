"""
Reports from which an author can reproduce a fault: beside the record of the match, a text and the same as JSON for
each seat at fault. They show what the seat saw, so they are written when the unit is final and not before.
"""

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from referee.rules import InvalidRecord, MatchRecord, format_action, legal_actions
from referee.rules.replay import replay_steps
from referee.service.codec.evidence import tell_answer, tell_request, write_answer, write_request
from referee.service.reports import FaultReport, MatchReport, SeatTime
from tournaments.files import write_whole
from tournaments.records import record_name

FORMAT: Final = 1
"""The format of the JSON."""

MOST_ALTERNATIVES: Final = 1000


def report_path(folder: Path, match: str, seat: int) -> Path:
    """Return where the text about *seat* of *match* is; -1 is the referee."""
    return folder / f"{match}.{f'seat-{seat}' if seat >= 0 else 'referee'}.fault.txt"


def keep_fault_reports(folder: Path, match: str, report: MatchReport) -> dict[int, Path]:
    """
    Write what *report* says of faults in *match* into *folder*, where its record is; return the texts by seat.

    Raises:
        OSError: they cannot be written.
    """
    kept = {}
    for seat in sorted({fault.seat for fault in report.faults}):
        faults = [fault for fault in report.faults if fault.seat == seat]
        path = report_path(folder, match, seat)
        values = _values(folder, match, report, faults)
        write_whole(path.with_suffix(".json"), f"{json.dumps(values, indent=1)}\n".encode())
        write_whole(path, "\n".join([*_lines(folder, match, report, faults), ""]).encode())
        kept[seat] = path
    return kept


def replay_command(folder: Path, match: str, fault: FaultReport) -> str:
    """Return the command that shows the table at which *fault* happened."""
    return f"handfoot replay show {folder / record_name(match)} --at {fault.action + 1}"


def alternatives(record: MatchRecord | None, fault: FaultReport) -> list[str] | None:
    """Return what the seat at fault could have done instead, in notation; None if it was not to decide."""
    if record is None or not fault.request:
        return None
    try:
        match = next(islice(replay_steps(record), fault.action, None)).match
    except (InvalidRecord, StopIteration):
        return None
    if match.finished or match.state.decider != fault.seat:
        return None
    return [format_action(action) for action in islice(legal_actions(match.state), MOST_ALTERNATIVES)]


def _values(folder: Path, match: str, report: MatchReport, faults: Sequence[FaultReport]) -> dict[str, Any]:
    last = faults[-1]
    time = _time(report, last.seat)
    return {
        "format": FORMAT,
        "match": match,
        "record": record_name(match),
        "seat": None if last.seat < 0 else last.seat,
        "side": None if last.side < 0 else last.side,
        "entrant": last.bot or None,
        "termination": report.termination,
        "faults": [_fault_values(folder, match, report, fault) for fault in faults],
        "time_ms": None if time is None else {name: getattr(time, name) for name in time.__slots__},
        "process": {
            "command": list(last.command),
            "folder": last.folder,
            "exit_code": last.exit_code,
            "stderr": last.stderr,
        },
    }


def _fault_values(folder: Path, match: str, report: MatchReport, fault: FaultReport) -> dict[str, Any]:
    return {
        "kind": fault.kind,
        "ends_match": fault.ends_match,
        "reason": fault.reason,
        "clause": fault.clause,
        "round": fault.round,
        "turn": fault.turn,
        "action": fault.action + 1,
        "event": fault.event,
        "request": tell_request(fault.request),
        "answer": tell_answer(fault.answer),
        "alternatives": alternatives(report.record, fault),
        "replay": replay_command(folder, match, fault),
    }


def _lines(folder: Path, match: str, report: MatchReport, faults: Sequence[FaultReport]) -> list[str]:
    last = faults[-1]
    who = f"seat {last.seat}, side {last.side}: {last.bot}" if last.seat >= 0 else "the referee"
    lines = [f"match   {match}", f"who     {who}", f"ended   {report.termination}"]
    time = _time(report, last.seat)
    lines += [] if time is None else [f"time    {_time_text(time)}"]
    for fault in faults:
        lines += ["", *_fault_lines(folder, match, report, fault)]
    return lines if last.seat < 0 else [*lines, "", *_process_lines(last)]


def _fault_lines(folder: Path, match: str, report: MatchReport, fault: FaultReport) -> list[str]:
    instead = alternatives(report.record, fault)
    found = ["it was not to decide just then"] if instead is None else instead
    weight = "it lost the match" if fault.ends_match else "a strike"
    head = [
        f"{fault.kind} in round {fault.round + 1}, turn {fault.turn + 1}, at action {fault.action + 1}: {weight}",
        *_indent("reason", [fault.reason]),
        *_indent("look at it", [replay_command(folder, match, fault)]),
    ]
    if fault.seat < 0:
        return head
    return [
        *head,
        *_indent("what it saw", write_request(fault.request)),
        *_indent("what came back", write_answer(fault.answer)),
        *_indent("what it could have done", found),
    ]


def _process_lines(fault: FaultReport) -> list[str]:
    if not fault.command:
        return ["process", "  it dialled in from elsewhere; its author knows how it was run and what it said"]
    ended = "none: it was still running" if fault.exit_code is None else str(fault.exit_code)
    return [
        "process",
        *_indent("command", [" ".join(fault.command)]),
        *_indent("folder", [fault.folder or "a private temporary one"]),
        *_indent("exit code", [ended]),
        *_indent("last lines of standard error", fault.stderr.splitlines() or ["nothing"]),
    ]


def _indent(title: str, lines: Sequence[str]) -> list[str]:
    return [f"  {title}:", *(f"    {line}" for line in lines)]


def _time(report: MatchReport, seat: int) -> SeatTime | None:
    return report.times[seat] if 0 <= seat < len(report.times) else None


def _time_text(time: SeatTime) -> str:
    text = f"{time.total_ms} ms on its clock, {time.longest_ms} ms at most at once"
    if time.cpu_ms is None or time.idle_cpu_ms is None:
        return text
    return f"{text}; {time.cpu_ms} ms of CPU, {time.idle_cpu_ms} ms of them while it was not to move"
