"""What to lay down of the whole holding: the ranks put together, sharing the wild cards."""

from collections.abc import Iterable

from handfoot import BLACK_THREE, NATURAL_RANKS, RED_THREE
from handfoot.bots.appraisal import Appraisal
from handfoot.bots.options import MANY, Layout, best_of_each_kind, natural_options, wild_options
from handfoot.bots.position import NO_BOOKS, Books


def best_layouts(appraisal: Appraisal) -> list[Layout]:
    """
    Return the most valuable layouts, one for each use of wild cards, number of cards left and books gained.

    Ranks are added one after the other, and only the best of each kind goes on: what the others hold of it does not
    depend on how it came about.
    """
    position = appraisal.position
    threes = len(position.cards[BLACK_THREE]) + len(position.cards[RED_THREE])
    layouts = [Layout(0.0, 0, min(MANY, threes), NO_BOOKS, ())]
    for rank in NATURAL_RANKS:
        if options := natural_options(appraisal, rank):
            layouts = _combine(layouts, options, position.wilds)
    complete: list[Layout] = []
    for used in sorted({layout.wilds for layout in layouts}):
        alike = [layout for layout in layouts if layout.wilds == used]
        complete += _combine(alike, wild_options(appraisal, position.wilds - used), position.wilds)
    return best_of_each_kind(complete)


def _combine(layouts: Iterable[Layout], options: list[Layout], wilds_held: int) -> list[Layout]:
    """Return the best of each kind of *layouts* with one of *options* each."""
    best: dict[tuple[int, int, Books], Layout] = {}
    for value, wilds, left, gains, lays in layouts:
        for more, more_wilds, more_left, more_gains, more_lays in options:
            if wilds + more_wilds > wilds_held:
                continue
            books = gains if more_gains is NO_BOOKS else gains.plus(more_gains)
            kind = (wilds + more_wilds, min(MANY, left + more_left), books)
            if kind not in best or value + more > best[kind].value:
                best[kind] = Layout(value + more, *kind, lays + more_lays)
    return list(best.values())
