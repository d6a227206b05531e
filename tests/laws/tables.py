"""The tables at which laws are tested: all published ones, and house rules that reach what those seldom do."""

from typing import Any

from laws.playouts import Table

from referee.rules import BEGINNER, ONLINE, PUBLISHER, RULESETS, SIMPLE, Ruleset
from referee.rules.content import ruleset_from_content


def house(base: Ruleset, name: str, **parts: dict[str, Any]) -> Ruleset:
    """Return *base* under another name, with parts changed field by field."""
    content = base.content()
    return ruleset_from_content(
        name, content | {part: content[part] | values for part, values in parts.items()}
    )


PUBLISHED = tuple(Table(ruleset, seats) for ruleset in RULESETS.values() for seats in ruleset.seats)

HASTY = house(
    ONLINE,
    "hasty",
    deal={"seats": (2, 3), "packs": 2, "hand": 11, "foot": 11, "draw": 1},
    pile={"limit": None},
    opening={"minimums": (0,)},
    going_out={"clean_books": 0, "dirty_books": 0},
)
"""A stock that is soon gone, the whole pile, and books not needed."""

POLITE = house(
    BEGINNER,
    "polite",
    deal={"packs": 3, "hand": 11, "foot": 11, "draw": 1},
    pile={"limit": 3, "opening_counts": "upcard_meld"},
    opening={"minimums": (30, 60)},
    going_out={"clean_books": 0, "dirty_books": 1, "wild_books": 0, "final_discard": "required"},
    match={"rounds": 3},
)
"""Asking matters from early on, and the last card is discarded."""

GENEROUS = house(
    PUBLISHER,
    "generous",
    deal={"seats": (2, 4), "solo": (2,), "packs": 3, "hand": 11, "foot": 11, "upcard": True},
    pile={"allowed": True, "limit": 5, "choice": True, "wild_upcard": True},
    melds={"wild_melds": True},
    going_out={"clean_books": 1, "dirty_books": 0, "permission": "optional"},
)
"""Growing books and wild melds, held red threes and a pile that may be taken, each seat opening for itself."""

BARRED = house(
    SIMPLE,
    "barred",
    deal={"seats": (6,), "packs": 5, "hand": 12, "foot": 11, "upcard": True, "rejected_upcards": "buried"},
    going_out={
        "clean_books": 1,
        "clean_book_ranks": ("7",),
        "final_discard": "forbidden",
        "partner_played_foot": True,
    },
)
"""Six seats, a clean book of sevens needed, and no last discard."""

HOUSE = tuple(
    Table(ruleset, seats) for ruleset in (HASTY, POLITE, GENEROUS, BARRED) for seats in ruleset.seats
)

TABLES = PUBLISHED + HOUSE
