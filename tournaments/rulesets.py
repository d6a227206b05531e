"""Rulesets as people give them: the name of a published one, or the path of a file with house rules."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from referee.rules import RULESETS, InvalidHouseRules, Problem, Ruleset, find_ruleset, parse_house_rules
from tournaments.errors import TournamentError
from tournaments.suggestions import expectation

SUFFIX: Final = ".toml"
MOST_BYTES: Final = 100_000
"""Larger files are no house rules."""


@dataclass(frozen=True, slots=True)
class GivenRules:
    """A ruleset that somebody asked for."""

    ruleset: Ruleset

    text: str | None
    """The text of the house rules; None for a published ruleset."""

    @property
    def name(self) -> str:
        """What the ruleset is called."""
        return self.ruleset.name

    @property
    def base(self) -> Ruleset:
        """The published ruleset from which it differs; one that is published is its own."""
        return self.ruleset if self.text is None else find_ruleset(tomllib.loads(self.text)["base"])


def find_rules(given: str) -> GivenRules:
    """
    Return the ruleset that *given* names: a published one, or that of a file with house rules.

    >>> find_rules("online").name
    'online'

    Raises:
        TournamentError: there is neither a published ruleset nor a file of that name.
        InvalidHouseRules: the file cannot be read, or something in it is wrong; everything wrong is named.
    """
    if given in RULESETS:
        return GivenRules(find_ruleset(given), None)
    path = Path(given)
    if path.suffix == SUFFIX or path.is_file():
        return read_house_rules(path)
    raise TournamentError(
        "unknown ruleset",
        "there is none of that name and no such file",
        got=given,
        expected=f"{expectation(given, RULESETS)}, or the path of a file with house rules",
    )


def read_house_rules(path: Path) -> GivenRules:
    """
    Return the house rules in the file *path*.

    Raises:
        InvalidHouseRules: it cannot be read, or something in it is wrong; everything wrong is named.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        text = content.decode("utf-8")
    except OSError as error:
        raise InvalidHouseRules(str(path), (Problem(error.strerror or str(error), None, None),)) from None
    except UnicodeDecodeError as error:
        raise InvalidHouseRules(str(path), (Problem(f"not a text: {error}", None, None),)) from None
    if len(content) > MOST_BYTES:
        raise InvalidHouseRules(
            str(path), (Problem(f"more than {MOST_BYTES} bytes are no house rules", None, None),)
        )
    return GivenRules(parse_house_rules(text, str(path)), text)


@lru_cache(maxsize=16)
def ruleset_of(name: str, house_rules: str | None) -> Ruleset:
    """
    Return the published ruleset *name*, or the ruleset of that name which the text of *house_rules* describes.

    Raises:
        TournamentError: there is no such ruleset, or the text is one of another name.
        InvalidHouseRules: something in the text is wrong.
    """
    if house_rules is not None:
        ruleset = parse_house_rules(house_rules, repr(name))
        if ruleset.name != name:
            raise TournamentError(
                "wrong house rules", "they have another name", got=ruleset.name, expected=repr(name)
            )
        return ruleset
    if name not in RULESETS:
        raise TournamentError(
            "unknown ruleset", "there is none of that name", got=name, expected=expectation(name, RULESETS)
        )
    return find_ruleset(name)
