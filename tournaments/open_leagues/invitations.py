"""Invitations to an open league: who may dial in, by which token."""

import re
from datetime import datetime

from tournaments.errors import InvalidLeague, TournamentError
from tournaments.leagues.league import League
from tournaments.store import Store, token_hash


def invite(league: League, store: Store, name: str, now: datetime, token: str) -> str:
    """
    Let whoever has *token* dial in to *league* under *name*, and return it; the store keeps its hash only.

    Raises:
        TournamentError: *name* is no name for a bot.
        InvalidLeague: the league is a hosted one.
        StoreError: an invitation of this name holds already.
    """
    _refuse_hosted(league)
    if re.fullmatch(r"[A-Za-z0-9._-]{1,40}", name) is None:
        expected = "1 to 40 letters, digits, '.', '_' or '-'"
        raise TournamentError("cannot invite", "not a name for a bot", got=name, expected=expected)
    store.invite(name, token_hash(token), now)
    return token


def withdraw(league: League, store: Store, name: str, now: datetime) -> None:
    """
    End the invitation of *name*; the results of its bots stay.

    Raises:
        InvalidLeague: the league is a hosted one.
        StoreError: no invitation of this name holds.
    """
    _refuse_hosted(league)
    store.revoke(name, now)


def _refuse_hosted(league: League) -> None:
    if not league.settings.is_open:
        expected = "`handfoot league submit`, or a league that was made with --open"
        raise InvalidLeague("cannot invite", "the league is hosted, so its bots run here", expected=expected)
