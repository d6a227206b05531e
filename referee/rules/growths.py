"""How melds can grow, worked out once for each makeup and set of cards at hand, and then looked up."""

from collections.abc import Iterator
from functools import cache, cached_property
from itertools import accumulate
from typing import NamedTuple

from referee.rules.errors import Fault
from referee.rules.melds import judge_growth, judge_wild_growth
from referee.rules.ruleset import BOOK_SIZE, MeldRule

MOST_WILDS = BOOK_SIZE // 2
"""No mixed meld takes more wild cards than this."""

_AT_HAND = 73
"""More than there are cards of a rank in 16 packs; an odd number, so that keys spread well in a dictionary."""


class Growth(NamedTuple):
    """Cards that go to one meld in one entry, by counts."""

    naturals: int
    twos: int
    jokers: int

    @property
    def size(self) -> int:
        """How many cards it is."""
        return self.naturals + self.twos + self.jokers


class Growths(dict[int, tuple[Growth, ...]]):
    """
    Each way in which a meld of naturals and wilds can grow with the wild cards at hand, by its `growth_key`.

    The ways come in order of naturals, wild cards, twos.

    >>> rule = MeldRule(max_wilds=(1, 1, 1, 2, 2), wild_melds=True, books_grow=False)
    >>> [tuple(growth) for growth in Growths(rule, twos=0, jokers=1)[growth_key(0, 0, 3)]]
    [(2, 0, 1), (3, 0, 0), (3, 0, 1)]
    """

    def __init__(self, rule: MeldRule, twos: int, jokers: int) -> None:
        super().__init__()
        self.rule, self.twos, self.jokers = rule, twos, jokers

    def __missing__(self, key: int) -> tuple[Growth, ...]:
        makeup, at_hand = divmod(key, _AT_HAND)
        naturals, wilds = divmod(makeup, MOST_WILDS + 1)
        ways = (growth for more in range(at_hand + 1) for growth in self._with(naturals, wilds, more))
        self[key] = found = tuple(ways)
        return found

    def _with(self, naturals: int, wilds: int, more: int) -> list[Growth]:
        """Return the ways that lay exactly so many *more* naturals."""
        return [
            growth
            for more_wilds in range(min(self.twos + self.jokers, MOST_WILDS) + 1)
            if more + more_wilds and judge_growth(self.rule, naturals, wilds, more, more_wilds) is None
            for growth in _by_kind(more, more_wilds, self.twos, self.jokers)
        ]

    @cached_property
    def numbers(self) -> list[int]:
        """How many ways there are, by the same keys, for all unfinished melds; a list, as it is read most of all."""
        found: list[int] = []
        for naturals in range(BOOK_SIZE):
            for wilds in range(MOST_WILDS + 1):
                steps = [len(self._with(naturals, wilds, more)) for more in range(BOOK_SIZE + 2)]
                # Once it is a book and a natural more, further ones change nothing.
                steps += steps[-1:] * (_AT_HAND - len(steps))
                found += accumulate(steps)
        return found


def growth_key(naturals: int, wilds: int, at_hand: int) -> int:
    """
    Return the key of a meld under `Growths`, with so many of its rank *at_hand*.

    A new meld has 0 and 0, so that its key is *at_hand*; a book counts as seven naturals.
    """
    return (naturals * (MOST_WILDS + 1) + wilds) * _AT_HAND + at_hand


class MixedGrowths(dict[tuple[int, int], Growths]):
    """The `Growths` by the twos and jokers at hand; more than `MOST_WILDS` of a kind change nothing."""

    def __init__(self, rule: MeldRule) -> None:
        super().__init__()
        self.rule = rule

    def __missing__(self, key: tuple[int, int]) -> Growths:
        twos, jokers = key
        within = min(twos, MOST_WILDS), min(jokers, MOST_WILDS)
        self[key] = found = Growths(self.rule, *key) if key == within else self[within]
        return found


class GrowthFaults(dict[tuple[int, int, int, int], Fault | None]):
    """What `judge_growth` says, by naturals and wilds of the meld and those that are added."""

    def __init__(self, rule: MeldRule) -> None:
        super().__init__()
        self.rule = rule

    def __missing__(self, key: tuple[int, int, int, int]) -> Fault | None:
        self[key] = found = judge_growth(self.rule, *key)
        return found


class WildGrowths(dict[tuple[int, int, int], tuple[Growth, ...]]):
    """
    Each way in which a meld of wild cards can grow, by the wild cards it has, and the twos and jokers at hand.

    More than `BOOK_SIZE` of a kind change nothing.
    """

    def __init__(self, rule: MeldRule) -> None:
        super().__init__()
        self.rule = rule

    def __missing__(self, key: tuple[int, int, int]) -> tuple[Growth, ...]:
        wilds, twos, jokers = key
        within = wilds, min(twos, BOOK_SIZE), min(jokers, BOOK_SIZE)
        self[key] = found = tuple(self._ways(*key)) if key == within else self[within]
        return found

    def _ways(self, wilds: int, twos: int, jokers: int) -> Iterator[Growth]:
        for more in range(1, min(twos + jokers, BOOK_SIZE) + 1):
            if judge_wild_growth(self.rule, wilds, 0, more) is None:
                yield from _by_kind(0, more, twos, jokers)


@cache
def growth_tables(rule: MeldRule) -> tuple[MixedGrowths, WildGrowths, GrowthFaults]:
    """Return the tables of *rule*; they fill as they are used and are shared by all rounds under the rule."""
    return MixedGrowths(rule), WildGrowths(rule), GrowthFaults(rule)


def _by_kind(naturals: int, wilds: int, twos: int, jokers: int) -> list[Growth]:
    """Return the ways to make up *wilds* wild cards of the twos and jokers at hand."""
    fewest, most = max(0, wilds - jokers), min(twos, wilds)
    return [Growth(naturals, number, wilds - number) for number in range(fewest, most + 1)]
