"""The check from its first step to its last: what is planned, in which order, and what is skipped after a failure."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from referee.rules import RULESETS, Ruleset
from referee.service.isolation import Isolation
from tournaments.compliance.openings import Opening
from tournaments.compliance.ordeals import (
    ORDEALS,
    Ordeal,
    is_stateless,
    judge_match,
    plays_a_match,
    plays_several_tables,
)
from tournaments.compliance.room import Patience, Room, Stage, open_room
from tournaments.compliance.steps import Finding, Step, skipped
from tournaments.entrants import Entrant, bot_spec
from tournaments.errors import InvalidEntrant

OPENING_STEPS: Final = ("starts", "says hello", "becomes ready", "answers in time")
STATELESS_STEP: Final = "plays alike in a used process"
TABLES_STEP: Final = "plays alike at several tables"

Trial = Callable[[], Awaitable[Finding]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be checked of a bot."""

    entrant: Entrant
    stages: tuple[Stage, ...]
    """The kinds of matches that it says it can play, short ones first; at least one."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the steps, in order."""
        matches = tuple(f"plays {stage}" for stage in self.stages)
        return (*OPENING_STEPS, *matches, *(name for name, _ in ORDEALS), STATELESS_STEP, TABLES_STEP)


def plan_check(entrant: Entrant, ruleset: Ruleset | None = None) -> Plan:
    """
    Return what is to be checked of *entrant*: all that it declares, or *ruleset* only.

    Raises:
        InvalidEntrant: it declares that it plays nothing of that.
    """
    said = entrant.manifest
    wanted = list(RULESETS.values()) if ruleset is None else [ruleset]
    stages = [
        Stage(rules, seats)
        for rules in wanted
        if not said.rulesets or rules.name in said.rulesets
        for seats in rules.seats
        if not said.seats or seats in said.seats
    ]
    if not stages:
        reason = "by its bot.toml it plays none of the rulesets at any number of seats"
        raise InvalidEntrant(f"cannot check {entrant.label}", reason, got=", ".join(r.name for r in wanted))
    return Plan(entrant, tuple(sorted(stages, key=lambda stage: (stage.ruleset.rounds, stage.seats))))


async def check_bot(plan: Plan, patience: Patience, isolation: Isolation) -> AsyncGenerator[Step, None]:
    """
    Yield the steps of a check one by one, each when it is done.

    A step that cannot be judged, since one before it failed, is skipped. Close the iterator if it is left early.

    Raises:
        EngineFailed: the machine, or a bot of the house, failed again and again; the bot is not to blame.
    """
    async with open_room(bot_spec(plan.entrant), patience, isolation) as room:
        course = _Course(plan, room, Opening(room, plan.stages[0], await room.start(), plan.entrant))
        for number, (name, trial) in enumerate(zip(plan.names, course.trials(), strict=True), start=1):
            yield Step(number, name, await trial())


class _Course:
    """The steps of one check, and what stands in the way of the next one."""

    def __init__(self, plan: Plan, room: Room, opening: Opening) -> None:
        self._plan = plan
        self._room = room
        self._opening = opening
        self._obstacle = ""
        """Why what follows cannot be judged."""
        self._playable: list[Stage] = []
        """The matches that it got through."""

    def trials(self) -> Iterator[Trial]:
        """Yield what is to be tried, in the order of the plan's names."""
        opening = self._opening
        steps = (opening.starts, opening.says_hello, opening.becomes_ready, opening.answers_in_time)
        for name, step in zip(OPENING_STEPS, steps, strict=True):
            yield partial(self._open, name, step)
        for number, stage in enumerate(self._plan.stages):
            yield partial(self._play, number, stage)
        for _, ordeal in ORDEALS:
            yield partial(self._bear, ordeal)
        yield self._prove
        yield self._prove_tables

    async def _open(self, name: str, step: Trial) -> Finding:
        if self._obstacle:
            return skipped(self._obstacle)
        finding = await step()
        if finding.outcome == "fail" and not self._opening.goes_on:
            self._obstacle = f"step {OPENING_STEPS.index(name) + 1} failed"
        return finding

    async def _play(self, number: int, stage: Stage) -> Finding:
        if self._obstacle:
            return skipped(self._obstacle)
        if number == 0:
            finding = judge_match(await self._opening.finished())
            self._opening.close()
        else:
            finding = await self._room.attempt(partial(plays_a_match, self._room, stage, number))
        if finding.outcome == "pass":
            self._playable.append(stage)
        return finding

    async def _bear(self, ordeal: Ordeal) -> Finding:
        if self._obstacle:
            return skipped(self._obstacle)
        if not self._playable:
            return skipped("it got through no match")
        return await self._room.attempt(partial(ordeal, self._room, self._playable[0]))

    async def _prove(self) -> Finding:
        if not self._plan.entrant.manifest.stateless:
            return skipped("its bot.toml does not declare stateless")
        return await self._bear(is_stateless)

    async def _prove_tables(self) -> Finding:
        if self._plan.entrant.manifest.tables == 1:
            return skipped("its bot.toml does not declare more than one table")
        return await self._bear(plays_several_tables)
