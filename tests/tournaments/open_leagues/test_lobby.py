"""The lobby of an open league: whatever comes, goes and fails, each pairing plays each unit once, with whole sides."""

from collections import Counter

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tournaments.open_leagues.lobby import Call, Guest, Lobby
from tournaments.schedule import EntityHash, round_robin

ENTITIES = [EntityHash(letter * 64) for letter in "abcd"]
ANN, BEA, CAT, DAN = ENTITIES


def lobby_of(*entities: EntityHash, units: int = 2) -> Lobby:
    """Return a lobby of two sides of two in which all of *entities* are there."""
    lobby = Lobby(2, 2, units)
    for entity in entities:
        seat(lobby, entity)
    return lobby


def seat(lobby: Lobby, entity: EntityHash, count: int = 2) -> list[Guest]:
    """Let *count* more guests of *entity* in, and return them."""
    guests = [Guest(f"{entity[0]}{len(lobby.guests) + number}") for number in range(count)]
    for guest in guests:
        lobby.arrive(guest, entity)
    return guests


def begin(lobby: Lobby, now: float = 0.0) -> Call:
    """Begin the next unit, which there is."""
    call = lobby.call(now)
    assert call is not None
    return call


def play_out(lobby: Lobby) -> list[str]:
    """Play whatever can be played, one unit after the other, and return the ids in that order."""
    played = []
    while (call := lobby.call(0.0)) is not None:
        lobby.finish(call.unit.id, settled=True)
        played.append(call.unit.id)
    return played


def test_half_a_side_does_not_play() -> None:
    """An entity is there once one process for each seat of a side is, and no longer than that."""
    lobby = lobby_of(ANN)
    (first,) = seat(lobby, BEA, 1)
    assert (lobby.is_there(BEA), lobby.call(0.0)) == (False, None)
    (second,) = seat(lobby, BEA, 1)
    assert lobby.is_there(BEA)
    lobby.leave(first)
    assert (lobby.is_there(BEA), lobby.call(0.0)) == (False, None)
    assert second in lobby.guests


def test_everybody_plays_what_a_round_robin_schedules() -> None:
    """Whoever stays plays each unit of the schedule once, numbers first."""
    played = play_out(lobby_of(*ENTITIES, units=3))
    assert sorted(played) == sorted(unit.id for unit in round_robin(ENTITIES, 3))
    assert [unit[:6] for unit in played] == sorted(unit[:6] for unit in played)


def test_a_newcomer_catches_up_first() -> None:
    """The pairing that was played least is next."""
    lobby = lobby_of(ANN, BEA, units=5)
    for _ in range(3):
        lobby.finish(begin(lobby).unit.id, settled=True)
    seat(lobby, CAT)
    assert CAT in begin(lobby).unit.entities


def test_nobody_waits_while_others_play_twice() -> None:
    """Of pairings that were played equally often, the one whose entities waited longest is next."""
    lobby = lobby_of(*ENTITIES, units=1)
    first = begin(lobby)
    lobby.finish(first.unit.id, settled=True)
    assert not set(first.unit.entities) & set(begin(lobby).unit.entities)


def test_an_entity_with_twice_the_processes_plays_two_units_at_once() -> None:
    """Guests are taken, not entities."""
    lobby = lobby_of(ANN, ANN, BEA, CAT)
    calls = [begin(lobby), begin(lobby)]
    assert lobby.call(0.0) is None
    assert all(ANN in call.unit.entities for call in calls)


def test_what_was_played_before_is_not_played_again() -> None:
    """A server that is started again goes on where it was."""
    before = {unit.id for unit in round_robin([ANN, BEA], 2)[:1]}
    lobby = Lobby(2, 2, 2, before)
    seat(lobby, ANN)
    seat(lobby, BEA)
    assert [unit[:6] for unit in play_out(lobby)] == ["000001"]


def test_an_unsettled_unit_is_called_again() -> None:
    """A unit that came to nothing is the next again."""
    lobby = lobby_of(ANN, BEA)
    first = begin(lobby)
    lobby.finish(first.unit.id, settled=False)
    assert begin(lobby).unit == first.unit


def test_a_resting_entity_plays_again_when_its_time_is_over() -> None:
    """Others go on meanwhile."""
    lobby = lobby_of(ANN, BEA, CAT)
    lobby.rest(ANN, until=10.0)
    assert begin(lobby, 9.9).unit.entities == (BEA, CAT)
    assert lobby.call(9.9) is None
    lobby.finish(next(iter(round_robin([BEA, CAT], 1))).id, settled=True)
    assert ANN in begin(lobby, 10.0).unit.entities


@pytest.mark.parametrize(("sides", "side_size"), [(3, 1), (2, 1), (3, 2)])
def test_every_size_of_table_is_called(sides: int, side_size: int) -> None:
    """A call seats as many guests of as many entities as the table has."""
    lobby = Lobby(sides, side_size, 2)
    for entity in ENTITIES:
        seat(lobby, entity, side_size)
    call = begin(lobby)
    assert [len(team) for team in call.teams] == [side_size] * sides
    lobby.finish(call.unit.id, settled=True)
    assert {call.unit.id, *play_out(lobby)} == {unit.id for unit in round_robin(ENTITIES, 2, sides)}


class LobbyLaws(RuleBasedStateMachine):
    """Any order of arrivals, departures, calls and ends."""

    def __init__(self) -> None:
        super().__init__()
        self.lobby = Lobby(2, 2, 2)
        self.entity: dict[Guest, EntityHash] = {}
        self.calls: dict[str, Call] = {}
        self.settled: Counter[str] = Counter()
        self.count = 0

    @rule(entity=st.sampled_from(ENTITIES))
    def arrive(self, entity: EntityHash) -> None:
        """Somebody comes."""
        self.count += 1
        guest = Guest(f"guest {self.count}")
        self.entity[guest] = entity
        self.lobby.arrive(guest, entity)

    @precondition(lambda self: self.lobby.guests)
    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        """Somebody goes."""
        self.lobby.leave(data.draw(st.sampled_from(sorted(self.lobby.guests))))

    @rule()
    def call(self) -> None:
        """A unit begins: with whole sides of guests who are there, and of the right entity."""
        call = self.lobby.call(0.0)
        if call is None:
            return
        assert call.unit.id not in self.calls
        assert not self.settled[call.unit.id]
        assert call.unit.duplicate < 2
        for entity, team in zip(call.unit.entities, call.teams, strict=True):
            assert [self.entity[guest] for guest in team] == [entity] * 2
            assert set(team) <= self.lobby.guests
        self.calls[call.unit.id] = call

    @precondition(lambda self: self.calls)
    @rule(data=st.data(), settled=st.booleans())
    def finish(self, data: st.DataObject, settled: bool) -> None:
        """A unit ends, with or without a result."""
        unit = data.draw(st.sampled_from(sorted(self.calls)))
        del self.calls[unit]
        self.settled[unit] += settled
        self.lobby.finish(unit, settled=settled)

    @invariant()
    def nobody_plays_twice_at_once(self) -> None:
        """A guest sits at one table."""
        seated = [guest for call in self.calls.values() for team in call.teams for guest in team]
        assert len(seated) == len(set(seated))
        assert self.lobby.playing == len(self.calls)

    def teardown(self) -> None:
        """Nobody starves: once all calls are over, whoever is there plays out what is left."""
        for unit in self.calls:
            self.lobby.finish(unit, settled=True)
            self.settled[unit] += 1
        there = [entity for entity in ENTITIES if self.lobby.is_there(entity)]
        self.settled.update(play_out(self.lobby))
        assert all(self.settled[unit.id] == 1 for unit in round_robin(there, 2))
        assert set(self.settled.values()) <= {0, 1}


TestLobbyLaws = LobbyLaws.TestCase
TestLobbyLaws.settings = settings(max_examples=60, stateful_step_count=30)
