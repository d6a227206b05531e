"""What the pages of a league show, as values; made by whoever has read the league, rendered by `render`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from referee.rules import RoundScore
from tournaments.leaderboard import Leaderboard
from tournaments.results import UnitResult
from tournaments.schedule import EntityHash


@dataclass(frozen=True, slots=True)
class EntrantView:
    """A bot at a version."""

    label: str
    """``name@version``, as its author wrote it; the pages escape it."""

    language: str

    status: str = "active"
    """``active``, ``suspended`` or ``retired``; anything but active is shown."""


@dataclass(frozen=True, slots=True)
class PartnershipView:
    """What is rated: the bots of one side."""

    entity: EntityHash

    label: str
    """As on the board: the labels of its entrants joined by `` + ``."""

    entrants: tuple[EntrantView, ...]
    """In the order of the side's seats: ``entrants[j]`` sits at ``side + j * sides``."""


@dataclass(frozen=True, slots=True)
class RoundView:
    """A finished round of a match."""

    scores: tuple[RoundScore, ...]
    """By side."""

    went_out: int | None
    """The seat that went out; None if the stock ended the round."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What depends on when and where the league was published; stands in `provenance.json` only."""

    published_at: datetime
    """With its time zone."""

    versions: Mapping[str, str]
    """Of what made the results and the pages: package names and versions."""

    chain_head: str
    """The head of the store's hash chain."""

    host: str | None = None
    """The machine, where the organiser wants it known."""


@dataclass(frozen=True, slots=True)
class LeagueView:
    """A league as it is published."""

    board: Leaderboard
    """With the name of the league and of its ruleset."""

    seats: int
    """How many sit at a table."""

    sides: int
    """How many sides they make."""

    time: str
    """The clock, as on the command line: ``1s+30s``."""

    partnerships: tuple[PartnershipView, ...]
    """Everybody on the board or in a result, in any order."""

    results: tuple[UnitResult, ...]
    """All final units, unrated ones too, in any order."""

    pending: int
    """How many scheduled units have no result yet."""

    provenance: Provenance

    rounds: Mapping[str, tuple[RoundView, ...]] = field(default_factory=dict)
    """
    The finished rounds by match id, as far as they are known.

    It is asked for one match after the other, so it may read a record when asked. Matches that are missing are
    shown with their totals only.
    """

    seed: int | None = None
    """The seed of a reproducible league, whose deals are therefore no secret."""

    commitment: str | None = None
    """What a league with secret deals committed to before its first match, hex."""

    is_open: bool = False
    """Whether bots dialled in from elsewhere, so that each match had deals of its own."""

    isolation: str | None = None
    """How the bots were kept apart: a level of isolation; None where they ran elsewhere."""
