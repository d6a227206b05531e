"""The score of a round, line by line."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

from referee.rules.cards import BLACK_THREE, RANK_OF, RED_THREE, WILD, Card, count_ranks
from referee.rules.ruleset import ScoreRule
from referee.rules.state import Meld, RoundState


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundScore:
    """What one side scored in one round; a line that does not apply is 0."""

    books: int = 0
    """Bonuses for completed melds."""

    melded_cards: int = 0
    """Points of all cards in melds."""

    going_out: int = 0
    """The bonus of the side that went out."""

    red_table: int = 0
    """Red threes on the table."""

    red_unplaced: int = 0
    """Red threes that never reached the table."""

    leftover: int = 0
    """Points of cards left in hands and feet, negative."""

    black_threes: int = 0
    """Black threes left over, where they have a line of their own."""

    red_from_opponents: int = 0
    """Red threes that opponents handed over."""

    red_from_partner: int = 0
    """Red threes that the partner was left with when the other went out."""

    received_cards: int = 0
    """Points of cards that opponents handed over."""

    red_held_stock_out: int = 0
    """Red threes held when the stock ended the round."""

    @property
    def total(self) -> int:
        """
        The sum of the lines.

        >>> RoundScore(books=500, melded_cards=70, leftover=-25).total
        545
        """
        return sum(getattr(self, field.name) for field in fields(self))


def score_round(state: RoundState) -> tuple[RoundScore, ...]:
    """Return what each side scores if the round ends as *state* stands."""
    return tuple(_score_side(state, side) for side in range(len(state.sides)))


def _score_side(state: RoundState, side: int) -> RoundScore:
    rule = state.ruleset.scores
    melds = [meld for meld in state.melds if meld.side == side]
    red_threes = len(state.sides[side].red_threes)
    red_value = rule.red_three_laid if melds else rule.red_three_laid_unmelded
    went_out = state.went_out is not None and state.side_of(state.went_out) == side
    return RoundScore(
        books=sum([_book_bonus(rule, meld) for meld in melds if meld.is_book]),
        melded_cards=sum([_points_in(rule, meld) for meld in melds]) if rule.melded_cards else 0,
        going_out=rule.going_out if went_out else 0,
        red_table=red_value * red_threes,
        **_score_leftovers(state, side),
    )


def _book_bonus(rule: ScoreRule, meld: Meld) -> int:
    if meld.rank == WILD:
        return rule.wild_book
    return rule.dirty_book if meld.wilds else rule.clean_book


def points_of(rule: ScoreRule, cards: Iterable[Card]) -> int:
    """Return the points of *cards* that are no red threes."""
    points = (*rule.points, 0)
    return sum([points[RANK_OF[card]] for card in cards])


def _points_in(rule: ScoreRule, meld: Meld) -> int:
    points = rule.points
    if not meld.wilds:
        return points[meld.rank] * meld.naturals
    return sum([points[RANK_OF[card]] for card in meld.cards])


def _cards_left(state: RoundState, seats: Iterable[int], *, foot_only: bool = False) -> list[Card]:
    """Return what *seats* hold and what lies in their feet; with *foot_only* leave hands out."""
    left: list[Card] = []
    for number in seats:
        seat = state.seats[number]
        left += seat.foot
        if seat.on_foot or not foot_only:
            left += seat.cards
    return left


def _threes(cards: Iterable[Card]) -> tuple[int, int]:
    """Return how many black and red threes there are."""
    counts = count_ranks(cards)
    return counts[BLACK_THREE], counts[RED_THREE]


def _score_leftovers(state: RoundState, side: int) -> dict[str, int]:
    rule = state.ruleset.scores
    seats = range(side, len(state.seats), len(state.sides))
    if rule.leftover == "handed_over":
        return _score_handing_over(state, side, seats)
    left = _cards_left(state, seats, foot_only=rule.leftover == "foot_threes")
    black, red = _threes(left)
    lines = {"red_unplaced": rule.red_three_unplaced * red}
    if rule.leftover == "subtracted":
        return lines | {"leftover": -points_of(rule, left)}
    return lines | {"black_threes": rule.leftover_black_three * black}


def _score_handing_over(state: RoundState, side: int, seats: range) -> dict[str, int]:
    """Settle as where the opponents of the side that went out give up their cards, all but black threes."""
    rule = state.ruleset.scores
    black, red = _threes(_cards_left(state, seats))
    lines = {"black_threes": rule.leftover_black_three * black}
    if state.went_out is None:
        return lines | {"red_held_stock_out": rule.red_three_held_at_stock_out * red}
    if state.side_of(state.went_out) != side:
        return lines
    given = _cards_left(state, (seat for seat in range(len(state.seats)) if seat not in seats))
    return lines | {
        "red_from_opponents": rule.red_three_from_opponent * _threes(given)[1],
        "red_from_partner": rule.red_three_from_partner * red,
        "received_cards": points_of(rule, (card for card in given if RANK_OF[card] != BLACK_THREE)),
    }
