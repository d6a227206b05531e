"""An action that breaks several clauses is refused with the first of them, in the order of the rulebook."""

from itertools import pairwise
from typing import Any

import pytest
from builders import broken_clause, meld, round_with
from rulebook.clauses import order_of

from referee.rules import BEGINNER, ONLINE, PUBLISHER, Phase, Ruleset

BLOCKED: dict[str, Any] = {"phase": Phase.DRAW, "holding": "3c 3s 9c", "pile": "9h 3c"}
NINES: dict[str, Any] = {"phase": Phase.DRAW, "holding": "9c 9d 3c 3s 4c", "pile": "5c 9h"}
QUEENS: dict[str, Any] = {"holding": "Qc Qd 2d 4c 4d", "melds": [meld("Qs*3")]}
UNOPENED: dict[str, Any] = {
    "opened": False,
    "opening_ranks": {2: "As"},
    "melds": [meld("Ks*7"), meld("As*3")],
}
LAST: dict[str, Any] = {"on_foot": True, "holding": "5c"}
BOOKS = [meld("Ks*7"), meld("Qs*7"), meld("Js*6 2c"), meld("Ts*6 2c"), meld("2s*7")]

RISING: list[tuple[Ruleset, dict[str, Any], dict[str, str]]] = [
    (BEGINNER, {"holding": "3h 9c"}, {"draw": "HF-2.1", "discard 3d": "HF-2.3", "discard 3h": "HF-4.3"}),
    (BEGINNER, BLOCKED, {"take 9 with 9d 3c": "HF-2.3", "take 9 with 9c 3c": "HF-3.3"}),
    (BEGINNER, BLOCKED, {"take 1 with 3c 3s": "HF-3.3"}),
    (
        ONLINE,
        NINES,
        {"take 1 with 9c": "HF-3.6", "take 2 with 9c": "HF-3.7", "take 2 with 9c 9d, 3c": "HF-4.6"},
    ),
    (
        ONLINE,
        {"holding": "9c Td 3c 4c"},
        {"lay 7+ 9c Td 3c": "HF-4.6", "lay 7+ 9c Td": "HF-5.1", "lay 7+ 9c": "HF-5.2"},
    ),
    (ONLINE, {"holding": "2c 2d 4c 4d"}, {"lay 2c 2d": "HF-5.3", "lay 4c 4d": "HF-5.8"}),
    (BEGINNER, QUEENS, {"lay Qc 2d": "HF-5.5", "lay 4c 2d": "HF-5.8"}),
    (ONLINE, QUEENS | {"melds": [meld("Qs*7")]}, {"lay 0+ Qc 2d": "HF-5.6", "lay 4c 2d": "HF-5.8"}),
    (
        ONLINE,
        {"holding": "9c*5 2d*3 4c"},
        {"lay 9c 9c 9c 9c 9c 2d 2d 2d": "HF-5.9", "lay 9c 9c 9c 9c 2d 2d 2d": "HF-5.10"},
    ),
    (
        PUBLISHER,
        UNOPENED | {"holding": "2d Kc As Ad Ac 4c 4d 4h", "number": 3},
        {"lay 0+ 2d": "HF-5.7", "lay 0+ Kc": "HF-6.2", "lay As Ad Ac": "HF-6.3", "lay 4c 4d 4h": "HF-6.4"},
    ),
    (BEGINNER, {"opened": False, "on_foot": True, "holding": "4c 4d 4h 5c"}, {"lay 4c 4d 4h": "HF-6.4"}),
    (ONLINE, {"holding": "5c 6c"}, {"ask": "HF-8.3"}),
    (ONLINE, LAST | {"holding": "5c 6c"}, {"ask": "HF-8.5"}),
    (BEGINNER, LAST, {"discard 5c": "HF-8.4"}),
    (BEGINNER, LAST | {"melds": BOOKS}, {"discard 5c": "HF-8.5"}),
    (BEGINNER, LAST | {"melds": BOOKS, "others_played_foot": [2], "agreed": False}, {"discard 5c": "HF-8.6"}),
    (BEGINNER, LAST | {"melds": BOOKS, "others_played_foot": [2]}, {"discard 5c": "HF-8.7"}),
]
"""Positions with actions from which one flaw after the other has been taken away."""


@pytest.mark.parametrize(("ruleset", "position", "expected"), RISING)
def test_the_first_broken_clause_is_cited(
    ruleset: Ruleset, position: dict[str, Any], expected: dict[str, str]
) -> None:
    """With each flaw that is taken away the refusal moves on to a later clause."""
    state = round_with(ruleset, **position)
    assert {action: broken_clause(state, action) for action in expected} == expected
    assert all(order_of(first) < order_of(second) for first, second in pairwise(expected.values()))
