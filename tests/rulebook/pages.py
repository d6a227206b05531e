"""The parts of the rulebook's pages that are written from the rules themselves."""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

from rulebook.clauses import RULEBOOK, read_clauses

from referee.rules import (
    BEGINNER,
    ONLINE,
    PUBLISHER,
    RULESETS,
    Card,
    Ruleset,
    action_bound,
    deal_round,
    flat_content,
    format_card,
    format_cards,
)
from referee.rules.cards import CUT_ORDER, PACK_SIZE, pack_cards
from referee.rules.deal import below, shuffled, words

VECTOR_KEY = bytes.fromhex("c9a79b56ecea587e2a366f8a770b35c26584a316f13c0a5c5e1f19abdba28b23")

_MARKED = re.compile(r"(<!-- begin (\w+): [^>]*-->\n).*?(<!-- end \2 -->)", re.DOTALL)


def rewrite(page: Path) -> str:
    """Return the text of *page* with every marked part written anew."""

    def write(match: re.Match[str]) -> str:
        return f"{match[1]}\n{PARTS[match[2]]()}\n\n{match[3]}"

    return _MARKED.sub(write, page.read_text(encoding="utf-8"))


def marked_pages() -> list[Path]:
    """Return the pages that have marked parts."""
    return [
        page for page in sorted(RULEBOOK.glob("*.md")) if _MARKED.search(page.read_text(encoding="utf-8"))
    ]


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def ruleset_table() -> str:
    """Return the table of the fields of the published rulesets, with the clauses that each field decides."""
    contents = [flat_content(ruleset) for ruleset in RULESETS.values()]
    rows = []
    for field in contents[0]:
        values = [content[field] for content in contents]
        rows.append([f"`{field}`", *(_value(field, value) for value in values), ", ".join(deciding(field))])
    return _table(["field", *(f"`{name}`" for name in RULESETS), "clauses"], rows)


def deciding(field: str) -> list[str]:
    """Return the numbers of the clauses that *field* decides."""
    whole = "scores.points" if field.startswith("scores.points.") else field
    return [number for number, clause in read_clauses().items() if whole in clause.fields]


def _value(field: str, value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "whole pile" if field == "pile.limit" else "none"
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value)) or "none"
    return str(value)


def bound_table() -> str:
    """Return the table of the most actions of a round."""
    rows = [
        [f"`{ruleset.name}`", str(seats), str(action_bound(ruleset, seats))]
        for ruleset in RULESETS.values()
        for seats in ruleset.seats
    ]
    return _table(["ruleset", "seats", "actions of a round, at most"], rows)


def shuffle_vector() -> str:
    """Return the test vector of the shuffle."""
    order = shuffled(VECTOR_KEY, b"deck", 270)
    digest = hashlib.sha256(b"".join(number.to_bytes(2, "big") for number in order)).hexdigest()
    first = [str(word) for word, _ in zip(words(VECTOR_KEY, b"deck"), range(4), strict=False)]
    return "\n".join(
        [
            f"```\n{VECTOR_KEY.hex()}\n```",
            "",
            f"the stream `deck` begins with {', '.join(first)};",
            f"the list begins {', '.join(map(str, order[:12]))};",
            "and SHA-256 over its numbers, each as two bytes, most significant first, is",
            "",
            f"```\n{digest}\n```",
        ]
    )


def examples() -> str:
    """Return the example deals: one in full, one with buried cards, and a high cut."""
    return "\n\n".join(
        [
            _full_example(ONLINE, 2, _key(139)),
            _buried_example(BEGINNER, 4, _key(0)),
            _cut_example(PUBLISHER, 4, _key(6)),
        ]
    )


def _key(last: int) -> bytes:
    return bytes(31) + bytes([last])


def _full_example(ruleset: Ruleset, seats: int, key: bytes) -> str:
    deal = deal_round(ruleset, seats, 0, key)
    lines = [f"key       {key.hex()}"]
    lines += _rows({f"hand {seat}": cards for seat, cards in enumerate(deal.hands)})
    lines += _rows({f"foot {seat}": cards for seat, cards in enumerate(deal.feet)})
    lines += [f"upcard    {format_card(deal.upcard or Card(0))}"]
    lines += _rows({"under": deal.under, "stock": deal.stock})
    lines += _rows({f"stripe {seat}": deal.stock[seat::seats] for seat in range(seats)})
    title = (
        f"A whole deal, `{ruleset.name}` with {seats} seats; two cards were rejected and lie under the stock:"
    )
    return f"{title}\n\n```\n" + "\n".join(lines) + "\n```"


def _rows(lists: dict[str, tuple[Card, ...]]) -> list[str]:
    lines = []
    for name, cards in lists.items():
        for start in range(0, len(cards), 26):
            head = name if start == 0 else ""
            lines.append(f"{head:<10}{format_cards(cards[start : start + 26])}")
    return lines


def _buried_example(ruleset: Ruleset, seats: int, key: bytes) -> str:
    deal = deal_round(ruleset, seats, 0, key)
    stream, size = words(key, b"bury"), len(deal.stock) - len(deal.rejected)
    places = [below(stream, size + number + 1) for number in range(len(deal.rejected))]
    lines = [
        f"key       {key.hex()}",
        *_rows({"hand 0": deal.hands[0], "rejected": deal.rejected}),
        f"upcard    {format_card(deal.upcard or Card(0))}",
        f"indices   {' '.join(map(str, places))}",
        *_rows({"stock": deal.stock}),
    ]
    title = f"Buried cards, `{ruleset.name}`; the stock is the one after they have been inserted:"
    return f"{title}\n\n```\n" + "\n".join(lines) + "\n```"


def _cut_example(ruleset: Ruleset, seats: int, key: bytes) -> str:
    size = PACK_SIZE * ruleset.deal.packs_for(seats)
    packs, stream = pack_cards(ruleset.deal.packs_for(seats)), words(key, b"cut")
    lines, rivals = [f"key       {key.hex()}"], list(range(seats))
    while len(rivals) > 1:
        heights = []
        for seat in rivals:
            drawn = [packs[below(stream, size)]]
            while CUT_ORDER[drawn[-1]] < 0:
                drawn.append(packs[below(stream, size)])
            lines.append(f"seat {seat}    {', again '.join(map(format_card, drawn))}")
            heights.append(CUT_ORDER[drawn[-1]])
        rivals = [seat for seat, height in zip(rivals, heights, strict=True) if height == max(heights)]
    assert rivals == [deal_round(ruleset, seats, 0, key).first_seat]
    lines.append(f"first     {rivals[0]}")
    title = f"A high cut, `{ruleset.name}` with {seats} seats:"
    return f"{title}\n\n```\n" + "\n".join(lines) + "\n```"


PARTS: dict[str, Callable[[], str]] = {
    "rulesets": ruleset_table,
    "bounds": bound_table,
    "vector": shuffle_vector,
    "examples": examples,
}
"""What each marked part is written by."""
