"""The parts of docs/house-rules.md that are written from the ruleset and its parts."""

import ast
import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pages.written import DOCS, markdown_table

from referee.rules import RULESETS, InvalidHouseRules, Ruleset, parse_house_rules
from referee.rules import ruleset as rules_module
from referee.rules.content import known_keys
from referee.rules.house_rules import WORDS_FOR_NONE

PAGE = DOCS / "house-rules.md"

WRONG = """\
name = "kitchen table"
base = "beginer"

[deal]
hand = 20
foots = 11

[pile]
limit = "all"
"""

CONFLICTS = {
    "[deal]\nhand = 15\nfoot = 15\npacks = 2": "at least 27 cards are left for the stock",
    "[deal]\nseats = [4, 5]": "partners need an even number of seats, at least four",
    "[deal]\nseats = [4]": "`online` lets two and three play alone: `solo` is a part of `seats`",
    "[opening]\nunit = 'none'": "no opening needs no points",
    "[opening]\nexcludes_partner_ranks = true": "only where each seat opens there is a partner's opening",
    "[melds]\nmax_wilds = [1, 1, 1, 2, 4]": "a meld has more naturals than wild cards, and wild cards come one by one",
    "[melds]\nmax_wilds = [0, 0, 0, 0, 0]": "without wild cards there are no dirty books",
    "[going_out]\nwild_books = 1": "what is needed to go out must be possible",
    "[pile]\nwild_upcard = true": "a wild card on top is claimed with two of its kind, for a meld of wild cards",
}
"""House rules on the base `online` that are refused, and why."""


def field_docs() -> dict[str, str]:
    """Return what is written below each field of the parts of a ruleset, by class and field."""
    found = {}
    for part in ast.parse(inspect.getsource(rules_module)).body:
        if not isinstance(part, ast.ClassDef):
            continue
        for field, below in zip(part.body, part.body[1:], strict=False):
            if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
                assert isinstance(field.target, ast.Name)
                assert isinstance(below.value, ast.Constant)
                found[f"{part.name}.{field.target.id}"] = str(below.value.value)
    return found


def described_keys() -> dict[str, tuple[Any, str]]:
    """Return the type and the description of each key, by its dotted name, in order."""
    docs, found = field_docs(), {}
    for key in known_keys():
        owner: Any = Ruleset
        *way, leaf = key.split(".")
        for step in way:
            owner = get_type_hints(owner)[step]
        found[key] = (get_type_hints(owner)[leaf], docs[f"{owner.__name__}.{leaf}"])
    return found


def allowed(kind: Any, key: str) -> str:
    """Return what may stand for a value of type *kind*, in words."""
    if get_origin(kind) in (Union, UnionType):
        words = [
            f'`"{WORDS_FOR_NONE[key]}"`' if each is NoneType else allowed(each, key)
            for each in get_args(kind)
        ]
        return " or ".join(words)
    if get_origin(kind) is Literal:
        return ", ".join(f'`"{choice}"`' for choice in get_args(kind))
    if get_origin(kind) is tuple:
        inner = {int: "whole numbers", str: "texts"}[get_args(kind)[0]]
        return f"list of {inner}"
    return {int: "whole number", bool: "`true` or `false`"}[kind]


def written(value: object, key: str) -> str:
    """Return *value* as it is written in a file, or shorter where that is clear."""
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return WORDS_FOR_NONE[key]
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value)) or "none"
    return str(value)


def keys() -> str:
    """Return a table of the keys for each part of a ruleset."""
    parts: dict[str, list[list[str]]] = {}
    for key, (kind, doc) in described_keys().items():
        table, _, leaf = key.rpartition(".")
        values = [written(_value(ruleset, key), key) for ruleset in RULESETS.values()]
        parts.setdefault(table, []).append([f"`{leaf}`", doc, allowed(kind, key), *values])
    head = ["key", "meaning", "value", *(f"`{name}`" for name in RULESETS)]
    docs = {
        field.name: (inspect.getdoc(_part(field.name)) or "")
        for field in fields(Ruleset)
        if _part(field.name)
    }
    texts = [f"### At the top\n\n{markdown_table(head, parts.pop(''))}"]
    for table, rows in parts.items():
        note = f"\n\n{POINTS_NOTE}" if table == "scores" else ""
        texts.append(f"### `[{table}]`\n\n{docs[table]}\n\n{markdown_table(head, rows)}{note}")
    return "\n\n".join(texts)


POINTS_NOTE = """\
`points` is better written as a table in which only what differs is named, by rank
(`4` to `9`, `T`, `J`, `Q`, `K`, `A`, `2`, `joker`, `"black 3"`):

```toml
[scores.points]
8 = 5
"black 3" = -5
```"""


def _part(name: str) -> Any:
    kind = get_type_hints(Ruleset)[name]
    return kind if is_dataclass(kind) else None


def _value(ruleset: Ruleset, key: str) -> object:
    found: Any = ruleset
    for step in key.split("."):
        found = getattr(found, step)
    return found


def refused(text: str, source: str) -> str:
    """Return the message with which the house rules of *text* are refused."""
    try:
        parse_house_rules(text, source)
    except InvalidHouseRules as error:
        return str(error)
    raise AssertionError(f"not refused: {text}")


def refusal() -> str:
    """Return a file with mistakes, and what is said about it."""
    said = f"$ handfoot rules check kitchen.toml\nError: {refused(WRONG, 'kitchen.toml')}"
    return f"```toml\n{WRONG}```\n\n```\n{said}\n```"


def conflicts() -> str:
    """Return a table of what is refused in combination."""
    rows = []
    for text, reason in CONFLICTS.items():
        said = refused(f'name = "x"\nbase = "online"\n{text}', "x").partition("impossible ruleset: ")[2]
        shown = "<br>".join(f"`{line}`" for line in text.splitlines())
        rows.append([shown, said, reason])
    return "With `online` as base:\n\n" + markdown_table(["file", "refused since", "why"], rows)


PARTS: dict[str, Callable[[], str]] = {"refusal": refusal, "keys": keys, "conflicts": conflicts}
"""What each marked part is written by."""
