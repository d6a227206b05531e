"""
The actions of a seat: how to build them, and their notation. Whether one is legal, the referee says.

    draw_stock()                                        draw
    take_pile(7, new_meld(nines))                       take 7 with 9c 9d
    lay_down(new_meld(fours), lay_off(3, kings))        lay 4h 4c 2s, 3+ Kd
    ask_partner()                                       ask
    answer(agree=True)                                  answer yes
    discard(card)                                       discard 4h
    pass_turn()                                         pass
"""

from collections.abc import Iterable

from handfoot.cards import Card, format_card, format_cards, parse_card, parse_cards
from handfoot.errors import InvalidNotation
from handfoot.v1 import action_pb2
from handfoot.v1.action_pb2 import Action, MeldEntry


def draw_stock() -> Action:
    """Return the action that draws from the stock."""
    return Action(draw_stock=action_pb2.DrawStock())


def take_pile(count: int, around_upcard: MeldEntry, *further: MeldEntry) -> Action:
    """
    Return the action that takes *count* cards from the discard pile, the upcard among them.

    *around_upcard* holds the cards that leave the holding for the meld of the upcard, without the upcard.
    """
    return Action(take_pile=action_pb2.TakePile(count=count, melds=(around_upcard, *further)))


def lay_down(*entries: MeldEntry) -> Action:
    """Return the action that lays new melds down and lays cards off, in the order given."""
    return Action(lay_down=action_pb2.LayDown(melds=entries))


def ask_partner() -> Action:
    """Return the action that asks the partner whether one may go out."""
    return Action(ask_partner=action_pb2.AskPartner())


def answer(*, agree: bool) -> Action:
    """Return the action that answers the partner's question."""
    return Action(answer_partner=action_pb2.AnswerPartner(agree=agree))


def discard(card: Card) -> Action:
    """Return the action that discards *card* and so ends the turn."""
    return Action(discard=action_pb2.Discard(card=card))


def pass_turn() -> Action:
    """Return the action that declines the pile when the stock is empty, or ends a stranded turn."""
    return Action(pass_turn=action_pb2.PassTurn())


def new_meld(cards: Iterable[Card]) -> MeldEntry:
    """Return the part of a lay-down that makes a new meld of *cards*."""
    return MeldEntry(cards=cards)


def lay_off(meld: int, cards: Iterable[Card]) -> MeldEntry:
    """Return the part of a lay-down that adds *cards* to the meld with the number *meld*."""
    return MeldEntry(target=meld, cards=cards)


def format_action(action: Action) -> str:
    """
    Return the notation of *action*, or ``nothing`` where no kind is set.

    >>> format_action(lay_down(new_meld(parse_cards("4h 4c 2s")), lay_off(3, parse_cards("Kd"))))
    'lay 4h 4c 2s, 3+ Kd'
    """
    match action.WhichOneof("kind"):
        case "take_pile":
            return f"take {action.take_pile.count} with {_format_entries(action.take_pile.melds)}"
        case "lay_down":
            return f"lay {_format_entries(action.lay_down.melds)}"
        case "answer_partner":
            return "answer yes" if action.answer_partner.agree else "answer no"
        case "discard":
            return f"discard {format_card(action.discard.card)}"
        case "draw_stock":
            return "draw"
        case "ask_partner":
            return "ask"
        case "pass_turn":
            return "pass"
    return "nothing"


def parse_action(text: str) -> Action:
    """
    Return the action that *text* writes down.

    >>> parse_action("discard 4h") == discard(parse_card("4h"))
    True

    Raises:
        InvalidNotation: *text* is not an action.
    """
    verb, _, rest = text.strip().partition(" ")
    match verb, rest:
        case "draw", "":
            return draw_stock()
        case "ask", "":
            return ask_partner()
        case "pass", "":
            return pass_turn()
        case "answer", "yes" | "no":
            return answer(agree=rest == "yes")
        case "discard", _:
            return discard(parse_card(rest))
        case "lay", _:
            return lay_down(*_parse_entries(rest))
        case "take", _:
            count, _, melds = rest.partition(" with ")
            if count.isdecimal():
                return take_pile(int(count), *_parse_entries(melds))
    raise InvalidNotation(
        "unreadable action: expected draw, take N with CARDS, lay CARDS, ask, answer yes or no, "
        f"discard CARD or pass; got {text!r}"
    )


def _format_entries(entries: Iterable[MeldEntry]) -> str:
    return ", ".join(
        f"{entry.target}+ {format_cards(entry.cards)}"
        if entry.HasField("target")
        else format_cards(entry.cards)
        for entry in entries
    )


def _parse_entries(text: str) -> list[MeldEntry]:
    return [_parse_entry(part) for part in text.split(",")]


def _parse_entry(text: str) -> MeldEntry:
    number, plus, rest = text.partition("+")
    cards = parse_cards(rest if plus else number)
    if not cards or (plus and not number.strip().isdecimal()):
        raise InvalidNotation(
            f"unreadable meld: expected cards, or a number, a plus and cards; got {text.strip()!r}"
        )
    return lay_off(int(number), cards) if plus else new_meld(cards)
