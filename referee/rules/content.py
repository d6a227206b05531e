"""Rulesets as plain values: from the content of `Ruleset.content`, and compared key by key."""

import types
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from difflib import get_close_matches
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from referee.rules.cards import RANK_NAMES
from referee.rules.errors import InvalidRuleset, quoted
from referee.rules.ruleset import Ruleset


def ruleset_from_content(name: str, content: Mapping[str, Any]) -> Ruleset:
    """
    Return the ruleset called *name* that *content* describes, in the form of `Ruleset.content`.

    >>> from referee.rules.variants import ONLINE
    >>> ruleset_from_content("mine", ONLINE.content()).hash == ONLINE.hash
    True

    Raises:
        InvalidRuleset: a key is unknown or missing, a value has the wrong type, or the combination is impossible.
    """
    if "name" in content:
        raise _unknown("name", [field.name for field in fields(Ruleset)[1:]])
    ruleset: Ruleset = _build(Ruleset, {**content, "name": name}, "")
    return ruleset


def known_keys(part: type[Any] = Ruleset, path: str = "") -> list[str]:
    """
    Return the dotted names of all keys of a ruleset, in order.

    >>> known_keys()[:3]
    ['deal.seats', 'deal.solo', 'deal.packs']
    """
    keys: list[str] = []
    for name, kind in get_type_hints(part).items():
        nested = isinstance(kind, type) and is_dataclass(kind)
        keys += known_keys(kind, f"{path}{name}.") if nested else [path + name]
    return keys[1:] if part is Ruleset else keys


def _unknown(key: str, known: Iterable[str]) -> InvalidRuleset:
    """Return the error of an unknown *key*: it says which was meant, or which are *known* there."""
    *_, leaf = key.split(".")
    moved = [one for one in known_keys() if one.split(".")[-1] == leaf]
    close = moved[:1] or get_close_matches(key, known_keys(), n=1, cutoff=0.75)
    expected = repr(close[0]) if close else f"one of {', '.join(known)}"
    return InvalidRuleset(f"unknown key {key!r}; expected {expected}", key)


def _build(part: type[Any], values: Mapping[str, Any], path: str) -> Any:
    known = {field.name: field for field in fields(part)}
    for key in values:
        if key not in known:
            raise _unknown(path + key, known)
    types_of = get_type_hints(part)
    built = {}
    for key, field in known.items():
        if key in values:
            built[key] = _convert(values[key], types_of[key], path + key)
        elif field.default is MISSING:
            raise InvalidRuleset(f"missing key {path + key!r}", path + key)
    return part(**built)


def _convert(value: Any, kind: Any, path: str) -> Any:
    if is_dataclass(kind) and isinstance(kind, type):
        if not isinstance(value, Mapping):
            raise _wrong(path, "a table", value)
        return _build(kind, value, path + ".")
    if get_origin(kind) in (Union, types.UnionType):
        return _convert_union(value, get_args(kind), path)
    if get_origin(kind) is Literal:
        return _convert_literal(value, get_args(kind), path)
    if get_origin(kind) is tuple:
        return _convert_list(value, get_args(kind), path)
    if type(value) is not kind:
        raise _wrong(path, _NAMES[kind], value)
    return value


def _wrong(path: str, expected: str, got: object) -> InvalidRuleset:
    return InvalidRuleset(f"wrong {path!r}; got {quoted(got)}; expected {expected}", path.partition("[")[0])


_NAMES = {int: "a whole number", str: "a text", bool: "true or false", type(None): "nothing"}


def _convert_union(value: Any, kinds: tuple[Any, ...], path: str) -> Any:
    for kind in kinds:
        if type(value) is kind or (get_origin(kind) is Literal and value in get_args(kind)):
            return value
    names = [" or ".join(map(repr, get_args(k))) if get_origin(k) is Literal else _NAMES[k] for k in kinds]
    raise _wrong(path, " or ".join(names), value)


def _convert_literal(value: Any, choices: tuple[Any, ...], path: str) -> Any:
    if value not in choices or not isinstance(value, str):
        raise _wrong(path, " or ".join(map(repr, choices)), value)
    return value


def _convert_list(value: Any, kinds: tuple[Any, ...], path: str) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise _wrong(path, "a list", value)
    return tuple(_convert(item, kinds[0], f"{path}[{place}]") for place, item in enumerate(value))


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
