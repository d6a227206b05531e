"""
The store: a league's entrants, results and facts in a database, and the lock of its one owner.

SQLite in a file of the league's folder by default, PostgreSQL by URL; the only package that knows SQL.
Importing it takes a third of a second, so commands do it when they need it.

::

    store = create_store(folder / "league.db", {"name": "spring", "ruleset": "online"})     # a new league
    with open_store(folder / "league.db") as store, own_league(folder, now):                # a run
        done = store.unit_ids()                                     # resume: scheduled minus these
        for result in ...:
            arrival = store.add_result(result, attempt=1, arrived=now)  # on disk when this returns
            if arrival is Arrival.CONFLICTING: ...                  # the first one stays; say so
        rate(store.results(), ...)                                  # in unit id order

Entrants: `Store.add_entrant` (again: comes back from suspension), `Store.set_status`, `Store.entrants`.
Results: `Store.add_result`, `Store.unit_ids`, `Store.results`, `Store.tally`; chain: `Store.chain_head`,
`Store.check_chain`. Facts: `Store.facts`, `Store.set_fact`. Owner: `own_league`, `find_owner`.
Open leagues: `Store.invite`, `Store.revoke`, `Store.find_invitation`, with `token_hash` of the token.
All errors are `StoreError`, which is a `TournamentError`; the tree stands in `tournaments.store.errors`.
"""

from tournaments.store.chain import GENESIS
from tournaments.store.entry import EntrantStatus, Entry
from tournaments.store.errors import AlreadyExists, LeagueBusy, NotFound, StoreError
from tournaments.store.invitation import Invitation, token_hash
from tournaments.store.lock import find_owner, own_league
from tournaments.store.owner import Owner
from tournaments.store.store import Arrival, Store, create_store, open_store

__all__ = [
    "GENESIS",
    "AlreadyExists",
    "Arrival",
    "EntrantStatus",
    "Entry",
    "Invitation",
    "LeagueBusy",
    "NotFound",
    "Owner",
    "Store",
    "StoreError",
    "create_store",
    "find_owner",
    "open_store",
    "own_league",
    "token_hash",
]
