"""
Starters: the files from which an author begins a bot. They lie in `starters`, a folder for each language.

What is in them is a bot that passes `handfoot bot check`; how bots are checked is not known here.
"""

import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from tournaments.errors import InvalidEntrant, TournamentError
from tournaments.manifest import MANIFEST, parse_manifest

STARTERS: Final[Mapping[str, Mapping[str, str]]] = {
    "python": {
        "README.md": "README.md",
        "$module.py": "bot.py",
        "test_$module.py": "test_bot.py",
        MANIFEST: MANIFEST,
    },
}
"""By language: the name of each file, and that of its template; last the one by which a folder is that of a bot."""


def starter_files(name: str, language: str = "python") -> dict[str, str]:
    """
    Return the text of each file of a new bot called *name*, by the name of the file.

    >>> list(starter_files("careful"))
    ['README.md', 'careful_bot.py', 'test_careful_bot.py', 'bot.toml']

    Raises:
        TournamentError: there is no starter for *language*.
        InvalidEntrant: a bot cannot be called that.
    """
    if language not in STARTERS:
        raise TournamentError("no starter", "unknown language", got=language, expected=", ".join(STARTERS))
    values = {"name": name, "language": language, "command": ["bot"]}
    try:
        parse_manifest({**values, "version": "1"}, MANIFEST)
    except InvalidEntrant:
        expected = "1 to 40 letters, digits, '.', '_' or '-'; --name gives another one than the folder's"
        raise InvalidEntrant(
            "invalid name", "a bot cannot be called that", got=name, expected=expected
        ) from None
    words = {"name": name, "module": module_name(name), "bot": class_name(name)}
    folder = files("tournaments") / "starters" / language

    def filled(text: str) -> str:
        return Template(text).substitute(words)

    return {
        filled(path): filled((folder / f"{template}.template").read_text("utf-8"))
        for path, template in STARTERS[language].items()
    }


def write_starter(folder: Path, content: Mapping[str, str]) -> None:
    """
    Write *content*, text by file name, into *folder*, wholly or not at all; it is made if it is not there.

    Raises:
        TournamentError: there is something in the way.
        OSError: it cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise TournamentError("cannot begin a bot", "the folder is not empty", got=str(folder))
    place = folder.resolve()
    place.parent.mkdir(parents=True, exist_ok=True)
    incoming = Path(tempfile.mkdtemp(prefix=".beginning-", dir=place.parent))
    try:
        for path, text in content.items():
            (incoming / path).write_text(text, "utf-8")
        if place.exists():
            _move(content, incoming, place)
        else:
            incoming.chmod(0o755)
            incoming.rename(place)
    finally:
        shutil.rmtree(incoming, ignore_errors=True)


def _move(names: Iterable[str], source: Path, place: Path) -> None:
    """Move the files of these *names* into *place*, or none of them; it stays the folder that somebody may be in."""
    moved: list[str] = []
    try:
        for name in names:
            (source / name).rename(place / name)
            moved.append(name)
    except OSError:
        for name in moved:
            (place / name).unlink()
        raise


def module_name(bot: str) -> str:
    """
    Return a name for the module of *bot*; it hides no module of the standard library, none of which ends in "bot".

    >>> module_name("my-bot"), module_name("random"), module_name("2.0")
    ('my_bot', 'random_bot', 'bot_2_0_bot')
    """
    return "_".join(word.lower() for word in _words(bot))


def class_name(bot: str) -> str:
    """
    Return a name for the class of *bot*.

    >>> class_name("my-bot"), class_name("random"), class_name("handFoot")
    ('MyBot', 'RandomBot', 'HandFootBot')
    """
    return "".join(word[0].upper() + word[1:] for word in _words(bot))


def _words(bot: str) -> list[str]:
    words = re.findall("[A-Za-z0-9]+", bot)
    if not words or not words[-1].lower().endswith("bot"):
        words.append("bot")
    if words[0][0].isdigit():
        words.insert(0, "bot")
    return words if len(words) > 1 or words[0].lower() != "bot" else ["my", *words]
