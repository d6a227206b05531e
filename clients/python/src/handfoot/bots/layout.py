"""What to lay down: all that can be done with the cards of one rank, and the ranks put together, sharing wild cards."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from handfoot import BLACK_THREE, BOOK, NATURAL_RANKS, RED_THREE, TWO, Meld, Rank, Ruleset
from handfoot.bots.appraisal import NO_MELD, Appraisal
from handfoot.bots.position import NO_BOOKS, Books, Lay, book_of

MIN_MELD: Final = 3
"""A meld has at least so many cards."""

MANY: Final = 2
"""From this number on it makes no difference how many cards stay in the holding."""


class Layout(NamedTuple):
    """A way to lay cards down: of one rank, or of the whole holding."""

    value: float
    """What it is worth, in points, with the cards that it keeps."""

    wilds: int
    """How many wild cards it lays down."""

    left: int
    """How many cards stay in the holding: 0, 1, or MANY for more."""

    gains: Books
    """The books that it completes."""

    lays: tuple[Lay, ...]
    """What goes where."""


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


def best_of_each_kind(layouts: Iterable[Layout]) -> list[Layout]:
    """Return the most valuable of those *layouts* that use, leave and gain the same."""
    best: dict[tuple[int | Books, ...], Layout] = {}
    for layout in layouts:
        kind = layout[1:4]
        if kind not in best or layout.value > best[kind].value:
            best[kind] = layout
    return list(best.values())


def fits(ruleset: Ruleset, meld: Meld, naturals: int, wilds: int) -> bool:
    """Return whether *meld*, unfinished or `NO_MELD`, may grow by so many cards."""
    size = meld.size + naturals + wilds
    if size < MIN_MELD or (size > BOOK and (not ruleset.books_grow or meld.size + wilds > BOOK)):
        return False
    wilds += meld.wilds
    return not wilds or wilds <= ruleset.max_wilds[min(size, BOOK) - MIN_MELD]


def natural_options(appraisal: Appraisal, rank: Rank) -> list[Layout]:
    """Return what can be done with the naturals of *rank*, and with wild cards on its meld, the best of each kind."""
    position = appraisal.position
    meld = position.unfinished.get(rank, NO_MELD)
    if not position.cards[rank] and (meld is NO_MELD or not position.wilds):
        return []
    return best_of_each_kind(_options(appraisal, rank, meld))


def _options(appraisal: Appraisal, rank: Rank, meld: Meld) -> Iterator[Layout]:
    position = appraisal.position
    count = len(position.cards[rank])
    yield Layout(appraisal.kept(rank, count, meld), 0, min(MANY, count), NO_BOOKS, ())
    for naturals in range(count + 1):
        for wilds in range(min(position.wilds, BOOK - meld.size) + 1):
            if naturals + wilds and fits(position.view.ruleset, meld, naturals, wilds):
                yield from _lay(appraisal, rank, meld, naturals, wilds)
    if rank in position.growing:
        yield from _grow_book(appraisal, rank, meld)


def _lay(appraisal: Appraisal, rank: Rank, meld: Meld, naturals: int, wilds: int) -> Iterator[Layout]:
    """Yield laying so many cards on *meld*; where that makes a book, the rest may begin another meld."""
    rest = len(appraisal.position.cards[rank]) - naturals
    after = meld._replace(naturals=meld.naturals + naturals, wilds=meld.wilds + wilds)
    lay = Lay(rank, naturals, wilds, None if meld is NO_MELD else meld.number)
    value = appraisal.laid(rank, meld, naturals, wilds)
    kept = appraisal.kept(rank, rest, NO_MELD if after.is_book else after)
    book = book_of(after.naturals, after.wilds)
    yield Layout(value + kept, wilds, min(MANY, rest), book, (lay,))
    if not after.is_book or not rest:
        return
    for more_wilds in range(min(1, appraisal.position.wilds - wilds) + 1):
        if fits(appraisal.position.view.ruleset, NO_MELD, rest, more_wilds):
            both = value + appraisal.laid(rank, NO_MELD, rest, more_wilds)
            books = book.plus(book_of(rest, more_wilds))
            yield Layout(both, wilds + more_wilds, 0, books, (lay, Lay(rank, rest, more_wilds, None)))


def _grow_book(appraisal: Appraisal, rank: Rank, meld: Meld) -> Iterator[Layout]:
    """Yield adding naturals to a book of *rank*."""
    number = appraisal.position.growing[rank]
    count = len(appraisal.position.cards[rank])
    for naturals in range(1, count + 1):
        rest = count - naturals
        value = naturals * appraisal.laid_points[rank] + appraisal.kept(rank, rest, meld)
        yield Layout(value, 0, min(MANY, rest), NO_BOOKS, (Lay(rank, naturals, 0, number),))


def wild_options(appraisal: Appraisal, wilds: int) -> list[Layout]:
    """Return what can be done with *wilds* wild cards that melds of naturals leave: kept, or a meld of their own."""
    meld = appraisal.position.unfinished.get(TWO, NO_MELD)
    options = [Layout(appraisal.kept_wilds(wilds, meld.wilds), 0, min(MANY, wilds), NO_BOOKS, ())]
    for laid in range(1, wilds + 1 if appraisal.wild_melds else 1):
        after = meld.wilds + laid
        if MIN_MELD <= after <= BOOK:
            kept = appraisal.kept_wilds(wilds - laid, after % BOOK)
            value = appraisal.laid(TWO, meld, 0, laid) + kept
            lay = Lay(TWO, 0, laid, None if meld is NO_MELD else meld.number)
            options.append(Layout(value, laid, min(MANY, wilds - laid), book_of(0, after), (lay,)))
    return options
