"""An open league as its organiser and three authors see it: commands and processes, sockets and signals."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import HANDFOOT, handfoot, handfoot_here, wait_until
from tlsfiles import make_certificate

from tournaments.leagues.league import open_league

pytestmark = pytest.mark.slow

RANDOM = "handfoot.bots.random:RandomBot"

LEAVER = """
import os
from handfoot.bots.random import RandomBot

class Leaver(RandomBot):
    decisions = 0

    def act(self, view):
        Leaver.decisions += 1
        if Leaver.decisions == 5:
            os._exit(7)
        return super().act(view)
"""
"""A bot whose process ends in the middle of its first match."""


class Organiser:
    """Somebody who serves leagues from a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.started: list[subprocess.Popen[str]] = []

    def create(self, *words: str, name: str = "spring") -> None:
        """Make an open league."""
        made = handfoot_here("league", "create", self.folder / name, "--open", "--rules", "simple", *words)
        assert made.exit_code == 0, made.stderr

    def invite(self, author: str) -> str:
        """Return the token that is printed for *author*."""
        invited = handfoot_here("league", "invite", self.folder / "spring", author)
        assert invited.exit_code == 0, invited.stderr
        return invited.stdout.strip()

    def serve(self, *words: object) -> tuple[subprocess.Popen[str], str]:
        """Start to serve the league, and return the process and the address that it prints."""
        command = [HANDFOOT, "serve", str(self.folder / "spring"), *map(str, words)]
        with (self.folder / "told").open("a") as told:
            serving = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=told, text=True)
        self.started.append(serving)
        assert serving.stdout is not None
        return serving, serving.stdout.readline().strip()

    def told(self) -> str:
        """Return what the servers said so far."""
        return (self.folder / "told").read_text()

    def dial(self, address: str, token: str, bot: str = RANDOM, **more: str) -> subprocess.Popen[str]:
        """Start a bot as an author does, in the folder where the bot is."""
        environment = os.environ | {"HANDFOOT_ADDRESS": address, "HANDFOOT_TOKEN": token} | more
        command = [sys.executable, "-m", "handfoot", bot]
        process = subprocess.Popen(
            command, cwd=self.folder, env=environment, stderr=subprocess.PIPE, text=True
        )
        self.started.append(process)
        return process

    def stored(self) -> int:
        """Return how many units have a result."""
        with open_league(self.folder / "spring").open_store() as store:
            return len(store.unit_ids())


@pytest.fixture
def organiser(tmp_path: Path) -> Iterator[Organiser]:
    """Somebody who leaves nothing running."""
    somebody = Organiser(tmp_path)
    yield somebody
    for process in somebody.started:
        with process:
            process.kill()


def test_three_authors_join_leave_and_come_back(organiser: Organiser) -> None:
    """All units are played although one author leaves midway; the board is open; at a stop everybody ends well."""
    organiser.create("--time", "2s+2s")
    tokens = {author: organiser.invite(author) for author in ("ann", "bea", "cat")}
    serving, address = organiser.serve("--duplicates", 2)
    (organiser.folder / "leaver.py").write_text(LEAVER)
    leaver, partner = (
        organiser.dial(address, tokens["cat"], "leaver:Leaver"),
        organiser.dial(address, tokens["cat"]),
    )
    bots = [organiser.dial(address, tokens[author]) for author in ("ann", "bea") * 2]
    assert leaver.wait(60) == 7
    partner.kill()
    bots += [organiser.dial(address, tokens["cat"]) for _ in range(2)]
    wait_until(lambda: organiser.stored() == 6)
    folder = organiser.folder / "spring"
    wait_until(lambda: " 2       2  waiting" in handfoot_here("league", "status", folder).stdout)
    serving.send_signal(signal.SIGTERM)
    assert serving.wait(10) == 0
    assert [bot.wait(10) for bot in bots] == [0] * 6
    assert handfoot_here("league", "status", folder).stdout.endswith("\nno server is running\n")
    status = json.loads(handfoot_here("league", "status", folder, "--json").stdout)
    assert (status["open"], status["running"], status["done"]) == (True, None, 6)
    (faults,) = [row["faults"] for row in status["partnerships"] if row["partnership"].startswith("cat")]
    assert faults == {"timeout": 1}, "the match that it left is lost, and nothing else"
    board = json.loads(handfoot_here("league", "standings", folder, "--json").stdout)
    assert board["league"] == "spring (open league)"
    assert {row["partnership"] for row in board["rows"]} == {f"{author}@1 + {author}@1" for author in tokens}
    site = organiser.folder / "site"
    assert handfoot_here("publish", folder, site).exit_code == 0
    assert "spring (open league)" in (site / "index.html").read_text()


def test_bots_dial_in_over_tls(organiser: Organiser) -> None:
    """With a certificate that the bots trust, the league plays; its token is of no use without."""
    organiser.create()
    chain, key = make_certificate(organiser.folder)
    serving, address = organiser.serve(
        *("--duplicates", 1, "--listen", "0.0.0.0:0", "--tls-cert", chain, "--tls-key", key)
    )
    there = f"localhost:{address.rpartition(':')[2]}"
    tokens = [organiser.invite("ann"), organiser.invite("bea")]
    without = organiser.dial(there, tokens[0])
    assert without.wait(30) == 1
    for token in tokens:
        for _ in range(2):
            organiser.dial(there, token, HANDFOOT_CA=str(chain))
    wait_until(lambda: organiser.stored() == 1)
    serving.send_signal(signal.SIGINT)
    assert serving.wait(10) == 0


def test_a_bot_that_is_not_let_in_ends_with_one_clear_line(organiser: Organiser) -> None:
    """A wrong token and a revoked one are told apart."""
    organiser.create()
    token = organiser.invite("ann")
    assert handfoot_here("league", "invite", organiser.folder / "spring", "ann", "--revoke").exit_code == 0
    _, address = organiser.serve()
    for shown, message in (("guessed", "unknown token"), (token, "the invitation of ann was revoked")):
        bot = organiser.dial(address, shown)
        _, said = bot.communicate(timeout=30)
        assert bot.returncode == 1
        assert said.startswith("handfoot: disconnected: ")
        assert message in said
        assert said.count("\n") == 1


def test_a_league_and_a_port_have_one_server(organiser: Organiser) -> None:
    """A second server of the league is told who holds it, a second one on the port that it is taken."""
    organiser.create()
    organiser.create(name="other")
    serving, address = organiser.serve()
    second = handfoot_here("serve", organiser.folder / "spring")
    assert second.exit_code == 1
    assert f"process {serving.pid} on " in second.stderr
    taken = handfoot("serve", "other", "--listen", address, folder=organiser.folder)
    assert (taken.returncode, taken.stdout) == (1, "")
    assert taken.stderr == (
        f"Error: cannot listen: the address is taken or not of this machine; got '{address}'; expected HOST:PORT\n"
    )


def test_a_server_that_is_killed_goes_on_where_it_was(organiser: Organiser) -> None:
    """What was stored stays, the rest is played by the next server; the bots of the first one end."""
    organiser.create()
    tokens = [organiser.invite("ann"), organiser.invite("bea")]
    serving, address = organiser.serve("--duplicates", 4)
    for token in tokens * 2:
        organiser.dial(address, token)
    wait_until(lambda: organiser.stored() >= 1)
    serving.kill()
    serving.wait(10)
    before = organiser.stored()
    serving, address = organiser.serve("--duplicates", before + 1)
    for token in tokens * 2:
        organiser.dial(address, token)
    wait_until(lambda: organiser.stored() == before + 1)
    wait_until(lambda: organiser.told().rstrip().endswith("everything that can be played"))
    serving.send_signal(signal.SIGTERM)
    assert serving.wait(10) == 0


def test_a_server_whose_reader_leaves_ends_in_order(organiser: Organiser) -> None:
    """Piped into `head -1`, it serves until that has its line; then its bots are told, and there is no traceback."""
    organiser.create()
    token = organiser.invite("ann")
    serving, address = organiser.serve()
    bots = [organiser.dial(address, token) for _ in range(2)]
    wait_until(lambda: "ann@1 is there" in organiser.told())
    assert serving.stdout is not None
    serving.stdout.close()
    assert serving.wait(10) == 0
    assert [bot.wait(10) for bot in bots] == [0, 0]
    assert organiser.told().endswith("stopped; the same command goes on\n")
    assert "Traceback" not in organiser.told()
    command = f"{HANDFOOT} serve {organiser.folder / 'spring'} 2>&1 | head -1"
    piped = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, timeout=60, check=True)
    assert (piped.stdout.startswith("127.0.0.1:"), piped.stdout.count("\n"), piped.stderr) == (True, 1, "")
