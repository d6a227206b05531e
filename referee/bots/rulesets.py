"""The ruleset of a match, rebuilt from what the referee discloses of it."""

from typing import Any, Final

from handfoot import Ruleset as Message

from referee.rules import RULESETS, Ruleset
from referee.rules.cards import RANK_NAMES
from referee.rules.ruleset import (
    DealRule,
    GoingOutRule,
    MatchRule,
    MeldRule,
    OpeningRule,
    PileRule,
    ScoreRule,
)


def read_ruleset(message: Message, seats: int, sides: int) -> Ruleset:
    """
    Return the ruleset that *message* discloses, for a table of *seats* in so many *sides*.

    A published ruleset is returned itself. Of house rules all is rebuilt that matters once cards are dealt; what other
    tables would play is not disclosed, so the hash differs.
    """
    published = RULESETS.get(message.name)
    if published is not None and published.hash == message.hash:
        return published
    return Ruleset(
        name=message.name,
        deal=_read_deal(message, seats, sides),
        pile=PileRule(
            allowed=message.pile.allowed,
            limit=message.pile.limit if message.pile.HasField("limit") else None,
            choice=message.pile.choice,
            wild_upcard=message.pile.wild_upcard,
            opening_counts="upcard_meld" if message.pile.opening_counts_upcard_meld_only else "all_melds",
        ),
        melds=MeldRule(
            max_wilds=tuple(message.max_wilds),  # type: ignore[arg-type]
            wild_melds=message.wild_melds,
            books_grow=message.books_grow,
        ),
        red_threes=_name(message, "red_threes", "RED_THREE_RULE_"),
        opening=OpeningRule(
            unit=_name(message, "opening_unit", "OPENING_UNIT_"),
            minimums=tuple(message.opening_minimums),
            excludes_partner_ranks=message.opening_excludes_partner_ranks,
        ),
        going_out=_read_going_out(message),
        scores=_read_scores(message),
        match=MatchRule(rounds=message.rounds, target=message.target if message.HasField("target") else None),
    )


def _read_deal(message: Message, seats: int, sides: int) -> DealRule:
    return DealRule(
        seats=(seats,),
        solo=(seats,) if seats == sides else (),
        packs=message.packs,
        hand=message.hand_size,
        foot=message.foot_size,
        upcard=message.upcard,
        start=_name(message, "start", "START_RULE_"),
        draw=message.draw_count,
    )


def _read_going_out(message: Message) -> GoingOutRule:
    return GoingOutRule(
        clean_books=message.clean_books_needed,
        dirty_books=message.dirty_books_needed,
        wild_books=message.wild_books_needed,
        clean_book_ranks=tuple(RANK_NAMES[rank - 1] for rank in message.clean_book_ranks_needed),
        partner_played_foot=message.partner_must_have_played_foot,
        permission=_name(message, "permission", "PERMISSION_"),
        final_discard=_name(message, "final_discard", "FINAL_DISCARD_"),
    )


def _read_scores(message: Message) -> ScoreRule:
    scores = message.scores
    lines = {name: getattr(scores, name) for name in _LINES}
    return ScoreRule(
        points=tuple(message.card_points),
        melded_cards=scores.melded_cards,
        leftover=_name(scores, "leftover", "LEFTOVER_RULE_"),
        **lines,
    )


_LINES: Final = (
    *("clean_book", "dirty_book", "wild_book", "going_out"),
    *("red_three_laid", "red_three_laid_unmelded", "red_three_unplaced", "leftover_black_three"),
    *("red_three_from_opponent", "red_three_from_partner", "red_three_held_at_stock_out"),
)


def _name(message: Any, field: str, prefix: str) -> Any:
    """Return the name of the value of the enum *field*, as rulesets write it."""
    kind = message.DESCRIPTOR.fields_by_name[field].enum_type
    return str(kind.values_by_number[getattr(message, field)].name).removeprefix(prefix).lower()
