"""The bots of the house: which there are, what they say of themselves, and what tells two versions of one apart."""

import hashlib
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tournaments.manifest import Manifest

HOUSE_BOTS: Final[Mapping[str, str]] = {
    "greedy": "handfoot.bots.greedy:GreedyBot",
    "random": "handfoot.bots.random:RandomBot",
    "searcher": "referee.bots.searcher:SearcherBot",
    "steady": "handfoot.bots.steady:SteadyBot",
}
"""Each house bot by name, as the client package starts it."""

QUICK_BOTS: Final = ("greedy", "random", "steady")
"""Those that decide within a few milliseconds."""

_SOURCES: Final[Mapping[str, tuple[str, ...]]] = {
    "handfoot": ("handfoot.bots",),
    "referee": ("handfoot.bots", "referee.bots", "referee.rules"),
}
"""The packages whose text says how a house bot plays, by the package that it comes from."""

TABLES: Final = 64
"""At how many tables each of them plays at once."""


def house_manifest(name: str) -> Manifest:
    """Return what the house bot *name* would say in a `bot.toml`."""
    command = ("python", "-m", "handfoot", HOUSE_BOTS[name])
    return Manifest(name, version("handfoot-client"), "Python", command, stateless=True, tables=TABLES)


def house_hash(name: str) -> str:
    """
    Return the hash that stands for the house bot *name* as it is installed, as 64 hex digits.

    It covers the source text of all house bots beside it, since they may share some, that of the rules where it
    plays by them, and their version.
    """
    digest = hashlib.sha256(f"HANDFOOT-HOUSE-v1\0{name}\0{version('handfoot-client')}\0".encode())
    for package in _SOURCES[HOUSE_BOTS[name].partition(".")[0]]:
        for path in sorted(_sources(package)):
            digest.update(f"{path.name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _sources(package: str) -> list[Path]:
    found = find_spec(package)
    assert found is not None, "both packages are installed with their bots"
    return [path for place in found.submodule_search_locations or () for path in Path(place).glob("*.py")]


def describe_house_bot(name: str) -> str:
    """Return in one sentence how the house bot *name* plays."""
    module = import_module(HOUSE_BOTS[name].partition(":")[0])
    return (module.__doc__ or "").strip().partition("\n")[0]
