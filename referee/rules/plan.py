"""What the entries of an action do to the table: worked out completely before any card moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.rules.actions import Entry
from referee.rules.cards import RANK_OF, WILD, Card, Rank
from referee.rules.errors import Fault
from referee.rules.melds import EMPTY, MIXED_RANKS, Makeup, judge_growth, judge_wild_growth, make_up
from referee.rules.state import Books, Meld, RoundState

NO_SUCH_MELD: Final = Fault("HF-5.2", "cards are added to a meld of the own side, named by its number")
SECOND_OPEN: Final = Fault(
    "HF-5.5", "the side has an unfinished meld of that rank; expected its number as the target"
)
NOT_HELD: Final = Fault("HF-2.3", "a card is not in the holding")
OPEN_FIRST: Final = Fault("HF-6.2", "a seat that has not opened lays sets that are valid by themselves")
PARTNER_RANK: Final = Fault("HF-6.3", "the rank is one of the partner's opening")


@dataclass(slots=True)
class Plan:
    """The outcome of the entries of one action that are each in order."""

    rest: list[Card]
    """What is held afterwards, before any cards of the pile."""

    melds: dict[int, Meld]
    """The melds that change, by number, as they are afterwards."""

    laid: list[tuple[int, tuple[Card, ...]]]
    """Meld number and cards of each entry, the upcard among them, in order."""

    books: Books
    """The books of the side afterwards."""

    points: int = 0
    """Card points that count for an opening; not counted for a seat that has opened."""

    ranks: int = 0
    """The ranks of the entries, a bit each."""


def hold_back(held: Sequence[Card], entries: Sequence[Entry]) -> list[Card] | Fault:
    """Return what is left of *held* once the cards of *entries* are taken out; a fault if one is not there."""
    rest = list(held)
    for entry in entries:
        for card in entry.cards:
            if card not in rest:
                return NOT_HELD
            rest.remove(card)
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
    plan = Plan(rest, {}, [], state.sides[state.side_of(seat)].books)
    opened = state.seats[seat].opened
    for place, entry in enumerate(entries):
        first = upcard is not None and place == 0
        cards = (upcard, *entry.cards) if first and upcard is not None else entry.cards
        if fault := _place(state, seat, plan, cards, entry.target):
            return fault
        if opened:
            continue
        if first or upcard is None or state.ruleset.pile.opening_counts == "all_melds":
            points = state.ruleset.scores.points
            plan.points += sum(points[RANK_OF[card]] for card in cards)
    return plan if opened else _judge_opening(state, plan) or plan


def _judge_opening(state: RoundState, plan: Plan) -> Fault | None:
    minimum = state.ruleset.opening.minimum(state.round)
    if plan.points >= minimum:
        return None
    return Fault("HF-6.4", f"the opening needs {minimum} points and has {plan.points}")


def _place(
    state: RoundState, seat: int, plan: Plan, cards: tuple[Card, ...], target: int | None
) -> Fault | None:
    makeup = make_up(cards)
    if isinstance(makeup, Fault):
        return makeup
    opening = not state.seats[seat].opened and state.ruleset.opening.unit == "seat"
    number = target
    if opening and target is None:
        if fault := _judge_alone(state, makeup):
            return fault
        joined = state.sides[state.side_of(seat)].open_melds[makeup[0]]
        number = joined if joined >= 0 and joined not in plan.melds else None
    number, before = _meld_before(state, plan, state.side_of(seat), makeup[0], number)
    if isinstance(before, Fault):
        return before
    if fault := _grow(state, plan, number, before, makeup, cards):
        return fault
    return _judge_own_set(state, seat, makeup, target) if opening else None


def _meld_before(
    state: RoundState, plan: Plan, side: int, rank: Rank, number: int | None
) -> tuple[int, Meld | Fault]:
    """Return the number of the meld that an entry goes to and how it stands; a new one stands empty."""
    if number is not None:
        on_table = 0 <= number < len(state.melds)
        known = plan.melds.get(number) or (state.melds[number] if on_table else None)
        return number, NO_SUCH_MELD if known is None or known.side != side else known
    number = len(state.melds) + sum(known >= len(state.melds) for known in plan.melds)
    if _open_meld(state, plan, side, rank) is not None:
        return number, SECOND_OPEN
    return number, Meld(side, rank, 0, 0, ())


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
    return judge_growth(state.ruleset.melds, 0, 0, naturals, wilds)


def _open_meld(state: RoundState, plan: Plan, side: int, rank: Rank) -> int | None:
    """Return the number of the unfinished meld of *rank* as the entries so far leave it."""
    for number, meld in plan.melds.items():
        if meld.rank == rank and not meld.is_book:
            return number
    number = state.sides[side].open_melds[rank]
    return None if number < 0 or number in plan.melds else number


def _grow(
    state: RoundState, plan: Plan, number: int, before: Meld, makeup: Makeup, cards: tuple[Card, ...]
) -> Fault | None:
    rank, naturals, wilds = makeup
    if before.rank == WILD:
        fault = judge_wild_growth(state.ruleset.melds, before.wilds, naturals, wilds)
    elif naturals and rank != before.rank:
        fault = MIXED_RANKS
    else:
        fault = judge_growth(state.ruleset.melds, before.naturals, before.wilds, naturals, wilds)
    if fault:
        return fault
    grown = Meld(
        before.side, before.rank, before.naturals + naturals, before.wilds + wilds, before.cards + cards
    )
    plan.melds[number] = grown
    plan.laid.append((number, cards))
    plan.ranks |= 1 << before.rank
    if grown.is_book and not before.is_book:
        plan.books = plan.books.plus(grown)
    return None
