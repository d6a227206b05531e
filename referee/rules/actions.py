"""The actions of a seat and their notation. Whether one is legal is not judged here."""

from typing import Final

from referee.rules.cards import PACK_SIZE, Card, format_card, format_cards, parse_card, parse_cards
from referee.rules.errors import InvalidNotation
from referee.rules.values import value


@value
class Entry:
    """Cards from the holding that go to one meld."""

    cards: tuple[Card, ...]
    """The cards, at least one."""

    target: int | None = None
    """The number of the meld to add to, counted over the whole table in the round; None for a new meld."""


@value
class DrawStock:
    """Draw from the stock what the ruleset says, or what is left of it."""


@value
class TakePile:
    """Take cards from the top of the discard pile."""

    count: int
    """How many cards, the upcard among them; at least 1."""

    melds: tuple[Entry, ...]
    """The meld around the upcard first, without the upcard itself; then further melds from the holding."""


@value
class LayDown:
    """Lay new melds down and lay cards off, in the order given."""

    melds: tuple[Entry, ...]
    """At least one."""


@value
class AskPartner:
    """Ask the partner for permission to go out in this turn."""


@value
class AnswerPartner:
    """Answer the partner's question."""

    agree: bool


@value
class Discard:
    """Put one card on the discard pile, which ends the turn."""

    card: Card


@value
class Pass:
    """Decline the pile when the stock is empty, or end a stranded turn without a discard."""


Action = DrawStock | TakePile | LayDown | AskPartner | AnswerPartner | Discard | Pass

DRAW_STOCK: Final = DrawStock()
ASK_PARTNER: Final = AskPartner()
PASS: Final = Pass()
DISCARDS: Final[tuple[Discard, ...]] = tuple(Discard(Card(card)) for card in range(PACK_SIZE))
"""One discard for each card, ready to hand out."""

ATTEMPTS: Final[dict[type, str]] = {
    DrawStock: "draw",
    TakePile: "taking of the pile",
    LayDown: "lay-down",
    AskPartner: "question",
    AnswerPartner: "answer",
    Discard: "discard",
    Pass: "pass",
}
"""What each action is called in a sentence."""


def format_action(action: Action) -> str:
    """
    Return the notation of *action*.

    >>> format_action(LayDown((Entry(parse_cards("4h 4c 2s")), Entry(parse_cards("Kd"), target=3))))
    'lay 4h 4c 2s, 3+ Kd'
    >>> format_action(TakePile(7, (Entry(parse_cards("9c 9d")),)))
    'take 7 with 9c 9d'
    """
    match action:
        case TakePile(count, melds):
            return f"take {count} with {_format_entries(melds)}"
        case LayDown(melds):
            return f"lay {_format_entries(melds)}"
        case AnswerPartner(agree):
            return "answer yes" if agree else "answer no"
        case Discard(card):
            return f"discard {format_card(card)}"
    return {DrawStock: "draw", AskPartner: "ask", Pass: "pass"}[type(action)]


def _format_entries(entries: tuple[Entry, ...]) -> str:
    return ", ".join(
        format_cards(entry.cards) if entry.target is None else f"{entry.target}+ {format_cards(entry.cards)}"
        for entry in entries
    )


def parse_action(text: str) -> Action:
    """
    Return the action that *text* writes down.

    >>> parse_action("discard 4h") == Discard(parse_card("4h"))
    True

    Raises:
        InvalidNotation: *text* is not an action.
    """
    verb, _, rest = text.strip().partition(" ")
    match verb, rest:
        case "draw", "":
            return DRAW_STOCK
        case "ask", "":
            return ASK_PARTNER
        case "pass", "":
            return PASS
        case "answer", "yes" | "no":
            return AnswerPartner(rest == "yes")
        case "discard", _:
            return Discard(parse_card(rest))
        case "lay", _:
            return LayDown(_parse_entries(rest))
        case "take", _:
            count, _, melds = rest.partition(" with ")
            if count.isdecimal():
                return TakePile(int(count), _parse_entries(melds))
    raise InvalidNotation(
        "unreadable action: expected draw, take N with CARDS, lay CARDS, ask, answer yes or no, "
        f"discard CARD or pass; got {text!r}"
    )


def _parse_entries(text: str) -> tuple[Entry, ...]:
    return tuple(_parse_entry(part) for part in text.split(","))


def _parse_entry(text: str) -> Entry:
    number, plus, rest = text.partition("+")
    if plus and not number.strip().isdecimal():
        raise InvalidNotation(
            f"unreadable meld: expected a meld number before the plus; got {text.strip()!r}"
        )
    cards = parse_cards(rest if plus else number)
    if not cards:
        raise InvalidNotation(f"unreadable meld: expected at least one card; got {text.strip()!r}")
    return Entry(cards, int(number) if plus else None)
