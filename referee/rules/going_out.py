"""When a seat may go out, and how many cards it must keep while it may not."""

from typing import Final

from referee.rules.cards import BLACK_THREE, NATURALS, RANK_OF, WILD, Card
from referee.rules.errors import Fault
from referee.rules.melds import judge_growth, judge_wild_growth
from referee.rules.plan import Plan
from referee.rules.state import Books, Meld, RoundState

BOOKS_MISSING: Final = Fault("HF-8.4", "the side lacks books that going out needs")
RANK_MISSING: Final = Fault("HF-8.4", "the side lacks a clean book of a rank that going out needs")
PARTNER_NOT_PLAYED: Final = Fault("HF-8.5", "the partner has not yet played a card of its foot")
NOT_AGREED: Final = Fault("HF-8.7", "the partner has not agreed in this turn")
REFUSED: Final = Fault("HF-8.6", "the partner has said no in this turn")
NO_FINAL_DISCARD: Final = Fault("HF-8.9", "the last card is melded, never discarded")
FINAL_DISCARD_NEEDED: Final = Fault("HF-8.10", "the last card is discarded")
KEEP_TWO: Final = Fault("HF-8.12", "a seat that may not go out keeps two cards, one of them to discard")


def partners_played(state: RoundState, seat: int) -> Fault | None:
    """Return what the partners of *seat* lack before it may go out; None if nothing."""
    if not state.ruleset.going_out.partner_played_foot:
        return None
    played = all(state.seats[partner].played_foot for partner in state.partners(seat))
    return None if played else PARTNER_NOT_PLAYED


def judge_going_out(state: RoundState, seat: int, books: Books, *, by_discard: bool) -> Fault | None:
    """
    Return what forbids *seat*, on its foot, to get rid of its last card with these *books*; None if nothing does.

    The conditions are tested on the state after the melds of the same action, so *books* counts those.
    """
    rule = state.ruleset.going_out
    needed = (rule.clean_books, rule.dirty_books, rule.wild_books)
    if books.clean < needed[0] or books.dirty < needed[1] or books.wild < needed[2]:
        return BOOKS_MISSING
    if rule.clean_ranks & ~books.clean_ranks:
        return RANK_MISSING
    return (
        partners_played(state, seat) or _judge_permission(state, seat) or _judge_last_card(state, by_discard)
    )


def _judge_permission(state: RoundState, seat: int) -> Fault | None:
    permission = state.ruleset.going_out.permission
    if not state.partners(seat):
        return None
    if state.agreed is False:
        return REFUSED
    return NOT_AGREED if permission == "required" and not state.agreed else None


def _judge_last_card(state: RoundState, by_discard: bool) -> Fault | None:
    final_discard = state.ruleset.going_out.final_discard
    if by_discard:
        return NO_FINAL_DISCARD if final_discard == "forbidden" else None
    return FINAL_DISCARD_NEEDED if final_discard == "required" else None


def judge_rest(state: RoundState, seat: int, plan: Plan, rest: list[Card]) -> Fault | None:
    """
    Return what is wrong with *rest* being held after *plan*; None if nothing.

    From the hand anything goes. From the foot two cards must be left, or one with which the seat can go out at once,
    or none if it may go out by melding.
    """
    if len(rest) >= 2 or not state.seats[seat].on_foot:
        return None
    if not rest:
        return judge_going_out(state, seat, plan.books, by_discard=False)
    return None if _goes_out_with(state, seat, plan, rest[0]) else KEEP_TWO


def _goes_out_with(state: RoundState, seat: int, plan: Plan, card: Card) -> bool:
    """Whether the last *card* can be discarded or laid so that the round ends, once *plan* has been carried out."""
    if judge_going_out(state, seat, plan.books, by_discard=True) is None:
        return True
    side = state.side_of(seat)
    melds = {number: meld for number, meld in enumerate(state.melds) if meld.side == side} | plan.melds
    return any(
        judge_going_out(state, seat, books, by_discard=False) is None
        for meld in melds.values()
        if (books := _books_with(state, plan.books, meld, card)) is not None
    )


def _books_with(state: RoundState, books: Books, meld: Meld, card: Card) -> Books | None:
    """Return the books of the side once *card* lies on *meld*; None where it cannot."""
    rank, rule = RANK_OF[card], state.ruleset.melds
    if rank >= BLACK_THREE or (rank < NATURALS and rank != meld.rank):
        return None
    naturals = int(rank < NATURALS)
    if meld.rank == WILD:
        fault = judge_wild_growth(rule, meld.wilds, naturals, 1 - naturals)
    else:
        fault = judge_growth(rule, meld.naturals, meld.wilds, naturals, 1 - naturals)
    if fault:
        return None
    grown = Meld(meld.side, meld.rank, meld.naturals + naturals, meld.wilds + 1 - naturals, ())
    return books.plus(grown) if grown.is_book and not meld.is_book else books
