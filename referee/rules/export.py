"""A record as plain values for other programs; docs/records.md describes the form."""

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any, Final

from referee.rules.actions import (
    Action,
    AnswerPartner,
    AskPartner,
    Discard,
    DrawStock,
    Entry,
    LayDown,
    TakePile,
)
from referee.rules.cards import Card, format_card
from referee.rules.deal import deal_round
from referee.rules.record import VERSION, MatchRecord, RecordedAction
from referee.rules.replay import replay
from referee.rules.scoring import RoundScore

LINES: Final = (*(field.name for field in fields(RoundScore)), "total")
"""The lines of a score, in the order of the rulebook."""


def export_record(record: MatchRecord) -> dict[str, Any]:
    """
    Return *record* as values that JSON can hold, cards in their notation, with each round as it was dealt.

    Raises:
        InvalidRecord: the record does not replay, so that nothing can be said about its rounds.
    """
    match = replay(record)
    return {
        "version": VERSION,
        "match": record.match,
        "ruleset": record.ruleset.name,
        "rules_hash": record.ruleset.hash,
        "seats": list(record.seats),
        "rounds": [_export_round(record, number) for number in range(match.round + 1)],
        "totals": list(record.totals),
        "outcome": _export_outcome(record),
        "faults": [asdict(fault) for fault in record.faults],
        "isolation": record.isolation,
    }


def _export_outcome(record: MatchRecord) -> dict[str, Any]:
    return {
        "termination": record.termination,
        "winners": list(winners_of(record)),
        "forfeited": list(record.forfeited),
    }


def winners_of(record: MatchRecord) -> tuple[int, ...]:
    """Return the sides that won: of those that did not forfeit, the ones with the highest total; several are a draw."""
    staying = [side for side in range(len(record.totals)) if side not in record.forfeited]
    if record.termination not in ("played", "forfeit") or not staying:
        return ()
    best = max(record.totals[side] for side in staying)
    return tuple(side for side in staying if record.totals[side] == best)


def _export_round(record: MatchRecord, number: int) -> dict[str, Any]:
    key = record.keys[number]
    deal = deal_round(record.ruleset, len(record.seats), number, key)
    return {
        "key": key.hex(),
        "first_seat": deal.first_seat,
        "hands": [_export_cards(hand) for hand in deal.hands],
        "feet": [_export_cards(foot) for foot in deal.feet],
        "stock": _export_cards(deal.stock),
        "under": _export_cards(deal.under),
        "upcard": None if deal.upcard is None else format_card(deal.upcard),
        "actions": [_export_recorded(each) for each in record.actions if each.round == number],
        "scores": _export_scores(record, number),
    }


def _export_scores(record: MatchRecord, number: int) -> list[dict[str, int]] | None:
    if number >= len(record.scores):
        return None
    return [{line: score[line] for line in LINES} for score in record.scores[number]]


def _export_recorded(recorded: RecordedAction) -> dict[str, Any]:
    return {
        "seat": recorded.seat,
        "action": export_action(recorded.action),
        "ms": recorded.ms,
        "by_referee": recorded.by_referee,
    }


def export_action(action: Action) -> dict[str, Any]:
    """
    Return *action* as plain values.

    >>> from referee.rules.actions import parse_action
    >>> export_action(parse_action("take 7 with 9c 9d"))
    {'type': 'take_pile', 'count': 7, 'melds': [{'target': None, 'cards': ['9c', '9d']}]}
    """
    match action:
        case DrawStock():
            return {"type": "draw_stock"}
        case TakePile(count, melds):
            return {"type": "take_pile", "count": count, "melds": _export_entries(melds)}
        case LayDown(melds):
            return {"type": "lay_down", "melds": _export_entries(melds)}
        case AskPartner():
            return {"type": "ask_partner"}
        case AnswerPartner(agree):
            return {"type": "answer_partner", "agree": agree}
        case Discard(card):
            return {"type": "discard", "card": format_card(card)}
    return {"type": "pass"}


def _export_entries(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    return [{"target": entry.target, "cards": _export_cards(entry.cards)} for entry in entries]


def _export_cards(cards: Sequence[Card]) -> list[str]:
    return [format_card(card) for card in cards]
