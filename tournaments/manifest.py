"""
What a bot says of itself in `bot.toml`, checked whole. Says nothing about whether the bot runs.

    name = "careful"
    version = "1.2"
    language = "Python"
    command = ["python", "-m", "handfoot", "careful:CarefulBot"]
    rulesets = ["online"]     # optional: those it can play; all
    seats = [4]               # optional: the numbers of seats it can play at; all
    tables = 1                # optional: matches it can play at once
    legal_actions = true      # optional: whether requests shall list the legal actions
    stateless = false         # optional: whether one process may play many matches
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from referee.rules import RULESETS
from tournaments.errors import InvalidEntrant
from tournaments.suggestions import expectation

MANIFEST: Final = "bot.toml"
REQUIRED: Final = ("name", "version", "language", "command")

type_names: Final = {str: "a string", bool: "true or false", int: "a number", list: "a list"}


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of a bot, as it stands in its `bot.toml`."""

    name: str
    """Letters, digits, ``.``, ``_`` and ``-``; 1 to 40."""

    version: str
    """The same letters as a name."""

    language: str
    """What the bot is written in; for people."""

    command: tuple[str, ...]
    """The words that start it, run in its folder."""

    rulesets: tuple[str, ...] = ()
    """The rulesets it can play; empty for all."""

    seats: tuple[int, ...] = ()
    """The numbers of seats it can play at; empty for all."""

    tables: int = 1
    """How many matches one process can play at once."""

    legal_actions: bool = True
    """Whether requests shall list the legal actions."""

    stateless: bool = False
    """Whether a process may play one match after another."""


def read_manifest(folder: Path) -> Manifest:
    """
    Return what the `bot.toml` in *folder* says.

    Raises:
        InvalidEntrant: there is none, it is not TOML, or it says something wrong; every wrong key is named.
    """
    path = folder / MANIFEST
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise InvalidEntrant(f"not a bot: {folder}", f"it has no {MANIFEST}") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidEntrant(f"cannot read {path}", str(error)) from None
    return parse_manifest(values, str(path))


def parse_manifest(values: Mapping[str, Any], where: str) -> Manifest:
    """
    Return the manifest that *values* describe.

    Raises:
        InvalidEntrant: a key is missing, unknown or has a wrong value; all of them are named, and *where*.
    """
    problems = [f"missing key {key!r}" for key in REQUIRED if key not in values]
    problems += [problem for key, value in values.items() if (problem := _problem(key, value)) is not None]
    if not problems and values.get("tables", 1) > 1 and not values.get("stateless", False):
        problems.append("wrong 'tables': several matches at once need stateless = true")
    if len(problems) == 1:
        raise InvalidEntrant(f"invalid {where}", problems[0])
    if problems:
        raise InvalidEntrant(f"invalid {where}", f"{len(problems)} problems", details=tuple(problems))
    fields: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in values.items()
    }
    return Manifest(**fields)


def _problem(key: str, value: object) -> str | None:
    if key not in CHECKS:
        return f"unknown key {key!r}; expected {expectation(key, CHECKS)}"
    expected_type, wrong = CHECKS[key]
    if type(value) is not expected_type:
        return f"wrong {key!r}: got {value!r}; expected {type_names[expected_type]}"
    expected = wrong(value)
    return None if expected is None else f"wrong {key!r}: got {value!r}; expected {expected}"


def _wrong_name(value: str) -> str | None:
    fine = re.fullmatch(r"[A-Za-z0-9._-]{1,40}", value) is not None
    return None if fine else "1 to 40 letters, digits, '.', '_' or '-'"


def _wrong_language(value: str) -> str | None:
    return None if value.isprintable() and 1 <= len(value) <= 40 else "1 to 40 printable characters"


def _wrong_command(value: list[object]) -> str | None:
    fine = value and all(isinstance(word, str) and word and "\0" not in word for word in value)
    return None if fine else "a list of at least one string, none empty"


def _wrong_rulesets(value: list[object]) -> str | None:
    unknown = [name for name in value if not (isinstance(name, str) and name in RULESETS)]
    if unknown:
        return f"names of rulesets: {expectation(str(unknown[0]), RULESETS)}"
    return None if value else "at least one name, or no such key for all rulesets"


def _wrong_seats(value: list[object]) -> str | None:
    fine = value and all(type(number) is int and 2 <= number <= 12 for number in value)
    return None if fine else "a list of numbers from 2 to 12"


def _wrong_tables(value: int) -> str | None:
    return None if value >= 1 else "at least 1"


def _anything(_: object) -> str | None:
    return None


CHECKS: Final[Mapping[str, tuple[type, Callable[[Any], str | None]]]] = {
    "name": (str, _wrong_name),
    "version": (str, _wrong_name),
    "language": (str, _wrong_language),
    "command": (list, _wrong_command),
    "rulesets": (list, _wrong_rulesets),
    "seats": (list, _wrong_seats),
    "tables": (int, _wrong_tables),
    "legal_actions": (bool, _anything),
    "stateless": (bool, _anything),
}
