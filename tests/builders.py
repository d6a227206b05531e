"""Small, named builders of table positions for tests of the rules."""

from collections.abc import Mapping, Sequence

from referee.rules import (
    ONLINE,
    Card,
    Entry,
    Event,
    Meld,
    Phase,
    RoundState,
    Ruleset,
    apply,
    judge,
    parse_action,
    parse_cards,
)
from referee.rules.cards import RANK_OF
from referee.rules.deal import Deal
from referee.rules.melds import make_up
from referee.rules.state import Stock

FILLER = "4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac"
"""A holding without two cards of a rank."""


def cards(text: str) -> tuple[Card, ...]:
    """Return the cards of *text*: ``9h 9c``, or ``9h*3`` for three alike."""
    found: list[Card] = []
    for word in text.split():
        card, _, times = word.partition("*")
        found += parse_cards(card) * int(times or 1)
    return tuple(found)


def entry(text: str, target: int | None = None) -> Entry:
    """Return an entry of an action."""
    return Entry(cards(text), target)


def meld(text: str, side: int = 0) -> Meld:
    """Return a meld on the table."""
    laid = cards(text)
    makeup = make_up(laid)
    assert isinstance(makeup, tuple), makeup
    rank, naturals, wilds = makeup
    return Meld(side, rank, naturals, wilds, laid)


def books(clean: int = 0, dirty: int = 0, wild: int = 0, side: int = 0) -> list[Meld]:
    """Return that many completed melds of a side, in ranks from the king downwards."""
    ranks = iter("KQJT98765" * 2)
    found = [meld(f"{next(ranks)}s*7", side) for _ in range(clean)]
    found += [meld(f"{next(ranks)}s*5 2c JR", side) for _ in range(dirty)]
    return found + [meld("2s*5 JR JB", side) for _ in range(wild)]


def round_with(
    ruleset: Ruleset = ONLINE,
    *,
    seats: int = 4,
    number: int = 0,
    turn: int = 0,
    phase: Phase = Phase.PLAY,
    holding: str = FILLER,
    on_foot: bool = False,
    others: Mapping[int, str] | None = None,
    others_on_foot: Sequence[int] = (),
    others_played_foot: Sequence[int] = (),
    feet: Mapping[int, str] | None = None,
    melds: Sequence[Meld] = (),
    opened: bool | Sequence[int] = True,
    opening_ranks: Mapping[int, str] | None = None,
    pile: str = "",
    stock: str = "4d 5d 6d 7d 8d 9d Td Jd",
    under: str = "",
    red_threes: Mapping[int, str] | None = None,
    asked: bool = False,
    agreed: bool | None = None,
) -> RoundState:
    """
    Return a round in the middle of play, built by hand; seat *turn* holds *holding*.

    The cards of *stock* are drawn in the order given by whoever draws. *others* are holdings and *feet* untouched feet
    by seat; seats on their foot have none. *opened* is true for all seats, false for none, or a list of seats.
    *red_threes* lie on the table by side. Cards need not add up to whole packs.
    """
    on_their_foot = set(others_on_foot) | set(others_played_foot) | ({turn} if on_foot else set())
    held = dict.fromkeys(range(seats), FILLER) | dict(others or {}) | {turn: holding}
    untouched = {seat: FILLER for seat in range(seats) if seat not in on_their_foot} | dict(feet or {})
    deal = Deal(
        hands=tuple(cards(held[seat]) for seat in range(seats)),
        feet=tuple(cards(untouched.get(seat, "")) for seat in range(seats)),
        stock=(),
        under=cards(under),
        upcard=None,
        rejected=(),
        first_seat=turn,
    )
    state = RoundState(ruleset, number, deal)
    state.phase, state.asked, state.agreed = phase, asked, agreed
    state.pile = list(cards(pile))
    state.stock = _one_stripe(stock, under, seats, turn)
    for seat, each in enumerate(state.seats):
        each.on_foot = seat in on_their_foot
        each.played_foot = seat in others_played_foot
        each.opened = opened if isinstance(opened, bool) else seat in opened
        if ruleset.opening.unit == "none":
            each.opened = True
        each.opening_ranks = sum(1 << RANK_OF[card] for card in cards((opening_ranks or {}).get(seat, "")))
    _put_down(state, melds)
    for side, laid in (red_threes or {}).items():
        state.sides[side].red_threes = list(cards(laid))
    return state


def _one_stripe(stock: str, under: str, seats: int, turn: int) -> Stock:
    built = Stock((), cards(under), seats)
    stripes: list[tuple[Card, ...]] = [()] * seats
    stripes[turn] = cards(stock)
    built.stripes = tuple(stripes)
    built.left = len(cards(stock)) + len(cards(under))
    return built


def _put_down(state: RoundState, melds: Sequence[Meld]) -> None:
    for each in melds:
        side = state.sides[each.side]
        if each.is_book:
            side.books = side.books.plus(each)
        else:
            assert side.open_melds[each.rank] < 0, "two unfinished melds of a rank"
        side.track(len(state.melds), each)
        state.melds.append(each)


def broken_clause(state: RoundState, notation: str) -> str | None:
    """Return the clause that an action breaks; None if it is legal."""
    fault = judge(state, parse_action(notation))
    return fault.clause if fault else None


def play_out(state: RoundState, *notations: str) -> tuple[Event, ...]:
    """Apply actions in order and return all that followed."""
    return tuple(event for notation in notations for event in apply(state, parse_action(notation)))


def snapshot(state: RoundState) -> tuple[object, ...]:
    """Return everything that a round consists of as plain values, for comparisons."""
    seats = tuple(
        (tuple(s.cards), tuple(s.counts), s.foot, s.on_foot, s.played_foot, s.opened, s.opening_ranks)
        for s in state.seats
    )
    sides = tuple((tuple(side.open_melds), side.books, tuple(side.red_threes)) for side in state.sides)
    stock = (state.stock.stripes, tuple(state.stock.taken), state.stock.under, state.stock.left)
    turn = (state.turn, state.phase, state.decider, state.asked, state.agreed, state.stranded, state.went_out)
    return state.ruleset, state.round, seats, sides, tuple(state.melds), tuple(state.pile), stock, turn
