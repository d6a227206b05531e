"""
Somebody else's program: follows a match from its export as docs/records.md describes it, without the rules.

Uses nothing of the engine: two numbers of the ruleset, cards as texts, and the six steps of the page.
"""

from dataclasses import dataclass, field
from typing import Any

RED_THREES = ("3d", "3h")


@dataclass
class Follower:
    """One round, followed action by action; an assertion fails where a card is not where it has to be."""

    dealt: dict[str, Any]
    draw: int
    """Cards that are drawn from the stock."""

    red_threes_laid: bool
    hands: list[list[str]] = field(init=False)
    feet: list[list[str]] = field(init=False)
    stripes: list[list[str]] = field(init=False)
    under: list[str] = field(init=False)
    pile: list[str] = field(init=False)
    melds: list[tuple[int, list[str]]] = field(default_factory=list)
    """The seat that began each meld, and its cards."""

    red_threes: list[int] = field(default_factory=list)
    """The seat that laid each red three."""

    went_out: int | None = None

    def __post_init__(self) -> None:
        seats = len(self.dealt["hands"])
        self.hands = [list(hand) for hand in self.dealt["hands"]]
        self.feet = [list(foot) for foot in self.dealt["feet"]]
        self.stripes = [self.dealt["stock"][seat::seats] for seat in range(seats)]
        self.under = list(self.dealt["under"])
        self.pile = [self.dealt["upcard"]] if self.dealt["upcard"] else []
        for step in range(seats):
            seat = (self.dealt["first_seat"] + step) % seats
            self._lay_red_threes(seat, list(self.hands[seat]))

    def follow(self) -> None:
        """Follow all actions of the round."""
        for each in self.dealt["actions"]:
            assert self.went_out is None
            self._act(each["seat"], each["action"])

    def _act(self, seat: int, action: dict[str, Any]) -> None:
        match action["type"]:
            case "draw_stock":
                self._receive(seat, [card for _ in range(self.draw) for card in self._draw(seat)])
            case "take_pile":
                self._take(seat, action)
            case "lay_down":
                self._lay(seat, action["melds"])
            case "discard":
                self.hands[seat].remove(action["card"])
                self.pile.append(action["card"])
        if not self.hands[seat]:
            self._turn_to_foot(seat)

    def _draw(self, seat: int) -> list[str]:
        """Return the next card of the stock for *seat* in a list; an empty one if there is none."""
        for step in range(len(self.stripes)):
            if stripe := self.stripes[(seat + step) % len(self.stripes)]:
                return [stripe.pop(0)]
        return [self.under.pop(0)] if self.under else []

    def _receive(self, seat: int, cards: list[str]) -> None:
        self.hands[seat] += cards
        self._lay_red_threes(seat, cards)

    def _lay_red_threes(self, seat: int, cards: list[str]) -> None:
        for card in cards:
            if card in RED_THREES and self.red_threes_laid:
                self.hands[seat].remove(card)
                self.red_threes.append(seat)
                self._receive(seat, self._draw(seat))

    def _take(self, seat: int, action: dict[str, Any]) -> None:
        taken = [self.pile.pop() for _ in range(action["count"])]
        begun = len(self.melds)
        self._lay(seat, action["melds"])
        first = action["melds"][0]["target"]
        self.melds[begun if first is None else first][1].append(taken[0])
        self.hands[seat] += taken[1:]

    def _lay(self, seat: int, melds: list[dict[str, Any]]) -> None:
        for meld in melds:
            for card in meld["cards"]:
                self.hands[seat].remove(card)
            if meld["target"] is None:
                self.melds.append((seat, list(meld["cards"])))
            else:
                self.melds[meld["target"]][1].extend(meld["cards"])

    def _turn_to_foot(self, seat: int) -> None:
        foot, self.feet[seat] = self.feet[seat], []
        if foot:
            self._receive(seat, foot)
        elif not self.hands[seat]:
            self.went_out = seat

    def cards(self) -> list[str]:
        """Return all cards but the red threes on the table, wherever they are."""
        lists = [
            *self.hands,
            *self.feet,
            *self.stripes,
            self.under,
            self.pile,
            *(cards for _, cards in self.melds),
        ]
        return [card for cards in lists for card in cards]
