"""Events: facts that followed from an action, and which seat may see what of them."""

from dataclasses import replace

from referee.rules.cards import Card
from referee.rules.scoring import RoundScore
from referee.rules.values import value


@value
class RoundStarted:
    """A round was dealt."""

    round: int
    """From 0."""

    first_seat: int
    upcard: Card | None
    rejected: tuple[Card, ...]
    """Cards that were turned and set aside before the upcard, in order."""


@value
class CardsDrawn:
    """A seat drew from the stock, in its turn or to replace a red three."""

    seat: int
    count: int
    cards: tuple[Card, ...]
    """For the seat itself; empty in what others see."""


@value
class PileTaken:
    """A seat took cards from the discard pile."""

    seat: int
    cards: tuple[Card, ...]
    """From the upcard downwards."""


@value
class RedThreeLaid:
    """A red three went from a holding to the table."""

    seat: int
    card: Card


@value
class CardsMelded:
    """Cards went to a meld."""

    seat: int
    meld: int
    """The number of the meld in the round."""

    cards: tuple[Card, ...]
    size: int
    """The size of the meld afterwards."""


@value
class FootPickedUp:
    """A seat played out its hand and picked up its foot."""

    seat: int
    count: int
    cards: tuple[Card, ...]
    """For the seat itself; empty in what others see."""


@value
class PartnerAsked:
    """A seat asked its partner whether it may go out."""

    seat: int


@value
class PartnerAnswered:
    """A partner answered."""

    seat: int
    """The seat that answered."""

    agree: bool


@value
class CardDiscarded:
    """A seat discarded, which ended its turn."""

    seat: int
    card: Card


@value
class TurnPassed:
    """A turn ended without a discard."""

    seat: int


@value
class RoundEnded:
    """A round is over."""

    went_out: int | None
    """The seat that went out; None where the stock ended the round."""

    scores: tuple[RoundScore, ...]
    """By side."""


Event = (
    RoundStarted
    | CardsDrawn
    | PileTaken
    | RedThreeLaid
    | CardsMelded
    | FootPickedUp
    | PartnerAsked
    | PartnerAnswered
    | CardDiscarded
    | TurnPassed
    | RoundEnded
)


def seen_by(event: Event, seat: int) -> Event:
    """
    Return *event* as *seat* may see it: cards drawn or picked up are hidden from everybody else.

    >>> seen_by(CardsDrawn(seat=1, count=2, cards=(Card(3), Card(4))), seat=0).cards
    ()
    """
    if isinstance(event, CardsDrawn | FootPickedUp) and event.seat != seat:
        return replace(event, cards=())
    return event
