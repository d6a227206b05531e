"""What all tests share: the option that rewrites golden files, and the last line of a run."""

import difflib
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "fast",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("deep", parent=settings.get_profile("fast"), derandomize=False, max_examples=2000)
settings.load_profile("fast")

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


CHECKED = {
    "clauses": r"tests/rulebook/test_\w+\.py::test_(hf_\d+_\d+)_",
    "cases": r"tests/rules/test_cases\.py::test_case\[(.+)\]",
    "laws": r"tests/laws/test_\w+_laws\.py::(test_\w+)",
}
"""What the tests of the rules are counted by: the name of each thing that is checked, in the ids of its tests."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many clauses, cases and laws were checked and hold."""
    ids = {
        outcome: "\n".join(report.nodeid for report in terminalreporter.stats.get(outcome, ()))
        for outcome in ("passed", "failed", "error")
    }
    holding = {
        kind: set(re.findall(pattern, ids["passed"]))
        - set(re.findall(pattern, f"{ids['failed']}\n{ids['error']}"))
        for kind, pattern in CHECKED.items()
    }
    if any(holding.values()):
        told = ", ".join(f"{len(names)} {kind}" for kind, names in holding.items())
        terminalreporter.write_line(f"rules checked and found to hold: {told}")
