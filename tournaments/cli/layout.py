"""JSON that a person can read: whatever fits on a line stands on one."""

import json
from collections.abc import Mapping
from typing import Any, Final

WIDTH: Final = 110


def laid_out(value: Any, *, width: int = WIDTH, indent: int = 0, taken: int = 0) -> str:
    """
    Return *value* as JSON in which lists and objects are broken only where they do not fit into *width*.

    The text goes behind *taken* characters of a line; further lines are indented by *indent*.

    >>> print(laid_out({"hands": [["9h", "9c"], ["4d", "2s"]], "key": "00ff"}, width=40))
    {
      "hands": [["9h", "9c"], ["4d", "2s"]],
      "key": "00ff"
    }

    Raises:
        ValueError: Infinity or NaN, which JSON has not.
    """
    flat = json.dumps(value, allow_nan=False)
    if taken + len(flat) < width or not isinstance(value, list | Mapping):
        return flat
    inner = indent + 2
    if isinstance(value, Mapping):
        parts = []
        for key, each in value.items():
            head = f"{json.dumps(key)}: "
            parts.append(head + laid_out(each, width=width, indent=inner, taken=inner + len(head)))
        return _block("{", parts, "}", indent)
    if any(isinstance(each, list | Mapping) for each in value):
        parts = [laid_out(each, width=width, indent=inner, taken=inner) for each in value]
        return _block("[", parts, "]", indent)
    return _block("[", _filled(value, width - inner), "]", indent)


def _block(begin: str, parts: list[str], end: str, indent: int) -> str:
    before = "\n" + " " * (indent + 2)
    return f"{begin}{before}{f',{before}'.join(parts)}\n{' ' * indent}{end}"


def _filled(values: list[Any], width: int) -> list[str]:
    """Return lines with as many of the short *values* as fit."""
    lines: list[str] = []
    for part in map(json.dumps, values):
        if lines and len(lines[-1]) + len(part) + 3 <= width:
            lines[-1] += f", {part}"
        else:
            lines.append(part)
    return lines
