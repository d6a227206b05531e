"""
The log of a referee: lines of JSON about what happens, for operators and their programs.

A line never holds what may contain a card: no reason, no view, no text of an error. Those are in records and reports
of faults, which are written when they may be read.
"""

import json
import logging
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final

_ABOUT: Final = "about"
"""The attribute of a log record that holds what `note` was told."""


class JsonLines(logging.Formatter):
    """Formats a log record as one line of JSON: time, level, event, what is known of all lines, and of this one."""

    def __init__(self, context: Mapping[str, Any]) -> None:
        """Put what *context* says into every line."""
        super().__init__()
        self._context = dict(context)

    def format(self, record: logging.LogRecord) -> str:
        """Return *record* as a line; of an error it says which and where, not what it said."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        event = record.getMessage().partition("\n")[0]
        line: dict[str, Any] = {"time": time, "level": record.levelname.lower(), "event": event}
        line |= self._context | getattr(record, _ABOUT, {})
        if record.exc_info:
            kind, _, trace = record.exc_info
            line |= {"error": None if kind is None else kind.__name__, "where": _places(trace)}
        return json.dumps(line, ensure_ascii=False, default=str)


def note(logger: logging.Logger, event: str, *, level: int = logging.INFO, **about: Any) -> None:
    """Log *event* with what it is *about*: match, round, action, seat, entrant and whatever else fits."""
    if logger.isEnabledFor(level):
        known = {name: value for name, value in about.items() if value is not None}
        logger.log(level, event, extra={_ABOUT: known}, exc_info=level >= logging.ERROR)


def start_log(file: Path | None, **context: Any) -> logging.Handler:
    """
    Have all log lines of this process go to *file*, and warnings to standard error if there is none.

    Several processes may write to one file: each line is written at once, behind what is there.

    Raises:
        OSError: the file cannot be written.
    """
    handler = logging.StreamHandler() if file is None else logging.FileHandler(file, encoding="utf-8")
    handler.setFormatter(JsonLines(context))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.WARNING if file is None else logging.INFO)
    return handler


def stop_log(handler: logging.Handler) -> None:
    """Undo what `start_log` did."""
    logging.getLogger().removeHandler(handler)
    handler.close()


def _places(trace: TracebackType | None) -> list[str]:
    frames = traceback.extract_tb(trace)
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
