"""Where cards lie."""

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
