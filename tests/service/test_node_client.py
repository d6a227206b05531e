"""The Node bot: a client in another language plays whole matches at the real referee."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest
from handfoot.actions import format_action
from handfoot.testing import sample_match, sample_view
from handfoot.v1.referee_service_pb2 import MatchEnded, PlayRequest, PlayResponse, Refusal, Welcome
from handfoot.v1.referee_service_pb2_grpc import RefereeServiceServicer, add_RefereeServiceServicer_to_server
from handfoot.v1.result_pb2 import MatchResult
from requirement import skip_without

from referee.rules import RULESETS
from referee.service.host import open_referee
from referee.service.processes import BotSpec
from referee.service.reports import MatchReport, MatchSpec

FOLDER = Path(__file__).parents[2] / "clients" / "node"


def find_node() -> str:
    """Return the path of Node, or skip the test."""
    node = shutil.which("node")
    if node is None:
        skip_without("node", "there is no node on the PATH")
    if not (FOLDER / "node_modules").is_dir():
        skip_without("node", "clients/node has no node_modules; run npm ci there")
    return node


@pytest.fixture(scope="module")
def bot_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the bot's folder, as a league makes one: nothing of the repository is beside it."""
    subprocess.run([find_node(), "proto.mjs"], cwd=FOLDER, check=True, timeout=60)
    return Path(shutil.copytree(FOLDER, tmp_path_factory.mktemp("league") / "a" / "b" / "node"))


async def play_all(folder: Path, names: Collection[str]) -> tuple[dict[str, MatchReport], str]:
    """Play a match of each named ruleset against the random house bot; also return what a Node bot printed."""
    house = ("-m", "handfoot", "handfoot.bots.random:RandomBot")
    node = BotSpec("node", "1", "node", (find_node(), "bot.mjs"), str(folder), stateless=True)
    chance = BotSpec("random", "1", "python", (sys.executable, *house), stateless=True)
    async with open_referee() as host:
        bots = [await host.start_bot(spec) for spec in (node, chance, node, chance)]
        reports = {}
        for name in names:
            ruleset = RULESETS[name]
            keys = tuple(bytes([number]) * 32 for number in range(ruleset.rounds))
            reports[name] = await host.play_match(MatchSpec(ruleset, 4, keys, (1, 2, 3, 4)), bots)
        await host.stop_bot(bots[0])
        return reports, bots[0].stdout


@pytest.mark.parametrize(
    "names", [["simple"], pytest.param(list(RULESETS), marks=pytest.mark.slow)], ids=["simple", "every"]
)
def test_node_plays_whole_matches(bot_folder: Path, names: Collection[str]) -> None:
    """Two Node bots play any ruleset to its end without a fault, hear each result, and beat play by chance."""
    reports, printed = asyncio.run(play_all(bot_folder, names))
    assert len(reports) == len(names)
    assert all((report.termination, report.faults) == ("played", ()) for report in reports.values())
    results = [f"TERMINATION_PLAYED: {own} to {other}" for own, other in (r.totals for r in reports.values())]
    assert printed.splitlines() == results
    assert all(own > other for own, other in (report.totals for report in reports.values()))


class _Script(RefereeServiceServicer):
    """Says what it is told to, and keeps what it hears."""

    def __init__(self, *messages: PlayResponse) -> None:
        self.messages = messages
        self.heard: list[PlayRequest] = []

    def Play(  # noqa: N802 (the name of the call)
        self, requests: Iterator[PlayRequest], _: grpc.ServicerContext
    ) -> Iterator[PlayResponse]:
        self.heard.append(next(requests))
        for message in self.messages:
            yield message
            if message.seated or message.requests:
                self.heard.append(next(requests))


def run_node(folder: Path, address: str = "", token: str = "t") -> subprocess.CompletedProcess[str]:
    """Run the bot with the environment that the referee gives to bots."""
    environment = {"HANDFOOT_ADDRESS": address, "HANDFOOT_TOKEN": token, "PATH": os.defpath}
    return subprocess.run(
        [find_node(), "bot.mjs"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_node_does_not_repeat_a_refused_action(bot_folder: Path) -> None:
    """After a refusal the reason is printed and the same request is answered with something else."""
    request = sample_view(legal=["discard 4h", "lay 4h 4c 2c", "discard 2c", "discard 9s"]).request
    refusal = Refusal(table_id=request.table_id, request_id=1, index=0, reason="not enough [HF-5.4]")
    script = _Script(
        PlayResponse(welcome=Welcome(session_id="s", protocol_version=1), seated=[sample_match()]),
        PlayResponse(requests=[request]),
        PlayResponse(refusals=[refusal], requests=[request]),
        PlayResponse(ended=[MatchEnded(table_id=request.table_id, result=MatchResult(totals=[5, 0]))]),
    )
    server = grpc.server(ThreadPoolExecutor(2))
    add_RefereeServiceServicer_to_server(script, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    run = run_node(bot_folder, f"127.0.0.1:{port}")
    server.stop(None).wait()
    assert (run.returncode, run.stderr) == (0, "refused: not enough [HF-5.4]\n")
    answers = [decision.actions for heard in script.heard for decision in heard.decisions]
    assert [[format_action(action) for action in actions] for actions in answers] == [
        ["lay 4h 4c 2c"],
        ["discard 9s"],
    ]


@pytest.mark.parametrize(
    ("address", "reason"), [("", "HANDFOOT_ADDRESS"), ("unix:/nowhere/referee", "UNAVAILABLE")]
)
def test_node_says_what_is_missing(bot_folder: Path, address: str, reason: str) -> None:
    """Without an address, or with nobody there, the bot ends with exit code 1 and one line."""
    run = run_node(bot_folder, address)
    assert run.returncode == 1
    assert run.stderr.startswith("node bot: ")
    assert reason in run.stderr
    assert run.stderr.count("\n") == 1


def test_the_lock_file_names_no_registry() -> None:
    """Packages are pinned by version and checksum; where they come from is up to whoever installs them."""
    packages = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert all("integrity" in package for name, package in packages.items() if name)
    assert not any("resolved" in package for package in packages.values())
