"""The four published rulesets. Each is one reading of a published sheet; docs/rules says what was decided where."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from referee.rules.cards import RED_THREE
from referee.rules.errors import InvalidRuleset
from referee.rules.ruleset import (
    DealRule,
    GoingOutRule,
    MatchRule,
    MeldRule,
    OpeningRule,
    PileRule,
    Ruleset,
    ScoreRule,
    points_by_rank,
)

_STANDARD_POINTS = points_by_rank(low=5, high=10, eight=10, black_three=5)

BEGINNER: Final = Ruleset(
    name="beginner",
    deal=DealRule(
        seats=(4,), packs=5, hand=13, foot=13, upcard=True, rejected_upcards="buried", start="dealers_left"
    ),
    pile=PileRule(allowed=True, limit=7, choice=True, wild_upcard=True, opening_counts="all_melds"),
    melds=MeldRule(max_wilds=(1, 1, 1, 2, 2), wild_melds=True, books_grow=False),
    red_threes="laid",
    opening=OpeningRule(unit="side", minimums=(50, 90, 120, 150)),
    going_out=GoingOutRule(
        clean_books=2,
        dirty_books=2,
        wild_books=1,
        partner_played_foot=True,
        permission="required",
        final_discard="optional",
    ),
    scores=ScoreRule(
        points=_STANDARD_POINTS,
        clean_book=500,
        dirty_book=300,
        wild_book=1500,
        red_three_laid=100,
        red_three_laid_unmelded=100,
        red_three_unplaced=-100,
        leftover="subtracted",
    ),
    match=MatchRule(rounds=4),
)

SIMPLE: Final = Ruleset(
    name="simple",
    deal=DealRule(seats=(4,), packs=5, hand=13, foot=13, upcard=False, start="dealers_left"),
    pile=PileRule(allowed=True, limit=7, wild_upcard=True),
    melds=MeldRule(max_wilds=(1, 1, 1, 2, 2), wild_melds=True, books_grow=False),
    red_threes="laid",
    opening=OpeningRule(unit="none"),
    going_out=GoingOutRule(
        clean_books=0,
        dirty_books=0,
        wild_books=0,
        partner_played_foot=False,
        permission="none",
        final_discard="optional",
    ),
    scores=ScoreRule(
        points=(0,) * RED_THREE,
        clean_book=700,
        dirty_book=300,
        wild_book=1500,
        melded_cards=False,
        red_three_laid=100,
        red_three_laid_unmelded=100,
        red_three_unplaced=-100,
        leftover="foot_threes",
        leftover_black_three=-5,
    ),
    match=MatchRule(rounds=1),
)

ONLINE: Final = Ruleset(
    name="online",
    deal=DealRule(
        seats=(2, 3, 4),
        solo=(2, 3),
        packs="seats+1",
        hand=13,
        foot=13,
        upcard=True,
        rejected_upcards="under",
        start="dealers_left",
    ),
    pile=PileRule(allowed=True, limit=7, opening_counts="upcard_meld"),
    melds=MeldRule(max_wilds=(1, 1, 1, 2, 2), wild_melds=False, books_grow=False),
    red_threes="laid",
    opening=OpeningRule(unit="side", minimums=(50, 90, 120, 150)),
    going_out=GoingOutRule(
        clean_books=2,
        dirty_books=2,
        wild_books=0,
        partner_played_foot=True,
        permission="optional",
        final_discard="optional",
    ),
    scores=ScoreRule(
        points=_STANDARD_POINTS,
        clean_book=500,
        dirty_book=300,
        red_three_laid=100,
        red_three_laid_unmelded=-100,
        red_three_unplaced=-100,
        leftover="subtracted",
    ),
    match=MatchRule(rounds=4),
)

PUBLISHER: Final = Ruleset(
    name="publisher",
    deal=DealRule(seats=(4, 6, 8, 10, 12), packs="seats+1", hand=11, foot=11, upcard=False, start="high_cut"),
    pile=PileRule(allowed=False),
    melds=MeldRule(max_wilds=(1, 1, 2, 2, 3), wild_melds=False, books_grow=True),
    red_threes="held",
    opening=OpeningRule(unit="seat", minimums=(50, 70, 90, 120), excludes_partner_ranks=True),
    going_out=GoingOutRule(
        clean_books=2,
        dirty_books=3,
        wild_books=0,
        partner_played_foot=False,
        permission="none",
        final_discard="forbidden",
    ),
    scores=ScoreRule(
        points=points_by_rank(low=5, high=10, eight=5, black_three=-5),
        clean_book=300,
        dirty_book=200,
        leftover="handed_over",
        leftover_black_three=-5,
        red_three_from_opponent=300,
        red_three_from_partner=-300,
        red_three_held_at_stock_out=-300,
    ),
    match=MatchRule(rounds=4),
)

RULESETS: Final[Mapping[str, Ruleset]] = MappingProxyType(
    {ruleset.name: ruleset for ruleset in (BEGINNER, ONLINE, PUBLISHER, SIMPLE)}
)
"""The published rulesets by name, in order of names."""

DEFAULT: Final = ONLINE
"""What is played where nothing else is said."""


def find_ruleset(name: str) -> Ruleset:
    """
    Return the published ruleset called *name*.

    >>> find_ruleset("simple").rounds
    1

    Raises:
        InvalidRuleset: there is none of that name; there is no fallback.
    """
    try:
        return RULESETS[name]
    except KeyError:
        expected = ", ".join(RULESETS)
        raise InvalidRuleset(f"unknown ruleset: expected one of {expected}; got {name!r}") from None


def is_published(ruleset: Ruleset) -> bool:
    """Return whether *ruleset* is the published one of its name, unchanged."""
    return ruleset.name in RULESETS and ruleset.hash == RULESETS[ruleset.name].hash
