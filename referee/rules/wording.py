"""The rules of a ruleset in words, as somebody would explain them at the table. Nothing here decides a rule."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from referee.rules.cards import RANK_NAMES, RANK_PLURALS
from referee.rules.content import flat_content
from referee.rules.ruleset import Ruleset

POINTS: Final = "scores.points"


def describe_rules(ruleset: Ruleset) -> dict[str, str]:
    """
    Return each rule of *ruleset* that has an effect, in words by its key; the points of cards are one rule.

    >>> from referee.rules.variants import PUBLISHER
    >>> describe_rules(PUBLISHER)["pile.allowed"]
    'nobody takes from the discard pile'
    >>> "pile.limit" in describe_rules(PUBLISHER)
    False
    """
    flat = flat_content(ruleset) | {POINTS: ruleset.scores.points}
    idle = set(_without_effect(ruleset))
    return {key: describe_rule(key, flat[key]) for key in WORDS if key not in idle}


def describe_rule(key: str, value: Any) -> str:
    """
    Return what *value* of *key* means, in words.

    >>> describe_rule("pile.limit", None), describe_rule("scores.points.8", 5)
    ('the whole pile is taken', '5 points')
    """
    if key.startswith(f"{POINTS}."):
        return _points(value)
    said = WORDS[key]
    return said[value] if isinstance(said, Mapping) else said(value)


def _without_effect(ruleset: Ruleset) -> Iterator[str]:
    """Yield the keys that change nothing, since another rule leaves them nothing to decide."""
    pile, opening, scores = ruleset.pile, ruleset.opening, ruleset.scores
    alone = set(ruleset.deal.seats) <= set(ruleset.deal.solo)
    handed_over = scores.leftover == "handed_over"
    for is_so, keys in (
        (not ruleset.deal.upcard, ("deal.rejected_upcards",)),
        (not pile.allowed, ("pile.limit", "pile.choice", "pile.wild_upcard", "pile.opening_counts")),
        (pile.limit == 1, ("pile.choice",)),
        (opening.unit == "none", ("opening.minimums", "pile.opening_counts")),
        (opening.unit != "seat" or alone, ("opening.excludes_partner_ranks",)),
        (alone, ("going_out.partner_played_foot", "going_out.permission")),
        (not ruleset.going_out.clean_book_ranks, ("going_out.clean_book_ranks",)),
        (not ruleset.melds.wild_melds, ("pile.wild_upcard", "going_out.wild_books", "scores.wild_book")),
        (ruleset.red_threes == "held", ("scores.red_three_laid", "scores.red_three_laid_unmelded")),
        (handed_over, ("scores.red_three_unplaced",)),
        (scores.leftover == "subtracted", ("scores.leftover_black_three",)),
        (not handed_over, tuple(key for key in WORDS if key.startswith("scores.red_three_from_"))),
        (not handed_over, ("scores.red_three_held_at_stock_out",)),
        (ruleset.match.target is None, ("match.target",)),
    ):
        yield from keys if is_so else ()


def _listed(values: Sequence[object], last: str = "or") -> str:
    *most, end = map(str, values)
    return f"{', '.join(most)} {last} {end}" if most else end


def _counted(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def _points(number: int) -> str:
    return f"{number} {'point' if abs(number) == 1 else 'points'}"


def _solo(seats: Sequence[int]) -> str:
    everywhere = "partners sit opposite each other"
    return f"everybody plays alone with {_listed(seats)} seats, else {everywhere}" if seats else everywhere


def _packs(packs: int | str) -> str:
    return "one pack more than there are seats" if isinstance(packs, str) else _counted(packs, "pack")


def _limit(limit: int | None) -> str:
    return "the whole pile is taken" if limit is None else f"the top {_counted(limit, 'card')} at most"


def _wilds(wilds: Sequence[int]) -> str:
    return f"at most {_listed(wilds, 'and')} wild cards in melds of 3, 4, 5, 6 and 7"


def _minimums(minimums: Sequence[int]) -> str:
    if len(minimums) == 1:
        return f"it needs {_points(minimums[0])}"
    return f"it needs {_listed(minimums, 'and')} points, round by round; the last of these stays"


def _clean_ranks(ranks: Sequence[str]) -> str:
    names = [RANK_PLURALS[RANK_NAMES.index(rank)] for rank in ranks]
    return f"needs a clean book of {_listed(names, 'and')}" if ranks else "in any ranks"


def _card_points(points: Sequence[int]) -> str:
    if not any(points):
        return "cards count nothing"
    runs = []
    for value, run in groupby(zip(RANK_NAMES, points, strict=False), key=lambda pair: pair[1]):
        names = [name for name, _ in run]
        between = " to " if len(names) > 2 else " and "
        runs.append(f"{between.join(dict.fromkeys((names[0], names[-1])))}: {value}")
    return ", ".join(runs)


WORDS: Final[Mapping[str, Mapping[Any, str] | Callable[[Any], str]]] = {
    "deal.seats": lambda seats: f"{_listed(seats)} seats",
    "deal.solo": _solo,
    "deal.packs": _packs,
    "deal.hand": lambda cards: f"{cards} cards",
    "deal.foot": lambda cards: f"{cards} cards",
    "deal.upcard": {True: "a card is turned up to begin the pile", False: "no card is turned up"},
    "deal.rejected_upcards": {
        "buried": "a red three or wild card turned up is buried in the stock",
        "under": "a red three or wild card turned up goes under the stock",
    },
    "deal.start": {
        "dealers_left": "the seats begin in turns, seat 0 the first round",
        "high_cut": "whoever cuts highest begins, cut anew each round",
    },
    "deal.draw": lambda cards: f"{_counted(cards, 'card')} from the stock",
    "pile.allowed": {True: "may be taken", False: "nobody takes from the discard pile"},
    "pile.limit": _limit,
    "pile.choice": {True: "the seat decides how many", False: "all of them, or what there is"},
    "pile.wild_upcard": {
        True: "a wild card on top can be taken with two of its kind",
        False: "a wild card on top cannot be taken",
    },
    "pile.opening_counts": {
        "all_melds": "all melds of the action count for an opening with the pile",
        "upcard_meld": "only the meld around the top card counts for an opening with the pile",
    },
    "melds.max_wilds": _wilds,
    "melds.wild_melds": {True: "melds of wild cards only are allowed", False: "no melds of wild cards only"},
    "melds.books_grow": {True: "naturals may be added to books", False: "a book is closed with seven cards"},
    "red_threes": {
        "laid": "laid on the table and replaced at once",
        "held": "held and discarded like other cards",
    },
    "opening.unit": {
        "none": "there is no opening",
        "side": "the first melds of a side are its opening",
        "seat": "the first melds of each seat are its opening",
    },
    "opening.minimums": _minimums,
    "opening.excludes_partner_ranks": {
        True: "not in a rank of the partner's opening",
        False: "in any rank",
    },
    "going_out.clean_books": lambda number: f"needs {_counted(number, 'clean book')}",
    "going_out.dirty_books": lambda number: f"needs {_counted(number, 'dirty book')}",
    "going_out.wild_books": lambda number: f"needs {_counted(number, 'book')} of wild cards",
    "going_out.clean_book_ranks": _clean_ranks,
    "going_out.partner_played_foot": {
        True: "the partner must have played a card of its foot",
        False: "whatever the partner has played",
    },
    "going_out.permission": {
        "none": "the partner is not asked",
        "optional": "the partner may be asked, and a no binds for the turn",
        "required": "the partner must have said yes in the same turn",
    },
    "going_out.final_discard": {
        "optional": "the last card may be discarded or melded",
        "forbidden": "the last card is melded, never discarded",
        "required": "the last card is discarded",
    },
    "scores.clean_book": _points,
    "scores.dirty_book": _points,
    "scores.wild_book": _points,
    "scores.going_out": _points,
    "scores.melded_cards": {True: "melded cards count", False: "melded cards do not count"},
    "scores.red_three_laid": lambda points: f"{_points(points)}, of a side that has melded",
    "scores.red_three_laid_unmelded": lambda points: f"{_points(points)}, of a side that has not",
    "scores.red_three_unplaced": lambda points: f"{_points(points)}, left in a hand or foot",
    "scores.leftover": {
        "subtracted": "the points of cards left are taken off",
        "foot_threes": "of cards left only threes in feet count",
        "handed_over": "opponents hand the cards they are left with to the side that went out",
    },
    "scores.leftover_black_three": lambda points: f"{_points(points)}, left over",
    "scores.red_three_from_opponent": lambda points: f"{_points(points)}, handed over by an opponent",
    "scores.red_three_from_partner": lambda points: f"{_points(points)}, left with the partner",
    "scores.red_three_held_at_stock_out": lambda points: f"{_points(points)}, held when the stock ends",
    POINTS: _card_points,
    "match.rounds": lambda rounds: _counted(rounds, "round"),
    "match.target": lambda target: f"or until a side has {target} points" if target else "no target",
}
"""How each key is said: its phrases by value, or a function of the value."""
