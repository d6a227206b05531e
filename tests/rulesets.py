"""Rulesets drawn at random: any combination of values that is possible, published or not."""

from dataclasses import fields
from typing import Any, get_args

from hypothesis import strategies as st

from referee.rules import RULESETS, InvalidRuleset, Ruleset
from referee.rules.cards import BLACK_THREE, NATURALS, RANK_NAMES
from referee.rules.content import ruleset_from_content
from referee.rules.ruleset import (
    FinalDiscard,
    Leftover,
    OpeningUnit,
    Permission,
    RedThrees,
    RejectedUpcards,
    ScoreRule,
    Start,
)

POINTS = st.integers(-10_000, 10_000)
TABLES = ([2], [3], [4], [2, 3, 4], [4, 6], [5, 6], [8, 12], [2, 4, 6, 8, 10, 12])


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Draw a ruleset: parts of the published ones, most values drawn anew; impossible combinations are not drawn."""
    try:
        return ruleset_from_content("drawn", _content(draw))
    except InvalidRuleset:
        return draw(st.sampled_from(list(RULESETS.values())))


def _content(draw: st.DrawFn) -> dict[str, Any]:
    wild_melds, unit = draw(st.booleans()), draw(st.sampled_from(get_args(OpeningUnit)))
    return {
        "deal": _deal(draw),
        "pile": {
            "allowed": draw(st.booleans()),
            "limit": draw(st.one_of(st.none(), st.integers(1, 100))),
            "choice": draw(st.booleans()),
            "wild_upcard": wild_melds and draw(st.booleans()),
            "opening_counts": draw(st.sampled_from(["all_melds", "upcard_meld"])),
        },
        "melds": {
            "max_wilds": draw(st.sampled_from([(0,) * 5, (1, 1, 1, 2, 2), (1, 1, 2, 2, 3), (0, 1, 2, 2, 3)])),
            "wild_melds": wild_melds,
            "books_grow": draw(st.booleans()),
        },
        "red_threes": draw(st.sampled_from(get_args(RedThrees))),
        "opening": {
            "unit": unit,
            "minimums": [0] if unit == "none" else draw(st.lists(st.integers(0, 500), min_size=1, max_size=5)),
            "excludes_partner_ranks": unit == "seat" and draw(st.booleans()),
        },
        "going_out": {
            "clean_books": draw(st.integers(0, 8)),
            "dirty_books": draw(st.integers(0, 8)),
            "wild_books": draw(st.integers(0, 8)) if wild_melds else 0,
            "clean_book_ranks": draw(st.lists(st.sampled_from(RANK_NAMES[:NATURALS]), max_size=3)),
            "partner_played_foot": draw(st.booleans()),
            "permission": draw(st.sampled_from(get_args(Permission))),
            "final_discard": draw(st.sampled_from(get_args(FinalDiscard))),
        },
        "scores": _scores(draw),
        "match": {
            "rounds": draw(st.integers(1, 100)),
            "target": draw(st.one_of(st.none(), st.integers(1, 1_000_000))),
        },
    }  # fmt: skip


def _deal(draw: st.DrawFn) -> dict[str, Any]:
    seats = draw(st.sampled_from(TABLES))
    must = [number for number in seats if number < 4 or number % 2]
    may = draw(st.lists(st.sampled_from(seats)))
    return {
        "seats": seats,
        "solo": sorted({*must, *may}),
        "packs": draw(st.one_of(st.just("seats+1"), st.integers(seats[-1], 16))),
        "hand": draw(st.integers(11, 15)),
        "foot": draw(st.integers(11, 15)),
        "upcard": draw(st.booleans()),
        "rejected_upcards": draw(st.sampled_from(get_args(RejectedUpcards))),
        "start": draw(st.sampled_from(get_args(Start))),
        "draw": draw(st.integers(1, 4)),
    }


def _scores(draw: st.DrawFn) -> dict[str, Any]:
    keys = [field.name for field in fields(ScoreRule) if field.type is int]
    numbers = draw(st.lists(POINTS, min_size=len(keys), max_size=len(keys)))
    return dict(zip(keys, numbers, strict=True)) | {
        "points": [
            *draw(st.lists(st.integers(0, 100), min_size=BLACK_THREE, max_size=BLACK_THREE)),
            draw(POINTS),
        ],
        "leftover": draw(st.sampled_from(get_args(Leftover))),
        "melded_cards": draw(st.booleans()),
    }
