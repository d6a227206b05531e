"""`handfoot bot check`: real bots, most of them with a defect, step by step at a real referee."""

import asyncio
import json
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import aclosing
from pathlib import Path
from typing import Final

import defective
import pytest
from authored import PLAYS_BY_CHANCE, write_bot
from command import all_gone, descendants, start_handfoot, wait_until
from requirement import skip_without
from typed_words import Handfoot

from referee.rules import RULESETS, find_ruleset
from referee.service.clock import TimeControl
from referee.service.isolation import Isolation
from tournaments.compliance.check import (
    OPENING_STEPS,
    STATELESS_STEP,
    TABLES_STEP,
    check_bot,
    plan_check,
)
from tournaments.compliance.ordeals import ORDEALS, Ordeal, comes_back, is_stateless
from tournaments.compliance.room import Patience, Stage, open_room
from tournaments.compliance.steps import Compliance, Finding, Step, summary
from tournaments.entrants import Entrant, bot_spec, entrant_in, house_entrant
from tournaments.errors import InvalidEntrant

pytestmark = pytest.mark.slow

NODE: Final = Path(__file__).parents[2] / "clients" / "node"
PAGE: Final = Path(__file__).parents[2] / "docs" / "bots.md"
STATELESS: Final = "stateless = true\n"
MORE: Final[Mapping[str, str]] = {STATELESS_STEP: STATELESS, TABLES_STEP: f"{STATELESS}tables = 3\n"}
"""What the bot.toml says of a bot that fails a certain step."""
AT_ONCE: Final = 3
"""How many checks run at the same time."""

DEFECTS: Final[Mapping[str, tuple[str, str, str]]] = {
    "exits": (defective.EXITS, "starts", "exited with code 5"),
    "boasts": (defective.BOASTS, "says hello", "name 'somebody' where bot.toml has 'boasts'"),
    "never-ready": (defective.NEVER_READY, "becomes ready", "not ready within 9 s"),
    "slow": (defective.SLOW, "answers in time", "timeout: out of time"),
    "illegal": (defective.ILLEGAL, "plays simple at 4 seats", "illegal: strike 3"),
    "dies-on-refusal": (defective.DIES_ON_REFUSAL, "survives a refused action", "crash: the process ended"),
    "dies-on-forfeit": (
        defective.DIES_ON_FORFEIT,
        "survives a forfeit by the other side",
        "it broke when the match ended early: exited with code 1",
    ),
    "stays-away": (defective.STAYS_AWAY, "comes back after a dropped stream", "it did not come back"),
    "hangs": (defective.HANGS_AT_THE_END, "ends when the stream is closed", "still runs 4 s after"),
    "remembers": (defective.REMEMBERS, STATELESS_STEP, "a used process does not play like a fresh one"),
    "mixes": (defective.MIXES_ITS_TABLES, TABLES_STEP, "beside other matches it does not play as alone"),
}
"""By name: the code of a bot, the one step that it fails, and what is said of that."""

PATIENCE: Final[Mapping[str, Patience]] = {
    "never-ready": Patience(ready=9.0),
    "slow": Patience(time=TimeControl(1.0, 1.0)),
    "hangs": Patience(exit=4.0),
}


async def check(entrant: Entrant, patience: Patience) -> Compliance:
    """Check a bot by the rules that take least time."""
    plan = plan_check(entrant, find_ruleset("simple"))
    steps: list[Step] = []
    async with aclosing(check_bot(plan, patience, Isolation())) as done:
        async for step in done:
            steps.append(step)
    return Compliance(entrant.label, tuple(steps))


async def check_all(entrants: Mapping[str, Entrant]) -> dict[str, Compliance]:
    """Check several bots, a few at a time."""
    turnstile = asyncio.Semaphore(AT_ONCE)

    async def check_one(name: str, entrant: Entrant) -> tuple[str, Compliance]:
        async with turnstile:
            return name, await check(entrant, PATIENCE.get(name, Patience()))

    return dict(await asyncio.gather(*(check_one(name, each) for name, each in entrants.items())))


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Compliance]:
    """What the checks of all bots with a defect, and of one that has none, say."""
    place = tmp_path_factory.mktemp("bots")
    entrants = {
        name: entrant_in(write_bot(place / name, code, more=MORE.get(step, "")))
        for name, (code, step, _) in DEFECTS.items()
    }
    entrants["steady"] = house_entrant("steady")
    return asyncio.run(check_all(entrants))


def outcomes(compliance: Compliance) -> dict[str, str]:
    """Return the outcome of each step by its name."""
    return {step.name: step.finding.outcome for step in compliance.steps}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_fails_one_step(verdicts: dict[str, Compliance], name: str) -> None:
    """A bot with one defect fails that step and no other; its author is told why, what was said, and what to do."""
    _, step, reason = DEFECTS[name]
    compliance = verdicts[name]
    assert [failure.name for failure in compliance.failures] == [step]
    assert not compliance.passed
    (failure,) = compliance.failures
    assert reason in failure.finding.detail
    assert failure.finding.advice
    assert failure.finding.exchange or name == "exits"


def test_what_cannot_be_judged_is_skipped(verdicts: dict[str, Compliance]) -> None:
    """After a step without which no match is played, the others are skipped and say so; a wrong name stops nothing."""
    assert list(outcomes(verdicts["never-ready"]).values()) == ["pass", "pass", "fail", *["skipped"] * 8]
    assert verdicts["never-ready"].steps[-3].finding.detail == "step 3 failed"
    assert list(outcomes(verdicts["illegal"]).values()) == [*["pass"] * 4, "fail", *["skipped"] * 6]
    assert verdicts["illegal"].steps[-3].finding.detail == "it got through no match"
    assert list(outcomes(verdicts["boasts"]).values()) == ["pass", "fail", *["pass"] * 7, *["skipped"] * 2]


def test_a_failure_shows_what_was_said(verdicts: dict[str, Compliance]) -> None:
    """Requests, answers and refusals are told in words, and the bot's last words with them."""
    illegal = "\n".join(verdicts["illegal"].failures[0].finding.exchange)
    assert re.search(
        r"^bot: decision (\d+): pass\nreferee: refused \(illegal\), decision \1: ", illegal, re.MULTILINE
    )
    assert re.search(r"^referee: request \d+ \(.*\): you hold ", illegal, re.MULTILINE)
    assert "no book found" in verdicts["exits"].failures[0].finding.stderr
    assert "RuntimeError" in verdicts["dies-on-refusal"].failures[0].finding.stderr
    assert "check: breaks the stream" in verdicts["stays-away"].failures[0].finding.exchange


def test_a_sound_bot_passes(verdicts: dict[str, Compliance]) -> None:
    """All steps of a bot that keeps to everything pass, numbered from 1; `stateless` and `tables` are proven."""
    compliance = verdicts["steady"]
    assert compliance.passed
    assert [step.number for step in compliance.steps] == list(range(1, 12))
    proofs = (STATELESS_STEP, TABLES_STEP)
    names = [*OPENING_STEPS, "plays simple at 4 seats", *(name for name, _ in ORDEALS), *proofs]
    assert list(outcomes(compliance).items()) == [(name, "pass") for name in names]
    assert summary(compliance) == f"{compliance.bot} passes: 11 steps passed"


@pytest.mark.parametrize(
    ("code", "step", "reason"),
    [
        (defective.FORGETS_ITS_SESSION, comes_back, "it came back, but its hello had no session_id"),
        (defective.ROLLS_ITS_OWN_DICE, is_stateless, "two fresh processes do not play the same match alike"),
    ],
)
def test_a_step_tells_causes_apart(tmp_path: Path, code: str, step: Ordeal, reason: str) -> None:
    """What fails the same step for another reason is told as what it is."""
    entrant = entrant_in(write_bot(tmp_path / "mine", code, more=STATELESS))

    async def find() -> Finding:
        async with open_room(bot_spec(entrant), Patience(), Isolation()) as room:
            return await step(room, Stage(find_ruleset("simple"), 4))

    finding = asyncio.run(find())
    assert finding.outcome == "fail"
    assert reason in finding.detail


def test_the_node_bot_passes() -> None:
    """The client in another language keeps to the protocol too, and comes back after a dropped stream."""
    if shutil.which("node") is None or not (NODE / "node_modules").is_dir():
        skip_without("node", "there is no node, or clients/node has no node_modules; run npm ci there")
    compliance = asyncio.run(check(entrant_in(NODE), Patience()))
    assert set(outcomes(compliance).values()) == {"pass"}, compliance.to_dict()


def test_all_that_a_bot_declares_is_played(tmp_path: Path) -> None:
    """Without a word every ruleset at every number of seats is planned, short matches first; else what is declared."""
    everything = plan_check(entrant_in(write_bot(tmp_path / "all", PLAYS_BY_CHANCE)))
    assert {(stage.ruleset.name, stage.seats) for stage in everything.stages} == {
        (name, seats) for name, rules in RULESETS.items() for seats in rules.seats
    }
    assert str(everything.stages[0]) == "simple at 4 seats"
    some = 'rulesets = ["online", "publisher"]\nseats = [2, 6]\n'
    few = plan_check(entrant_in(write_bot(tmp_path / "few", PLAYS_BY_CHANCE, more=some)))
    assert list(map(str, few.stages)) == ["online at 2 seats", "publisher at 6 seats"]
    with pytest.raises(InvalidEntrant, match="plays none of the rulesets"):
        plan_check(few.entrant, find_ruleset("simple"))


def test_the_command_tells_by_text_and_exit_code(handfoot: Handfoot, tmp_path: Path) -> None:
    """A failure is exit code 1, with a line per step, the exchange, the advice, and how it ended."""
    write_bot(tmp_path / "mine", defective.ILLEGAL)
    told = handfoot("bot", "check", "mine", "--rules", "simple")
    assert told.exit_code == 1
    lines = told.stdout.splitlines()
    assert lines[1].startswith(" 2  pass     says hello: ")
    assert lines[4].startswith(" 5  FAIL     plays simple at 4 seats: illegal: ")
    assert lines[5] == "      what was said last:"
    assert any(line.startswith("      what to do: play one of the legal actions") for line in lines)
    assert lines[-1] == "mine@1 does not pass: 4 steps passed, 1 step failed, 6 steps skipped"


def test_the_command_tells_by_json(handfoot: Handfoot) -> None:
    """Standard output is one object with the bot, whether it passed, and each step; exit code 0 if it did."""
    told = handfoot(
        "bot", "check", "greedy", "--rules", "simple", "--time", "2s+30s", "--isolation", "none", "--json"
    )
    assert told.exit_code == 0
    assert told.stderr.splitlines()[0] == "isolation none"
    plain = json.loads(told.stdout)
    assert plain["bot"] == house_entrant("greedy").label
    assert plain["passed"] is True
    assert plain["isolation"] == "none"
    assert [step["number"] for step in plain["steps"]] == list(range(1, 12))
    keys = {"number", "name", "outcome", "detail", "advice", "exchange", "stderr"}
    assert {frozenset(step) for step in plain["steps"]} == {frozenset(keys)}


def test_a_check_that_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    """Ctrl-C in the middle of a match ends all bots and says so in one line."""
    write_bot(tmp_path / "mine", defective.NEVER_READY)
    checking = start_handfoot("bot", "check", "mine", folder=tmp_path, stderr=subprocess.PIPE)
    wait_until(lambda: len(descendants(checking)) > 3)
    started = descendants(checking)
    checking.send_signal(signal.SIGINT)
    told = checking.communicate(timeout=60)[1].decode()
    assert checking.returncode == 1
    assert told.splitlines()[-1] == "Error: stopped by SIGINT; nothing is left of the check"
    assert "Traceback" not in told
    wait_until(lambda: all_gone(started))
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_folder_without_a_bot_is_no_check(handfoot: Handfoot, tmp_path: Path) -> None:
    """What is not a bot is told in a line, as everywhere."""
    (tmp_path / "empty").mkdir()
    told = handfoot("bot", "check", "empty")
    assert told.exit_code == 1
    assert "it has no bot.toml" in told.stderr


def test_the_page_for_authors_explains_each_step() -> None:
    """Every step stands in the table of docs/bots.md, in order."""
    proofs = (STATELESS_STEP, TABLES_STEP)
    names = [*OPENING_STEPS, "plays … at … seats", *(name for name, _ in ORDEALS), *proofs]
    _, *rows = re.findall(
        r"^\| (.*?) \|", PAGE.read_text(encoding="utf-8").partition("## The check")[2], re.MULTILINE
    )
    assert rows == names
