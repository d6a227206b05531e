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
    "steady": "handfoot.bots.steady:SteadyBot",
}
"""Each house bot by name, as the client package starts it."""

TABLES: Final = 64
"""At how many tables each of them plays at once."""


def house_manifest(name: str) -> Manifest:
    """Return what the house bot *name* would say in a `bot.toml`."""
    command = ("python", "-m", "handfoot", HOUSE_BOTS[name])
    return Manifest(name, version("handfoot-client"), "Python", command, stateless=True, tables=TABLES)


def house_hash(name: str) -> str:
    """
    Return the hash that stands for the house bot *name* as it is installed, as 64 hex digits.

    It covers the source text of all house bots, since they may share some, and their version.
    """
    digest = hashlib.sha256(f"HANDFOOT-HOUSE-v1\0{name}\0{version('handfoot-client')}\0".encode())
    for path in sorted(_sources()):
        digest.update(f"{path.name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _sources() -> list[Path]:
    package = find_spec("handfoot.bots")
    assert package is not None, "the client package is installed with its bots"
    return [path for place in package.submodule_search_locations or () for path in Path(place).glob("*.py")]


def describe_house_bot(name: str) -> str:
    """Return in one sentence how the house bot *name* plays."""
    module = import_module(HOUSE_BOTS[name].partition(":")[0])
    return (module.__doc__ or "").strip().partition("\n")[0]
