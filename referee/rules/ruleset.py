"""A ruleset: everything that decides how the game is played, as a frozen value that refuses impossible combinations.

The published rulesets are in `referee.rules.variants`; nothing anywhere branches on a ruleset's name.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any, Final, Literal, get_args

from referee.rules.cards import NATURALS, PACK_SIZE, RANK_NAMES, RED_THREE
from referee.rules.errors import InvalidRuleset, quoted

BOOK_SIZE: Final = 7
"""A meld of this many cards is a book."""

MIN_MELD: Final = 3
"""A meld has at least this many cards."""

RejectedUpcards = Literal["buried", "under"]
Start = Literal["dealers_left", "high_cut"]
RedThrees = Literal["laid", "held"]
OpeningUnit = Literal["none", "side", "seat"]
Permission = Literal["none", "optional", "required"]
FinalDiscard = Literal["optional", "forbidden", "required"]
Leftover = Literal["subtracted", "foot_threes", "handed_over"]


def _require(holds: bool, key: str, expected: str, got: object, *others: str) -> None:
    """Raise unless *holds*; *others* are the keys that *key* does not go with."""
    if not holds:
        raise InvalidRuleset(f"impossible ruleset: {key} must be {expected}; got {quoted(got)}", key, *others)


def _require_choice(key: str, choices: Any, got: object) -> None:
    _require(got in get_args(choices), key, "one of " + ", ".join(get_args(choices)), got)


@dataclass(frozen=True, kw_only=True)
class DealRule:
    """Who sits at the table and what is dealt."""

    seats: tuple[int, ...]
    """The allowed numbers of seats, ascending; each 2 to 12."""

    solo: tuple[int, ...] = ()
    """The numbers of seats at which everybody plays alone; at all others partners sit opposite in sides of two."""

    packs: int | Literal["seats+1"]
    """Packs of 54 cards, two jokers each: a number from 1 to 16, or one more than there are seats."""

    hand: int
    """Cards of a hand, 11 to 15."""

    foot: int
    """Cards of a foot, 11 to 15."""

    upcard: bool
    """Whether a card is turned up to begin the discard pile; red threes and wild cards may not stay there."""

    rejected_upcards: RejectedUpcards = "under"
    """Where cards go that may not stay as the first upcard: buried anywhere in the stock, or under it."""

    start: Start
    """Who begins: the seats take turns round by round from seat 0, or whoever cuts highest, cut anew each round."""

    draw: int = 2
    """Cards drawn from the stock in a turn, 1 to 4."""

    def __post_init__(self) -> None:
        ascending = list(self.seats) == sorted(set(self.seats))
        _require(bool(self.seats) and ascending, "deal.seats", "a list of ascending numbers", self.seats)
        for seats in self.seats:
            _require(2 <= seats <= 12, "deal.seats", "between 2 and 12", seats)
            even = seats in self.solo or (seats >= 4 and seats % 2 == 0)
            _require(even, "deal.seats", "even and at least 4 unless it is in deal.solo", seats, "deal.solo")
        among = set(self.solo) <= set(self.seats)
        _require(among, "deal.solo", "a part of deal.seats", self.solo, "deal.seats")
        _require(11 <= self.hand <= 15, "deal.hand", "between 11 and 15", self.hand)
        _require(11 <= self.foot <= 15, "deal.foot", "between 11 and 15", self.foot)
        _require(1 <= self.draw <= 4, "deal.draw", "between 1 and 4", self.draw)
        _require_choice("deal.rejected_upcards", RejectedUpcards, self.rejected_upcards)
        _require_choice("deal.start", Start, self.start)
        self._require_stock()

    def _require_stock(self) -> None:
        fixed = isinstance(self.packs, int) and not isinstance(self.packs, bool)
        _require(fixed or self.packs == "seats+1", "deal.packs", "a number or 'seats+1'", self.packs)
        for seats in self.seats:
            packs = self.packs_for(seats)
            _require(1 <= packs <= 16, "deal.packs", "between 1 and 16", packs)
            left = packs * PACK_SIZE - seats * (self.hand + self.foot)
            enough = f"enough for a stock of {PACK_SIZE // 2} at {seats} seats"
            others = ("deal.hand", "deal.foot", "deal.seats")
            _require(left >= PACK_SIZE // 2, "deal.packs", enough, packs, *others)

    def packs_for(self, seats: int) -> int:
        """Return the number of packs at a table of *seats*."""
        return seats + 1 if isinstance(self.packs, str) else self.packs


@dataclass(frozen=True, kw_only=True)
class PileRule:
    """How the discard pile may be taken."""

    allowed: bool
    """Whether anybody may take from the pile."""

    limit: int | None = 7
    """Most cards of one pick-up, 1 to 100; or the whole pile."""

    choice: bool = False
    """Whether the seat chooses how many cards up to the limit; else it takes the limit, or all if there are fewer."""

    wild_upcard: bool = False
    """Whether a wild upcard can be taken, with two of the same wild rank; needs wild melds."""

    opening_counts: Literal["all_melds", "upcard_meld"] = "all_melds"
    """What counts for an opening with the pile: all melds of the action, or only the one around the upcard."""

    def __post_init__(self) -> None:
        _require(self.limit is None or 1 <= self.limit <= 100, "pile.limit", "between 1 and 100", self.limit)
        _require(
            self.opening_counts in ("all_melds", "upcard_meld"),
            "pile.opening_counts",
            "one of all_melds, upcard_meld",
            self.opening_counts,
        )


@dataclass(frozen=True, kw_only=True)
class MeldRule:
    """What a meld may hold."""

    max_wilds: tuple[int, int, int, int, int]
    """Most wild cards in a meld of 3, 4, 5, 6 and 7 cards: fewer than half, growing by at most one each."""

    wild_melds: bool
    """Whether melds of wild cards only may be laid."""

    books_grow: bool
    """Whether naturals may be added to books, without an upper limit; else a meld ends with seven cards."""

    def __post_init__(self) -> None:
        wilds = self.max_wilds
        _require(len(wilds) == 5, "melds.max_wilds", "five numbers, for 3 to 7 cards", wilds)
        steps = all(0 <= after - before <= 1 for before, after in zip((0, *wilds), wilds, strict=False))
        _require(steps, "melds.max_wilds", "a list that starts at 0 or 1 and grows by at most one", wilds)
        majority = all(2 * wild < size for size, wild in enumerate(wilds, start=MIN_MELD))
        _require(majority, "melds.max_wilds", "less than half of the cards", wilds)


@dataclass(frozen=True, kw_only=True)
class OpeningRule:
    """What the first melds of a round must reach."""

    unit: OpeningUnit
    """Whose first melds count: nobody's, the side's, or each seat's."""

    minimums: tuple[int, ...] = (0,)
    """The points that an opening needs, by round, each 0 to 500; after the last one listed, that one stays."""

    excludes_partner_ranks: bool = False
    """Whether a seat must not open in a rank of its partner's opening; only where each seat opens for itself."""

    def __post_init__(self) -> None:
        _require_choice("opening.unit", OpeningUnit, self.unit)
        in_range = bool(self.minimums) and all(0 <= points <= 500 for points in self.minimums)
        _require(in_range, "opening.minimums", "a list of points between 0 and 500", self.minimums)
        if self.unit == "none":
            none = not any(self.minimums)
            expected = "[0] where opening.unit is none"
            _require(none, "opening.minimums", expected, self.minimums, "opening.unit")
        if self.excludes_partner_ranks:
            expected = "seat where opening.excludes_partner_ranks is true"
            _require(
                self.unit == "seat", "opening.unit", expected, self.unit, "opening.excludes_partner_ranks"
            )

    def minimum(self, round_number: int) -> int:
        """Return the points that an opening needs in round *round_number*, counted from 0."""
        return self.minimums[round_number if round_number < len(self.minimums) else -1]


@dataclass(frozen=True, kw_only=True)
class GoingOutRule:
    """What a seat needs before it may go out."""

    clean_books: int
    """Clean books that the side needs, 0 to 8; no kind of book stands in for another."""

    dirty_books: int
    """Dirty books that the side needs, 0 to 8."""

    wild_books: int
    """Books of wild cards only that the side needs, 0 to 8."""

    clean_book_ranks: tuple[str, ...] = ()
    """Ranks of which the side needs a clean book each, by name: ``["7"]`` for a clean book of sevens."""

    partner_played_foot: bool
    """Whether the partner must have melded or discarded a card of its foot before."""

    permission: Permission
    """Whether the partner is asked: never; if the seat likes, and a no binds; or always, and only a yes allows it."""

    final_discard: FinalDiscard
    """Whether the last card may, must not or must be discarded."""

    def __post_init__(self) -> None:
        for key in ("clean_books", "dirty_books", "wild_books"):
            books = getattr(self, key)
            _require(0 <= books <= 8, f"going_out.{key}", "between 0 and 8", books)
        named = all(rank in RANK_NAMES[:NATURALS] for rank in self.clean_book_ranks)
        expected = "a list of ranks from " + " ".join(RANK_NAMES[:NATURALS])
        _require(named, "going_out.clean_book_ranks", expected, self.clean_book_ranks)
        _require_choice("going_out.permission", Permission, self.permission)
        _require_choice("going_out.final_discard", FinalDiscard, self.final_discard)

    @cached_property
    def clean_ranks(self) -> int:
        """The ranks of `clean_book_ranks`, a bit each."""
        return sum(1 << rank for rank in {RANK_NAMES.index(name) for name in self.clean_book_ranks})


@dataclass(frozen=True, kw_only=True)
class ScoreRule:
    """What counts at the end of a round."""

    points: tuple[int, ...]
    """Points of a card by rank: 4, 5 .. K, A, two, joker, each 0 to 10000; black three, -10000 to 10000."""

    clean_book: int
    """Points of a clean book, -10000 to 10000."""

    dirty_book: int
    """Points of a dirty book, -10000 to 10000."""

    wild_book: int = 0
    """Points of a book of wild cards only, -10000 to 10000."""

    going_out: int = 100
    """Points of the side that went out, -10000 to 10000."""

    melded_cards: bool = True
    """Whether the points of melded cards count."""

    red_three_laid: int = 0
    """Points of a red three on the table of a side that has melded, -10000 to 10000."""

    red_three_laid_unmelded: int = 0
    """Points of a red three on the table of a side that has not, -10000 to 10000."""

    red_three_unplaced: int = 0
    """Points of a red three left in a hand or foot, -10000 to 10000; not where leftovers are handed over."""

    leftover: Leftover
    """Cards left: their points are taken off; only threes in feet count; or the side that went out receives them."""

    leftover_black_three: int = 0
    """Points of a black three left over, -10000 to 10000; not where leftovers are taken off."""

    red_three_from_opponent: int = 0
    """Points of a red three that an opponent hands over, -10000 to 10000; only where leftovers are handed over."""

    red_three_from_partner: int = 0
    """Points of a red three that the partner was left with, -10000 to 10000; only where leftovers are handed over."""

    red_three_held_at_stock_out: int = 0
    """Points of a red three held when the stock ends, -10000 to 10000; only where leftovers are handed over."""

    def __post_init__(self) -> None:
        _require(
            len(self.points) == RED_THREE, "scores.points", f"{RED_THREE} numbers, one a rank", self.points
        )
        _require_choice("scores.leftover", Leftover, self.leftover)
        numbers = {field.name: getattr(self, field.name) for field in fields(self) if field.type is int}
        numbers["points.black 3"] = self.points[-1]
        for key, number in numbers.items():
            _require(abs(number) <= 10_000, f"scores.{key}", "between -10000 and 10000", number)
        for rank, number in zip(RANK_NAMES, self.points[:-1], strict=False):
            _require(0 <= number <= 10_000, f"scores.points.{rank}", "between 0 and 10000", number)


@dataclass(frozen=True, kw_only=True)
class MatchRule:
    """How long a match lasts. The highest total wins; equal totals are a draw."""

    rounds: int
    """Rounds of a match, 1 to 100; with a target, the most there can be."""

    target: int | None = None
    """The match also ends after a round in which a side's total reached this, 1 to 1000000; or never."""

    def __post_init__(self) -> None:
        _require(1 <= self.rounds <= 100, "match.rounds", "between 1 and 100", self.rounds)
        reachable = self.target is None or 1 <= self.target <= 1_000_000
        _require(reachable, "match.target", "between 1 and 1000000", self.target)


@dataclass(frozen=True, kw_only=True)
class Ruleset:
    """A complete, immutable set of rules, made of small parts."""

    name: str
    """What it is called; not part of its content."""

    deal: DealRule
    pile: PileRule
    melds: MeldRule
    red_threes: RedThrees
    """Laid on the table and replaced as soon as they are drawn, or held and discarded like other cards."""

    opening: OpeningRule
    going_out: GoingOutRule
    scores: ScoreRule
    match: MatchRule

    def __post_init__(self) -> None:
        _require_choice("red_threes", RedThrees, self.red_threes)
        wild_melds, wilds = self.melds.wild_melds, self.melds.max_wilds
        if self.going_out.wild_books:
            expected = "true where going_out.wild_books is above 0"
            _require(wild_melds, "melds.wild_melds", expected, False, "going_out.wild_books")
        if self.going_out.dirty_books:
            expected = "above 0 for seven cards where going_out.dirty_books is above 0"
            _require(wilds[-1] > 0, "melds.max_wilds", expected, wilds, "going_out.dirty_books")
        if self.pile.wild_upcard:
            expected = "true where pile.wild_upcard is true"
            _require(wild_melds, "melds.wild_melds", expected, False, "pile.wild_upcard")

    @property
    def seats(self) -> tuple[int, ...]:
        """The allowed numbers of seats."""
        return self.deal.seats

    @property
    def rounds(self) -> int:
        """The most rounds a match can have: it needs as many deal keys."""
        return self.match.rounds

    def sides(self, seats: int) -> int:
        """
        Return the number of sides at a table of *seats*; the side of a seat is its number modulo that.

        Raises:
            InvalidRuleset: the ruleset is not played at such a table.
        """
        if seats not in self.deal.seats:
            allowed = ", ".join(map(str, self.deal.seats))
            raise InvalidRuleset(
                f"unsupported number of seats: {self.name} is played with {allowed}; got {seats!r}"
            )
        return seats if seats in self.deal.solo else seats // 2

    def content(self) -> dict[str, Any]:
        """Return the parts as plain values, without the name."""
        parts = asdict(self)
        del parts["name"]
        return parts

    @cached_property
    def hash(self) -> str:
        """SHA-256 over the canonical JSON of the content, in hexadecimal."""
        text = json.dumps(self.content(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def points_by_rank(*, low: int, high: int, eight: int, black_three: int) -> tuple[int, ...]:
    """
    Return the points of each rank where 4 to 7 are *low*, 9 to K *high*, aces and twos 20 and jokers 50.

    >>> points_by_rank(low=5, high=10, eight=10, black_three=5)
    (5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 20, 20, 50, 5)
    """
    naturals = (low,) * 4 + (eight,) + (high,) * 5 + (20,)
    assert len(naturals) == NATURALS
    return (*naturals, 20, 50, black_three)
