"""Pages of which some parts are written by a program."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"

_MARKED = re.compile(r"(<!-- begin (\w+): written by [^>]*-->\n).*?(<!-- end \2 -->)", re.DOTALL)


def rewritten(page: Path, parts: Mapping[str, Callable[[], str]]) -> str:
    """Return the text of *page* with every marked part written anew; each of *parts* has to be on it."""
    text = page.read_text(encoding="utf-8")
    assert {match[2] for match in _MARKED.finditer(text)} == set(parts)
    return _MARKED.sub(lambda match: f"{match[1]}\n{parts[match[2]]()}\n\n{match[3]}", text)


def markdown_table(head: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)
