"""The ruleset as it is disclosed to bots."""

from functools import lru_cache
from typing import Final

from handfoot.v1 import ruleset_pb2 as pb
from handfoot.v1.card_pb2 import Rank

from referee.rules import Ruleset

_START: Final = {
    "dealers_left": pb.Ruleset.START_RULE_DEALERS_LEFT,
    "high_cut": pb.Ruleset.START_RULE_HIGH_CUT,
}
_RED_THREES: Final = {
    "laid": pb.Ruleset.RED_THREE_RULE_LAID,
    "held": pb.Ruleset.RED_THREE_RULE_HELD,
}
_OPENING_UNIT: Final = {
    "none": pb.Ruleset.OPENING_UNIT_NONE,
    "side": pb.Ruleset.OPENING_UNIT_SIDE,
    "seat": pb.Ruleset.OPENING_UNIT_SEAT,
}
_PERMISSION: Final = {
    "none": pb.Ruleset.PERMISSION_NONE,
    "optional": pb.Ruleset.PERMISSION_OPTIONAL,
    "required": pb.Ruleset.PERMISSION_REQUIRED,
}
_FINAL_DISCARD: Final = {
    "optional": pb.Ruleset.FINAL_DISCARD_OPTIONAL,
    "forbidden": pb.Ruleset.FINAL_DISCARD_FORBIDDEN,
    "required": pb.Ruleset.FINAL_DISCARD_REQUIRED,
}
_LEFTOVER: Final = {
    "subtracted": pb.ScoreRule.LEFTOVER_RULE_SUBTRACTED,
    "foot_threes": pb.ScoreRule.LEFTOVER_RULE_FOOT_THREES,
    "handed_over": pb.ScoreRule.LEFTOVER_RULE_HANDED_OVER,
}


@lru_cache(maxsize=16)
def write_ruleset(ruleset: Ruleset, seats: int) -> pb.Ruleset:
    """Return *ruleset* as a table of *seats* plays it. The message is shared: copy it, do not change it."""
    deal, going_out = ruleset.deal, ruleset.going_out
    return pb.Ruleset(
        name=ruleset.name,
        hash=ruleset.hash,
        packs=deal.packs_for(seats),
        hand_size=deal.hand,
        foot_size=deal.foot,
        upcard=deal.upcard,
        start=_START[deal.start],
        rounds=ruleset.match.rounds,
        target=ruleset.match.target,
        red_threes=_RED_THREES[ruleset.red_threes],
        draw_count=deal.draw,
        pile=_write_pile(ruleset),
        books_grow=ruleset.melds.books_grow,
        max_wilds=ruleset.melds.max_wilds,
        wild_melds=ruleset.melds.wild_melds,
        opening_minimums=ruleset.opening.minimums,
        opening_unit=_OPENING_UNIT[ruleset.opening.unit],
        opening_excludes_partner_ranks=ruleset.opening.excludes_partner_ranks,
        clean_books_needed=going_out.clean_books,
        dirty_books_needed=going_out.dirty_books,
        wild_books_needed=going_out.wild_books,
        clean_book_ranks_needed=[rank for rank in Rank.values() if going_out.clean_ranks << 1 >> rank & 1],
        partner_must_have_played_foot=going_out.partner_played_foot,
        permission=_PERMISSION[going_out.permission],
        final_discard=_FINAL_DISCARD[going_out.final_discard],
        card_points=ruleset.scores.points,
        scores=_write_scores(ruleset),
    )


def _write_pile(ruleset: Ruleset) -> pb.PileRule:
    pile = ruleset.pile
    return pb.PileRule(
        allowed=pile.allowed,
        limit=pile.limit,
        choice=pile.choice,
        wild_upcard=pile.wild_upcard,
        opening_counts_upcard_meld_only=pile.opening_counts == "upcard_meld",
    )


def _write_scores(ruleset: Ruleset) -> pb.ScoreRule:
    scores = ruleset.scores
    return pb.ScoreRule(
        clean_book=scores.clean_book,
        dirty_book=scores.dirty_book,
        wild_book=scores.wild_book,
        going_out=scores.going_out,
        melded_cards=scores.melded_cards,
        red_three_laid=scores.red_three_laid,
        red_three_laid_unmelded=scores.red_three_laid_unmelded,
        red_three_unplaced=scores.red_three_unplaced,
        leftover=_LEFTOVER[scores.leftover],
        leftover_black_three=scores.leftover_black_three,
        red_three_from_opponent=scores.red_three_from_opponent,
        red_three_from_partner=scores.red_three_from_partner,
        red_three_held_at_stock_out=scores.red_three_held_at_stock_out,
    )
