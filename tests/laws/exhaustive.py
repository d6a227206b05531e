"""All legal actions of small holdings, found by trying: what the lists of the rules are compared with."""

from collections.abc import Iterator
from itertools import combinations

from referee.rules import (
    RANK_OF,
    Action,
    AnswerPartner,
    AskPartner,
    Card,
    Discard,
    DrawStock,
    Entry,
    LayDown,
    Pass,
    Phase,
    Rank,
    RoundState,
    TakePile,
    is_wild,
    judge,
)
from referee.rules.cards import JOKER, NATURALS, TWO, WILD
from referee.rules.legality import counts_of_pile, judge_upcard
from referee.rules.melds import judge_growth, judge_wild_growth


def all_actions(state: RoundState) -> Iterator[Action]:
    """Yield every legal action of the seat that decides in *state*, actions that differ in suits one by one."""
    held = sorted(state.seats[state.turn].cards)
    candidates: list[Action] = [DrawStock(), Pass(), AskPartner(), AnswerPartner(False), AnswerPartner(True)]
    candidates += [Discard(card) for card in sorted(set(held))]
    if state.phase is Phase.PLAY:
        candidates += [LayDown(entries) for entries in all_entries(state, held, targets(state, held))]
    if state.phase is Phase.DRAW and state.pile and judge_upcard(state) is None:
        around = targets(state, [*held, state.pile[-1]])
        candidates += [
            TakePile(count, entries)
            for entries in all_entries(state, held, around)
            for count in counts_of_pile(state)
        ]
    return (action for action in candidates if judge(state, action) is None)


def targets(state: RoundState, cards: list[Card]) -> list[int | None]:
    """Return the melds to which one of *cards* could go, a new one and those that the same action begins among them."""
    side, wild = state.side_of(state.turn), any(is_wild(card) for card in cards)
    ranks = {RANK_OF[card] for card in cards} | {Rank(WILD)}
    on_table = [
        number
        for number, meld in enumerate(state.melds)
        if meld.side == side and (wild or meld.rank in ranks)
    ]
    fresh = [len(state.melds) + number for number in range(len(cards) // 3)]
    return [None, *on_table, *fresh]


def all_entries(state: RoundState, held: list[Card], around: list[int | None]) -> Iterator[tuple[Entry, ...]]:
    """Yield every list of entries that can be made of the cards *held*, in every order, the cards of each sorted."""
    for size in range(1, len(held) + 1):
        for chosen in sorted(set(combinations(held, size))):
            rest = held.copy()
            for card in chosen:
                rest.remove(card)
            for target in around:
                yield (Entry(chosen, target),)
                yield from ((Entry(chosen, target), *others) for others in all_entries(state, rest, around))


def most_points(state: RoundState, upcard: Card | None = None) -> int:
    """
    Return the most points with which the seat in turn can open by new melds, with *upcard* in one of them.

    Counts -1 where there is no such meld at all. For sides that open together: nothing lies on the table yet.
    """
    counts = state.seats[state.turn].counts
    best = {(0, 0): 0}
    for rank in [*range(NATURALS), TWO]:
        of_upcard = upcard is not None and (
            RANK_OF[upcard] == rank or (rank == TWO and RANK_OF[upcard] == JOKER)
        )
        options = list(_options(state, rank, upcard if of_upcard else None))
        merged: dict[tuple[int, int], int] = {}
        for (twos, jokers), points in best.items():
            for more_twos, more_jokers, more in options:
                key = (twos + more_twos, jokers + more_jokers)
                if key[0] <= counts[TWO] and key[1] <= counts[JOKER]:
                    merged[key] = max(merged.get(key, -1), points + more)
        best = merged
    return max(best.values(), default=-1)


def most_points_around(state: RoundState, upcard: Card) -> int:
    """Return the most points of one new meld with *upcard* and two cards of its rank; -1 where there is none."""
    rank = min(RANK_OF[upcard], TWO)
    return max((points for *_, points in _melds(state, rank, upcard)), default=-1)


def _options(state: RoundState, rank: int, upcard: Card | None) -> Iterator[tuple[int, int, int]]:
    """Yield twos, jokers and points of what can be melded in *rank*: nothing, one meld, or a book and another meld."""
    single = list(_melds(state, rank, None))
    first = list(_melds(state, rank, upcard)) if upcard is not None else single
    if upcard is None:
        yield 0, 0, 0
    counts = state.seats[state.turn].counts
    for naturals, twos, jokers, points in first:
        yield twos, jokers, points
        if naturals + twos + jokers + (upcard is not None) < 7:
            continue
        for more_naturals, more_twos, more_jokers, more in single:
            if rank == TWO or naturals + more_naturals <= counts[rank]:
                yield twos + more_twos, jokers + more_jokers, points + more


def _melds(state: RoundState, rank: int, upcard: Card | None) -> Iterator[tuple[int, int, int, int]]:
    """Yield naturals, twos, jokers and points of each new meld of *rank*, around *upcard* if there is one."""
    counts, points = state.seats[state.turn].counts, state.ruleset.scores.points
    rule = state.ruleset.melds
    bonus = points[RANK_OF[upcard]] if upcard is not None else 0
    one = upcard is not None
    for naturals in range(counts[rank] + 1) if rank < NATURALS else (0,):
        for twos in range(min(counts[TWO], 7) + 1):
            for jokers in range(min(counts[JOKER], 7) + 1):
                pair = {TWO: twos, JOKER: jokers}.get(RANK_OF[upcard], naturals) if upcard is not None else 2
                if rank < NATURALS:
                    fault = (
                        judge_growth(rule, 0, 0, naturals + one, twos + jokers) if naturals + one else True
                    )
                else:
                    fault = judge_wild_growth(rule, 0, 0, twos + jokers + one)
                if fault is None and pair >= 2:
                    value = points[TWO] * twos + points[JOKER] * jokers + bonus
                    yield naturals, twos, jokers, value + (points[rank] * naturals if rank < NATURALS else 0)
