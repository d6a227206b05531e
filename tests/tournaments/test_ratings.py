"""Ratings: golden values, and laws that hold for every set of results."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from played import broken_off, entity, played, scored, simulated
from trueskill import Rating as PackageRating
from trueskill import TrueSkill

from tournaments import ratings
from tournaments.errors import TournamentError
from tournaments.ratings import BETA, MU, SIGMA, Rating, corrections, rate
from tournaments.results import InvalidResult, UnitResult
from tournaments.schedule import round_robin, unit_of

NAMES = "abcdef"
ENTITIES = [entity(name) for name in NAMES]
PACKAGE = TrueSkill(MU, SIGMA, BETA, tau=0, draw_probability=0.01, backend=None)


def shown(results: Sequence[UnitResult]) -> dict[str, tuple[float, float, int | None]]:
    """Return what a board would publish, by name."""
    rated = rate(results, ENTITIES)
    return {
        name: (round(one.mu, 2), round(one.sigma, 2), one.component)
        for name, one in ((name, rated[entity(name)]) for name in NAMES)
    }


@st.composite
def seasons(draw: st.DrawFn, names: str = NAMES, size: int = 40) -> list[UnitResult]:
    """Draw results of two entities each, one per unit: wins by any margin, draws and forfeits."""
    pairs = st.sampled_from(list(combinations(names, 2)))
    met: Counter[tuple[str, ...]] = Counter()
    season = []
    for one, other in draw(st.lists(pairs, min_size=1, max_size=size)):
        duplicate, lead = met[one, other], draw(st.integers(-2, 2))
        met[one, other] += 1
        season.append(
            scored(duplicate, {one: lead, other: 0})
            if lead < 2
            else broken_off(duplicate, (one, other), other, "forfeit", "illegal")
        )
    return season


def test_a_win_has_the_golden_value() -> None:
    """One win between newcomers is the textbook update, worked out with fifty digits elsewhere."""
    rated = rate([scored(0, {"a": 1, "b": 0})], ENTITIES)
    winner, loser = rated[entity("a")], rated[entity("b")]
    assert (winner.mu, winner.sigma) == pytest.approx((29.2240457, 7.1921254), abs=4e-6)
    assert (loser.mu, loser.sigma) == pytest.approx((20.7759543, 7.1921254), abs=4e-6)


def test_a_draw_has_the_golden_value() -> None:
    """A draw between newcomers leaves both at 25, and narrower."""
    rated = rate([scored(0, {"a": 1, "b": 1})], ENTITIES)
    for name in "ab":
        assert (rated[entity(name)].mu, rated[entity(name)].sigma) == pytest.approx((25, 6.4549928), abs=5e-6)


GAUSSIAN = st.tuples(st.floats(0, 50), st.floats(0.3, 9))


@given(GAUSSIAN, GAUSSIAN, st.booleans())
def test_two_sides_are_rated_as_the_package_rates_them(
    one: tuple[float, float], other: tuple[float, float], drawn: bool
) -> None:
    """The closed form for two is the package's own update, as far as the package's error function is exact."""
    groups = [(PackageRating(*one),), (PackageRating(*other),)]
    ((better,), (worse,)) = PACKAGE.rate(groups, ranks=[0, 0 if drawn else 1])
    actual = ratings._duel((one[0], one[1] ** 2), (other[0], other[1] ** 2), drawn=drawn)
    for package, (mean, variance) in zip((better, worse), actual, strict=True):
        assert (package.mu, package.sigma) == pytest.approx((mean, variance**0.5), rel=1e-5, abs=1e-5)


@settings(max_examples=50, deadline=None)
@given(seasons(), st.randoms(use_true_random=False))
def test_the_order_of_results_makes_no_difference(season: list[UnitResult], rng) -> None:  # type: ignore[no-untyped-def]
    """Results shuffled, or come in two halves of which one is sent again, give the same ratings bit for bit."""
    expected = rate(season, ENTITIES)
    shuffled = rng.sample(season, len(season))
    half = len(season) // 2
    assert rate(shuffled, rng.sample(ENTITIES, len(ENTITIES))) == expected
    assert rate([*shuffled[half:], *shuffled[:half], *shuffled[half:]], ENTITIES) == expected


@settings(max_examples=50, deadline=None)
@given(seasons(), st.permutations(NAMES))
def test_renaming_entities_renames_their_ratings(season: list[UnitResult], new_names: list[str]) -> None:
    """Names carry no strength: they only sort the units otherwise, and ratings agree as far as sweeps settle them."""
    new = dict(zip(ENTITIES, map(entity, new_names), strict=True))
    renamed = [rename(result, new) for result in season]
    before, after = rate(season, ENTITIES), rate(renamed, ENTITIES)
    for old in ENTITIES:
        assert (after[new[old]].mu, after[new[old]].sigma) == pytest.approx(
            (before[old].mu, before[old].sigma), abs=0.1
        )


def test_another_order_of_a_round_robin_agrees_to_half_a_hundredth() -> None:
    """In a season of a league the order of the sweeps is not to be seen on the board."""
    rng = random.Random(9)
    skills = dict(zip(ENTITIES, (17.0, 20.0, 24.0, 26.0, 30.0, 33.0), strict=True))
    season = simulated(round_robin(ENTITIES, 10), skills, rng)
    new = dict(zip(ENTITIES, rng.sample(ENTITIES, len(ENTITIES)), strict=True))
    before, after = rate(season, ENTITIES), rate([rename(result, new) for result in season], ENTITIES)
    for old in ENTITIES:
        assert (after[new[old]].mu, after[new[old]].sigma) == pytest.approx(
            (before[old].mu, before[old].sigma), abs=5e-3
        )


def rename(result: UnitResult, new: dict[str, str]) -> UnitResult:
    """Return *result* with other entities in the same roles."""
    unit = unit_of(result.duplicate, [new[one] for one in result.entities])
    assert result.places is not None
    points = {new[one]: -place for one, place in zip(result.entities, result.places, strict=True)}
    return played(unit, [points[one] for one in unit.entities])


@given(st.integers(1, 30))
def test_ties_of_equals_leave_them_equal_and_narrower(count: int) -> None:
    """However often two newcomers tie, both stay at 25, and every tie narrows both."""
    fewer, more = (
        rate([scored(number, {"a": 0, "b": 0}) for number in range(total)], ENTITIES)
        for total in (count, count + 1)
    )
    for rated in (fewer, more):
        assert rated[entity("a")].mu == pytest.approx(25, abs=1e-9)
        assert rated[entity("b")].mu == pytest.approx(25, abs=1e-9)
    assert more[entity("a")].sigma < fewer[entity("a")].sigma < SIGMA
    assert more[entity("a")].sigma == pytest.approx(more[entity("b")].sigma, abs=1e-3)


def test_ties_all_round_treat_everybody_alike() -> None:
    """Where all tie with all, everybody ends equally narrow, whoever came first."""
    rated = rate([scored(0, dict.fromkeys(pair, 0)) for pair in combinations(NAMES, 2)], ENTITIES)
    sigmas = [rated[one].sigma for one in ENTITIES]
    assert max(sigmas) - min(sigmas) < 2e-3


@settings(max_examples=25, deadline=None)
@given(seasons())
def test_every_rated_component_has_the_mean_of_a_newcomer(season: list[UnitResult]) -> None:
    """Results say nothing about the common level, so it is 25."""
    rated = rate(season, ENTITIES).values()
    for number in {one.component for one in rated} - {None}:
        means = [one.mu for one in rated if one.component == number]
        assert sum(means) / len(means) == pytest.approx(25, abs=1e-9)


def test_five_thousand_one_sided_results_stay_finite() -> None:
    """Nothing fails when one entity wins five thousand times, and the last of a ladder then beats the first."""
    season = [scored(number, {"a": 1, "b": 0}) for number in range(5_000)]
    season += [scored(number, {"b": 1, "c": 0}) for number in range(500)]
    alone = rate(season[:5_000], ENTITIES)
    assert alone[entity("a")].mu == pytest.approx(38.7, abs=0.1)
    upset = rate([*season, scored(0, {"c": 1, "a": 0})], ENTITIES)
    assert upset[entity("a")].mu > upset[entity("b")].mu > upset[entity("c")].mu
    assert all(0 < one.sigma < SIGMA for one in list(upset.values()) if one.component)


def test_the_order_within_a_season_of_upsets_is_not_recency() -> None:
    """One loss against five hundred wins weighs the same whether it came first or last."""
    first = [scored(number, {"a": int(number > 0), "b": int(number == 0)}) for number in range(501)]
    last = [scored(number, {"a": int(number < 500), "b": int(number == 500)}) for number in range(501)]
    assert shown(first)["a"] == pytest.approx(shown(last)["a"], abs=0.01)


def test_groups_that_never_met_are_components() -> None:
    """The largest group is the first; one that played nothing has no component and the rating of a newcomer."""
    season = [scored(0, {"a": 1, "b": 0}), scored(0, {"b": 1, "c": 0}), scored(0, {"d": 1, "e": 0})]
    season.append(broken_off(1, "af", "f", "no_show", "no_show"))
    components = {name: values[2] for name, values in shown(season).items()}
    assert components == {"a": 1, "b": 1, "c": 1, "d": 2, "e": 2, "f": None}
    assert rate(season, ENTITIES)[entity("f")] == Rating(MU, pytest.approx(SIGMA), None)


def test_a_component_is_rated_as_if_it_were_alone() -> None:
    """What happens among strangers moves nobody."""
    here = [scored(number, {"a": 2, "b": number}) for number in range(5)]
    elsewhere = [scored(number, {"d": 1, "e": 0}) for number in range(40)]
    assert shown([*here, *elsewhere])["a"][:2] == shown(here)["a"][:2]


def test_three_sides_are_rated_by_their_places() -> None:
    """With three sides the order of skills is found, and shuffled results give the same ratings."""
    rng = random.Random(5)
    skills = dict(zip(ENTITIES, (15.0, 19.0, 23.0, 27.0, 31.0, 35.0), strict=True))
    season = simulated(round_robin(ENTITIES, 4, sides=3), skills, rng)
    rated = rate(season, ENTITIES)
    assert sorted(ENTITIES, key=lambda one: rated[one].mu) == ENTITIES
    assert rate(rng.sample(season, len(season)), ENTITIES) == rated


def test_one_unit_of_three_is_the_package_update() -> None:
    """A win, a second place and a third between newcomers are what the package makes of them."""
    expected = PACKAGE.rate([(PACKAGE.create_rating(),) for _ in range(3)], ranks=[1, 2, 3])
    rated = rate([scored(0, {"a": 3, "b": 2, "c": 1})], ENTITIES)
    for name, (one,) in zip("abc", expected, strict=True):
        assert (rated[entity(name)].mu, rated[entity(name)].sigma) == pytest.approx(
            (one.mu, one.sigma), abs=0.01
        )


def test_skills_are_found_again() -> None:
    """From 300 units that six known skills made, the ratings come out within three sigma of the truth."""
    rng = random.Random(8)
    skills = {one: rng.gauss(MU, 4) for one in ENTITIES}
    rated = rate(simulated(round_robin(ENTITIES, 20), skills, rng), ENTITIES)
    level = sum(skills.values()) / len(skills) - MU
    for one in ENTITIES:
        assert abs(rated[one].mu + level - skills[one]) < 3 * rated[one].sigma


@pytest.mark.parametrize(
    ("result", "known", "complaint"),
    [
        (scored(0, {"a": 1, "b": 0}), "a", "an unknown entity plays"),
        (played(unit_of(0, [entity("a")] * 2), (1, 0)), "a", "an entity plays against itself"),
    ],
)
def test_who_cannot_be_rated_is_refused(result: UnitResult, known: str, complaint: str) -> None:
    """A stranger in a result, or an entity that meets itself, is named with its unit."""
    with pytest.raises(TournamentError, match=f"{result.unit}: {complaint}"):
        rate([result], map(entity, known))


def test_contradicting_results_are_refused() -> None:
    """Two different results of one unit make no board."""
    with pytest.raises(InvalidResult, match="two that differ"):
        rate([scored(0, {"a": 1, "b": 0}), scored(0, {"a": 0, "b": 1})], ENTITIES)


def test_a_difference_beyond_the_numbers_is_an_error_of_the_unit() -> None:
    """An upset that the floating point numbers cannot hold is a clear error that names the unit."""
    with pytest.raises(ArithmeticError):
        corrections(-1e9, 0.1, drawn=True)
    factor = ratings._Factor("000007-x-y", (0, 1), (1, 1))
    with pytest.raises(TournamentError, match="unit 000007-x-y: its result is too unlikely"):
        ratings._absorb(factor, [(1.0, 1e9), (1.0, -1e9)])


def test_ratings_that_do_not_stand_still_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread of entities that met their neighbours only needs many sweeps; a board after a few is refused."""
    monkeypatch.setattr(ratings, "MAX_SWEEPS", 5)
    thread = sorted(entity(str(number)) for number in range(60))
    rng = random.Random(2)
    units = [unit_of(number, pair) for number in range(4) for pair in pairwise(thread)]
    season = simulated(units, {one: 25.0 + number for number, one in enumerate(thread)}, rng)
    with pytest.raises(TournamentError, match="do not stand still after 5 sweeps"):
        rate(season, thread)
