"""What the entries of an action do to the table: worked out completely before any card moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.rules.actions import Entry
from referee.rules.cards import RANK_OF, WILD, Card, Rank
from referee.rules.errors import Fault
from referee.rules.melds import EMPTY, MIXED_RANKS, Makeup, judge_growth, judge_wild_growth, make_up
from referee.rules.state import Books, Meld, RoundState

NO_SUCH_MELD: Final = Fault("HF-5.6", "cards are added to a meld of the own side, named by its number")
SECOND_OPEN: Final = Fault(
    "HF-5.6", "the side has an unfinished meld of that rank; expected its number as the target"
)
NOT_HELD: Final = Fault("HF-3.4", "a card is not in the holding")
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
    """Card points that count for an opening."""

    ranks: int = 0
    """The ranks of the entries, a bit each."""


def plan_entries(
    state: RoundState, seat: int, entries: Sequence[Entry], upcard: Card | None = None
) -> Plan | Fault:
    """
    Return what *entries* do, placed in the order given, or the first clause that one of them breaks.

    With an *upcard* it joins the first entry. The opening is judged after the last entry. Keeping cards and going out
    are not judged here.
    """
    if not entries:
        return EMPTY
    plan = Plan(state.seats[seat].cards.copy(), {}, [], state.sides[state.side_of(seat)].books)
    for place, entry in enumerate(entries):
        if fault := _take_cards(plan.rest, entry.cards):
            return fault
        first = upcard is not None and place == 0
        cards = (upcard, *entry.cards) if first and upcard is not None else entry.cards
        if fault := _place(state, seat, plan, cards, entry.target):
            return fault
        if first or upcard is None or state.ruleset.pile.opening_counts == "all_melds":
            points = state.ruleset.scores.points
            plan.points += sum(points[RANK_OF[card]] for card in cards)
    return _judge_opening(state, seat, plan) or plan


def _take_cards(rest: list[Card], cards: tuple[Card, ...]) -> Fault | None:
    for card in cards:
        if card not in rest:
            return NOT_HELD
        rest.remove(card)
    return None


def _judge_opening(state: RoundState, seat: int, plan: Plan) -> Fault | None:
    if state.seats[seat].opened:
        return None
    minimum = state.ruleset.opening.minimum(state.round)
    if plan.points >= minimum:
        return None
    return Fault("HF-6.1", f"the opening needs {minimum} points and has {plan.points}")


def _place(
    state: RoundState, seat: int, plan: Plan, cards: tuple[Card, ...], target: int | None
) -> Fault | None:
    makeup = make_up(cards)
    if isinstance(makeup, Fault):
        return makeup
    number = _opening_target(state, seat, plan, makeup, target)
    if isinstance(number, Fault):
        return number
    if number is None:
        number = len(state.melds) + sum(known >= len(state.melds) for known in plan.melds)
        before = Meld(state.side_of(seat), makeup[0], 0, 0, ())
        if _open_meld(state, plan, before.side, before.rank) is not None:
            return SECOND_OPEN
    else:
        known_meld = plan.melds.get(number) or (state.melds[number] if number < len(state.melds) else None)
        if known_meld is None or known_meld.side != state.side_of(seat):
            return NO_SUCH_MELD
        before = known_meld
    return _grow(state, plan, number, before, makeup, cards)


def _opening_target(
    state: RoundState, seat: int, plan: Plan, makeup: Makeup, target: int | None
) -> int | Fault | None:
    """Return the target of an entry; where each seat opens, its sets join the unfinished ones of their rank."""
    if state.seats[seat].opened or state.ruleset.opening.unit != "seat":
        return target
    rank, naturals, wilds = makeup
    if fault := _judge_alone(state, rank, naturals, wilds):
        return fault if target is None else OPEN_FIRST
    if state.ruleset.opening.excludes_partner_ranks and any(
        state.seats[partner].opening_ranks >> rank & 1 for partner in state.partners(seat)
    ):
        return PARTNER_RANK
    joined = state.sides[state.side_of(seat)].open_melds[rank]
    if target is None:
        return joined if joined >= 0 and joined not in plan.melds else None
    return target if target == joined else OPEN_FIRST


def _judge_alone(state: RoundState, rank: Rank, naturals: int, wilds: int) -> Fault | None:
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
