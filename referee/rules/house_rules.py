"""
House rules: a TOML text that names a published ruleset as its base and what differs from it.

    name = "kitchen table"
    base = "beginner"

    [deal]
    hand = 11
    foot = 11

    [pile]
    limit = "whole"

    [scores.points]
    8 = 5

Keys are those of the parts of `Ruleset`, with three conveniences: `pile.limit` may be "whole", `match.target` may be
"none", and `scores.points` is a table by rank. Nothing is read from disk here; docs/house-rules.md describes it all.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from referee.rules.cards import RANK_NAMES, RED_THREE
from referee.rules.content import flat_content, ruleset_from_content
from referee.rules.errors import InvalidHouseRules, InvalidRuleset, Problem, quoted
from referee.rules.ruleset import Ruleset
from referee.rules.variants import RULESETS, find_ruleset
from referee.rules.wording import POINTS, describe_rule

WORDS_FOR_NONE: Final = {"pile.limit": "whole", "match.target": "none"}
"""What stands in a text for a value that is None."""

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}")
_HEADER: Final = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(#.*)?")
_KEY: Final = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_ASSIGNMENT: Final = re.compile(rf"\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*=")


def parse_house_rules(text: str, source: str) -> Ruleset:
    """
    Return the ruleset that *text* describes; *source* names it in errors, with lines where they can be told.

    >>> parse_house_rules('name = "short"\\nbase = "online"\\n[match]\\nrounds = 1', "short.toml").rounds
    1

    Raises:
        InvalidHouseRules: no TOML, unknown keys, wrong types, impossible combinations: all that is wrong, at once.
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidHouseRules(source, (Problem(str(error), None, None),)) from None
    errors = list(_head_errors(values))
    name, base = values.pop("name", None), values.pop("base", None)
    content = find_ruleset(base if base in list(RULESETS) else "online").content()
    ruleset = _build(str(name), content, values, errors)
    if errors:
        lines = _lines(text)
        problems = sorted((_problem(error, lines) for error in errors), key=lambda problem: problem.line or 0)
        raise InvalidHouseRules(source, tuple(problems))
    return ruleset


def _build(
    name: str, base: Mapping[str, Any], changes: dict[str, Any], errors: list[InvalidRuleset]
) -> Ruleset:
    """
    Return the ruleset that *changes* make of *base*, without those that are wrong, and add what is wrong to *errors*.

    What is wrong is withdrawn, so that what else is wrong comes to light; what follows from it alone is not told.
    """
    withdrawn: set[str] = set()
    while True:
        try:
            return ruleset_from_content(name, _merge(base, _plain(changes, base)))
        except InvalidRuleset as error:
            if withdrawn.isdisjoint(error.keys):
                errors.append(error)
            culprit = next(key for key in error.keys if _withdraw(changes, key))
            withdrawn.add(culprit)


def _head_errors(values: Mapping[str, Any]) -> Iterator[InvalidRuleset]:
    """Yield what is wrong with name and base."""
    name, base = values.get("name"), values.get("base")
    if name is None:
        yield InvalidRuleset("missing key 'name'")
    elif not isinstance(name, str) or not _NAME.fullmatch(name):
        expected = "at most 40 letters, digits, blanks, '.', '_' or '-'"
        yield InvalidRuleset(f"wrong 'name'; got {quoted(name)}; expected {expected}", "name")
    elif name in RULESETS:
        yield InvalidRuleset(
            f"wrong 'name'; got {name!r}; expected one that no published ruleset has", "name"
        )
    if base is None:
        yield InvalidRuleset("missing key 'base'")
    elif base not in list(RULESETS):
        yield InvalidRuleset(
            f"wrong 'base'; got {quoted(base)}; expected one of {', '.join(RULESETS)}", "base"
        )


def _plain(changes: Mapping[str, Any], base: Mapping[str, Any]) -> dict[str, Any]:
    """Return *changes* with the conveniences of the text turned into values of the parts."""
    plain = {key: dict(value) if isinstance(value, dict) else value for key, value in changes.items()}
    for path, word in WORDS_FOR_NONE.items():
        part, _, key = path.partition(".")
        table = plain.get(part)
        if not isinstance(table, dict) or type(table.get(key, 0)) is int:
            continue
        if table[key] != word:
            expected = f"a whole number or {word!r}"
            raise InvalidRuleset(f"wrong {path!r}; got {quoted(table[key])}; expected {expected}", path)
        table[key] = None
    scores = plain.get("scores")
    if isinstance(scores, dict) and isinstance(scores.get("points"), dict):
        scores["points"] = _points(scores["points"], base["scores"]["points"])
    return plain


def _points(changes: Mapping[str, Any], base: Iterable[int]) -> list[int]:
    """Return the points by rank that differ from *base* as *changes* say."""
    points, ranks = list(base), RANK_NAMES[:RED_THREE]
    for rank, value in changes.items():
        key = f"{POINTS}.{rank}"
        if rank not in ranks:
            raise InvalidRuleset(f"unknown rank {rank!r}; expected one of {', '.join(ranks)}", key)
        if type(value) is not int:
            raise InvalidRuleset(f"wrong {key!r}; got {quoted(value)}; expected a whole number", key)
        points[ranks.index(rank)] = value
    return points


def _merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in changes.items():
        below = merged.get(key)
        both = isinstance(below, Mapping) and isinstance(value, Mapping)
        merged[key] = _merge(below, value) if both else value  # type: ignore[arg-type]
    return merged


def _withdraw(changes: dict[str, Any], path: str) -> bool:
    """Take *path* out of *changes* and return whether it was there."""
    if path in changes:
        del changes[path]
        return True
    key, _, below = path.partition(".")
    inside = changes.get(key)
    return isinstance(inside, dict) and _withdraw(inside, below)


def _problem(error: InvalidRuleset, lines: Mapping[str, int]) -> Problem:
    """Return *error* with the line of the first of its keys that stands in the text, or else of the table it is in."""
    if not error.keys:
        return Problem(str(error), None, None)
    path = error.keys[0].split(".")
    tables = [".".join(path[:end]) for end in range(len(path) - 1, 0, -1)]
    line = next((lines[key] for key in (*error.keys, *tables) if key in lines), None)
    return Problem(str(error), error.keys[0], line)


def _lines(text: str) -> dict[str, int]:
    """Return the lines, from 1, on which keys and tables stand, by their dotted names."""
    lines: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.fullmatch(line):
            table = _unquoted(header[1])
            lines.setdefault(table, number)
            table += "."
        elif assignment := _ASSIGNMENT.match(line):
            lines.setdefault(table + _unquoted(assignment[1]), number)
    return lines


def _unquoted(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))


def house_rules_text(ruleset: Ruleset, name: str, base: str) -> str:
    """
    Return the text of house rules that are called *name* and play like *ruleset*, each key with its meaning.

    >>> from referee.rules.variants import SIMPLE
    >>> parse_house_rules(house_rules_text(SIMPLE, "like simple", "online"), "text").hash == SIMPLE.hash
    True
    """
    lines = [f"name = {json.dumps(name)}", f"base = {json.dumps(base)}"]
    table = ""
    for key, value in sorted(flat_content(ruleset).items(), key=lambda item: item[0].count(".")):
        part, _, leaf = key.rpartition(".")
        if part != table:
            table = part
            lines += ["", f"[{table}]"]
        written = json.dumps(WORDS_FOR_NONE[key] if value is None else value)
        meaning = "" if type(value) is int else f"  # {describe_rule(key, value)}"
        lines.append(f"{json.dumps(leaf) if ' ' in leaf else leaf} = {written}{meaning}")
    return "\n".join(lines) + "\n"
