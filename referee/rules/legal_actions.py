"""
The legal actions of a state as a lazy view: membership for all of them, enumeration for a fixed list.

The list holds, in this order: the draw, each way to take the pile with its smallest sufficient melds, lay-downs, the
question, the two answers, discards, and the pass. Lay-downs are those of a single entry; for a seat that still has to
open, the combinations from which no entry can be left out. Actions that differ only in suits come once; red and black
threes are two ranks, the two jokers one.
"""

from collections.abc import Callable, Iterator
from itertools import chain, compress, islice

from referee.rules.actions import (
    ASK_PARTNER,
    DISCARDS,
    DRAW_STOCK,
    PASS,
    Action,
    AnswerPartner,
    Discard,
    LayDown,
    TakePile,
)
from referee.rules.cards import NATURALS, RANK_OF, RANKS, RED_THREE, lowest_card
from referee.rules.lay_downs import (
    build_entries,
    is_tight,
    iterate_lay_downs,
    natural_growth_count,
    nth_entry,
    other_groups,
)
from referee.rules.legality import judge
from referee.rules.openings import opening_parts
from referee.rules.state import ANSWER, DRAW, PLAY, RoundState, SeatState
from referee.rules.takes import in_reach, iterate_takes, ways_to_take


class LegalActions:
    """What may be done in one state; valid until the state changes."""

    __slots__ = ("state",)

    def __init__(self, state: RoundState) -> None:
        self.state = state

    def __contains__(self, action: object) -> bool:
        """Return whether *action* is legal, listed or not."""
        return isinstance(action, Action) and judge(self.state, action) is None

    def __iter__(self) -> Iterator[Action]:
        """Yield the list, lazily and in its fixed order."""
        state = self.state
        if state.phase is DRAW:
            return _draws(state)
        if state.phase is PLAY:
            return _plays(state)
        if state.phase is ANSWER:
            return iter((AnswerPartner(agree=False), AnswerPartner(agree=True)))
        return iter(())

    def sample(self, random: Callable[[], float]) -> Action:
        """
        Return one action of the list, each with the same chance; *random* yields numbers from 0 up to 1.

        Builds only the action that it returns wherever it can count the others.

        Raises:
            ValueError: the round is over.
        """
        state = self.state
        seat = state.seats[state.turn]
        if state.phase is PLAY:
            if seat.opened:
                if not (seat.on_foot and is_tight(seat)):
                    return _sample_opened(state, seat, random)
            elif not seat.on_foot:
                return _sample_unopened(state, random)
        elif state.phase is DRAW and state.stock.left and not seat.on_foot:
            return _sample_draw(state, random)
        listed = list(self)
        if not listed:
            raise ValueError("nothing to sample: the round is over")
        return listed[int(random() * len(listed))]


def _sample_draw(state: RoundState, random: Callable[[], float]) -> Action:
    counts, ways = ways_to_take(state)
    number = int(random() * (1 + len(counts) * len(ways)))
    if not number:
        return DRAW_STOCK
    place, which = divmod(number - 1, len(ways))
    return TakePile(counts[place], build_entries(state, ways[which]))


def _sample_unopened(state: RoundState, random: Callable[[], float]) -> Action:
    openings = opening_parts(state)
    number = int(random() * (len(openings) + discard_count(state)))
    if number >= len(openings):
        return _nth_discard(state, number - len(openings))
    return LayDown(build_entries(state, openings[number]))


def _sample_opened(state: RoundState, seat: SeatState, random: Callable[[], float]) -> Action:
    others = other_groups(state)
    lay_downs = naturals = natural_growth_count(state)
    for _, _, growths in others:
        lay_downs += len(growths)
    asks = seat.on_foot and may_ask(state)
    number = int(random() * (lay_downs + asks + discard_count(state)))
    if number < lay_downs:
        return LayDown((nth_entry(state, number, naturals, others),))
    return ASK_PARTNER if number < lay_downs + asks else _nth_discard(state, number - lay_downs - asks)


def legal_actions(state: RoundState) -> LegalActions:
    """
    Return the view of what may be done in *state*.

    >>> from referee.rules import begin_round, ONLINE
    >>> state, _ = begin_round(ONLINE, 4, 0, bytes(32))
    >>> [type(action).__name__ for action in legal_actions(state)][:1]
    ['DrawStock']
    """
    return LegalActions(state)


def _draws(state: RoundState) -> Iterator[Action]:
    if state.stock.left:
        yield DRAW_STOCK
    yield from iterate_takes(state)
    if not state.stock.left:
        yield PASS


def _plays(state: RoundState) -> Iterator[Action]:
    yield from iterate_lay_downs(state)
    if may_ask(state):
        yield ASK_PARTNER
    yield from _discards(state)
    if state.stranded:
        yield PASS


def may_ask(state: RoundState) -> bool:
    """Return whether the seat in turn may put the question to its partner now."""
    return state.seats[state.turn].on_foot and judge(state, ASK_PARTNER) is None


def _discards(state: RoundState) -> Iterator[Discard]:
    seat = state.seats[state.turn]
    for rank in islice(compress(range(RANKS), seat.counts), discard_count(state)):
        yield DISCARDS[lowest_card(seat.cards, rank)]


def discard_count(state: RoundState) -> int:
    """Return of how many ranks the seat in turn may discard a card."""
    seat = state.seats[state.turn]
    if len(seat.cards) == 1 and judge(state, DISCARDS[seat.cards[0]]) is not None:
        return 0
    held = RANKS - seat.counts.count(0)
    return held - (seat.counts[RED_THREE] > 0 and state.ruleset.red_threes == "laid")


def _nth_discard(state: RoundState, number: int) -> Discard:
    """Return the discard of the lowest card of the rank with that *number* among those that the seat in turn holds."""
    seat = state.seats[state.turn]
    for rank, held in enumerate(seat.counts):
        if held:
            if not number:
                return DISCARDS[lowest_card(seat.cards, rank)]
            number -= 1
    raise AssertionError("a number below the count names a rank")


def can_take(state: RoundState) -> bool:
    """Return whether the seat in turn could take the pile in some legal way, were it to draw now."""
    return in_reach(state) and next(iterate_takes(state), None) is not None


def must_pass(state: RoundState) -> bool:
    """Return whether a stranded seat can do nothing but pass."""
    actions = iter(legal_actions(state))
    return next(actions) is PASS


def sole_action(state: RoundState) -> Action | None:
    """Return the only legal action where there is exactly one, counting suits; None where there is a choice."""
    if state.phase is DRAW:
        return DRAW_STOCK if state.stock.left and not can_take(state) else None
    if state.phase is not PLAY:
        return None
    cards = state.seats[state.turn].cards
    if len(set(cards)) > 1:
        return None
    first_two = list(zip(legal_actions(state), range(2), strict=False))
    return first_two[0][0] if len(first_two) == 1 else None


def fallback_action(state: RoundState) -> Action:
    """
    Return what the referee plays for a seat that cannot be trusted with its turn.

    Draw, else pass; answer no; discard the lowest-valued natural (by points, rank and suit), else any other card in
    that order, else the first legal action.
    """
    if state.phase is DRAW:
        return DRAW_STOCK if state.stock.left else PASS
    if state.phase is ANSWER:
        return AnswerPartner(agree=False)
    points = (*state.ruleset.scores.points, 0)
    cards = sorted(
        state.seats[state.turn].cards,
        key=lambda card: (RANK_OF[card] >= NATURALS, points[RANK_OF[card]], RANK_OF[card], card),
    )
    candidates = chain((DISCARDS[card] for card in cards), legal_actions(state))
    return next(action for action in candidates if judge(state, action) is None)
