"""Terms: what every match of a scrimmage or league is played by, checked when they are made."""

from dataclasses import dataclass
from typing import Final

from referee.rules import InvalidRuleset, Ruleset
from referee.service.clock import format_time, parse_time
from referee.service.errors import InvalidTime
from tournaments.errors import TournamentError
from tournaments.rulesets import ruleset_of

DEFAULT_RULESET: Final = "online"
DEFAULT_SEATS: Final = 4
DEFAULT_TIME: Final = "1s+30s"


@dataclass(frozen=True, slots=True)
class Terms:
    """
    What a match is played by.

    >>> Terms("simple").sides, Terms("publisher", 6).sides, Terms("simple", time="1000ms+30s").time
    (2, 3, '1s+30s')

    Raises:
        TournamentError: an unknown ruleset, a table it is not played at, or a time that is none.
    """

    ruleset: str = DEFAULT_RULESET
    """The name of the ruleset."""

    seats: int = DEFAULT_SEATS
    """How many sit at a table."""

    time: str = DEFAULT_TIME
    """Seconds per turn and bank per match, as people write them; kept in one notation."""

    house_rules: str | None = None
    """The text of the house rules of that name; None for a published ruleset."""

    def __post_init__(self) -> None:
        try:
            self.rules.sides(self.seats)
            object.__setattr__(self, "time", format_time(parse_time(self.time)))
        except (InvalidRuleset, InvalidTime) as error:
            raise TournamentError(str(error)) from None

    @property
    def rules(self) -> Ruleset:
        """The ruleset itself."""
        return ruleset_of(self.ruleset, self.house_rules)

    @property
    def sides(self) -> int:
        """How many sides play against each other."""
        return self.rules.sides(self.seats)

    @property
    def side_size(self) -> int:
        """How many seats a side has."""
        return self.seats // self.sides

    @property
    def rounds(self) -> int:
        """How many rounds a match has at most: it needs as many deal keys."""
        return self.rules.rounds

    @property
    def rules_hash(self) -> str:
        """The content hash of the ruleset, 64 hex digits."""
        return self.rules.hash
