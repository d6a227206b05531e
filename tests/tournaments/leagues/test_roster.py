"""Who plays in a league, and how far it is, from entries and results alone."""

from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path

import pytest

from tournaments.entrants import house_entrant
from tournaments.integrity import seed_secret
from tournaments.leagues.league import League, create_league, entity_of
from tournaments.leagues.roster import call_roster
from tournaments.leagues.settings import LeagueSettings
from tournaments.leagues.status import league_status
from tournaments.results import FaultNote, LegResult, UnitResult
from tournaments.schedule import EntityHash, Unit, round_robin
from tournaments.store import EntrantStatus, Entry
from tournaments.terms import Terms

NOW = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.fixture
def league(tmp_path: Path) -> League:
    """A league in which nobody is entered."""
    return create_league(
        tmp_path / "spring", LeagueSettings("spring", Terms("simple"), 2, 5, None), seed_secret(5)
    )


def entry(name: str) -> Entry:
    """Return the entry of a house bot."""
    bot = house_entrant(name)
    return Entry(bot.name, bot.manifest.version, "Python", bot.hash, NOW, None)


def no_show(unit: Unit, entity: int) -> UnitResult:
    """Return the result of *unit* when the one with index *entity* never got ready."""
    fault = FaultNote(entity, "no_show", ends_match=True, reason="never got ready")
    leg = LegResult(f"{unit.id}-0", None, 0, (0, 0), faults=(fault,))
    return UnitResult(unit.id, unit.duplicate, unit.entities, (leg,), "no_show")


def test_retired_entrants_are_not_scheduled(league: League) -> None:
    """Everybody else is, under the label that people read."""
    entries = [entry("greedy"), entry("random"), replace(entry("steady"), status=EntrantStatus.RETIRED)]
    roster = call_roster(league, entries, [])
    assert sorted(label.partition("@")[0] for label in roster.labels.values()) == ["greedy", "random"]
    assert len(roster.schedule(3)) == 3
    assert roster.suspended == {}
    assert all(len(partnership.entrants) == 2 for partnership in roster.partnerships.values())


def test_a_suspended_entrant_is_out_after_it_was_absent(league: League) -> None:
    """The duplicate number at which it did not show is still played; once it is active again, all are."""
    entries = [entry("greedy"), entry("random")]
    first, entity = entity_of(league, entries[0]), sorted(entity_of(league, each) for each in entries)
    unit = round_robin(entity, 5)[3]
    absence = no_show(unit, entity.index(first))
    suspended = [replace(entries[0], status=EntrantStatus.SUSPENDED), entries[1]]
    assert call_roster(league, suspended, [absence]).suspended == {first: 4}
    assert call_roster(league, entries, [absence]).suspended == {}
    assert call_roster(league, suspended, []).suspended == {}, "the run ended before the result was stored"


def test_a_house_bot_that_is_another_one_by_now_does_not_play(league: League) -> None:
    """An update of the house changes its bots; what was submitted is gone."""
    entries = [
        replace(entry("greedy"), hash="0" * 64),
        replace(entry("random"), name="gone"),
        entry("steady"),
    ]
    roster = call_roster(league, entries, [])
    assert set(roster.suspended.values()) == {0}
    assert len(roster.partnerships) == 1
    assert "submit it again" in roster.reasons[entity_of(league, entries[0])]
    assert "no such bot any more" in roster.reasons[entity_of(league, entries[1])]


def test_every_scheduled_unit_is_done_pending_or_given_up(league: League) -> None:
    """Each counts once for the league and once for each of its partnerships."""
    entries = [entry("greedy"), entry("random"), entry("steady")]
    units = call_roster(league, entries, []).schedule(2)
    absent = units[0].entities[0]
    out = [
        replace(each, status=EntrantStatus.SUSPENDED) if entity_of(league, each) == absent else each
        for each in entries
    ]
    results = [no_show(units[0], 0)]
    found = league_status(call_roster(league, out, results), 2, results)
    assert (found.done, found.pending, found.given_up) == (0, 3, 3)
    rows = {row.partnership: row for row in found.partnerships}
    assert sum(row.pending for row in rows.values()) == 2 * found.pending
    [row] = [row for row in rows.values() if row.out is not None]
    assert (row.pending, row.given_up, row.faults) == (1, 3, {"no_show": 1})


def test_three_sides_meet_in_all_combinations(tmp_path: Path) -> None:
    """With a seat for each side, bots are rated by themselves, and every three of them meet on each duplicate."""
    settings = LeagueSettings("three", Terms("online", 3), 2, 5, None)
    league = create_league(tmp_path / "three", settings, seed_secret(5))
    entries = [entry("greedy"), entry("random"), entry("steady")]
    labels = {entity_of(league, each): each.label for each in entries}
    roster = call_roster(league, entries, [])
    assert (roster.labels, set(labels)) == (labels, {each.hash for each in entries})
    assert [unit.duplicate for unit in roster.schedule(2)] == [0, 1]
    assert all(unit.entities == tuple(sorted(labels)) for unit in roster.schedule(2))
    more = replace(roster, labels=labels | {EntityHash("f" * 64): "fourth@1"})
    met = [(unit.duplicate, unit.entities) for unit in more.schedule(2)]
    groups = [tuple(group) for group in combinations(sorted(more.labels), 3)]
    assert sorted(met) == [(duplicate, group) for duplicate in (0, 1) for group in groups]
    assert [duplicate for duplicate, _ in met] == [0] * 4 + [1] * 4
    assert call_roster(league, entries[:2], []).schedule(2) == ()
