"""Tests of the log: lines of JSON that say what happened, and nothing that a seat may not see."""

import asyncio
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from service.sitting import spec
from service.test_matches import PATIENT, ROUND, run, stub

from referee.service.host import open_referee
from referee.service.journal import note, start_log, stop_log
from referee.service.reports import MatchReport

CARD = re.compile(r"\b([2-9TJQKA][hcds]|J[RB])\b")
logger = logging.getLogger("tests.journal")


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    """A file to which everything is logged."""
    level = logging.getLogger().level
    handler = start_log(tmp_path / "log", league="spring")
    yield tmp_path / "log"
    stop_log(handler)
    logging.getLogger().setLevel(level)


def lines(log: Path) -> list[dict[str, Any]]:
    """Return the lines of *log*, read."""
    return [json.loads(line) for line in log.read_text().splitlines()]


def test_a_line_says_when_what_and_about_what(log: Path) -> None:
    """What is not known is left out; what all lines share is in each."""
    note(logger, "fault", match="m", seat=0, entrant=None, kind="crash")
    logger.warning("a warning of %s", "somebody else\nwith more lines")
    first, second = lines(log)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", first.pop("time"))
    assert first == {
        "level": "info",
        "event": "fault",
        "league": "spring",
        "match": "m",
        "seat": 0,
        "kind": "crash",
    }
    assert (second["level"], second["event"]) == ("warning", "a warning of somebody else")


def test_an_error_is_told_by_kind_and_place_only(log: Path) -> None:
    """Its text may hold a card."""
    try:
        raise ValueError("holding 4h JR")
    except ValueError:
        note(logger, "the referee failed", level=logging.ERROR, match="m")
    [line] = lines(log)
    assert line["error"] == "ValueError"
    assert line["where"][-1].endswith(" test_an_error_is_told_by_kind_and_place_only")
    assert not CARD.search(log.read_text())


def test_without_a_file_only_warnings_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """On standard error, in the same form."""
    level = logging.getLogger().level
    handler = start_log(None)
    note(logger, "nothing much")
    note(logger, "the host is late", level=logging.WARNING, seconds=1.5)
    stop_log(handler)
    logging.getLogger().setLevel(level)
    [line] = capsys.readouterr().err.splitlines()
    assert (json.loads(line)["event"], json.loads(line)["seconds"]) == ("the host is late", 1.5)


def test_a_match_is_logged_without_its_cards(log: Path) -> None:
    """Refusals and strikes that are about a card in hand name the clause; the report, which comes later, the card."""

    async def steps() -> MatchReport:
        async with open_referee(ask_always=True) as host:
            bots = [await host.start_bot(each) for each in (stub(), stub("illegal-card"))]
            return await host.play_match(spec(ROUND, 2, time=PATIENT, label="u-0"), bots)

    report = run(steps())
    assert report.termination == "forfeit"
    assert all(CARD.search(fault.reason) for fault in report.faults)
    assert not CARD.search(log.read_text())
    told = lines(log)
    assert {line["league"] for line in told} == {"spring"}
    events = [line["event"] for line in told]
    assert events.count("refused") == 12
    assert events.count("fault") == 3
    ordered = [
        "bot started",
        "seats given out",
        "match begins",
        "refused",
        "fault",
        "match ends",
        "time used",
    ]
    assert sorted(ordered, key=events.index) == ordered
    fault = next(line for line in told if line["event"] == "fault")
    assert {name: fault[name] for name in ("match", "round", "seat", "entrant", "kind", "weight")} == {
        "match": "u-0",
        "round": 0,
        "seat": 1,
        "entrant": "stub@1.0",
        "kind": "illegal",
        "weight": "strike",
    }
    assert fault["action"] == report.faults[0].action + 1
    assert fault["clause"] == report.faults[0].clause


def test_lines_of_several_processes_do_not_mix(log: Path) -> None:
    """Each is written at once, behind what is there."""
    code = (
        "import logging, sys; from pathlib import Path; from referee.service.journal import note, start_log; "
        "start_log(Path(sys.argv[1]), worker=int(sys.argv[2])); "
        "[note(logging.getLogger(), 'x' * 500, number=number) for number in range(500)]"
    )

    async def write() -> None:
        import sys

        writers = [
            await asyncio.create_subprocess_exec(sys.executable, "-c", code, str(log), str(number))
            for number in range(3)
        ]
        for writer in writers:
            assert await writer.wait() == 0

    asyncio.run(write())
    told = lines(log)
    for worker in range(3):
        assert [line["number"] for line in told if line["worker"] == worker] == list(range(500))
