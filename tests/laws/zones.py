"""Where cards lie, and whether what is kept about them is true."""

from referee.rules import Card, RoundState


def all_cards(state: RoundState) -> list[Card]:
    """Return the cards of all zones of the table."""
    cards = [*state.stock.cards(), *state.pile]
    for seat in state.seats:
        cards += [*seat.cards, *seat.foot]
    for side in state.sides:
        cards += side.red_threes
    for meld in state.melds:
        cards += meld.cards
    return cards


def check_melds(state: RoundState) -> None:
    """Fail unless books and unfinished melds are kept as they lie on the table."""
    for number, side in enumerate(state.sides):
        own = [(place, meld) for place, meld in enumerate(state.melds) if meld.side == number]
        unfinished = {meld.rank: place for place, meld in own if not meld.is_book}
        assert {rank: place for rank, place in enumerate(side.open_melds) if place >= 0} == unfinished
        assert len(unfinished) == sum(not meld.is_book for _, meld in own)
        books = [meld for _, meld in own if meld.is_book]
        assert side.books.clean + side.books.dirty + side.books.wild == len(books)
        assert all(len(meld.cards) == meld.size >= 3 for _, meld in own)
