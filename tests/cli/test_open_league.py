"""The commands of an open league without a bot: making it, inviting, and what is refused."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typed_words import Handfoot

from tournaments.leagues.league import open_league
from tournaments.open_leagues.presence import PRESENCE, Attendance, put_up
from tournaments.store import own_league, token_hash

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture
def opened(handfoot: Handfoot, tmp_path: Path) -> Path:
    """An open league in which nobody is."""
    assert handfoot("league", "create", "spring", "--open", "--rules", "simple").exit_code == 0
    return tmp_path / "spring"


def test_the_token_is_all_that_is_printed(handfoot: Handfoot, opened: Path) -> None:
    """Standard output is the token, for scripts; the league knows whose it is by its hash."""
    invited = handfoot("league", "invite", "spring", "ann")
    token = invited.stdout.strip()
    assert len(token) == 43
    assert token not in invited.stderr
    with open_league(opened).open_store() as store:
        found = store.find_invitation(token_hash(token))
    assert found is not None
    assert (found.name, found.revoked) == ("ann", False)


def test_a_lost_token_is_replaced_by_revoking_it(handfoot: Handfoot, opened: Path) -> None:
    """While it holds there is no other; afterwards it is a new one, and the old one is known as revoked."""
    first = handfoot("league", "invite", "spring", "ann").stdout.strip()
    again = handfoot("league", "invite", "spring", "ann")
    assert (again.exit_code, again.stdout) == (1, "")
    assert "an invitation of this name holds; revoke it to replace a lost token; got 'ann'" in again.stderr
    revoked = handfoot("league", "invite", "spring", "ann", "--revoke")
    assert (revoked.exit_code, revoked.stdout) == (0, "")
    assert handfoot("league", "invite", "spring", "ann").stdout.strip() != first
    with open_league(opened).open_store() as store:
        found = store.find_invitation(token_hash(first))
    assert found is not None
    assert found.revoked


def test_its_status_says_who_is_connected(handfoot: Handfoot, opened: Path) -> None:
    """The entrants that are there, what they wait for or do, and where to dial; or that there is no server."""

    def status() -> tuple[list[str], Any]:
        text, plain = handfoot("league", "status", "spring"), handfoot("league", "status", "spring", "--json")
        return text.stdout.splitlines(), json.loads(plain.stdout)["server"]

    assert (status()[0][-1], status()[1]) == ("no server is running", None)
    with own_league(opened, NOON):
        assert (status()[0][-1], status()[1]) == ("the server is just starting or ending", None)
        with put_up(opened, "127.0.0.1:7000") as notice:
            assert status()[0][-3:] == ["served at 127.0.0.1:7000", "", "nobody is connected"]
            notice.say((Attendance("ann@1", 4, 2, 1), Attendance("bea@2", 1, 2, 0)))
            text, server = status()
            assert [line.split() for line in text[-2:]] == [
                ["ann@1", "4", "2", "playing", "1", "unit"],
                ["bea@2", "1", "2", "waiting", "for", "1", "more", "process"],
            ]
            assert (server["pid"], server["address"]) == (os.getpid(), "127.0.0.1:7000")
            assert server["connected"][1] == {"entrant": "bea@2", "connected": 1, "needed": 2, "playing": 0}
            left_behind = (opened / PRESENCE).read_bytes()
    (opened / PRESENCE).write_bytes(left_behind)
    assert (status()[0][-1], status()[1]) == ("no server is running", None), "a killed server tells nothing"


def test_an_open_league_says_so(handfoot: Handfoot, opened: Path) -> None:
    """Its state and its board are titled; a hosted league is not."""
    assert handfoot("league", "create", "home", "--rules", "simple").exit_code == 0
    for command in ("status", "standings"):
        assert handfoot("league", command, "spring").stdout.startswith("spring (open league): simple")
        assert handfoot("league", command, "home").stdout.startswith("home: simple")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["league", "invite", "spring", "a b"], 1, "cannot invite: not a name for a bot; got 'a b'"),
        (
            ["league", "invite", "spring", "bea", "--revoke"],
            1,
            "cannot revoke: no invitation of this name holds",
        ),
        (["league", "invite", "home", "ann"], 1, "cannot invite: the league is hosted, so its bots run here"),
        (["league", "submit", "spring", "random"], 1, "cannot submit: the league is open"),
        (["league", "run", "spring"], 1, "cannot run: the league is open"),
        (["serve", "home"], 1, "cannot serve: the league is hosted, so its bots run here"),
        (["serve", "nowhere"], 1, "not a league: there is no such folder; got 'nowhere'"),
        (["serve", "spring", "--listen", "0.0.0.0:0"], 2, "without TLS only this machine may dial in"),
        (["serve", "spring", "--log", "no/log"], 1, "cannot write the log: No such file or directory"),
        (["serve", "spring", "--listen", "nonsense"], 2, "expected HOST:PORT"),
        (
            ["serve", "spring", "--tls-cert", "home/league.toml"],
            2,
            "--tls-cert and --tls-key belong together",
        ),
        (
            ["serve", "spring", "--tls-cert", "home/league.toml", "--tls-key", "home/league.toml"],
            1,
            "cannot use the certificate: ",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_cannot_be_done_is_refused(
    handfoot: Handfoot, opened: Path, words: list[str], code: int, message: str
) -> None:
    """The message says why, and what to do instead."""
    assert handfoot("league", "create", "home", "--rules", "simple").exit_code == 0
    refused = handfoot(*words)
    assert refused.exit_code == code, refused.stderr
    assert message in refused.stderr
    assert refused.stdout == ""
