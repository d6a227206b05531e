"""What is published of a league, gathered from its folder."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from handfoot.bots.greedy import GreedyBot
from in_process import Match, spec_of
from played import played

from referee.rules import RULESETS, MatchRecord, find_ruleset, score_lines
from tournaments.entrants import house_entrant
from tournaments.integrity import seed_secret
from tournaments.leagues.league import League, create_league, labels, submit
from tournaments.leagues.publication import RecordedRounds, league_board, league_view, rounds_of
from tournaments.leagues.settings import LeagueSettings
from tournaments.records import keep_record, record_name
from tournaments.results import LegResult, UnitResult
from tournaments.schedule import round_robin
from tournaments.site import render_site
from tournaments.terms import Terms
from tournaments.workers.housing import Housing

NOW = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.fixture
def league(tmp_path: Path) -> League:
    """A league of all house bots in which one unit was played."""
    league = create_league(
        tmp_path / "spring", LeagueSettings("spring", Terms("simple"), 2, 5, None), seed_secret(5)
    )
    with league.open_store() as store:
        for name in ("greedy", "random", "steady"):
            submit(league, store, house_entrant(name), NOW)
        store.set_fact("duplicates", "2")
        [unit, *_] = round_robin(labels(league, store.entrants()), 2)
        store.add_result(played(unit, [300, 100]), attempt=1, arrived=NOW)
    return league


def match_of(ruleset: str, seed: str) -> tuple[MatchRecord, list[int | None]]:
    """Return the record of a match of greedy bots, and who went out in each round."""
    spec = spec_of(find_ruleset(ruleset), 4, seed)
    match = Match(spec, [GreedyBot] * 4)
    played = match.play()
    record = MatchRecord(
        match=seed,
        ruleset=spec.ruleset,
        seats=("greedy@1",) * 4,
        keys=spec.keys,
        actions=tuple(match.table.log),
        termination="played",
        forfeited=(),
        scores=score_lines(match.table.match),
        totals=tuple(played.totals),
    )
    return record, list(played.went_out)


def test_a_league_is_viewed_with_all_that_is_pending(league: League) -> None:
    """The view has every partnership, result and unit that is still to be played, and says how to check it."""
    with league.open_store() as store:
        view = league_view(league, store, NOW)
        assert view.board == league_board(league, store)
        assert view.provenance.chain_head == store.chain_head()
    assert (view.board.units, view.pending, len(view.results)) == (1, 5, 1)
    assert {each.entity for each in view.partnerships} == {row.entity for row in view.board.rows}
    assert (view.seed, view.commitment, view.seats, view.time) == (5, None, 4, "1s+30s")


def test_the_board_says_how_bots_were_kept_apart(league: League) -> None:
    """A hosted league shows its level of isolation; in an open one the bots ran elsewhere."""
    with league.open_store() as store:
        for settings, level in (
            (league.settings, "none"),
            (replace(league.settings, housing=Housing("bwrap")), "bwrap"),
            (replace(league.settings, is_open=True), None),
        ):
            view = league_view(replace(league, settings=settings), store, NOW)
            assert view.isolation == level
            page = dict(render_site(view))["index.html"]
            assert (f"isolation of bots <b>{level}</b>" in page) is (level is not None)


def test_rounds_are_read_from_records(tmp_path: Path) -> None:
    """Scores by side and who went out come from the record of a match; a match without one is not there."""
    record, _ = match_of("simple", "m1")
    keep_record(tmp_path, "m1", record)
    unit = round_robin([name * 64 for name in ("a", "b")], 1)[0]  # type: ignore[misc]
    legs = tuple(
        LegResult(name, (0, 0), 1, (0, 0), record=record_name(name) if kept else None)
        for name, kept in (("m1", True), ("m2", False))
    )
    rounds = RecordedRounds(tmp_path, (UnitResult(unit.id, 0, unit.entities, legs, "rated"),))
    assert list(rounds) == ["m1"]
    assert [[score.total for score in each.scores] for each in rounds["m1"]] == [list(record.totals)]
    assert "m2" not in rounds
    (tmp_path / record_name("m1")).unlink()
    assert "m1" not in rounds


def test_who_went_out_is_found_in_the_record() -> None:
    """The seat that made the last action of a round went out, if somebody got the bonus for it."""
    found = []
    for ruleset in RULESETS:
        record, went_out = match_of(ruleset, ruleset)
        assert [each.went_out for each in rounds_of(record)] == went_out
        found += went_out
    assert {seat is None for seat in found} == {True, False}, "rounds of both kinds were played"
