"""The running state of a round: mutable, cheap to copy, and without opinion on what is legal."""

from enum import IntEnum
from functools import cache
from typing import NamedTuple, Self

from referee.rules.cards import NATURALS, WILD, Card, Rank, count_ranks
from referee.rules.deal import Deal
from referee.rules.growths import growth_key, growth_tables
from referee.rules.ruleset import BOOK_SIZE, Ruleset


class Phase(IntEnum):
    """Where in its turn the table is; the numbers are those of the protocol."""

    DRAW = 1
    """The seat in turn draws or takes the pile."""

    PLAY = 2
    """It melds, asks, or ends its turn."""

    ANSWER = 3
    """Its partner answers whether it may go out."""

    OVER = 4
    """The round is over."""


DRAW, PLAY, ANSWER, OVER = Phase
"""The phases by themselves: looking one up in its class takes ten times as long."""


class Meld(NamedTuple):
    """Three or more cards of a rank on the table; a book from seven cards on."""

    side: int
    rank: Rank
    """A natural rank, or WILD for a meld of wild cards only."""

    naturals: int
    wilds: int
    cards: tuple[Card, ...]
    """In the order in which they were laid."""

    @property
    def size(self) -> int:
        """How many cards it holds."""
        return self.naturals + self.wilds

    @property
    def is_book(self) -> bool:
        """Whether it is completed."""
        return self.naturals + self.wilds >= BOOK_SIZE


class Stock:
    """Face-down cards, striped by seat: position p belongs to seat p mod n, what lies under the stripes to nobody."""

    __slots__ = ("left", "stripes", "taken", "under")

    def __init__(self, cards: tuple[Card, ...], under: tuple[Card, ...], seats: int) -> None:
        self.stripes = tuple(cards[seat::seats] for seat in range(seats))
        self.under = under
        self.taken = [0] * seats
        self.left = len(cards) + len(under)

    def draw(self, seat: int, count: int = 1) -> tuple[Card, ...]:
        """
        Return the next *count* cards for *seat*.

        They are those of its own stripe, then of the next seat's that has some, then from under.
        """
        stripe, start = self.stripes[seat], self.taken[seat]
        if start + count > len(stripe):
            return tuple([self._draw_one(seat) for _ in range(count)])
        self.taken[seat] = start + count
        self.left -= count
        return stripe[start : start + count]

    def _draw_one(self, seat: int) -> Card:
        stripes, taken, left = self.stripes, self.taken, self.left
        self.left = left - 1
        if left <= len(self.under):
            return self.under[len(self.under) - left]
        while taken[seat] == len(stripes[seat]):
            seat = (seat + 1) % len(stripes)
        card = stripes[seat][taken[seat]]
        taken[seat] += 1
        return card

    def cards(self) -> list[Card]:
        """Return what is left: stripe by stripe, then what lies under them."""
        above = [
            card for stripe, taken in zip(self.stripes, self.taken, strict=True) for card in stripe[taken:]
        ]
        return above + list(self.under[max(0, len(self.under) - self.left) :])

    def copy(self) -> Self:
        """Return a stock that is drawn from independently."""
        other = object.__new__(type(self))
        other.stripes, other.under, other.left = self.stripes, self.under, self.left
        other.taken = self.taken.copy()
        return other


class SeatState:
    """What belongs to one seat."""

    __slots__ = ("cards", "counts", "foot", "on_foot", "opened", "opening_ranks", "played_foot")

    def __init__(self, hand: tuple[Card, ...], foot: tuple[Card, ...], *, opened: bool) -> None:
        self.cards = list(hand)
        """What it plays from: the hand, or the foot once picked up."""
        self.counts = count_ranks(hand)
        """How many cards of each rank it holds."""
        self.foot: tuple[Card, ...] = foot
        """The untouched foot; empty once picked up."""
        self.on_foot = False
        """Whether it plays from its foot."""
        self.played_foot = False
        """Whether it has melded or discarded a card of its foot."""
        self.opened = opened
        """Whether it may lay down without reaching the opening minimum."""
        self.opening_ranks = 0
        """Ranks of its opening, a bit each, where each seat opens for itself."""

    def copy(self) -> Self:
        """Return an independent copy."""
        other = object.__new__(type(self))
        other.cards, other.counts, other.foot = self.cards.copy(), self.counts.copy(), self.foot
        other.on_foot, other.played_foot = self.on_foot, self.played_foot
        other.opened, other.opening_ranks = self.opened, self.opening_ranks
        return other


class Books(NamedTuple):
    """How many books a side has of each kind."""

    clean: int = 0
    dirty: int = 0
    wild: int = 0
    clean_ranks: int = 0
    """The ranks of the clean books, a bit each."""

    def plus(self, meld: Meld) -> "Books":
        """Return the number of books once *meld* has been completed."""
        clean, dirty, wild, clean_ranks = self
        if meld.rank == WILD:
            return Books(clean, dirty, wild + 1, clean_ranks)
        if meld.wilds:
            return Books(clean, dirty + 1, wild, clean_ranks)
        return Books(clean + 1, dirty, wild, clean_ranks | 1 << meld.rank)


class SideState:
    """What belongs to one side."""

    __slots__ = ("books", "complete", "keys", "open_melds", "red_threes")

    def __init__(self) -> None:
        self.open_melds = [-1] * (NATURALS + 1)
        """By rank, WILD the last: the number of the unfinished meld of that rank; -1 where there is none."""
        self.keys = [0] * NATURALS
        """By natural rank: the `growth_key` of that meld with nothing at hand; 0 where there is none."""
        self.complete: list[int] = []
        """The numbers of its books of naturals, in the order in which they were completed."""
        self.books = Books()
        self.red_threes: list[Card] = []
        """Red threes on the table."""

    def track(self, number: int, meld: Meld) -> None:
        """Remember meld *number*, which has just grown to *meld*, as the unfinished one of its rank or as a book."""
        _, rank, naturals, wilds, _ = meld
        if naturals + wilds < BOOK_SIZE:
            self.open_melds[rank] = number
            if rank < NATURALS:
                self.keys[rank] = growth_key(naturals, wilds, 0)
        elif number not in self.complete:
            self._complete(number, rank)

    def _complete(self, number: int, rank: Rank) -> None:
        if self.open_melds[rank] == number:
            self.open_melds[rank] = -1
        if rank < NATURALS:
            self.complete.append(number)
            if self.open_melds[rank] < 0:
                self.keys[rank] = 0

    def copy(self) -> Self:
        """Return an independent copy."""
        other = object.__new__(type(self))
        other.open_melds, other.keys = self.open_melds.copy(), self.keys.copy()
        other.complete, other.books = self.complete.copy(), self.books
        other.red_threes = self.red_threes.copy()
        return other


@cache
def _partners(seat: int, seats: int, sides: int) -> tuple[int, ...]:
    return tuple(other for other in range(seat % sides, seats, sides) if other != seat)


class RoundState:
    """One round in play. Read what you like; only `referee.rules.transitions` changes it."""

    __slots__ = (
        *("ruleset", "round", "seats", "sides", "melds", "pile", "stock"),
        *("turn", "phase", "decider", "asked", "agreed", "stranded", "went_out"),
        *("growths", "wild_growths", "growth_faults"),
    )

    def __init__(self, ruleset: Ruleset, round_number: int, deal: Deal) -> None:
        number = len(deal.hands)
        opened = ruleset.opening.unit == "none"
        self.ruleset = ruleset
        self.round = round_number
        self.seats = [
            SeatState(hand, foot, opened=opened) for hand, foot in zip(deal.hands, deal.feet, strict=True)
        ]
        self.sides = [SideState() for _ in range(ruleset.sides(number))]
        self.melds: list[Meld] = []
        """All melds of the table, in order of their numbers."""
        self.pile: list[Card] = [] if deal.upcard is None else [deal.upcard]
        """The discard pile, bottom first."""
        self.stock = Stock(deal.stock, deal.under, number)
        self.turn = deal.first_seat
        """The seat whose turn it is."""
        self.phase = DRAW
        self.decider = deal.first_seat
        """The seat that decides now: the one in turn, or its partner while answering."""
        self.asked = False
        """Whether the partner was asked in this turn."""
        self.agreed: bool | None = None
        """The partner's answer of this turn."""
        self.stranded = False
        """Whether the seat in turn holds a single card because the stock gave it none."""
        self.went_out: int | None = None
        """The seat that went out."""
        self.growths, self.wild_growths, self.growth_faults = growth_tables(ruleset.melds)
        """How melds can grow, looked up."""

    @property
    def over(self) -> bool:
        """Whether the round is over."""
        return self.phase is OVER

    def side_of(self, seat: int) -> int:
        """Return the side of *seat*."""
        return seat % len(self.sides)

    def partners(self, seat: int) -> tuple[int, ...]:
        """Return the other seats of the side of *seat*."""
        return _partners(seat, len(self.seats), len(self.sides))

    def copy(self) -> Self:
        """Return an independent copy."""
        other = object.__new__(type(self))
        other.ruleset, other.round = self.ruleset, self.round
        other.seats = [seat.copy() for seat in self.seats]
        other.sides = [side.copy() for side in self.sides]
        other.melds, other.pile, other.stock = self.melds.copy(), self.pile.copy(), self.stock.copy()
        other.turn, other.phase, other.decider = self.turn, self.phase, self.decider
        other.asked, other.agreed = self.asked, self.agreed
        other.stranded, other.went_out = self.stranded, self.went_out
        other.growths, other.wild_growths = self.growths, self.wild_growths
        other.growth_faults = self.growth_faults
        return other
