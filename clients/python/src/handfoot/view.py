"""
What a bot sees when it is asked: a thin, lazy reading of one request.

A `View` adds names and a few derived values to the message; nothing is computed before it is read. What it
does not name stands in the message, `View.request`. It knows no rules: what may be done is in the request.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from handfoot.cards import JOKER, RANK_OF, TWO, Card, Rank
from handfoot.v1 import observation_pb2
from handfoot.v1.action_pb2 import Action
from handfoot.v1.event_pb2 import Event
from handfoot.v1.observation_pb2 import Phase, PrivateObservation, PublicObservation
from handfoot.v1.referee_service_pb2 import Clock, DecisionRequest, Seated
from handfoot.v1.ruleset_pb2 import Ruleset

BOOK = 7
"""The size at which a meld is a book."""


class Meld(NamedTuple):
    """A meld on the table."""

    number: int
    """Its number in the round, counted over the whole table from 0: what `handfoot.lay_off` names."""

    side: int
    """The side that owns it."""

    rank: Rank
    """Its rank; `handfoot.TWO` for a meld of wild cards only."""

    cards: Sequence[Card]
    """Its cards in the order in which they were laid."""

    naturals: int
    """How many of them are natural."""

    wilds: int
    """How many of them are wild."""

    @property
    def size(self) -> int:
        """The number of its cards."""
        return self.naturals + self.wilds

    @property
    def is_book(self) -> bool:
        """Whether it is completed: seven cards or more."""
        return self.naturals + self.wilds >= BOOK

    @property
    def is_clean(self) -> bool:
        """Whether it holds no wild card."""
        return not self.wilds

    @property
    def is_wild(self) -> bool:
        """Whether it holds wild cards only."""
        return not self.naturals


class View:
    """
    One request to one seat, with the match it belongs to.

    Lists per seat are in order of seats, lists per side in order of sides. Read it, do not change it; keep it
    as long as you like.
    """

    def __init__(self, request: DecisionRequest, match: Seated, events: Sequence[Event]) -> None:
        """Wrap *request* of *match*; *events* are those that the seat has not been shown before."""
        self.request = request
        """The message that was sent, complete."""
        self.match = match
        """The seat in the match: table, seat, ruleset, clock, as it was given out."""
        self.events = events
        """What happened since this seat was last asked, oldest first."""

    def __repr__(self) -> str:
        return f"<View of seat {self.seat}, round {self.round}, request {self.request.request_id}>"

    # The decision

    @property
    def legal_actions(self) -> Sequence[Action]:
        """What may be done; actions that differ only in suits come once. Empty if the bot wants none."""
        return self.request.legal_actions

    @property
    def legal_actions_complete(self) -> bool:
        """Whether the list was not cut short."""
        return self.request.legal_actions_complete

    @property
    def clock(self) -> Clock:
        """The time that is left: limit and use of the turn, and the bank, in milliseconds."""
        return self.request.clock

    @property
    def phase(self) -> Phase.ValueType:
        """Where in the turn the table is: `PHASE_DRAW`, `PHASE_PLAY` or `PHASE_ANSWER` of ``handfoot``."""
        return self.public.phase

    @cached_property
    def public(self) -> PublicObservation:
        """The part of the observation that everybody at the table sees."""
        return self.request.observation.public

    @cached_property
    def private(self) -> PrivateObservation:
        """The part of the observation that only this seat sees."""
        return self.request.observation.private

    # The table

    @property
    def ruleset(self) -> Ruleset:
        """Everything that decides how this match is played and scored."""
        return self.match.ruleset

    @cached_property
    def seat(self) -> int:
        """The own seat, from 0, clockwise."""
        return self.request.seat

    @property
    def seats(self) -> int:
        """The number of seats at the table."""
        return self.match.seats

    @property
    def sides(self) -> int:
        """The number of sides."""
        return self.match.sides

    @cached_property
    def side(self) -> int:
        """The own side, from 0."""
        return self.seat % self.match.sides

    @cached_property
    def partner(self) -> int | None:
        """The seat of the partner; None where a side is one seat."""
        seats, sides = self.match.seats, self.match.sides
        return (self.seat + sides) % seats if seats > sides else None

    @property
    def round(self) -> int:
        """The number of the round, from 0."""
        return self.public.round

    @property
    def turn(self) -> int:
        """The seat whose turn it is: the own one, or the partner's while answering."""
        return self.public.turn

    @property
    def totals(self) -> Sequence[int]:
        """The total of each side before this round."""
        return self.public.totals

    @property
    def stock(self) -> int:
        """The number of cards in the stock."""
        return self.public.stock

    @property
    def pile(self) -> Sequence[Card]:
        """The discard pile, bottom first."""
        return self.public.pile

    @property
    def upcard(self) -> Card | None:
        """The top card of the discard pile; None where there is none."""
        pile = self.public.pile
        return pile[-1] if pile else None

    @property
    def opening_minimum(self) -> int:
        """The points that an opening needs in this round."""
        return self.public.opening_minimum

    # The own seat

    @cached_property
    def holding(self) -> Sequence[Card]:
        """The cards this seat plays from, hand or foot, sorted by number."""
        return self.private.holding

    @cached_property
    def holding_by_rank(self) -> dict[Rank, list[Card]]:
        """The holding grouped: the cards of each rank of which there are any."""
        groups: dict[Rank, list[Card]] = {}
        for card in self.holding:
            groups.setdefault(RANK_OF[card], []).append(card)
        return groups

    @cached_property
    def in_foot(self) -> bool:
        """Whether this seat has picked up its foot."""
        return not self.public.foot_sizes[self.seat]

    @cached_property
    def opened(self) -> bool:
        """Whether this seat has nothing to open any more, by itself or by its side."""
        return self.public.opened[self.seat]

    @property
    def asked(self) -> bool:
        """Whether the partner of the seat in turn was asked in this turn."""
        return self.public.asked

    @property
    def agreed(self) -> bool | None:
        """What the partner answered in this turn; None while it has not."""
        return self.public.agreed if self.public.HasField("agreed") else None

    # The melds

    @cached_property
    def melds(self) -> tuple[Meld, ...]:
        """All melds on the table, in order of their numbers."""
        return tuple(_melds(self.public))

    @cached_property
    def own_melds(self) -> tuple[Meld, ...]:
        """The melds of the own side."""
        return tuple(meld for meld in self.melds if meld.side == self.side)

    def melds_of(self, side: int) -> tuple[Meld, ...]:
        """Return the melds of *side*."""
        return tuple(meld for meld in self.melds if meld.side == side)


def _melds(public: observation_pb2.PublicObservation) -> list[Meld]:
    cards, start, melds = list(public.meld_cards), 0, []
    rows = zip(public.meld_sides, public.meld_ranks, public.meld_sizes, strict=True)
    for number, (side, rank, size) in enumerate(rows):
        part = tuple(cards[start : start + size])
        wilds = sum(RANK_OF[card] in (TWO, JOKER) for card in part)
        melds.append(Meld(number, side, rank, part, size - wilds, wilds))
        start += size
    return melds
