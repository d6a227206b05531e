"""Golden rounds and counts: what was played and how much was legal once is the same today."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from golden.playing import Ply, golden_key, play_round, text_of_round

from referee.rules import RULESETS, Ruleset, find_ruleset, format_action

HERE = Path(__file__).parent

ROUNDS = [
    ("beginner", 4, 6),
    ("online", 2, 23),
    ("online", 3, 31),
    ("online", 4, 30),
    ("publisher", 4, 33),
    ("publisher", 6, 52),
    ("simple", 4, 25),
]
"""Ruleset, seats and number of the key; with a number below the rounds of a match it is that round."""

COUNTED_KEYS = (100, 101)
"""Numbers of the keys with which the legal actions are counted at every table."""

A_ROW = 25
"""Counts in a line."""


@pytest.mark.parametrize(("name", "seats", "number"), ROUNDS)
def test_golden_round(name: str, seats: int, number: int, golden: Callable[[Path, str], None]) -> None:
    """A round is dealt, played and scored as it was, in a text that one can read in a few minutes."""
    ruleset = find_ruleset(name)
    text = text_of_round(ruleset, seats, number % ruleset.rounds, golden_key(number))
    assert text.count("\n") < 200
    golden(HERE / "rounds" / f"{name}-{seats}-key-{number}.txt", text)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.name)
def test_golden_counts(ruleset: Ruleset, golden: Callable[[Path, str], None]) -> None:
    """As many actions are legal at each point of a round as there were, the same ones in the same order."""
    lines = [f"{ruleset.name}: how many actions are listed before each action of a round", ""]
    for seats in ruleset.seats:
        for number in COUNTED_KEYS:
            _, _, plies = play_round(ruleset, seats, number % ruleset.rounds, golden_key(number))
            lines += [_summary(seats, number, plies), *_rows([len(ply.listed) for ply in plies]), ""]
    golden(HERE / "counts" / f"{ruleset.name}.txt", "\n".join(lines))


def _summary(seats: int, number: int, plies: list[Ply]) -> str:
    listed = [format_action(action) for ply in plies for action in ply.listed]
    digest = hashlib.sha256("\n".join(listed).encode()).hexdigest()[:16]
    return f"{seats} seats, key {number}: {len(plies)} actions of {len(listed)} listed; digest {digest}"


def _rows(counts: list[int]) -> list[str]:
    return [
        f"{start:5}  {' '.join(f'{count:3}' for count in counts[start : start + A_ROW])}"
        for start in range(0, len(counts), A_ROW)
    ]
