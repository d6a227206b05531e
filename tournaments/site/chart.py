"""The small drawings of the board: where things lie on the scale that all rows share."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.leaderboard import Row


@dataclass(frozen=True, slots=True)
class Chart:
    """A scale of ratings, drawn from 0 to 100."""

    low: float
    high: float

    @staticmethod
    def of(rows: Iterable[Row]) -> "Chart":
        """Return the scale that holds the intervals of all *rows*, in whole numbers with a little air."""
        ends = [end for row in rows for end in (row.low, row.mu, row.high) if end is not None]
        low, high = (math.floor(min(ends)), math.ceil(max(ends))) if ends else (0, 50)
        return Chart(low, high if high > low else low + 1)

    def at(self, value: float) -> float:
        """
        Return where *value* lies.

        >>> Chart(20, 30).at(25.0)
        50.0
        """
        return round(100 * (value - self.low) / (self.high - self.low), 1)
