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
    sizes, feet, played, opened, ranks = zip(
        *[
            (len(each.cards), len(each.foot), each.played_foot, each.opened, each.opening_ranks)
            for each in seats
        ],
        strict=True,
    )
    return Observation(
        seat,
        state.round,
        state.turn,
        state.phase,
        tuple(totals),
        state.stock.left,
        tuple(state.pile),
        state.ruleset.opening.minimum(state.round),
        sizes,
        feet,
        played,
        opened,
        tuple(state.melds),
        tuple([len(side.red_threes) for side in state.sides]),
        state.asked,
        state.agreed,
        ranks,
        tuple(sorted(seats[seat].cards)),
    )
