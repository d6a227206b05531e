"""What the page of a match says, as a value."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from referee.rules import RoundScore
from tournaments.results import FaultNote, LegResult, UnitResult
from tournaments.schedule import EntityHash, Leg, legs_of, unit_of
from tournaments.site.view import EntrantView, PartnershipView, RoundView

LINES: Final[Mapping[str, str]] = {
    "books": "Books",
    "melded_cards": "Cards melded",
    "going_out": "Going out",
    "red_table": "Red threes on the table",
    "red_unplaced": "Red threes not on the table",
    "leftover": "Cards left over",
    "black_threes": "Black threes left over",
    "red_from_opponents": "Red threes from opponents",
    "red_from_partner": "Red threes from the partner",
    "received_cards": "Cards from opponents",
    "red_held_stock_out": "Red threes held when the stock ran out",
}
"""The lines of a round's score, in words, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class SideLine:
    """A side of a match."""

    partnership: PartnershipView

    points: int | None
    """None if the match was not played out."""

    went_out: int
    """How many rounds it ended by going out."""

    outcome: str
    """``win``, ``loss``, ``draw`` or ``forfeit`` of this match by itself, or ``none`` where nobody has won."""


@dataclass(frozen=True, slots=True)
class SeatLine:
    """Who sat on a seat."""

    seat: int
    side: int
    entrant: EntrantView

    by_referee: bool = False
    """Whether the referee played there from the beginning, since the side forfeited an earlier match of the unit."""


@dataclass(frozen=True, slots=True)
class RoundTable:
    """The score of a round, line by line; tuples are by side."""

    number: int
    """From 1."""

    went_out: SeatLine | None
    """None if the stock ended the round."""

    lines: tuple[tuple[str, tuple[int, ...]], ...]
    """Those that are not 0 for every side."""

    total: tuple[int, ...]
    """Of the round."""

    running: tuple[int, ...]
    """Of the match so far."""


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A match as its page shows it."""

    result: UnitResult
    leg: Leg
    sides: tuple[SideLine, ...]
    seats: tuple[SeatLine, ...]
    rounds: tuple[RoundTable, ...]
    """Empty where only totals are known."""

    played: int
    """How many rounds were finished."""

    faults: tuple[tuple[PartnershipView, FaultNote], ...]
    forfeits: tuple[PartnershipView, ...]
    winners: tuple[PartnershipView, ...]
    """Of the unit: several share it, none where it counts for nobody."""


def match_pages(
    result: UnitResult,
    partnerships: Mapping[EntityHash, PartnershipView],
    seats: int,
    rounds: Mapping[str, tuple[RoundView, ...]],
) -> Iterator[MatchPage]:
    """Yield the page of each leg of *result* that was played."""
    by_entity = tuple(partnerships[entity] for entity in result.entities)
    out: frozenset[int] = frozenset()
    for leg, played in zip(legs_of(unit_of(result.duplicate, result.entities)), result.legs, strict=False):
        chairs = _seats(leg, by_entity, seats, out)
        yield _match_page(result, leg, played, by_entity, chairs, rounds.get(played.match, ()))
        out |= set(played.forfeit)


def _match_page(
    result: UnitResult,
    leg: Leg,
    played: LegResult,
    by_entity: Sequence[PartnershipView],
    chairs: tuple[SeatLine, ...],
    rounds: Sequence[RoundView],
) -> MatchPage:
    return MatchPage(
        result,
        leg,
        tuple(_side(played, entity, by_entity[entity]) for entity in leg.seating),
        chairs,
        tuple(_round_tables(rounds, chairs)),
        played.rounds,
        tuple((by_entity[fault.entity], fault) for fault in played.faults),
        tuple(by_entity[entity] for entity in played.forfeit),
        tuple(each for each, place in zip(by_entity, result.places or (), strict=False) if place == 1),
    )


def _side(played: LegResult, entity: int, partnership: PartnershipView) -> SideLine:
    points = None if played.scores is None else played.scores[entity]
    return SideLine(partnership, points, played.went_out[entity], _outcome(played, entity))


def _outcome(played: LegResult, entity: int) -> str:
    """Return how the match by itself ended for *entity*; the points of a side that forfeited win nothing."""
    if entity in played.forfeit:
        return "forfeit"
    if played.scores is None:
        return "win" if len(played.forfeit) == 1 and len(played.went_out) == 2 else "none"
    staying = [points for one, points in enumerate(played.scores) if one not in played.forfeit]
    if played.scores[entity] < max(staying):
        return "loss"
    return "win" if staying.count(max(staying)) == 1 else "draw"


def _seats(
    leg: Leg, by_entity: Sequence[PartnershipView], seats: int, out: frozenset[int]
) -> tuple[SeatLine, ...]:
    sides = len(leg.seating)
    entities = [leg.seating[seat % sides] for seat in range(seats)]
    return tuple(
        SeatLine(seat, seat % sides, by_entity[entity].entrants[seat // sides], entity in out)
        for seat, entity in enumerate(entities)
    )


def _round_tables(rounds: Sequence[RoundView], seats: Sequence[SeatLine]) -> Iterator[RoundTable]:
    totals = [tuple(score.total for score in each.scores) for each in rounds]
    sums = accumulate(totals, lambda before, now: tuple(map(sum, zip(before, now, strict=True))))
    for number, (each, total, running) in enumerate(zip(rounds, totals, sums, strict=True)):
        out = None if each.went_out is None else seats[each.went_out]
        yield RoundTable(number + 1, out, tuple(_lines(each.scores)), total, running)


def _lines(scores: Sequence[RoundScore]) -> Iterator[tuple[str, tuple[int, ...]]]:
    for name, words in LINES.items():
        values = tuple(getattr(score, name) for score in scores)
        if any(values):
            yield words, values
