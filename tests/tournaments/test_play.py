"""What the reports of a referee make of a unit; the referee is one that says what the test wants."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from handfoot.bots.greedy import GreedyBot
from in_process import Match, spec_of

from referee.rules import MatchRecord, find_ruleset, score_lines
from referee.service.processes import BotProcess, BotSpec
from referee.service.reports import FaultReport, MatchReport, MatchSpec
from tournaments.entrants import house_entrant
from tournaments.jobs import job_of
from tournaments.partnerships import mirrored
from tournaments.play import PlayedUnit, play_unit
from tournaments.schedule import single_pairing
from tournaments.terms import Terms
from tournaments.workers.bench import Bench

SIDES = [mirrored(house_entrant(name), 2) for name in ("greedy", "random")]
SINGLES = [mirrored(house_entrant(name), 1) for name in ("greedy", "random", "steady")]
PLAYED = MatchReport("played", (500, 300), (), (1, 0), 1, (), (), None, ())
VOID = replace(
    PLAYED,
    termination="void",
    faults=(
        FaultReport("referee_error", -1, -1, ends_match=False, reason="a bug", round=0, event=0, action=0),
    ),
)


THREE = replace(PLAYED, totals=(500, 300, 100), went_out=(1, 0, 0))
"""What came of a match of three sides: side 0 made most points."""


def fault(kind: str, seat: int, sides: int = 2) -> FaultReport:
    """Return a fault that ended a match for the side of *seat*."""
    return FaultReport(  # type: ignore[arg-type]
        kind,
        seat,
        seat % sides,
        ends_match=True,
        reason="it failed",
        round=0,
        event=9,
        action=9,
        bot="b@1",
        command=("b",),
    )


@dataclass
class Script:
    """A referee whose matches end as they are written, and that notes what it is asked for."""

    reports: list[MatchReport]
    matches: list[tuple[MatchSpec, list[BotProcess | None]]] = field(default_factory=list)
    stopped: list[BotProcess] = field(default_factory=list)

    async def start_bot(self, spec: BotSpec) -> BotProcess:
        """Return a process that is not started."""
        return BotProcess(spec, "token")

    async def stop_bot(self, bot: BotProcess) -> None:
        """Note that *bot* would end."""
        self.stopped.append(bot)

    async def play_match(self, spec: MatchSpec, bots: Sequence[BotProcess | None]) -> MatchReport:
        """Return the next report."""
        self.matches.append((spec, list(bots)))
        return self.reports[len(self.matches) - 1]


def play(script: Script, records: Path | None = None, *, three: bool = False) -> PlayedUnit:
    """Play the unit of greedy and random, or of all three bots of the house as single ones, as *script* says."""
    entities, terms = (SINGLES, Terms("online", 3)) if three else (SIDES, Terms("simple"))
    [unit] = single_pairing([entity.hash for entity in entities], 1)
    job = job_of(unit, terms, bytes(32), {entity.hash: entity for entity in entities}, records)
    return asyncio.run(play_unit(job, script, Bench(script), lambda: None))  # type: ignore[arg-type]


def test_scores_are_those_of_entities_not_of_sides() -> None:
    """The first entity has the first side in one leg and the second side in the other; deals and seeds are the same."""
    script = Script([PLAYED, PLAYED])
    played = play(script)
    assert [leg.scores for leg in played.result.legs] == [(500, 300), (300, 500)]
    assert [leg.went_out for leg in played.result.legs] == [(1, 0), (0, 1)]
    assert (played.result.status, played.result.margin, played.complaint) == ("rated", 0, None)
    (one, first), (other, second) = script.matches
    assert (one.keys, one.bot_seeds) == (other.keys, other.bot_seeds)
    names = [[bot.spec.name for bot in bots if bot is not None] for bots in (first, second)]
    assert names[0] == names[1][1:] + names[1][:1]
    assert not set(first) & set(second)


def test_a_forfeit_ends_the_unit() -> None:
    """The other leg is not played; who forfeited is told by entity, and the author hears why, once."""
    lost = replace(
        PLAYED, termination="forfeit", forfeits=(0,), faults=(fault("crash", 0), fault("crash", 2))
    )
    played = play(Script([PLAYED, lost]))
    [whole, broken] = played.result.legs
    assert (broken.scores, broken.forfeit) == (None, (1,))
    assert [note.entity for note in broken.faults] == [1, 1]
    assert (played.result.status, played.result.outcome(0), whole.scores) == ("forfeit", "win", (500, 300))
    assert str(played.complaint).startswith("crash of b@1, seat 0: it failed\n  command: b\n")
    assert str(played.complaint).count("it failed") == 1
    assert len(play(Script([replace(lost, forfeits=(1,))])).result.legs) == 1


def test_a_bot_that_does_not_show_gives_the_unit_up() -> None:
    """Nobody lost: the unit is not rated."""
    absent = replace(PLAYED, termination="no_show", faults=(fault("no_show", 1),))
    result = play(Script([absent])).result
    assert (result.status, result.rated, result.legs[0].faults[0].kind) == ("no_show", False, "no_show")


def test_a_void_match_is_played_again_by_fresh_processes() -> None:
    """The deal is the same, nobody who played it before plays it again, and those are ended."""
    script = Script([VOID, VOID, PLAYED, PLAYED])
    played = play(script)
    assert played.result.status == "rated"
    specs, bots = zip(*script.matches[:3], strict=True)
    assert specs[0] == specs[1] == specs[2]
    assert len({bot for table in bots for bot in table}) == 12
    assert set(script.stopped) == {*bots[0], *bots[1]}


def test_a_leg_that_stays_void_gives_the_unit_up() -> None:
    """After three more attempts it is nobody's fault and nobody's result."""
    script = Script([VOID] * 9)
    result = play(script).result
    assert len(script.matches) == 4
    assert (result.status, result.legs[0].scores, result.legs[0].faults) == ("given_up", None, ())


def test_records_are_kept_once_the_unit_is_final(tmp_path: Path) -> None:
    """While a leg is still to be played nothing of the unit can be read, not even of a strike in the first one."""
    ruleset = find_ruleset("simple")
    spec = spec_of(ruleset, 4, "record")
    match = Match(spec, [GreedyBot] * 4)
    totals = tuple(match.play().totals)
    scores = score_lines(match.table.match)
    log = tuple(match.table.log)
    record = MatchRecord("m", ruleset, ("g@1",) * 4, spec.keys, log, "played", (), scores, totals)
    folder = tmp_path / "records"

    class Watching(Script):
        async def play_match(self, spec: MatchSpec, bots: Sequence[BotProcess | None]) -> MatchReport:
            assert not folder.exists()
            return await super().play_match(spec, bots)

    strike = replace(fault("illegal", 1), ends_match=False)
    reports = [replace(PLAYED, record=record, faults=faults) for faults in ((strike,), ())]
    result = play(Watching(reports), folder).result
    first, second = (str(leg.record) for leg in result.legs)
    about = {f"{result.legs[0].match}.seat-1.fault.{end}" for end in ("txt", "json")}
    assert {path.name for path in folder.iterdir()} == {first, second} | about
    assert all(leg.record is None for leg in play(Script([PLAYED] * 2)).result.legs)


def test_three_sides_play_a_leg_from_each_seat() -> None:
    """Everybody plays every side once on the same deals, and the sums make the places."""
    script = Script([THREE] * 3)
    result = play(script, three=True).result
    assert [leg.scores for leg in result.legs] == [(500, 300, 100), (100, 500, 300), (300, 100, 500)]
    assert (result.status, result.margin, result.places) == ("rated", None, (1, 1, 1))
    assert len({spec.keys for spec, _ in script.matches}) == 1
    processes = [bot for _, bots in script.matches for bot in bots]
    assert len(set(processes)) == 9, "no process sits on two seats or plays two legs"


def test_the_referee_plays_for_one_of_three_from_its_forfeit_on() -> None:
    """All legs are played; in later ones the seats of whoever forfeited have no bot, and it comes last."""
    lost = replace(THREE, forfeits=(0,), faults=(fault("crash", 0, 3),))
    later = [replace(THREE, forfeits=(2,)), replace(THREE, forfeits=(1,))]
    script = Script([lost, *later])
    played = play(script, three=True)
    result = played.result
    assert [spec.referee_sides for spec, _ in script.matches] == [frozenset(), {2}, {1}]
    assert [[bot is None for bot in bots].index(True) for _, bots in script.matches[1:]] == [2, 1]
    assert [leg.forfeit for leg in result.legs] == [(0,)] * 3
    assert [leg.scores is None for leg in result.legs] == [False] * 3
    assert (result.status, result.totals, result.places) == ("forfeit", (900, 900, 900), (3, 1, 1))
    assert str(played.complaint).count("crash of b@1") == 1
    guilty, *innocent = script.matches[0][1]
    assert guilty in script.stopped
    assert not set(innocent) & set(script.stopped)


def test_a_unit_in_which_all_of_three_forfeit_counts_for_nobody() -> None:
    """Nothing is left to be played, and nobody came before anybody."""
    first = replace(THREE, forfeits=(0,), faults=(fault("illegal", 0, 3),))
    all_lost = replace(THREE, termination="forfeit", forfeits=(0, 1, 2))
    script = Script([first, all_lost])
    result = play(script, three=True).result
    assert (len(script.matches), result.status, result.places) == (2, "double_forfeit", None)
    assert [leg.scores is None for leg in result.legs] == [False, True]


def test_a_no_show_among_three_gives_the_unit_up() -> None:
    """Also after somebody else forfeited an earlier leg."""
    first = replace(THREE, forfeits=(0,), faults=(fault("timeout", 0, 3),))
    absent = replace(THREE, termination="no_show", faults=(fault("no_show", 0, 3),))
    result = play(Script([first, absent]), three=True).result
    assert (result.status, result.rated) == ("no_show", False)
    assert [note.entity for leg in result.legs for note in leg.faults] == [0, 1]


def test_a_void_match_among_three_is_played_again_with_the_same_seats_empty() -> None:
    """Whoever forfeited before stays out; a fault of the void match itself is not held against anybody."""
    first = replace(THREE, forfeits=(2,), faults=(fault("timeout", 2, 3),))
    void = replace(VOID, totals=THREE.totals, went_out=THREE.went_out)
    script = Script([first, void, replace(THREE, forfeits=(1,)), replace(THREE, forfeits=(0,))])
    result = play(script, three=True).result
    assert [sorted(spec.referee_sides) for spec, _ in script.matches] == [[], [1], [1], [0]]
    assert (result.status, result.forfeited) == ("forfeit", (2,))
