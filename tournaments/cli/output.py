"""What commands print: JSON, tables of text, and numbers as people read them."""

import json
from collections.abc import Sequence
from typing import Any

import click


def print_json(value: Any) -> None:
    """Print *value* as JSON on standard output; Infinity and NaN are refused."""
    click.echo(json.dumps(value, indent=2, allow_nan=False))


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """
    Return *rows* under *headings* as lines of text, numbers to the right.

    >>> print(table(["bot", "units"], [["greedy", "12"], ["random", "7"]]))
    bot     units
    greedy     12
    random      7
    """
    columns = list(zip(headings, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    right = [bool(rows) and all(_is_number(cell) for cell in column[1:]) for column in columns]
    lines = [headings, *rows] if rows else [headings]
    return "\n".join("  ".join(_cells(line, widths, right)).rstrip() for line in lines)


def _cells(line: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> list[str]:
    triples = zip(line, widths, right, strict=True)
    return [cell.rjust(width) if to_right else cell.ljust(width) for cell, width, to_right in triples]


def _is_number(cell: str) -> bool:
    return cell == "–" or cell[:1].isdigit() or (cell[:1] in "+−" and cell[1:2].isdigit())


def signed(value: float | None, digits: int = 0) -> str:
    """
    Return *value* with its sign, or a dash where there is none.

    >>> signed(12.4), signed(-3.26, 1), signed(0), signed(None)
    ('+12', '−3.3', '0', '–')
    """
    if value is None:
        return "–"
    text = f"{abs(value):.{digits}f}"
    if not float(text):
        return text
    return f"{'−' if value < 0 else '+'}{text}"


def count_of(number: int, noun: str) -> str:
    """
    Return *number* with its *noun*.

    >>> count_of(1, "unit"), count_of(2, "unit")
    ('1 unit', '2 units')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def faults_text(faults: dict[str, int]) -> str:
    """
    Return how many faults of each class there were.

    >>> faults_text({"crash": 2, "timeout": 1}), faults_text({})
    ('2 crash, 1 timeout', 'none')
    """
    return ", ".join(f"{number} {kind}" for kind, number in faults.items()) or "none"
