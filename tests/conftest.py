"""What all tests share: the option that rewrites golden files, and the last line of a run."""

import difflib
from collections.abc import Callable
from pathlib import Path

import pytest

Golden = Callable[[Path, str], None]
"""Compares a text with a golden file, or rewrites the file."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that rewrites golden files."""
    parser.addoption("--update-golden", action="store_true", help="rewrite golden files instead of comparing")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Return a comparison with a golden file: a difference is shown line by line."""
    update: bool = request.config.getoption("--update-golden")

    def compare(path: Path, text: str) -> None:
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        if update and text != before:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif text != before:
            lines = difflib.unified_diff(
                before.splitlines(), text.splitlines(), str(path), "now", lineterm="", n=2
            )
            pytest.fail("\n".join(lines) + "\nexpected no difference; --update-golden rewrites the file")

    return compare
