"""Complete states of a round that agree with everything a seat knows: its hidden cards dealt anew, by chance."""

import random
from collections.abc import Iterable

from referee.bots.memory import Memory
from referee.rules import RANK_OF, Card, Deal, Observation, Phase, RoundState, Ruleset
from referee.rules.cards import PACK_SIZE, RED_THREE, count_ranks
from referee.rules.state import Stock


def sample_world(
    ruleset: Ruleset, seen: Observation, rng: random.Random, memory: Memory | None = None
) -> RoundState:
    """
    Return a state in which the cards that *seen* does not show lie where *rng* deals them.

    `observe` gives *seen* for it again. Where *memory* knows cards, they lie there; each other distribution is as
    likely as any. For many samples of one observation keep a `Worlds`.

    >>> from referee.rules import ONLINE, begin_round, observe
    >>> state, events = begin_round(ONLINE, 4, 0, bytes(32))
    >>> seen = observe(state, 0, [0, 0])
    >>> world = sample_world(ONLINE, seen, random.Random(7))
    >>> observe(world, 0, [0, 0]) == seen, world.seats[1].cards == state.seats[1].cards
    (True, False)

    Raises:
        ValueError: the round of *seen* is over, or *memory* does not belong to it.
    """
    return Worlds(ruleset, seen, memory).sample(rng)


class Worlds:
    """All states that agree with one observation; what they share is made once."""

    def __init__(self, ruleset: Ruleset, seen: Observation, memory: Memory | None = None) -> None:
        """
        Get ready to sample states that agree with *seen* and with *memory*, if there is one.

        Raises:
            ValueError: the round of *seen* is over, or *memory* does not belong to it.
        """
        if seen.phase is Phase.OVER:
            raise ValueError("unusable observation: the round is over; expected one at a decision")
        seats = len(seen.holding_sizes)
        memory = memory or Memory(seats)
        self._seen = seen
        self._under = _cards_under(ruleset, seen, memory)
        self._known = [
            list(memory.held[seat].elements()) if seat != seen.seat else list(seen.holding)
            for seat in range(seats)
        ]
        self._red_threes = [list(cards) for cards in zip_sides(memory.red_threes, len(seen.red_threes))]
        self._public = _public_state(ruleset, seen)
        reds, others = self._unseen(ruleset.deal.packs_for(seats))
        self._apart = reds if ruleset.red_threes == "laid" else []
        """Red threes that no holding can have."""
        self._anywhere = others if ruleset.red_threes == "laid" else others + reds

    def _unseen(self, packs: int) -> tuple[list[Card], list[Card]]:
        """Return the cards that lie where the seat cannot see them, red threes and others."""
        left = [packs] * PACK_SIZE
        seen = self._seen
        for cards in (
            seen.pile,
            self._under,
            *self._known,
            *self._red_threes,
            *(m.cards for m in seen.melds),
        ):
            for card in cards:
                left[card] -= 1
        if min(left) < 0:
            raise ValueError("unusable memory: more cards than there are; expected that of this round")
        unseen = [Card(card) for card, count in enumerate(left) for _ in range(count)]
        reds = [card for card in unseen if RANK_OF[card] == RED_THREE]
        return reds, [card for card in unseen if RANK_OF[card] != RED_THREE]

    def sample(self, rng: random.Random) -> RoundState:
        """Return one of the states, each distribution of the cards that nobody knows as likely as any."""
        state = self._public.copy()
        seen, apart = self._seen, self._apart.copy()
        rng.shuffle(apart)
        for side, count, known in zip(state.sides, seen.red_threes, self._red_threes, strict=True):
            side.red_threes = known + [apart.pop() for _ in range(count - len(known))]
        cards = self._anywhere.copy()
        rng.shuffle(cards)
        for seat, size, known in zip(state.seats, seen.holding_sizes, self._known, strict=True):
            place = len(cards) - size + len(known)
            seat.cards = known + cards[place:]
            seat.counts = count_ranks(seat.cards)
            del cards[place:]
        if apart:
            cards += apart
            rng.shuffle(cards)
        for seat, size in zip(state.seats, seen.foot_sizes, strict=True):
            seat.foot = tuple(cards[:size])
            del cards[:size]
        state.stock = Stock(tuple(cards), self._under, len(state.seats))
        return state


def zip_sides(by_seat: list[list[Card]], sides: int) -> Iterable[list[Card]]:
    """Return the cards of each side."""
    return [[card for cards in by_seat[side::sides] for card in cards] for side in range(sides)]


def _cards_under(ruleset: Ruleset, seen: Observation, memory: Memory) -> tuple[Card, ...]:
    """Return the rejected upcards that still lie under the stock, as far as they are known."""
    if ruleset.deal.rejected_upcards != "under":
        return ()
    return memory.rejected[max(0, len(memory.rejected) - seen.stock) :]


def _public_state(ruleset: Ruleset, seen: Observation) -> RoundState:
    """Return a state with all that *seen* shows, and no card in the other hands, the feet and the stock."""
    nothing: tuple[tuple[Card, ...], ...] = ((),) * len(seen.holding_sizes)
    deal = Deal(nothing, nothing, (), (), None, (), seen.turn)
    state = RoundState(ruleset, seen.round, deal)
    state.pile = list(seen.pile)
    state.turn, state.phase = seen.turn, seen.phase
    state.decider = state.partners(seen.turn)[0] if seen.phase is Phase.ANSWER else seen.turn
    state.asked, state.agreed = seen.asked, seen.agreed
    for number, seat in enumerate(state.seats):
        seat.on_foot = not seen.foot_sizes[number]
        seat.played_foot = seen.played_from_foot[number]
        seat.opened = seen.opened[number]
        seat.opening_ranks = seen.opening_ranks[number]
    on_foot = not seen.foot_sizes[seen.turn]
    short = on_foot and not seen.stock and seen.holding_sizes[seen.turn] < 2
    state.stranded = short and seen.phase is Phase.PLAY
    state.melds = list(seen.melds)
    for number, meld in enumerate(seen.melds):
        side = state.sides[meld.side]
        if meld.is_book:
            side.books = side.books.plus(meld)
        side.track(number, meld)
    return state
