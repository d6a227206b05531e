"""
The leaderboard of a league: a value made from the set of results, and its two published texts.

The texts depend on the set of results only: no time, no host, no order of play. Nothing here touches a file.
"""

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import groupby
from typing import Final

from tournaments.integrity import digest
from tournaments.laplace import Spread, spreads
from tournaments.ratings import Rating, rate
from tournaments.results import Outcome, UnitResult, distinct
from tournaments.schedule import EntityHash
from tournaments.statistics import Z95, mean_and_error

SETTLED_UNITS: Final = 30
"""With fewer rated units a rating is provisional."""

SETTLED_SIGMA: Final = 1.0
"""With a larger sigma a rating is provisional."""


@dataclass(frozen=True, slots=True)
class Row:
    """One entity on the board. Numbers are rounded as they are published; what is not defined is None."""

    rank: int | None
    """The rank within the component by *mu*; equal values share a rank; None before the first rated unit."""

    partnership: str
    """The label of the entity."""

    mu: float
    """The mean of the rating, two decimals: what is ranked."""

    sigma: float
    """The standard deviation of the rating, two decimals."""

    conservative: float
    """mu - 3 sigma, two decimals."""

    units: int
    """Rated units."""

    wins: int
    """Units won."""

    draws: int
    """Units drawn."""

    losses: int
    """Units lost."""

    margin_mean: float | None
    """Mean margin in points per unit, over the units that were played out, three decimals; two sides only."""

    margin_se: float | None
    """The standard error of that mean."""

    forfeits: int
    """Units that this entity forfeited, double forfeits among them."""

    low: float | None
    """The lower end of the 95% interval of mu, three decimals."""

    high: float | None
    """The upper end of that interval."""

    los_next: float | None
    """The likelihood of being better than the next row of the component, three decimals; two sides only."""

    component: int | None
    """The connected component, from 1; rows of different components are not comparable."""

    provisional: bool
    """Whether too little was played to take the rating seriously."""

    entity: EntityHash
    """The entity itself."""


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A whole board."""

    league: str
    """The name of the league."""

    ruleset: str
    """The name of the ruleset."""

    units: int
    """How many rated units the board rests on."""

    results_sha256: str
    """The SHA-256 of the sorted canonical texts of all results, unrated ones among them."""

    rows: tuple[Row, ...]
    """The rows in the order in which they are shown: by component, then by rank."""


@dataclass(slots=True)
class _Entry:
    """What is known about an entity while the board is made."""

    entity: EntityHash
    label: str
    rating: Rating
    outcomes: list[Outcome] = field(default_factory=list)
    margins: list[int] = field(default_factory=list)
    forfeits: int = 0

    @property
    def mu(self) -> float:
        """What is ranked."""
        return round(self.rating.mu, 2)

    @property
    def position(self) -> tuple[float, float, float, EntityHash]:
        """Where the row stands, whatever order the results and entities came in."""
        component, (margin, _) = self.rating.component, mean_and_error(self.margins)
        return (
            math.inf if component is None else component,
            -self.mu,
            math.inf if margin is None else -round(margin, 3),
            self.entity,
        )


def leaderboard(
    league: str, ruleset: str, labels: Mapping[EntityHash, str], results: Iterable[UnitResult]
) -> Leaderboard:
    """
    Return the board of the entities in *labels*; the order of *labels* and *results* makes no difference.

    Each component has its own ranks. Rows of equal rank are shown by mean margin, then by entity hash.

    Raises:
        TournamentError: results that contradict each other or cannot be rated; see `rate`.
    """
    final = distinct(results)
    entries = sorted(_entries(labels, final), key=lambda entry: entry.position)
    rows: list[Row] = []
    for component, members in groupby(entries, key=lambda entry: entry.rating.component):
        group = list(members)
        rows += _unranked(group) if component is None else _ranked(group, final)
    rated = sum(result.rated for result in final)
    return Leaderboard(league, ruleset, rated, digest(map(UnitResult.to_json, final)), tuple(rows))


def standings_json(board: Leaderboard) -> str:
    """Return *board* as JSON text, with the keys of `Leaderboard` and `Row`; undefined values are null."""
    return json.dumps(asdict(board), indent=2, allow_nan=False) + "\n"


def standings_csv(board: Leaderboard) -> str:
    """Return the rows of *board* as CSV text: a header, then a line per row; undefined values are empty."""
    text = io.StringIO()
    table = csv.DictWriter(text, [column.name for column in fields(Row)], lineterminator="\n")
    table.writeheader()
    table.writerows(asdict(row) for row in board.rows)
    return text.getvalue()


def _entries(labels: Mapping[EntityHash, str], results: Sequence[UnitResult]) -> Iterable[_Entry]:
    ratings = rate(results, labels)
    entries = {entity: _Entry(entity, label, ratings[entity]) for entity, label in labels.items()}
    for result in results:
        forfeited, margin = result.forfeited, result.margin
        for index, entity in enumerate(result.entities):
            entry, outcome = entries[entity], result.outcome(index)
            entry.forfeits += index in forfeited
            entry.outcomes += [] if outcome is None else [outcome]
            entry.margins += [] if margin is None else [-margin if index else margin]
    return entries.values()


def _ranked(group: Sequence[_Entry], results: Sequence[UnitResult]) -> list[Row]:
    mus = [entry.mu for entry in group]
    if all(len(result.entities) == 2 for result in results):
        certainty = spreads(results, [entry.entity for entry in group], [entry.rating.mu for entry in group])
    else:
        certainty = [Spread(entry.rating.sigma, None) for entry in group]
    return [
        _row(entry, mus.index(entry.mu) + 1, spread) for entry, spread in zip(group, certainty, strict=True)
    ]


def _unranked(group: Iterable[_Entry]) -> list[Row]:
    return [_row(entry, None, None) for entry in group]


def _row(entry: _Entry, rank: int | None, spread: Spread | None) -> Row:
    rating, outcomes = entry.rating, entry.outcomes
    margin_mean, margin_se = mean_and_error(entry.margins)
    return Row(
        rank=rank,
        partnership=entry.label,
        mu=entry.mu,
        sigma=round(rating.sigma, 2),
        conservative=_rounded(rating.mu - 3 * rating.sigma, 2),
        units=len(outcomes),
        wins=outcomes.count("win"),
        draws=outcomes.count("draw"),
        losses=outcomes.count("loss"),
        margin_mean=None if margin_mean is None else _rounded(margin_mean, 3),
        margin_se=None if margin_se is None else _rounded(margin_se, 3),
        forfeits=entry.forfeits,
        low=None if spread is None else _rounded(rating.mu - Z95 * spread.error, 3),
        high=None if spread is None else _rounded(rating.mu + Z95 * spread.error, 3),
        los_next=None if spread is None or spread.los_next is None else _rounded(spread.los_next, 3),
        component=rating.component,
        provisional=len(outcomes) < SETTLED_UNITS or rating.sigma > SETTLED_SIGMA,
        entity=entry.entity,
    )


def _rounded(value: float, digits: int) -> float:
    return round(value, digits) + 0.0  # never -0.0
