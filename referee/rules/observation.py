"""What a person in one chair sees: built from an allow-list, never by leaving things out."""

from collections.abc import Sequence
from typing import NamedTuple

from referee.rules.cards import Card
from referee.rules.state import Meld, Phase, RoundState


class Observation(NamedTuple):
    """The table as one seat sees it; lists per seat in order of seats, lists per side in order of sides."""

    seat: int
    """Whose view it is."""

    round: int
    turn: int
    phase: Phase
    totals: tuple[int, ...]
    """By side, before this round."""

    stock: int
    """Cards left in the stock."""

    pile: tuple[Card, ...]
    """The discard pile, bottom first."""

    opening_minimum: int
    holding_sizes: tuple[int, ...]
    foot_sizes: tuple[int, ...]
    """Cards of each untouched foot; 0 once it is picked up."""

    played_from_foot: tuple[bool, ...]
    opened: tuple[bool, ...]
    melds: tuple[Meld, ...]
    """In order of their numbers."""

    red_threes: tuple[int, ...]
    """By side, how many lie on the table."""

    asked: bool
    agreed: bool | None
    opening_ranks: tuple[int, ...]
    """By seat, a bit for each rank of its opening, where each seat opens for itself."""

    holding: tuple[Card, ...]
    """The seat's own cards, sorted by face."""


def observe(state: RoundState, seat: int, totals: Sequence[int]) -> Observation:
    """Return what *seat* sees of *state*; *totals* are those before this round."""
    seats = state.seats
    return Observation(
        seat=seat,
        round=state.round,
        turn=state.turn,
        phase=state.phase,
        totals=tuple(totals),
        stock=state.stock.left,
        pile=tuple(state.pile),
        opening_minimum=state.ruleset.opening.minimum(state.round),
        holding_sizes=tuple([len(each.cards) for each in seats]),
        foot_sizes=tuple([len(each.foot) for each in seats]),
        played_from_foot=tuple([each.played_foot for each in seats]),
        opened=tuple([each.opened for each in seats]),
        melds=tuple(state.melds),
        red_threes=tuple([len(side.red_threes) for side in state.sides]),
        asked=state.asked,
        agreed=state.agreed,
        opening_ranks=tuple([each.opening_ranks for each in seats]),
        holding=tuple(sorted(seats[seat].cards)),
    )
