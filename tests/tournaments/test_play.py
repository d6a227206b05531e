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
from tournaments.bench import Bench
from tournaments.entrants import house_entrant
from tournaments.jobs import job_of
from tournaments.partnerships import mirrored
from tournaments.play import PlayedUnit, play_unit
from tournaments.schedule import single_pairing
from tournaments.terms import Terms

SIDES = [mirrored(house_entrant(name), 2) for name in ("greedy", "random")]
[UNIT] = single_pairing([side.hash for side in SIDES], 1)
PLAYED = MatchReport("played", (500, 300), (), (1, 0), 1, (), (), None, ())
VOID = replace(
    PLAYED,
    termination="void",
    faults=(
        FaultReport("referee_error", -1, -1, ends_match=False, reason="a bug", round=0, event=0, action=0),
    ),
)


def fault(kind: str, seat: int) -> FaultReport:
    """Return a fault that ended a match for the side of *seat*."""
    return FaultReport(  # type: ignore[arg-type]
        kind,
        seat,
        seat % 2,
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
    matches: list[tuple[MatchSpec, list[BotProcess]]] = field(default_factory=list)
    stopped: list[BotProcess] = field(default_factory=list)

    async def start_bot(self, spec: BotSpec) -> BotProcess:
        """Return a process that is not started."""
        return BotProcess(spec, "token")

    async def stop_bot(self, bot: BotProcess) -> None:
        """Note that *bot* would end."""
        self.stopped.append(bot)

    async def play_match(self, spec: MatchSpec, bots: Sequence[BotProcess]) -> MatchReport:
        """Return the next report."""
        self.matches.append((spec, list(bots)))
        return self.reports[len(self.matches) - 1]


def play(script: Script, records: Path | None = None) -> PlayedUnit:
    """Play the unit of greedy and random as *script* says."""
    job = job_of(UNIT, Terms("simple"), bytes(32), {side.hash: side for side in SIDES}, records)
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
    names = [[bot.spec.name for bot in bots] for bots in (first, second)]
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
    """While a leg is still to be played nothing of the unit can be read."""
    ruleset = find_ruleset("simple")
    spec = spec_of(ruleset, 4, "record")
    match = Match(spec, [GreedyBot] * 4)
    totals = tuple(match.play().totals)
    scores = score_lines(match.table.match)
    log = tuple(match.table.log)
    record = MatchRecord("m", ruleset, ("g@1",) * 4, spec.keys, log, "played", (), scores, totals)
    folder = tmp_path / "records"

    class Watching(Script):
        async def play_match(self, spec: MatchSpec, bots: Sequence[BotProcess]) -> MatchReport:
            assert not folder.exists()
            return await super().play_match(spec, bots)

    result = play(Watching([replace(PLAYED, record=record)] * 2), folder).result
    assert sorted(path.name for path in folder.iterdir()) == sorted(str(leg.record) for leg in result.legs)
    assert all(leg.record is None for leg in play(Script([PLAYED] * 2)).result.legs)
