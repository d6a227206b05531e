"""What a store promises, whatever database it keeps a league in."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine, text
from sqlalchemy.exc import StatementError
from unit_results import ANN, BEA, CAT, forfeited, played

from tournaments.results import UnitResult
from tournaments.store import (
    GENESIS,
    AlreadyExists,
    Arrival,
    EntrantStatus,
    Entry,
    NotFound,
    Store,
    StoreError,
    create_store,
    open_store,
)
from tournaments.store.chain import next_head

NOON = datetime(2026, 12, 1, 12, 0, 0, 123456, tzinfo=UTC)
STEADY = Entry("steady", "1.0", "Python", "e" * 64, NOON, folder=None)
OTHER = Entry("other", "0.1-rc.2", "C++ (g++ 12) – “fast”", "f" * 64, NOON, folder="entrants/" + "f" * 64)


def add(store: Store, *results: UnitResult) -> list[Arrival]:
    return [store.add_result(result, attempt=1, arrived=NOON) for result in results]


def raw(store_location: str, statement: str) -> None:
    """Do to the database what no store would."""
    prefix = "" if "://" in store_location else "sqlite:///"
    engine = create_engine(prefix + store_location)
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def test_a_new_store_holds_its_facts_and_nothing_else(store: Store) -> None:
    """A new store holds its facts and nothing else."""
    assert store.facts() == {"name": "spring", "ruleset": "online"}
    assert (store.entrants(), store.results(), store.unit_ids(), store.tally()) == ((), (), frozenset(), {})
    assert store.chain_head() == GENESIS


def test_a_fact_is_replaced_by_the_next_of_its_name(store: Store) -> None:
    """A fact is replaced by the next of its name; others stay."""
    store.set_fact("duplicates", "10")
    store.set_fact("duplicates", "20")
    assert store.facts() == {"name": "spring", "ruleset": "online", "duplicates": "20"}


def test_what_was_stored_is_there_when_the_store_is_opened_again(store: Store, location: str) -> None:
    """What was stored is there when the store is opened again, also while the first is still open."""
    store.add_entrant(STEADY)
    add(store, played(0, (100, 50), (-20, 70)))
    with open_store(location) as again:
        assert again.entrants() == (STEADY,)
        assert again.results() == (played(0, (100, 50), (-20, 70)),)
        assert again.facts() == store.facts()


def test_a_store_is_made_only_once(store: Store, location: str) -> None:
    """A second store is not made where there is one, and the first loses nothing."""
    add(store, played(0, (1, 2), (3, 4)))
    with pytest.raises(AlreadyExists, match="holds tables already"):
        create_store(location, {"name": "another"})
    assert store.facts()["name"] == "spring"
    assert len(store.results()) == 1


def test_no_store_is_opened_where_none_was_made(location: str) -> None:
    """Opening a store that is not there says so and makes nothing."""
    for _ in range(2):
        with pytest.raises(NotFound, match="cannot open store"):
            open_store(location)
    create_store(location, {}).close()


def test_entrants_come_back_as_they_were_submitted(store: Store) -> None:
    """Entrants come back as they were submitted, by name and version."""
    assert [store.add_entrant(STEADY), store.add_entrant(OTHER)] == [True, True]
    assert store.entrants() == (OTHER, STEADY)


def test_times_come_back_in_utc(store: Store) -> None:
    """A time of another zone is the same point in time when it comes back, in UTC, to the microsecond."""
    there = NOON.astimezone(timezone(timedelta(hours=-9, minutes=-30)))
    store.add_entrant(Entry("far", "1", "Go", "0" * 64, there, folder=None))
    (entry,) = store.entrants()
    assert (entry.submitted_at, entry.submitted_at.utcoffset()) == (NOON, timedelta(0))


def test_a_time_without_a_zone_is_refused(store: Store) -> None:
    """A time without a zone is refused, and nothing is stored."""
    naive = NOON.replace(tzinfo=None)
    with pytest.raises(StoreError, match="no time zone"):
        Entry("vague", "1", "C", "0" * 64, naive, folder=None)
    with pytest.raises(StatementError, match="no time zone"):
        store.add_result(played(0, (1, 2), (3, 4)), attempt=1, arrived=naive)
    assert store.results() == ()


def test_submitting_again_changes_only_the_status(store: Store) -> None:
    """A suspended entrant that is submitted again is active, and stays what it was first submitted as."""
    store.add_entrant(STEADY)
    store.set_status(STEADY.hash, EntrantStatus.SUSPENDED)
    assert store.entrants()[0].status is EntrantStatus.SUSPENDED
    later = Entry("renamed", "9", "Python", STEADY.hash, NOON + timedelta(days=1), folder="elsewhere")
    assert store.add_entrant(later) is False
    assert store.entrants() == (STEADY,)


def test_a_label_belongs_to_one_content(store: Store) -> None:
    """Other content under a name and version that are taken is refused; another version is welcome."""
    store.add_entrant(STEADY)
    with pytest.raises(AlreadyExists, match=r"another bot has this name and version; got 'steady@1\.0'"):
        store.add_entrant(Entry("steady", "1.0", "Rust", "1" * 64, NOON, folder=None))
    assert store.add_entrant(Entry("steady", "1.1", "Rust", "1" * 64, NOON, folder=None))
    assert [entry.label for entry in store.entrants()] == ["steady@1.0", "steady@1.1"]


def test_the_status_of_a_stranger_cannot_be_set(store: Store) -> None:
    """Only the status of a known entrant can be set."""
    with pytest.raises(NotFound, match="unknown entrant"):
        store.set_status("2" * 64, EntrantStatus.RETIRED)


def test_a_hash_is_64_hex_digits() -> None:
    """An entry without a proper hash is no entry."""
    with pytest.raises(StoreError, match="64 hex digits"):
        Entry("short", "1", "C", "E" * 64, NOON, folder=None)


def test_the_first_result_of_a_unit_stays(store: Store) -> None:
    """A unit keeps its first result; the same again changes nothing, and a different one is reported."""
    first, second = played(3, (10, 20), (30, 40)), played(3, (10, 20), (30, 41))
    assert add(store, first, first, second, first) == [
        Arrival.STORED,
        Arrival.REPEATED,
        Arrival.CONFLICTING,
        Arrival.REPEATED,
    ]
    assert store.results() == (first,)
    assert store.chain_head() == next_head(GENESIS, first.to_json())


def test_results_are_counted_by_status(store: Store) -> None:
    """The tally counts what is stored by status."""
    add(store, played(0, (1, 2), (3, 4)), forfeited(1, "exit code 1"), played(2, (0, 0), (0, 0)))
    assert store.tally() == {"forfeit": 1, "rated": 2}


@pytest.mark.parametrize(
    "reason", ["NUL \0 inside", "🂡 “ten” of ♥", "'; DROP TABLE results; --", "\ud800 alone"]
)
def test_any_text_of_a_bot_can_be_kept(store: Store, reason: str) -> None:
    """Whatever a bot made its fault say comes back unchanged."""
    result = forfeited(0, reason)
    assert add(store, result, result) == [Arrival.STORED, Arrival.REPEATED]
    assert store.results() == (result,)


RESULTS = [played(number, (number, 5), (7, 3), one=one) for number in range(4) for one in (ANN, CAT)]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> object:
    """Return a function that makes one new store after the other."""
    numbers = iter(range(1000))
    folder = tmp_path_factory.mktemp("stores")
    return lambda: create_store(folder / f"{next(numbers)}.db", {})


@given(order=st.permutations(RESULTS), repeated=st.lists(st.sampled_from(RESULTS), max_size=4))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_order_of_arrival_is_in_the_chain_alone(fresh, order, repeated) -> None:
    """Results come out in the order of their unit ids however they came in; only the chain tells how that was."""
    with fresh() as store:
        add(store, *order[:3], *repeated, *order[3:], *repeated)
        assert store.results() == tuple(sorted(RESULTS, key=lambda result: result.unit))
        assert store.unit_ids() == {result.unit for result in RESULTS}
        head, stored = GENESIS, list(dict.fromkeys([*order[:3], *repeated, *order[3:]]))
        for result in stored:
            head = next_head(head, result.to_json())
        assert store.chain_head() == head
        store.check_chain()


@pytest.mark.parametrize(
    ("deed", "unit"),
    [
        ("UPDATE results SET content = replace(content, '30', '31') WHERE sequence = 2", 1),
        ("DELETE FROM results WHERE sequence = 1", 1),
        ("UPDATE results SET sequence = 4 - sequence WHERE sequence <> 2", 2),
    ],
)
def test_the_chain_shows_what_was_done_to_results(store: Store, location: str, deed: str, unit: int) -> None:
    """A result that was changed, removed or moved in the database breaks the chain, which names the place."""
    units = [played(number, (10, 20), (30, 40)) for number in range(3)]
    add(store, *units)
    store.check_chain()
    if "sequence = 4" in deed:  # swap the first and the third without two rows of one number on the way
        raw(location, "UPDATE results SET sequence = 9 WHERE sequence = 1")
        raw(location, "UPDATE results SET sequence = 1 WHERE sequence = 3")
        raw(location, "UPDATE results SET sequence = 3 WHERE sequence = 9")
    else:
        raw(location, deed)
    with pytest.raises(StoreError, match=f"broken hash chain: .* got '{units[unit].unit}'"):
        store.check_chain()


def test_a_store_of_a_newer_version_is_left_alone(store: Store, location: str) -> None:
    """A store with a schema that this version does not know is not opened, and says why."""
    raw(location, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(
        StoreError, match=r"made by a newer version of handfoot \(schema 9999\).*expected schema 0002"
    ):
        open_store(location)


def test_opening_does_not_take_a_foreign_database(location: str) -> None:
    """A database of something else is neither opened as a store nor made one."""
    raw(location, "CREATE TABLE places (name VARCHAR)")
    with pytest.raises(NotFound, match="not the database of a league"):
        open_store(location)
    with pytest.raises(AlreadyExists):
        create_store(location, {})


def test_a_lock_that_is_held_for_long_is_said(store: Store, location: str) -> None:
    """A writer that waits too long for another says that the database is locked; readers do not wait."""
    add(store, played(0, (1, 2), (3, 4)))
    with open_store(location, wait=0.1) as second, store._database.writing():
        assert len(second.results()) == 1
        with pytest.raises(StoreError, match=r"another process holds it locked for more than 0\.1 s"):
            second.set_fact("name", "autumn")
    with open_store(location, wait=0.1) as second:
        second.set_fact("name", "autumn")
    assert store.facts()["name"] == "autumn"


def test_bea_and_ann_are_in_the_order_of_their_hashes() -> None:
    """The builder of results keeps points with their entity whichever way round they are named."""
    assert played(0, (1, 2), (3, 4), one=BEA, two=ANN) == played(0, (2, 1), (4, 3), one=ANN, two=BEA)
