"""What a seat remembers of a round: cards that it saw go where it cannot see them any more."""

from collections import Counter
from collections.abc import Iterable

from referee.rules import (
    Card,
    CardDiscarded,
    CardsMelded,
    Event,
    FootPickedUp,
    PileTaken,
    RedThreeLaid,
    RoundStarted,
)


class Memory:
    """Follows the events of a round as one seat sees them; each round forgets the one before."""

    def __init__(self, seats: int) -> None:
        self.held: list[Counter[Card]] = [Counter() for _ in range(seats)]
        """By seat: cards that it took from the pile in sight of all and has certainly not played since."""
        self.red_threes: list[list[Card]] = [[] for _ in range(seats)]
        """By seat: the red threes that it laid on the table."""
        self.rejected: tuple[Card, ...] = ()
        """Upcards that were set aside at the beginning of the round, in order."""

    def follow(self, events: Iterable[Event]) -> None:
        """Remember what *events*, in order, tell of where cards are."""
        for event in events:
            match event:
                case RoundStarted(rejected=rejected):
                    self.__init__(len(self.held))  # type: ignore[misc]
                    self.rejected = rejected
                case PileTaken(seat, cards):
                    self.held[seat].update(cards)
                case CardsMelded(seat=seat, cards=cards):
                    self.held[seat] -= Counter(cards)
                case CardDiscarded(seat, card):
                    self.held[seat] -= Counter((card,))
                case RedThreeLaid(seat, card):
                    self.red_threes[seat].append(card)
                case FootPickedUp(seat=seat):
                    self.held[seat].clear()
