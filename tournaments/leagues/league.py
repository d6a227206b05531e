"""
A league as a folder: made whole or not at all, opened, and given entrants. What is played in it is elsewhere.

    league.toml       the settings
    house-rules.toml  a copy of the house rules, if it is played by some
    secret.key        the secret of the season, unless the settings have a seed
    league.db         entrants and results
    entrants/HASH/    the copies that play
    records/          the records of matches
    connected.json    who is connected to an open league, while it is served
"""

import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from tournaments.entrants import Entrant, entrant_in, house_entrant, refuse_unfit, resolve_command
from tournaments.errors import InvalidEntrant, InvalidLeague, TournamentError
from tournaments.files import write_whole
from tournaments.house import HOUSE_BOTS
from tournaments.integrity import commitment, seed_secret
from tournaments.leagues.settings import HOUSE_RULES, SETTINGS, LeagueSettings, read_settings, settings_text
from tournaments.leagues.submissions import keep_copy
from tournaments.partnerships import entity_hash
from tournaments.schedule import EntityHash
from tournaments.store import Entry, Store, create_store, open_store

SECRET: Final = "secret.key"
DATABASE: Final = "league.db"
ENTRANTS: Final = "entrants"
RECORDS: Final = "records"


@dataclass(frozen=True, slots=True)
class League:
    """A league that exists."""

    folder: Path
    """An absolute path."""

    settings: LeagueSettings

    secret: bytes
    """What all deals follow from; 32 bytes."""

    @property
    def records(self) -> Path:
        """The folder of the match records."""
        return self.folder / RECORDS

    def open_store(self) -> Store:
        """
        Open the database of the league.

        Raises:
            InvalidLeague: the settings are no longer those that the league began with.
            StoreError: it cannot be used, or was made by a newer version.
        """
        store = open_store(self.folder / DATABASE)
        try:
            self._refuse_changed_settings(store.facts())
        except InvalidLeague:
            store.close()
            raise
        return store

    def _refuse_changed_settings(self, facts: dict[str, str]) -> None:
        for key, value in self.settings.fixed().items():
            if facts.get(key, "") != value:  # a league that is older than a key has the key's default
                what = f"changed league: {key!r} is not what the league began with"
                raise InvalidLeague(what, got=value, expected=repr(facts.get(key, "")))


def create_league(folder: Path, settings: LeagueSettings, secret: bytes) -> League:
    """
    Make the league in *folder*, which is new or empty, wholly or not at all.

    Raises:
        InvalidLeague: there is something already, or the folder cannot be made.
    """
    folder = folder.resolve()
    try:
        if folder.is_dir() and any(folder.iterdir()):
            raise InvalidLeague("cannot create league", "the folder is not empty", got=str(folder))
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            _fill(draft, settings, secret)
            _put_in_place(draft, folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        raise InvalidLeague("cannot create league", str(error), got=str(folder)) from None
    return League(folder, settings, secret)


def open_league(folder: Path) -> League:
    """
    Return the league in *folder*.

    Raises:
        InvalidLeague: it is no league, one of a newer version, or its settings or secret are wrong.
    """
    settings = read_settings(folder)
    secret = _read_secret(folder / SECRET) if settings.seed is None else seed_secret(settings.seed)
    if settings.commitment is not None and commitment(secret) != settings.commitment:
        raise InvalidLeague(
            "changed league", f"{SECRET} is not what {SETTINGS} is committed to", got=str(folder)
        )
    return League(folder.resolve(), settings, secret)


def submit(league: League, store: Store, bot: Entrant, now: datetime) -> tuple[Entry, bool]:
    """
    Enter *bot* into *league*, and return its entry and whether it is new; a suspended one comes back.

    A copy of its folder is what plays from here on.

    Raises:
        InvalidEntrant: it cannot play by the terms of the league, or cannot be started or copied.
        InvalidLeague: it is an open one, whose bots are run by their authors.
        StoreError: other content has the same name and version, or the store cannot be used.
    """
    refuse_open(league, "cannot submit", "let its author dial in: `handfoot league invite`")
    refuse_unfit(bot, league.settings.terms.ruleset, league.settings.terms.seats)
    resolve_command(bot)
    if bot.folder is None:
        return _enter(store, bot, None, now)
    kept = keep_copy(bot.folder, league.folder / ENTRANTS)
    try:
        return _enter(store, entrant_in(league.folder / ENTRANTS / kept), f"{ENTRANTS}/{kept}", now)
    except TournamentError:
        if kept not in {entry.hash for entry in store.entrants()}:
            shutil.rmtree(league.folder / ENTRANTS / kept)
        raise


def refuse_open(league: League, what: str, advice: str) -> None:
    """
    Raise if *league* is an open one; *what* is then refused, with *advice*.

    Raises:
        InvalidLeague: it is.
    """
    if league.settings.is_open:
        raise InvalidLeague(what, "the league is open, so its bots run elsewhere", expected=advice)


def find_entered(league: League, entry: Entry) -> Entrant:
    """
    Return the entrant of *entry*, as it was submitted.

    Raises:
        InvalidEntrant: its copy is gone or was changed, or the house bot is another one by now.
    """
    if entry.folder is not None:
        entrant = entrant_in(league.folder / entry.folder)
    elif entry.name in HOUSE_BOTS:
        entrant = house_entrant(entry.name)
    else:
        raise InvalidEntrant(f"lost bot {entry.label}", "the house has no such bot any more")
    if entrant.hash != entry.hash:
        raise InvalidEntrant(f"changed bot {entry.label}", "it is not what was submitted; submit it again")
    return entrant


def entity_of(league: League, entry: Entry) -> EntityHash:
    """Return what is rated of *entry* in *league*: its mirrored partnership."""
    return entity_hash([entry.hash] * league.settings.terms.side_size)


def labels(league: League, entries: Iterable[Entry]) -> dict[EntityHash, str]:
    """Return what people read of each entity that *entries* make in *league*."""
    size = league.settings.terms.side_size
    return {entity_of(league, entry): " + ".join([entry.label] * size) for entry in entries}


def _fill(draft: Path, settings: LeagueSettings, secret: bytes) -> None:
    draft.chmod(0o755)
    for name in (ENTRANTS, RECORDS):
        (draft / name).mkdir()
    if settings.seed is None:
        write_whole(draft / SECRET, f"{secret.hex()}\n".encode(), mode=0o600)
    if settings.terms.house_rules is not None:
        write_whole(draft / HOUSE_RULES, settings.terms.house_rules.encode())
    create_store(draft / DATABASE, settings.fixed()).close()
    write_whole(draft / SETTINGS, settings_text(settings).encode())


def _put_in_place(draft: Path, folder: Path) -> None:
    """Make *draft* the *folder*; one that exists, and may be where somebody stands, gets its settings last."""
    if not folder.exists():
        draft.rename(folder)
        return
    for part in sorted(draft.iterdir(), key=lambda part: (part.name == SETTINGS, part.name)):
        part.rename(folder / part.name)


def _read_secret(path: Path) -> bytes:
    try:
        return bytes.fromhex(path.read_text("ascii").strip())
    except (OSError, ValueError) as error:
        raise InvalidLeague(f"cannot read {path}", str(error)) from None


def _enter(store: Store, bot: Entrant, folder: str | None, now: datetime) -> tuple[Entry, bool]:
    said = bot.manifest
    entry = Entry(said.name, said.version, said.language, bot.hash, now, folder)
    return entry, store.add_entrant(entry)
