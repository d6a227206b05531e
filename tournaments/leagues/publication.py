"""What is published of a league, gathered from its folder; how it looks is the site's business."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

from referee.rules import MatchRecord, RoundScore, from_bytes
from tournaments.leaderboard import Leaderboard, leaderboard
from tournaments.leagues.league import League, entity_of, labels
from tournaments.leagues.status import read_status
from tournaments.results import UnitResult
from tournaments.site.view import EntrantView, LeagueView, PartnershipView, Provenance, RoundView
from tournaments.store import Entry, Store

PACKAGES: Final = ("handfoot", "handfoot-client", "grpcio", "protobuf", "trueskill")
"""What makes results and pages: its versions are published."""


class RecordedRounds(Mapping[str, tuple[RoundView, ...]]):
    """The finished rounds of matches by match id, read from their records when asked for."""

    def __init__(self, folder: Path, results: tuple[UnitResult, ...]) -> None:
        self._files = {
            leg.match: folder / leg.record
            for result in results
            for leg in result.legs
            if leg.record is not None
        }

    def __getitem__(self, match: str) -> tuple[RoundView, ...]:
        try:
            content = self._files[match].read_bytes()
        except FileNotFoundError:
            raise KeyError(match) from None
        return rounds_of(from_bytes(content))

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


def rounds_of(record: MatchRecord) -> tuple[RoundView, ...]:
    """Return the finished rounds of *record*; whoever got the bonus for going out did so by the last action."""
    last = {action.round: action.seat for action in record.actions}
    lines = tuple(field.name for field in fields(RoundScore))
    rounds = []
    for number, sides in enumerate(record.scores):
        scores = tuple(RoundScore(**{line: score[line] for line in lines}) for score in sides)
        went_out = last[number] if any(score.going_out for score in scores) else None
        rounds.append(RoundView(scores, went_out))
    return tuple(rounds)


def league_board(league: League, store: Store) -> Leaderboard:
    """
    Return the board of *league*, which depends on the set of its results and on nothing else.

    Raises:
        TournamentError: results that cannot be rated.
        StoreError: the store cannot be used.
    """
    settings = league.settings
    return leaderboard(
        settings.title, settings.terms.ruleset, labels(league, store.entrants()), store.results()
    )


def league_view(league: League, store: Store, now: datetime) -> LeagueView:
    """
    Return *league* as it is published at *now*.

    Raises:
        TournamentError: results that cannot be rated.
        StoreError: the store cannot be used.
    """
    settings, results, entries = league.settings, store.results(), store.entrants()
    return LeagueView(
        board=league_board(league, store),
        seats=settings.terms.seats,
        sides=settings.terms.sides,
        time=settings.terms.time,
        partnerships=tuple(_partnership(league, entry) for entry in entries),
        results=results,
        pending=read_status(league, store).pending,
        provenance=Provenance(now, {name: version(name) for name in PACKAGES}, store.chain_head()),
        rounds=RecordedRounds(league.records, results),
        seed=settings.seed,
        commitment=settings.commitment,
        is_open=settings.is_open,
        isolation=None if settings.is_open else settings.housing.isolation,
    )


def _partnership(league: League, entry: Entry) -> PartnershipView:
    entrant = EntrantView(entry.label, entry.language, str(entry.status))
    size = league.settings.terms.side_size
    entity = entity_of(league, entry)
    return PartnershipView(entity, labels(league, [entry])[entity], (entrant,) * size)
