"""
Entrants: a bot at a version, told apart by the hash of everything it consists of.

Finds them by the name of a house bot or by a folder, and says how each is started. Starting them is the referee's job.
"""

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NewType

from referee.service.processes import BotSpec
from tournaments.errors import InvalidEntrant
from tournaments.house import HOUSE_BOTS, house_hash, house_manifest
from tournaments.leagues.submissions import content_hash
from tournaments.manifest import MANIFEST, Manifest, read_manifest
from tournaments.suggestions import expectation

EntrantHash = NewType("EntrantHash", str)


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot at a version."""

    manifest: Manifest
    """What it says of itself."""

    folder: Path | None
    """Where it lies, an absolute path; None for a bot of the house."""

    hash: EntrantHash
    """64 hex digits; covers every file of the folder."""

    @property
    def name(self) -> str:
        """The name, of letters, digits, ``.``, ``_`` and ``-``."""
        return self.manifest.name

    @property
    def label(self) -> str:
        """The name and version, as people read them: ``name@version``."""
        return f"{self.manifest.name}@{self.manifest.version}"


def find_entrant(bot: str) -> Entrant:
    """
    Return the entrant that *bot* names: a bot of the house, or a folder with a `bot.toml`.

    A house name comes first; write ``./greedy`` for a folder of that name.

    Raises:
        InvalidEntrant: there is neither, or the folder is not that of a bot.
    """
    if bot in HOUSE_BOTS:
        return house_entrant(bot)
    if Path(bot).is_dir():
        return entrant_in(Path(bot))
    if Path(bot).exists():
        raise InvalidEntrant("not a bot", f"expected a folder with a {MANIFEST}, or a house name", got=bot)
    known = f"{expectation(bot, HOUSE_BOTS)}, or a folder with a {MANIFEST}"
    raise InvalidEntrant("unknown bot", "neither a house bot nor a folder", got=bot, expected=known)


def house_entrant(name: str) -> Entrant:
    """Return the house bot *name* as it is installed."""
    return Entrant(house_manifest(name), None, EntrantHash(house_hash(name)))


def entrant_in(folder: Path) -> Entrant:
    """
    Return the entrant that lies in *folder*.

    Raises:
        InvalidEntrant: the folder is not that of a bot.
    """
    place = folder.resolve()
    return Entrant(read_manifest(place), place, EntrantHash(content_hash(place)))


def refuse_unfit(entrant: Entrant, ruleset: str, seats: int) -> None:
    """
    Raise unless *entrant* says that it can play *ruleset* at a table of *seats*.

    Raises:
        InvalidEntrant: it cannot.
    """
    rulesets, tables = entrant.manifest.rulesets, entrant.manifest.seats
    if rulesets and ruleset not in rulesets:
        plays = ", ".join(rulesets)
        raise InvalidEntrant(f"unfit bot {entrant.label}", f"it plays only {plays}", got=ruleset)
    if tables and seats not in tables:
        sizes = ", ".join(map(str, tables))
        raise InvalidEntrant(f"unfit bot {entrant.label}", f"it plays only at {sizes} seats", got=seats)


def resolve_command(entrant: Entrant) -> tuple[str, ...]:
    """
    Return the words that start *entrant*, the first as a full path where it can be found.

    ``python`` and ``python3`` mean the interpreter that runs this; a relative path with a slash is looked up in
    the bot's folder, any other word on the caller's PATH.

    Raises:
        InvalidEntrant: there is no such program, or it lies outside the folder, or it is not executable.
    """
    program, *rest = entrant.manifest.command
    if program in ("python", "python3"):
        return (sys.executable, *rest)
    if "/" in program:
        return (str(_program_in_folder(entrant, program)), *rest)
    found = shutil.which(program)
    if found is None:
        raise _not_startable(entrant, f"there is no program {program!r} on the PATH")
    return (str(Path(found).absolute()), *rest)


def bot_spec(entrant: Entrant) -> BotSpec:
    """
    Return what the referee needs to start *entrant*.

    A program that cannot be found is left as it is written: the referee then reports that the bot did not show.
    """
    try:
        command = resolve_command(entrant)
    except InvalidEntrant:
        command = entrant.manifest.command
    said = entrant.manifest
    return BotSpec(
        name=said.name,
        version=said.version,
        language=said.language,
        command=command,
        folder=None if entrant.folder is None else str(entrant.folder),
        stateless=said.stateless,
        legal_actions=said.legal_actions,
        tables=said.tables,
    )


def _program_in_folder(entrant: Entrant, program: str) -> Path:
    folder = entrant.folder or Path.cwd()
    path = Path(program) if Path(program).is_absolute() else folder / program
    if not Path(program).is_absolute() and not path.resolve().is_relative_to(folder):
        raise _not_startable(entrant, f"{program!r} lies outside its folder")
    if not path.is_file():
        raise _not_startable(entrant, f"there is no file {program!r}")
    if shutil.which(path) is None:
        raise _not_startable(entrant, f"{program!r} may not be executed (chmod +x)")
    return path


def _not_startable(entrant: Entrant, reason: str) -> InvalidEntrant:
    shown = (f"command: {list(entrant.manifest.command)}", f"folder: {entrant.folder}")
    return InvalidEntrant(f"cannot start {entrant.label}", reason, details=shown)
