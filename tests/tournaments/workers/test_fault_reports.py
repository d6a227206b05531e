"""Reports of faults, from matches of real processes: an author finds in them what is needed to reproduce it."""

import asyncio
import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command import handfoot_here
from google.protobuf.json_format import ParseDict
from handfoot.v1.referee_service_pb2 import DecisionRequest
from service.sitting import keys

from referee.rules import ONLINE, parse_action
from referee.rules.ruleset import MatchRule
from referee.service.clock import TimeControl
from referee.service.host import open_referee
from referee.service.processes import BotSpec
from referee.service.reports import FaultReport, MatchReport, MatchSpec
from tournaments.records import keep_record
from tournaments.workers.fault_reports import keep_fault_reports, report_path

STUB = str(Path(__file__).parents[2] / "service" / "stub_bot.py")
ROUND = replace(ONLINE, match=MatchRule(rounds=1))
MATCH = "000000-a-b-0"


async def _play(trick: str, time: TimeControl) -> MatchReport:
    async with open_referee() as host:
        spec = MatchSpec(ROUND, 2, keys(ROUND), (1, 2), time=time, label=MATCH)
        commands = [(sys.executable, STUB, *tricks) for tricks in ((), (trick,))]
        bots = [await host.start_bot(BotSpec("stub", "1.0", "python", command)) for command in commands]
        return await host.play_match(spec, bots)


def play(
    folder: Path, trick: str, time: TimeControl | None = None
) -> tuple[MatchReport, dict[str, Any], str]:
    """Play a match in which the bot of seat 1 misbehaves; return its report, and what is kept of its faults."""
    report = asyncio.run(asyncio.wait_for(_play(trick, time or TimeControl(20, 60)), 60))
    assert report.record is not None
    keep_record(folder, MATCH, report.record)
    kept = keep_fault_reports(folder, MATCH, report)
    assert kept == {1: report_path(folder, MATCH, 1)}
    return report, json.loads(kept[1].with_suffix(".json").read_text()), kept[1].read_text()


def test_each_strike_is_there_with_view_answer_clause_and_alternatives(tmp_path: Path) -> None:
    """The request reads back as the message that was sent, what came back is told, and so is what was legal."""
    report, values, text = play(tmp_path, "illegal")
    assert (values["match"], values["seat"], values["side"], values["entrant"]) == (MATCH, 1, 1, "stub@1.0")
    assert [fault["kind"] for fault in values["faults"]] == ["illegal"] * 3
    assert [fault["ends_match"] for fault in values["faults"]] == [False, False, True]
    for fault in values["faults"]:
        request = ParseDict(fault["request"], DecisionRequest())
        assert request.seat == 1
        assert request.observation.private.holding
        assert fault["clause"] in fault["reason"]
        [decision] = fault["answer"]["decisions"]
        assert decision["request_id"] == request.request_id
        assert len(fault["alternatives"]) == len(request.legal_actions)
        assert all(parse_action(each) for each in fault["alternatives"])
        assert f"request {request.request_id}, round 1, seat 1 in turn" in text
    turns = [fault["turn"] for fault in values["faults"]]
    assert turns == sorted(set(turns)), "a strike costs a turn"
    assert "  answer yes" in text
    assert "a strike" in text
    assert "it lost the match" in text
    assert values["time_ms"]["total_ms"] == report.times[1].total_ms


@pytest.mark.slow
@pytest.mark.parametrize("trick", ["illegal", "exit@1", "exit@9"])
def test_the_command_shows_the_table_at_that_moment(trick: str, tmp_path: Path) -> None:
    """Also where the fault came before the first action, or where nothing was played after it."""
    _, values, text = play(tmp_path, trick)
    for fault in values["faults"]:
        assert fault["replay"] in text
        handfoot, *words = shlex.split(fault["replay"])
        shown = handfoot_here(*words)
        assert (handfoot, shown.exit_code) == ("handfoot", 0), shown.stderr
        assert words[-1] == str(fault["action"])
        assert f"{fault['action']:5} " in shown.stdout


def test_a_silent_bot_is_told_so(tmp_path: Path) -> None:
    """A timeout shows the request, what was legal, and that nothing came back."""
    _, values, text = play(tmp_path, "freeze@4", TimeControl(0.5, 0.2))
    [fault] = values["faults"]
    assert (fault["kind"], fault["answer"]) == ("timeout", None)
    assert fault["request"]["request_id"] == 4
    assert fault["alternatives"]
    assert "  what came back:\n    nothing\n" in text


def test_a_message_that_cannot_be_read_is_shown_as_it_came(tmp_path: Path) -> None:
    """Its beginning in hexadecimal, and how long it was."""
    _, values, text = play(tmp_path, "only-garbage@2")
    [fault] = values["faults"]
    assert fault["kind"] == "protocol"
    assert fault["answer"] == {"unreadable": b"\xff\xfe garbage".hex(), "bytes": 10}
    assert r"10 bytes that are no message, beginning with b'\xff\xfe garbage'" in text


def test_a_crash_shows_the_process_and_its_last_words(tmp_path: Path) -> None:
    """Command, folder, exit code and the end of standard error."""
    _, values, text = play(tmp_path, "exit@5")
    [fault] = values["faults"]
    assert fault["kind"] == "crash"
    process = values["process"]
    assert process["command"] == [sys.executable, STUB, "exit@5"]
    assert (process["folder"], process["exit_code"], process["stderr"]) == (None, 7, "bye")
    for part in ("exit code:\n    7", "last lines of standard error:\n    bye", "a private temporary one"):
        assert part in text


def test_a_bot_that_never_came_was_not_asked(tmp_path: Path) -> None:
    """A no-show has no view, no answer and nothing to choose from."""
    _, values, text = play(tmp_path, "exit-at-once")
    [fault] = values["faults"]
    assert (fault["kind"], fault["request"], fault["answer"], fault["alternatives"]) == (
        "no_show",
        None,
        None,
        None,
    )
    assert "nothing: it was not asked" in text
    assert "cannot find my brain" in text


def test_a_match_without_faults_has_no_reports(tmp_path: Path) -> None:
    """Nothing is written."""
    report = asyncio.run(_play("", TimeControl(20, 60)))
    assert keep_fault_reports(tmp_path, MATCH, report) == {}
    assert list(tmp_path.iterdir()) == []


def test_a_failure_of_the_referee_is_reported_without_a_seat(tmp_path: Path) -> None:
    """Its file is named after the referee."""

    report = asyncio.run(_play("", TimeControl(20, 60)))
    fault = FaultReport("referee_error", -1, -1, ends_match=True, reason="a bug", round=0, action=3, event=9)
    kept = keep_fault_reports(tmp_path, MATCH, replace(report, termination="void", faults=(fault,)))
    assert kept == {-1: tmp_path / f"{MATCH}.referee.fault.txt"}
    assert "who     the referee" in kept[-1].read_text()
    assert json.loads(kept[-1].with_suffix(".json").read_text())["seat"] is None
