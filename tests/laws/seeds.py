"""Which playouts are looked at by default: a few of each table, and those that reach what happens seldom."""

import hashlib
import itertools
from collections.abc import Iterator
from functools import cache

from laws.playouts import Playout, Table, trace
from laws.tables import TABLES

from referee.rules import RANK_OF, deal_round
from referee.rules.cards import RED_THREE

EVERY = range(5)
"""Seeds of every table, one of each style."""

RARE = ("answer", "allowed", "refused", "take or pass", "stranded", "passed by itself", "out")
"""Tags that few playouts have."""

FOUND: dict[str, tuple[int, ...]] = {
    "beginner-4": (5, 24, 183),
    "online-2": (10,),
    "online-3": (30,),
    "online-4": (5,),
    "publisher-4": (5,),
    "hasty-2": (66,),
    "hasty-3": (17,),
    "polite-4": (13, 106),
    "generous-2": (5,),
    "generous-4": (5, 96),
}
"""More seeds, found by running this module."""

LAST_CARDS = (
    ("beginner-4", 1, "8bbedaa0022ce5353e9793c5776a1df262ebe0c0e554c17060a37f163db9910d"),
    ("beginner-4", 6, "b53a80d9fe2efa8b0f9a5813603861178dcfe6100d387829b541f29bf749fbe7"),
    ("online-2", 6, "d24e3c8604f50808c2aae48d93df7934f64ccabf2093d698cd85c47747ff12f9"),
    ("simple-4", 23, "fb8ebed74d84d8362cb14fd13fa2734a33e072401117c3182da093b7eca649ca"),
    ("hasty-3", 20, "754dedd353db322bf7765ececb7f500fe4ce3150acd2af71ac2f77c25af49efd"),
)
"""Deals whose last cards are red threes, with seeds by which somebody is stranded."""


@cache
def default_playouts(table: Table) -> tuple[Playout, ...]:
    """Return the playouts of *table* that are looked at by default."""
    seeds = sorted({*EVERY, *FOUND.get(str(table), ())})
    return (
        *(Playout(table, seed) for seed in seeds),
        *(Playout(table, seed, key) for name, seed, key in LAST_CARDS if name == str(table)),
    )


def search(table: Table, seeds: range, key: str = "") -> dict[str, int]:
    """Return for each rare tag the first of *seeds* that reaches it."""
    found: dict[str, int] = {}
    for seed in seeds:
        for tag in set(RARE) & set(trace(Playout(table, seed, key)).tags):
            found.setdefault(tag, seed)
        trace.cache_clear()
    return found


def doomed_keys(table: Table, number: int) -> Iterator[str]:
    """Yield keys of deals whose last *number* cards are red threes."""
    for count in itertools.count():
        key = hashlib.sha256(f"{table} {count}".encode()).digest()
        deal = deal_round(table.ruleset, table.seats, 0, key)
        if all(RANK_OF[card] == RED_THREE for card in (deal.stock + deal.under)[-number:]):
            yield key.hex()


if __name__ == "__main__":
    for each in TABLES:
        print(each, search(each, range(200)))
    for each in (table for table in TABLES if table.ruleset.red_threes == "laid"):
        for doomed in itertools.islice(doomed_keys(each, 1 if each.ruleset.deal.upcard else 2), 20):
            print(each, doomed, search(each, range(20), doomed))
