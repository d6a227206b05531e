"""Who meets whom: the laws of the schedule."""

from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from played import entity

from tournaments.errors import TournamentError
from tournaments.schedule import EntityHash, legs_of, meetings, round_robin, single_pairing, unit_of

ENTITIES = [entity(f"bot {number}") for number in range(12)]


@given(count=st.integers(2, 12), duplicates=st.integers(1, 3), sides=st.integers(2, 4))
def test_everybody_meets_everybody_equally(count: int, duplicates: int, sides: int) -> None:
    """Each group of entities meets once per duplicate number, in units of different ids."""
    units = round_robin(ENTITIES[:count], duplicates, sides)
    groups = [tuple(sorted(group)) for group in combinations(ENTITIES[:count], sides)]
    assert Counter(unit.entities for unit in units) == dict.fromkeys(groups, duplicates)
    assert len({unit.id for unit in units}) == len(units)


@given(count=st.integers(2, 12), duplicates=st.integers(1, 3), sides=st.integers(2, 4))
def test_every_prefix_is_fair(count: int, duplicates: int, sides: int) -> None:
    """Wherever a season stops, the numbers of units differ by one, by two with byes, by the sides with more sides."""
    allowed = sides if sides > 2 else 1 + count % 2
    entities = ENTITIES[:count]
    met = dict.fromkeys(entities, 0)
    for unit in round_robin(entities, duplicates, sides) if count >= sides else ():
        for one in unit.entities:
            met[one] += 1
        assert max(met.values()) - min(met.values()) <= allowed


def test_duplicate_numbers_are_played_one_after_the_other() -> None:
    """Nobody meets an opponent again before everybody has met everybody."""
    assert [unit.duplicate for unit in round_robin(ENTITIES[:4], 3)] == [0] * 6 + [1] * 6 + [2] * 6


@given(st.integers(2, 8), st.integers(2, 3), st.randoms(use_true_random=False))
def test_the_order_of_entry_makes_no_difference(count: int, sides: int, rng) -> None:  # type: ignore[no-untyped-def]
    """Entrants shuffled are the same schedule."""
    shuffled = rng.sample(ENTITIES[:count], count)
    assert round_robin(shuffled, 2, sides) == round_robin(ENTITIES[:count], 2, sides)


@given(st.integers(2, 8), st.integers(1, 3))
def test_a_newcomer_and_more_duplicates_only_add_units(count: int, duplicates: int) -> None:
    """The units of a smaller season are units of the larger one, id for id."""
    small = set(round_robin(ENTITIES[:count], duplicates))
    assert small < set(round_robin(ENTITIES[: count + 1], duplicates))
    assert small < set(round_robin(ENTITIES[:count], duplicates + 1))


@given(st.integers(2, 6), st.integers(0, 3))
def test_each_deal_is_played_from_every_side(sides: int, duplicate: int) -> None:
    """Over the legs of a unit every entity has every side once."""
    legs = legs_of(unit_of(duplicate, ENTITIES[:sides]))
    assert [leg.number for leg in legs] == list(range(sides))
    for places in zip(*(leg.seating for leg in legs), strict=True):
        assert sorted(places) == list(range(sides))
    for leg in legs:
        assert sorted(leg.seating) == list(range(sides))


def test_three_sides_follow_each_other_both_ways() -> None:
    """Over two duplicates every entity sits behind every other one equally often."""
    behind = Counter(
        (leg.seating[side], leg.seating[(side + 1) % 3])
        for duplicate in (0, 1)
        for leg in legs_of(unit_of(duplicate, ENTITIES[:3]))
        for side in range(3)
    )
    assert behind == dict.fromkeys(permutations(range(3), 2), 3)


def test_an_odd_entity_has_a_bye() -> None:
    """With three entities each plays two of the three units, and nobody plays a stand-in."""
    assert list(meetings(3, 2)) == [(1, 2), (0, 2), (0, 1)]


def test_an_entity_may_play_itself_in_a_scrimmage() -> None:
    """A pairing of equals has units, with both legs."""
    units = single_pairing([ENTITIES[0]] * 2, 2)
    assert [unit.entities for unit in units] == [(ENTITIES[0], ENTITIES[0])] * 2
    assert [leg.seating for leg in legs_of(units[0])] == [(0, 1), (1, 0)]


def test_a_scrimmage_has_the_units_of_a_league() -> None:
    """The order of the two names on the command line changes neither ids nor deals."""
    one, other = ENTITIES[:2]
    assert single_pairing([one, other], 3) == single_pairing([other, one], 3) == round_robin([one, other], 3)


@pytest.mark.parametrize(
    ("entities", "duplicates", "sides", "complaint"),
    [
        (ENTITIES[:2], 0, 2, "0 duplicates, 2 sides"),
        (ENTITIES[:2], 1, 1, "1 duplicates, 1 sides"),
        ([ENTITIES[0]] * 2, 1, 2, "entered twice"),
        ([EntityHash("a" * 63 + "1"), EntityHash("a" * 63 + "2")], 1, 2, "share 12 digits"),
    ],
)
def test_what_cannot_be_scheduled_is_refused(
    entities: list[EntityHash], duplicates: int, sides: int, complaint: str
) -> None:
    """Numbers too small, an entity entered twice, and hashes that one id would stand for are named."""
    with pytest.raises(TournamentError, match=complaint):
        round_robin(entities, duplicates, sides)


def test_a_scrimmage_needs_two() -> None:
    """One entity is no pairing."""
    with pytest.raises(TournamentError, match="too few"):
        single_pairing(ENTITIES[:1], 1)
