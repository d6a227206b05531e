"""The clauses as the rulebook writes them down, for tests that hold code and tests to it."""

import re
from dataclasses import dataclass
from pathlib import Path

from referee.rules import RULESETS

ROOT = Path(__file__).parents[2]
RULEBOOK = ROOT / "docs" / "rules"
HOUSE_RULES = "house rules"

_HEADING = re.compile(r"### (HF-\d+\.\d+) (.+)")
_HOLDS = re.compile(r"Holds for: ([^.]+)\.(?: Decided by: ([^.]+(?:\.\w+[^.]*)*)\.)?")


@dataclass(frozen=True, slots=True)
class Clause:
    """One numbered clause."""

    number: str
    title: str
    holds_for: tuple[str, ...]
    """Names of published rulesets; HOUSE_RULES where none of them uses it."""

    fields: tuple[str, ...]
    """The fields of a ruleset that decide it."""

    text: str


def read_clauses() -> dict[str, Clause]:
    """Return the clauses of the rulebook by number, in the order of the page."""
    page = (RULEBOOK / "clauses.md").read_text(encoding="utf-8")
    found = [_parse(part) for part in re.split(r"(?m)^(?=### )", page)[1:]]
    clauses = {clause.number: clause for clause in found}
    assert len(clauses) == len(found), "a number is used twice"
    return clauses


def _parse(part: str) -> Clause:
    heading, _, rest = part.partition("\n\n")
    holds, _, text = rest.partition("\n\n")
    matched, line = _HEADING.fullmatch(heading), _HOLDS.fullmatch(holds)
    assert matched, f"unreadable heading: {heading!r}"
    assert line, f"unreadable line below {heading!r}: {holds!r}"
    names = tuple(RULESETS) if line[1] == "all" else tuple(line[1].split(", "))
    fields = tuple(re.findall(r"`([a-z_.]+)`", line[2] or ""))
    return Clause(matched[1], matched[2], names, fields, text.split("\n## ")[0].strip())


def order_of(number: str) -> tuple[int, int]:
    """Return chapter and place of a clause, by which clauses are ordered."""
    chapter, place = number.removeprefix("HF-").split(".")
    return int(chapter), int(place)
