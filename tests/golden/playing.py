"""Rounds that are played by dice of our own, so that they are the same under every Python, and their text."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from random import Random
from typing import TypeVar

from laws.playouts import Style, choose

from referee.rules import (
    RANK_OF,
    Action,
    CardsDrawn,
    CardsMelded,
    Event,
    FootPickedUp,
    PileTaken,
    RedThreeLaid,
    RoundEnded,
    RoundStarted,
    RoundState,
    Ruleset,
    TurnPassed,
    apply,
    begin_round,
    format_action,
    format_card,
    format_cards,
    is_wild,
    legal_actions,
    sole_action,
    sort_cards,
)
from referee.rules.cards import RANK_NAMES
from referee.rules.deal import words
from referee.rules.ruleset import BOOK_SIZE

Item = TypeVar("Item")

EAGER = Style(zeal=0.95, thrift=0.9, agree=0.9)
"""Melds what it can and saves its wild cards."""

_MOST_LISTED = 1000


class Dice(Random):
    """Chance that follows from a key as a deal does."""

    def __init__(self, key: bytes) -> None:
        super().__init__(0)
        self._words = words(key, b"dice")

    def random(self) -> float:
        """Return the next number from 0 up to 1."""
        return next(self._words) / 2**64

    def choice(self, seq: Sequence[Item]) -> Item:  # type: ignore[override]
        """Return an item of *seq*."""
        return seq[int(self.random() * len(seq))]


@dataclass(frozen=True, slots=True)
class Ply:
    """One action of a golden round."""

    seat: int
    action: Action
    forced: bool
    """Whether it was the only legal action."""

    listed: tuple[Action, ...]
    """The legal actions before it."""

    events: tuple[Event, ...]


def golden_key(number: int) -> bytes:
    """Return the key that golden files call *number*."""
    return number.to_bytes(32, "big")


def play_round(
    ruleset: Ruleset, seats: int, number: int, key: bytes, style: Style = EAGER
) -> tuple[RoundState, tuple[Event, ...], list[Ply]]:
    """Return the end of round *number*, what was dealt, and all its actions."""
    state, dealt = begin_round(ruleset, seats, number, key)
    dice, plies = Dice(key), []
    while not state.over:
        seat, forced = state.decider, sole_action(state)
        listed = tuple(islice(legal_actions(state), _MOST_LISTED))
        action = forced or choose(state, list(listed), dice, style)
        plies.append(Ply(seat, action, forced is not None, listed, apply(state, action)))
    return state, dealt, plies


def text_of_round(ruleset: Ruleset, seats: int, number: int, key: bytes) -> str:
    """Return a whole round as text: what was dealt, a line for each decision, and the score."""
    start, dealt = begin_round(ruleset, seats, number, key)
    state, _, plies = play_round(ruleset, seats, number, key)
    lines = [f"{ruleset.name}, {seats} seats, round {number + 1}", f"key {key.hex()}", ""]
    lines += [*_text_of_deal(start, dealt), "", *_text_of_plies(plies), ""]
    lines.append("nobody went out" if state.went_out is None else f"seat {state.went_out} went out")
    lines += [_text_of_score(plies[-1].events[-1], side) for side in range(len(state.sides))]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _text_of_deal(start: RoundState, dealt: tuple[Event, ...]) -> Iterator[str]:
    started = dealt[0]
    assert isinstance(started, RoundStarted)
    upcard = "none" if started.upcard is None else format_card(started.upcard)
    rejected = f"; rejected {format_cards(started.rejected)}" if started.rejected else ""
    yield f"seat {started.first_seat} begins; upcard {upcard}{rejected}; stock {start.stock.left}"
    laid = [
        f"seat {event.seat} {format_card(event.card)}" for event in dealt if isinstance(event, RedThreeLaid)
    ]
    yield f"red threes of the deal: {', '.join(laid) or 'none'}"
    for seat, each in enumerate(start.seats):
        yield f"hand {seat}  {format_cards(sort_cards(each.cards))}"


def _text_of_plies(plies: list[Ply]) -> Iterator[str]:
    """Yield a line for each decision; what a seat had no choice about stands before its own next one in brackets."""
    forced, ranks = "", dict[int, str]()
    for number, ply in enumerate(plies, start=1):
        told = format_action(ply.action) + _told(ply.events, ranks)
        if ply.forced and number < len(plies) and plies[number].seat == ply.seat:
            forced += f"[{told}] "
            continue
        yield f"{number:4}  seat {ply.seat}  {forced}{f'[{told}]' if ply.forced else told}"
        forced = ""


def _told(events: tuple[Event, ...], ranks: dict[int, str]) -> str:
    """Return what followed from an action; *ranks* are the names of the melds so far, by number."""
    parts = []
    for event in events:
        match event:
            case CardsDrawn(cards=cards) if cards:
                parts.append(f"gets {format_cards(cards)}")
            case PileTaken(cards=cards):
                parts.append(f"takes {format_cards(cards)}")
            case CardsMelded(meld=meld, cards=cards, size=size):
                naturals = [RANK_NAMES[RANK_OF[card]] for card in cards if not is_wild(card)]
                rank = ranks.setdefault(meld, naturals[0] if naturals else "wild")
                parts.append(f"{rank} is {'a book of ' if size >= BOOK_SIZE else ''}{size}")
            case RedThreeLaid(card=card):
                parts.append(f"lays {format_card(card)}")
            case FootPickedUp(cards=cards):
                parts.append(f"picks up {format_cards(sort_cards(cards))}")
            case TurnPassed(seat=seat):
                parts.append(f"seat {seat} passes")
    return "".join(f"; {part}" for part in parts)


def _text_of_score(ended: Event, side: int) -> str:
    assert isinstance(ended, RoundEnded)
    score = ended.scores[side]
    lines = ", ".join(f"{name} {value}" for name, value in asdict(score).items() if value)
    return f"side {side}  {score.total}" + (f" = {lines}" if lines else "")
