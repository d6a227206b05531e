"""The parts of docs/records.md that are written from the records and their export."""

import ast
import inspect
import json
from collections.abc import Callable
from typing import Any

from pages.written import DOCS, markdown_table

from referee.rules import MatchRecord, export_action, export_record, format_action, from_bytes, parse_action
from referee.rules import record as record_module
from referee.rules import scoring as scoring_module
from tournaments.cli.layout import laid_out

PAGE = DOCS / "records.md"
EXAMPLE = DOCS.parent / "tests" / "golden" / "records" / "short-for-two.hfr"

ACTIONS = {
    "draw": "draws from the stock",
    "take 7 with 9c 9d, 3+ Kh": "takes the pile",
    "lay 4h 4c 2s, 3+ Kd": "lays new melds and adds to melds",
    "ask": "asks the partner whether to go out",
    "answer yes": "answers the partner; `agree` is false for no",
    "discard 4h": "ends the turn with a discard",
    "pass": "declines the pile when the stock is empty, or ends a turn in which nothing can be discarded",
}

TOP = {
    "version": "1, the version of the record",
    "match": "the id of the match",
    "ruleset": "the name of the ruleset",
    "rules_hash": "SHA-256 of the rules, as `handfoot rules show` prints it: the name alone proves nothing",
    "seats": "who sat there, by seat: `name@version`",
    "rounds": "the rounds that were dealt, in order",
    "totals": "points by side, over the finished rounds",
    "outcome": "how it ended: `termination` is one of `played`, `forfeit`, `double_forfeit`, `no_show`, `void`; "
    "`winners` are the sides with the highest total of those that did not forfeit, several for a draw; `forfeited` "
    "are the sides that did",
    "faults": "faults that counted: `seat` (-1 for the referee), `kind`, `action` (how many had been played), `reason`",
    "isolation": "how the bots were kept apart",
}

ROUND = {
    "key": "the 32 bytes from which the round is dealt, in hexadecimal; [the deal](rules/deal.md) says how",
    "first_seat": "the seat that begins",
    "hands": "by seat, as dealt, before any red three is laid",
    "feet": "by seat, as dealt",
    "stock": "the top first, without what lies under it",
    "under": "rejected upcards that lie under the stock, the first one drawn first",
    "upcard": "the card that begins the discard pile; null where none is turned",
    "actions": "in order of play: `seat`, `action`, `ms` (milliseconds of the clock that it took), `by_referee`",
    "scores": "by side, line by line; null for a round that was not finished",
}

TEXT = {
    "actions": "for each action a list: round, seat, action in the notation of the table above, milliseconds, and 1 "
    "where the referee played it, else 0",
    "faults": "as in the export",
    "forfeited": "the sides that forfeited, ascending",
    "isolation": "as in the export",
    "keys": "a deal key for each round that the ruleset can have, in hexadecimal",
    "match": "as in the export",
    "rules": "the whole ruleset, by parts, as `handfoot rules show --json` prints it",
    "rules_hash": "SHA-256 of the canonical text of `rules`",
    "ruleset": "the name of the ruleset",
    "scores": "for each finished round a list by side, line by line with `total`",
    "seats": "as in the export",
    "termination": "as in the outcome of the export",
    "totals": "as in the export",
    "version": "1",
}


def example() -> MatchRecord:
    """Return the record of the example."""
    return from_bytes(EXAMPLE.read_bytes())


def text_of_example() -> dict[str, Any]:
    """Return the values that the file of the example holds."""
    values: dict[str, Any] = json.loads(record_module._open(EXAMPLE.read_bytes()))
    return values


def described(keys: list[str], words: dict[str, str]) -> str:
    """Return a table of *keys* with their description; every one has to have one, and no other."""
    assert keys == list(words)
    return markdown_table(["key", "value"], [[f"`{key}`", words[key]] for key in keys])


def export() -> str:
    """Return the tables of the keys of an export and of a round in it."""
    values = export_record(example())
    top, dealt = described(list(values), TOP), described(list(values["rounds"][0]), ROUND)
    return f"{top}\n\nA round:\n\n{dealt}"


def actions() -> str:
    """Return the table of the types of actions."""
    rows = []
    for notation, meaning in ACTIONS.items():
        action = parse_action(notation)
        assert format_action(action) == notation
        rows.append([f"`{json.dumps(export_action(action))}`", meaning, f"`{notation}`"])
    return markdown_table(["action", "the seat", "in the file"], rows)


def scores() -> str:
    """Return the table of the lines of a score, with what is written below each field."""
    docs = _docs_of_score()
    lines = list(export_record(example())["rounds"][0]["scores"][0])
    assert lines == [*docs, "total"]
    rows = [[f"`{line}`", docs.get(line, "The sum of the lines.")] for line in lines]
    return markdown_table(["line", "meaning"], rows)


def _docs_of_score() -> dict[str, str]:
    (score,) = (
        part
        for part in ast.parse(inspect.getsource(scoring_module)).body
        if isinstance(part, ast.ClassDef) and part.name == "RoundScore"
    )
    found = {}
    for field, below in zip(score.body, score.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign):
            assert isinstance(field.target, ast.Name)
            assert isinstance(below, ast.Expr), f"no docstring below {field.target.id}"
            assert isinstance(below.value, ast.Constant)
            found[field.target.id] = str(below.value.value)
    return found


def text() -> str:
    """Return the table of the keys of the text in a file, and the first actions of the example in it."""
    values = text_of_example()
    first = ",\n".join(json.dumps(action, separators=(",", ":")) for action in values["actions"][:4])
    return f"{described(list(values), TEXT)}\n\nThe first actions of the example:\n\n```json\n{first}\n```"


def complete_example() -> str:
    """Return the export of the example."""
    return f"```json\n{laid_out(export_record(example()), width=160)}\n```"


PARTS: dict[str, Callable[[], str]] = {
    "export": export,
    "actions": actions,
    "scores": scores,
    "example": complete_example,
    "text": text,
}
"""What each marked part is written by."""
