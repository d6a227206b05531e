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

Keys are those of the parts of `Ruleset`, with two conveniences: `pile.limit` may be "whole", and `scores.points` is a
table by rank. Nothing is read from disk here.
"""

import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final

from referee.rules.cards import RANK_NAMES, RED_THREE
from referee.rules.content import ruleset_from_content
from referee.rules.errors import InvalidRuleset
from referee.rules.ruleset import Ruleset
from referee.rules.variants import find_ruleset

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}")


def parse_house_rules(text: str, source: str) -> Ruleset:
    """
    Return the ruleset that *text* describes; *source* names it in errors, with the line where one can be told.

    >>> parse_house_rules('name = "short"\\nbase = "online"\\n[match]\\nrounds = 1', "short.toml").rounds
    1

    Raises:
        InvalidRuleset: no TOML, an unknown key, a wrong type, or an impossible combination.
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidRuleset(f"unreadable house rules: {error}; {source}") from error
    try:
        return _build(values)
    except InvalidRuleset as error:
        raise InvalidRuleset(f"{error}; {source}{_line(text, str(error))}") from error


def _build(values: dict[str, Any]) -> Ruleset:
    name, base = values.pop("name", None), values.pop("base", None)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidRuleset(
            f"unusable name: expected 'name' with letters, digits, blanks, '.', '_' or '-', at most 40; got {name!r}"
        )
    if not isinstance(base, str):
        raise InvalidRuleset(f"no base: expected 'base' with the name of a published ruleset; got {base!r}")
    content = find_ruleset(base).content()
    _simplify(values, content)
    return ruleset_from_content(name, _merge(content, values))


def _simplify(values: dict[str, Any], base: Mapping[str, Any]) -> None:
    """Turn the conveniences of the text into values of the parts."""
    pile, scores = values.get("pile"), values.get("scores")
    if isinstance(pile, dict) and pile.get("limit") == "whole":
        pile["limit"] = None
    if isinstance(scores, dict) and isinstance(scores.get("points"), dict):
        points = list(base["scores"]["points"])
        ranks = RANK_NAMES[:RED_THREE]
        for rank, value in scores["points"].items():
            if rank not in ranks:
                raise InvalidRuleset(
                    f"unknown rank: expected one of {', '.join(ranks)}; got 'scores.points.{rank}'"
                )
            points[ranks.index(rank)] = value
        scores["points"] = points


def _merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in changes.items():
        below = merged.get(key)
        both = isinstance(below, Mapping) and isinstance(value, Mapping)
        merged[key] = _merge(below, value) if both else value  # type: ignore[arg-type]
    return merged


def _line(text: str, message: str) -> str:
    """Return where the key that *message* names stands in *text*, as ', line N'; nothing if it does not stand there."""
    for path in re.findall(r"[a-z_]+(?:\.[a-z_0-9]+)+|(?<=')[a-z_]+(?=')", message):
        table, _, key = path.rpartition(".")
        current = ""
        for number, line in enumerate(text.splitlines(), start=1):
            if header := re.match(r"\s*\[([^\]]+)\]", line):
                current = header[1].strip()
            elif current == table and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
                return f", line {number}"
    return ""


def differences(ruleset: Ruleset, other: Ruleset) -> tuple[tuple[str, Any, Any], ...]:
    """
    Return what differs between two rulesets: the key, its value in *ruleset*, and its value in *other*.

    >>> from referee.rules.variants import BEGINNER, ONLINE
    >>> ("pile.choice", True, False) in differences(BEGINNER, ONLINE)
    True
    """
    mine, theirs = flat_content(ruleset), flat_content(other)
    return tuple((key, mine[key], theirs[key]) for key in mine if mine[key] != theirs[key])


def flat_content(ruleset: Ruleset) -> dict[str, Any]:
    """Return the content of *ruleset* by dotted keys, the points by rank; what is not limited or not set is None."""
    flat: dict[str, Any] = {}
    for part, values in ruleset.content().items():
        if not isinstance(values, dict):
            flat[part] = values
            continue
        for key, value in values.items():
            flat[f"{part}.{key}"] = value
    points = flat.pop("scores.points")
    return flat | {f"scores.points.{rank}": value for rank, value in zip(RANK_NAMES, points, strict=False)}
