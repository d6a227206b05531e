"""Rulesets from plain values, validated whole: the reverse of `Ruleset.content`."""

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from referee.rules.errors import InvalidRuleset
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
    ruleset: Ruleset = _build(Ruleset, {**content, "name": name}, "")
    return ruleset


def _build(part: type[Any], values: Mapping[str, Any], path: str) -> Any:
    known = {field.name: field for field in fields(part)}
    for key in values:
        if key not in known:
            raise InvalidRuleset(f"unknown key: expected one of {', '.join(known)}; got {path + key!r}")
    types_of = get_type_hints(part)
    built = {}
    for key, field in known.items():
        if key in values:
            built[key] = _convert(values[key], types_of[key], path + key)
        elif field.default is MISSING:
            raise InvalidRuleset(f"missing key: expected a value for {path + key!r}")
    return part(**built)


def _convert(value: Any, kind: Any, path: str) -> Any:
    if is_dataclass(kind) and isinstance(kind, type):
        if not isinstance(value, Mapping):
            raise InvalidRuleset(f"wrong type: {path} is a table; got {value!r}")
        return _build(kind, value, path + ".")
    if get_origin(kind) in (Union, types.UnionType):
        return _convert_union(value, get_args(kind), path)
    if get_origin(kind) is Literal:
        return _convert_literal(value, get_args(kind), path)
    if get_origin(kind) is tuple:
        return _convert_list(value, get_args(kind), path)
    if type(value) is not kind:
        raise InvalidRuleset(f"wrong type: {path} is {_NAMES[kind]}; got {value!r}")
    return value


_NAMES = {int: "a whole number", str: "a text", bool: "true or false", type(None): "nothing"}


def _convert_union(value: Any, kinds: tuple[Any, ...], path: str) -> Any:
    for kind in kinds:
        if type(value) is kind or (get_origin(kind) is Literal and value in get_args(kind)):
            return value
    names = [" or ".join(map(repr, get_args(k))) if get_origin(k) is Literal else _NAMES[k] for k in kinds]
    raise InvalidRuleset(f"wrong type: {path} is {' or '.join(names)}; got {value!r}")


def _convert_literal(value: Any, choices: tuple[Any, ...], path: str) -> Any:
    if value not in choices or not isinstance(value, str):
        raise InvalidRuleset(f"unknown value: {path} is one of {', '.join(choices)}; got {value!r}")
    return value


def _convert_list(value: Any, kinds: tuple[Any, ...], path: str) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise InvalidRuleset(f"wrong type: {path} is a list; got {value!r}")
    return tuple(_convert(item, kinds[0], f"{path}[{place}]") for place, item in enumerate(value))
