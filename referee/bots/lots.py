"""Which cards go to which meld in one action, by rules of thumb: naturals wherever they fit, wild cards sparingly."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from referee.rules import Card, Entry, RoundState
from referee.rules.cards import JOKER, NATURALS, RANK_OF, RANKS, TWO, WILD
from referee.rules.ruleset import BOOK_SIZE, MIN_MELD
from referee.rules.state import SeatState

LATE: Final = 8
"""With fewer cards in the stock for each seat, wild cards complete whatever they can."""

WILD_MELD: Final = 3
"""So many wild cards begin a meld of their own where that is allowed."""


@dataclass(slots=True)
class Lot:
    """Cards that go to one meld."""

    rank: int
    target: int | None
    naturals: int
    """How many naturals are laid; for a meld of wild cards none."""

    size: int
    """How many cards the meld has with them."""

    dirt: int
    """How many of those are wild."""

    wilds: int = 0
    """How many wild cards are laid, counted in *size* and *dirt*."""

    def add(self, wilds: int) -> None:
        """Lay so many wild cards more."""
        self.wilds += wilds
        self.size += wilds
        self.dirt += wilds


def lots_of_naturals(state: RoundState) -> list[Lot]:
    """Return a lot for each rank that the seat in turn can lay, and an empty one for each other unfinished meld."""
    number = state.turn
    counts, melds = state.seats[number].counts, state.melds
    open_melds = state.sides[number % len(state.sides)].open_melds
    lots = []
    for rank in range(NATURALS):
        count, target = counts[rank], open_melds[rank]
        if target >= 0:
            meld = melds[target]
            size = meld.naturals + meld.wilds
            count = min(count, BOOK_SIZE - size)
            lots.append(Lot(rank, target, count, size + count, meld.wilds))
        elif count >= MIN_MELD:
            count = min(count, BOOK_SIZE)
            lots.append(Lot(rank, None, count, count, 0))
    if state.ruleset.melds.books_grow:
        lots += _lots_for_books(state, {WILD, *[lot.rank for lot in lots]})
    return lots


def _lots_for_books(state: RoundState, taken: set[int]) -> list[Lot]:
    side, counts = state.turn % len(state.sides), state.seats[state.turn].counts
    books = {
        meld.rank: number
        for number, meld in enumerate(state.melds)
        if meld.side == side and meld.is_book and meld.rank not in taken and counts[meld.rank]
    }
    return [
        Lot(rank, number, counts[rank], state.melds[number].size + counts[rank], 0)
        for rank, number in books.items()
    ]


def complete_books(state: RoundState, lots: list[Lot], wilds: int, *, hurry: bool) -> int:
    """Complete books with some of *wilds*, dirty ones first; return how many wild cards are left."""
    rule = state.ruleset
    side = state.sides[state.turn % len(state.sides)]
    if rule.melds.wild_melds:
        wilds = _meld_wilds(state, lots, wilds)
    hurry = hurry or state.stock.left < LATE * len(state.seats)
    needed = rule.going_out.dirty_books - side.books.dirty
    for lot in sorted(lots, key=lambda lot: (-lot.dirt, -lot.size)):
        missing = BOOK_SIZE - lot.size
        fits = 0 < missing <= wilds and lot.dirt + missing <= rule.melds.max_wilds[-1]
        if fits and (lot.dirt or needed > 0 or hurry):
            lot.add(missing)
            wilds -= missing
            needed -= 1
    return wilds


def _meld_wilds(state: RoundState, lots: list[Lot], wilds: int) -> int:
    target = state.sides[state.turn % len(state.sides)].open_melds[WILD]
    if target < 0 and wilds < WILD_MELD:
        return wilds
    size = state.melds[target].size if target >= 0 else 0
    laid = min(wilds, BOOK_SIZE - size)
    lots.append(Lot(WILD, target if target >= 0 else None, 0, size + laid, size + laid, laid))
    return wilds - laid


def pair_up(state: RoundState, lots: list[Lot], wilds: int, left: int) -> tuple[int, int]:
    """Begin melds of a pair and a wild card each; return how many wild cards and how many others are left."""
    counts = state.seats[state.turn].counts
    open_melds = state.sides[state.turn % len(state.sides)].open_melds
    if wilds and left > 1 and state.ruleset.melds.max_wilds[0]:
        pairs = [rank for rank in range(NATURALS) if counts[rank] == 2 and open_melds[rank] < 0]
        laid = {lot.rank for lot in lots}
        for rank in [rank for rank in pairs if rank not in laid][:wilds]:
            lots.append(Lot(rank, None, 2, MIN_MELD, 1, 1))
            wilds -= 1
            left -= 2
    return wilds, left


def spread_wilds(state: RoundState, lots: list[Lot], wilds: int) -> int:
    """Add what can be added of *wilds* to any melds; return how many wild cards are left."""
    most = state.ruleset.melds.max_wilds
    for lot in lots:
        if lot.rank != WILD:
            while wilds and lot.size < BOOK_SIZE and lot.dirt < most[lot.size + 1 - MIN_MELD]:
                lot.add(1)
                wilds -= 1
    return wilds


def write_entries(seat: SeatState, lots: Iterable[Lot]) -> tuple[Entry, ...]:
    """Return the entries that lay *lots* from the cards of *seat*."""
    by_rank: list[list[Card]] = [[] for _ in range(RANKS)]
    for card in seat.cards:
        by_rank[RANK_OF[card]].append(card)
    wilds = by_rank[JOKER] + by_rank[TWO]
    entries = []
    for lot in lots:
        cards = by_rank[lot.rank][: lot.naturals]
        cards += [wilds.pop() for _ in range(lot.wilds)]
        entries.append(Entry(tuple(cards), lot.target))
    return tuple(entries)
