"""Leagues to publish, for tests: a small fixed one, and ones made of given names."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from unit_results import ANN, BEA, CAT, forfeited, played

from referee.rules import RoundScore
from tournaments.leaderboard import leaderboard
from tournaments.results import LegResult, UnitResult
from tournaments.schedule import EntityHash, unit_of
from tournaments.site import EntrantView, LeagueView, PartnershipView, Provenance, RoundView

PROVENANCE = Provenance(
    published_at=datetime(2026, 12, 24, 18, 0, tzinfo=UTC),
    versions={"handfoot": "0.1.0-test", "trueskill": "0.4.5-test"},
    chain_head="c4a1" * 16,
    host="attic.example",
)


def partnership(
    entity: EntityHash, label: str, language: str = "Python", *, size: int = 2
) -> PartnershipView:
    """Return the mirrored partnership of the bot with this label."""
    entrant = EntrantView(label, language)
    return PartnershipView(entity, " + ".join([label] * size), (entrant,) * size)


def league_of(
    partnerships: Sequence[PartnershipView],
    results: Sequence[UnitResult],
    *,
    name: str = "spring",
    seats: int = 4,
    pending: int = 0,
    rounds: Mapping[str, tuple[RoundView, ...]] | None = None,
) -> LeagueView:
    """Return the view of a league with these partnerships and results, seed 7."""
    labels = {each.entity: each.label for each in partnerships}
    return LeagueView(
        board=leaderboard(name, "online", labels, results),
        seats=seats,
        sides=seats // len(partnerships[0].entrants) if partnerships else 2,
        time="1s+30s",
        partnerships=tuple(partnerships),
        results=tuple(results),
        pending=pending,
        provenance=PROVENANCE,
        rounds=rounds or {},
        seed=7,
    )


def unrated(duplicate: int, one: EntityHash, two: EntityHash, status: str) -> UnitResult:
    """Return a unit that counts for nobody and of which no leg was finished."""
    unit = unit_of(duplicate, (one, two))
    guilty = (0, 1) if status == "double_forfeit" else ()
    leg = LegResult(f"{unit.id}-0", None, rounds=0, went_out=(0, 0), forfeit=guilty)
    return UnitResult(unit.id, duplicate, unit.entities, (leg,), status)


ROUNDS = (
    RoundView(
        (
            RoundScore(books=1300, melded_cards=640, going_out=100, red_table=200),
            RoundScore(books=500, melded_cards=310, red_table=300, leftover=-145),
        ),
        went_out=2,
    ),
    RoundView(
        (
            RoundScore(melded_cards=90, red_unplaced=-100, leftover=-230),
            RoundScore(books=800, melded_cards=425, red_table=100, leftover=-60),
        ),
        went_out=None,
    ),
)
"""Two rounds: side 0 made 2240 and then −240 of it away, side 1 made 965 and 1265."""


def small_league() -> LeagueView:
    """Return a league of three in which everything happened once: a win, a draw, a forfeit, a no-show, no bot late."""
    ann, bea, cat = (
        partnership(ANN, "ann@1.0"),
        partnership(BEA, "bea@0.2-rc.1", "C++"),
        partnership(CAT, "cat@3"),
    )
    late = EntrantView("cat@3", "Rust", status="suspended")
    first = played(0, (2000, 2230), (2900, 1500))
    results = [
        first,
        forfeited(1, "exit code 1; last words: 'cannot <open> \"deck\" & go on'"),
        played(0, (1000, 1000), (700, 700), one=ANN, two=CAT),
        played(0, (4000, -50), (3500, 20), one=BEA, two=CAT),
        unrated(1, BEA, CAT, "no_show"),
        unrated(2, ANN, BEA, "double_forfeit"),
    ]
    return league_of(
        [ann, bea, replace(cat, entrants=(late, late))],
        results,
        pending=4,
        rounds={first.legs[0].match: ROUNDS},
    )
