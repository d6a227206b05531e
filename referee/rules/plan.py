"""What the entries of an action do to the table: worked out completely before any card moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.rules.actions import Entry
from referee.rules.cards import RANK_OF, WILD, Card, Rank
from referee.rules.errors import Fault
from referee.rules.melds import EMPTY, MIXED_RANKS, Makeup, judge_wild_growth, make_up
from referee.rules.ruleset import BOOK_SIZE
from referee.rules.state import Books, Meld, RoundState

NO_SUCH_MELD: Final = Fault("HF-5.2", "cards are added to a meld of the own side, named by its number")
SECOND_OPEN: Final = Fault(
    "HF-5.5", "the side has an unfinished meld of that rank; expected its number as the target"
)
NOT_HELD: Final = Fault("HF-2.3", "a card is not in the holding")
OPEN_FIRST: Final = Fault("HF-6.2", "a seat that has not opened lays sets that are valid by themselves")
PARTNER_RANK: Final = Fault("HF-6.3", "the rank is one of the partner's opening")

_Before = tuple[int, Rank, int, int, tuple[Card, ...]]
"""What a `Meld` holds; for a new one a plain tuple, which is made much more quickly."""


@dataclass(slots=True)
class Plan:
    """The outcome of the entries of one action that are each in order."""

    rest: list[Card]
    """What is held afterwards, before any cards of the pile."""

    melds: dict[int, Meld]
    """The melds that change, by number, as they are afterwards; new ones in order of their numbers."""

    laid: list[tuple[int, tuple[Card, ...], int]]
    """Meld number, cards of each entry, the upcard among them, and the size of the meld then, in order."""

    books: Books
    """The books of the side afterwards."""

    points: int = 0
    """Card points that count for an opening; not counted for a seat that has opened."""

    ranks: int = 0
    """The ranks of the entries, a bit each."""

    begun: int = 0
    """How many of the melds are new."""


def hold_back(held: Sequence[Card], entries: Sequence[Entry]) -> list[Card] | Fault:
    """Return what is left of *held* once the cards of *entries* are taken out; a fault if one is not there."""
    rest = list(held)
    try:
        for entry in entries:
            for card in entry.cards:
                rest.remove(card)
    except ValueError:
        return NOT_HELD
    return rest


def plan_entries(
    state: RoundState, seat: int, entries: Sequence[Entry], rest: list[Card], upcard: Card | None = None
) -> Plan | Fault:
    """
    Return what *entries* do, placed in the order given, or the first clause that one of them breaks.

    *rest* is what `hold_back` left of the holding. With an *upcard* it joins the first entry. The opening is judged
    after the last entry. Keeping cards and going out are not judged here.
    """
    if not entries:
        return EMPTY
    side = seat % len(state.sides)
    plan = Plan(rest, {}, [], state.sides[side].books)
    if not state.seats[seat].opened:
        return _plan_opening(state, seat, plan, entries, upcard)
    for entry in entries:
        cards = entry.cards
        if upcard is not None:
            cards, upcard = (upcard, *cards), None
        makeup = make_up(cards)
        if isinstance(makeup, Fault):
            return makeup
        if fault := _place(state, side, plan, cards, makeup, entry.target):
            return fault
    return plan


def _plan_opening(
    state: RoundState, seat: int, plan: Plan, entries: Sequence[Entry], upcard: Card | None
) -> Plan | Fault:
    all_count = upcard is None or state.ruleset.pile.opening_counts == "all_melds"
    for place, entry in enumerate(entries):
        first = place == 0
        cards = (upcard, *entry.cards) if first and upcard is not None else entry.cards
        if fault := _place_opening(state, seat, plan, cards, entry.target):
            return fault
        if first or all_count:
            points = state.ruleset.scores.points
            plan.points += sum([points[RANK_OF[card]] for card in cards])
    return _judge_opening(state, plan) or plan


def _judge_opening(state: RoundState, plan: Plan) -> Fault | None:
    minimum = state.ruleset.opening.minimum(state.round)
    if plan.points >= minimum:
        return None
    return Fault("HF-6.4", f"the opening needs {minimum} points and has {plan.points}")


def _place_opening(
    state: RoundState, seat: int, plan: Plan, cards: tuple[Card, ...], target: int | None
) -> Fault | None:
    makeup = make_up(cards)
    if isinstance(makeup, Fault):
        return makeup
    side = state.side_of(seat)
    if state.ruleset.opening.unit != "seat":
        return _place(state, side, plan, cards, makeup, target)
    number = target
    if target is None:
        if fault := _judge_alone(state, makeup):
            return fault
        joined = state.sides[side].open_melds[makeup[0]]
        number = joined if joined >= 0 and joined not in plan.melds else None
    return _place(state, side, plan, cards, makeup, number) or _judge_own_set(state, seat, makeup, target)


def _place(
    state: RoundState, side: int, plan: Plan, cards: tuple[Card, ...], makeup: Makeup, number: int | None
) -> Fault | None:
    """Put *cards* on meld *number* of *side*, a new one if it is None, as *plan* has left the table; or say why not."""
    before: _Before | None
    if number is None:
        rank = makeup[0]
        if _has_open_meld(state, plan, side, rank):
            return SECOND_OPEN
        number = len(state.melds) + plan.begun
        plan.begun += 1
        before = side, rank, 0, 0, ()
    else:
        before = plan.melds.get(number)
        if before is None and 0 <= number < len(state.melds):
            before = state.melds[number]
        if before is None or before[0] != side:
            return NO_SUCH_MELD
    if fault := _judge_entry(state, before, makeup):
        return fault
    _grow(plan, number, before, makeup, cards)
    return None


def _judge_own_set(state: RoundState, seat: int, makeup: Makeup, target: int | None) -> Fault | None:
    """Where each seat opens for itself: return why an entry is no set of its own, or is in a rank of the partner's."""
    rank = makeup[0]
    joined = state.sides[state.side_of(seat)].open_melds[rank]
    if target is not None and (target != joined or _judge_alone(state, makeup)):
        return OPEN_FIRST
    if state.ruleset.opening.excludes_partner_ranks and any(
        state.seats[partner].opening_ranks >> rank & 1 for partner in state.partners(seat)
    ):
        return PARTNER_RANK
    return None


def _judge_alone(state: RoundState, makeup: Makeup) -> Fault | None:
    rank, naturals, wilds = makeup
    if rank == WILD:
        return judge_wild_growth(state.ruleset.melds, 0, 0, wilds)
    return state.growth_faults[0, 0, naturals, wilds]


def _has_open_meld(state: RoundState, plan: Plan, side: int, rank: Rank) -> bool:
    """Return whether the entries so far leave *side* an unfinished meld of *rank*."""
    for meld in plan.melds.values():
        if meld.rank == rank and not meld.is_book:
            return True
    number = state.sides[side].open_melds[rank]
    return number >= 0 and number not in plan.melds


def _judge_entry(state: RoundState, before: _Before, makeup: Makeup) -> Fault | None:
    """Return what forbids cards of *makeup* to go to the meld *before*."""
    rank, naturals, wilds = makeup
    _, of_meld, its_naturals, its_wilds, _ = before
    if of_meld == WILD:
        return judge_wild_growth(state.ruleset.melds, its_wilds, naturals, wilds)
    if naturals and rank != of_meld:
        return MIXED_RANKS
    return state.growth_faults[its_naturals, its_wilds, naturals, wilds]


def _grow(plan: Plan, number: int, before: _Before, makeup: Makeup, cards: tuple[Card, ...]) -> None:
    side, rank, naturals, wilds, laid = before
    _, more_naturals, more_wilds = makeup
    grown = Meld(side, rank, naturals + more_naturals, wilds + more_wilds, laid + cards)
    size = len(grown.cards)
    plan.melds[number] = grown
    plan.laid.append((number, cards, size))
    plan.ranks |= 1 << rank
    if size >= BOOK_SIZE > len(laid):
        plan.books = plan.books.plus(grown)
