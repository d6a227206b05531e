"""What a table wants done: messages to seats, as values. How they are sent is not known here."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from referee.service.clock import Reading
from referee.service.reports import Termination


class Ask(NamedTuple):
    """A seat is to decide."""

    seat: int
    request_id: int
    heard: int
    """How many events of the match the seat has heard; those after it go with the request."""

    clock: Reading


@dataclass(frozen=True, slots=True)
class Refuse:
    """An answer was refused."""

    seat: int
    request_id: int
    """0 where the message named none."""

    fault: Literal["illegal", "protocol"]
    reason: str
    count: int
    """Strikes, or protocol faults, of the seat so far."""

    index: int | None = None
    """The refused action of the batch."""

    clause: str = ""
    corrections_left: int = 0


@dataclass(frozen=True, slots=True)
class Finish:
    """The match is over for a seat."""

    seat: int
    termination: Termination
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    forfeited: int | None
    reason: str
    """What this seat may know of it, in one line."""

    heard: int
    until: int | None = None
    """How many events the match had when it was over for the seat; None for all of them."""


Effect = Ask | Refuse | Finish
