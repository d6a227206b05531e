"""
The settings of a league: what stands in its `league.toml`, read whole and written once.

    format = 1                 # of this file
    name = "spring"
    ruleset = "online"         # a published one, or "house-rules.toml" in the same folder
    seats = 4
    time = "1s+30s"
    duplicates = 100           # per pairing, where `league run` names no number
    isolation = "bwrap"        # how bots are kept apart: bwrap, limits or none
    memory = 1024              # MiB that each bot may use
    seed = 7                   # a reproducible league: its deals are no secret; or else
    commitment = "ab12…"       # to the secret in the file `secret.key`
    open = true                # bots dial in from elsewhere; without it, submitted bots are run here
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from referee.rules import InvalidHouseRules
from tournaments.errors import InvalidLeague, TournamentError
from tournaments.rulesets import read_house_rules
from tournaments.suggestions import expectation
from tournaments.terms import Terms
from tournaments.workers.housing import DEFAULT_MEMORY, Housing

SETTINGS: Final = "league.toml"
HOUSE_RULES: Final = "house-rules.toml"
"""The copy of the house rules in the folder of a league that is played by them."""

FORMAT: Final = 1
"""The format that this version writes, and the newest that it reads."""

TYPES: Final[Mapping[str, type]] = {
    "format": int,
    "name": str,
    "ruleset": str,
    "seats": int,
    "time": str,
    "duplicates": int,
    "seed": int,
    "commitment": str,
    "open": bool,
    "isolation": str,
    "memory": int,
}
TYPE_NAMES: Final[Mapping[type, str]] = {int: "a number", str: "a string", bool: "true or false"}
REQUIRED: Final = ("name", "ruleset", "seats", "time", "duplicates")
MOST_DUPLICATES: Final = 999_999
"""Unit ids have six digits for the duplicate number."""


@dataclass(frozen=True, slots=True)
class LeagueSettings:
    """
    What an organiser decided about a league.

    Raises:
        TournamentError: a value that makes no sense.
    """

    name: str
    terms: Terms
    duplicates: int
    """Per pairing, where a run names no number."""

    seed: int | None
    """The seed of a reproducible league, whose deals are therefore no secret."""

    commitment: str | None
    """What proves afterwards that the secret was there before the first match; 64 hex digits."""

    is_open: bool = False
    """Whether bots dial in from elsewhere; else the league is hosted, and runs them itself."""

    housing: Housing = field(default_factory=Housing)
    """How the bots of a hosted league are kept."""

    def __post_init__(self) -> None:
        if not (1 <= len(self.name) <= 100 and self.name.isprintable()):
            raise TournamentError(
                "wrong 'name'", "unreadable", got=self.name, expected="1 to 100 printable characters"
            )
        refuse_duplicates(self.duplicates)
        if (self.seed is None) == (self.commitment is None):
            raise TournamentError("wrong 'seed'", "expected one of 'seed' and 'commitment'")

    def fixed(self) -> dict[str, str]:
        """Return what must not change once a league has begun, as texts by name."""
        terms = {"seats": str(self.terms.seats), "time": self.terms.time, "rules_hash": self.terms.rules_hash}
        return terms | {
            "seed": "" if self.seed is None else str(self.seed),
            "commitment": self.commitment or "",
            "open": "yes" if self.is_open else "",
            "isolation": "" if self.housing.isolation == "none" else self.housing.isolation,
            "memory": "" if self.housing.memory == DEFAULT_MEMORY else str(self.housing.memory),
        }

    @property
    def title(self) -> str:
        """The name as it stands above a board: an open league is told from a hosted one."""
        return f"{self.name} (open league)" if self.is_open else self.name


def refuse_duplicates(number: int) -> None:
    """
    Raise unless *number* of duplicates per pairing can be scheduled.

    Raises:
        TournamentError: too few or too many.
    """
    if not 1 <= number <= MOST_DUPLICATES:
        expected = f"1 to {MOST_DUPLICATES}"
        raise TournamentError("wrong 'duplicates'", "out of range", got=number, expected=expected)


def settings_text(settings: LeagueSettings) -> str:
    """Return the text of a `league.toml` that `read_settings` reads back."""
    values: dict[str, object] = {
        "format": FORMAT,
        "name": settings.name,
        "ruleset": settings.terms.ruleset if settings.terms.house_rules is None else HOUSE_RULES,
        "seats": settings.terms.seats,
        "time": settings.terms.time,
        "duplicates": settings.duplicates,
    }
    values |= {"commitment": settings.commitment} if settings.seed is None else {"seed": settings.seed}
    housing = settings.housing
    values |= (
        {"open": True} if settings.is_open else {"isolation": housing.isolation, "memory": housing.memory}
    )
    head = "# The settings of a league. Only name and duplicates may be changed after the first match.\n"
    return head + "".join(
        f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items()
    )


def read_settings(folder: Path) -> LeagueSettings:
    """
    Return the settings of the league in *folder*.

    Raises:
        InvalidLeague: it is no league, one of a newer version, or its `league.toml` or house rules are wrong; the key
            is named.
    """
    path = folder / SETTINGS
    if not path.is_file():
        reason = f"it has no {SETTINGS}" if folder.is_dir() else "there is no such folder"
        raise InvalidLeague(
            "not a league", reason, got=str(folder), expected="a folder made by `handfoot league create`"
        )
    try:
        values = tomllib.loads(path.read_text("utf-8"))
        return _settings(values, folder)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidLeague(f"cannot read {path}", str(error)) from None
    except InvalidHouseRules as error:
        raise InvalidLeague(str(error)) from None
    except TournamentError as error:
        raise InvalidLeague(f"invalid {path}", str(error)) from None


def _settings(values: dict[str, Any], folder: Path) -> LeagueSettings:
    """Return the settings that *values* hold; a newer format is told before anything in it looks wrong."""
    written = values.get("format")
    if type(written) is int and written > FORMAT:
        raise TournamentError(
            "a newer version of handfoot made this league", f"its format is {written}", expected=f"{FORMAT}"
        )
    for key in ("format", *REQUIRED):
        if key not in values:
            raise TournamentError(f"missing key {key!r}")
    for key, value in values.items():
        _check_type(key, value)
    return LeagueSettings(
        values["name"],
        _terms(values, folder),
        values["duplicates"],
        values.get("seed"),
        values.get("commitment"),
        values.get("open", False),
        Housing(values.get("isolation", "none"), values.get("memory", DEFAULT_MEMORY)),
    )


def _terms(values: dict[str, Any], folder: Path) -> Terms:
    """Return the terms of *values*; house rules are those in *folder*."""
    if values["ruleset"] != HOUSE_RULES:
        return Terms(values["ruleset"], values["seats"], values["time"])
    rules = read_house_rules(folder / HOUSE_RULES)
    return Terms(rules.name, values["seats"], values["time"], rules.text)


def _check_type(key: str, value: object) -> None:
    if key not in TYPES:
        raise TournamentError(f"unknown key {key!r}", expected=expectation(key, TYPES))
    if type(value) is not TYPES[key]:
        raise TournamentError(f"wrong {key!r}", got=value, expected=TYPE_NAMES[TYPES[key]])
