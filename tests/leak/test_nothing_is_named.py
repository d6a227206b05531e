"""What is never sent and never logged: the unit, the keys, the other entrants, and cards that lie hidden."""

import asyncio
import base64
import json
import logging
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from handfoot.v1.referee_service_pb2 import PlayResponse
from laws.playouts import Table as Place
from leak.matches import TABLES, answer, matches, spec_of
from leak.room import Room, run

from referee.rules import ONLINE, fallback_action
from referee.service.clock import TimeControl
from referee.service.host import open_referee
from referee.service.journal import start_log, stop_log
from referee.service.processes import BotSpec
from referee.service.reports import MatchReport, MatchSpec

BOT = str(Path(__file__).with_name("listening_bot.py"))
CARD = re.compile(r"\b(?:[2-9TJQKA][cdhs]|J[RB])\b|CARD_|\bcards?[\"'=:(]", re.ASCII)
"""A card in a text, in any of the notations there are."""

LABEL = "000017-5eed5eed5eed-cafecafecafe-leg-1"
TWO = Place(ONLINE, 2)
LAST_WORDS = "vermilion regrets"


def forms(secret: bytes) -> Iterator[bytes]:
    """Yield the ways in which *secret* could be written."""
    yield secret
    yield secret[::-1]
    yield secret.hex().encode()
    yield base64.b64encode(secret).rstrip(b"=")
    yield base64.urlsafe_b64encode(secret).rstrip(b"=")
    yield str(int.from_bytes(secret)).encode()


def secrets_of(spec: MatchSpec, seat: int) -> Iterator[bytes]:
    """Yield what *seat* must not find in what it is sent: the label, the keys, and the seeds of the others."""
    yield from (part.encode() for part in spec.label.split("-") if len(part) > 3)
    for key in spec.keys:
        yield from forms(key)
        yield from forms(key[:8])
    for other, seed in enumerate(spec.bot_seeds):
        if other != seat:
            yield from forms(seed.to_bytes(8))


@pytest.mark.parametrize("place", TABLES, ids=str)
def test_nothing_sent_names_the_deal_or_what_others_are_called(place: Place) -> None:
    """Keys, the others' seeds, and their tables, sessions and tokens are in no byte that a seat is sent."""
    for match in matches(place):
        for seat, everything in enumerate(match.sent):
            heard = b"".join(sent.data for sent in everything)
            assert b"table %02d" % seat in heard
            others = [other for other in range(place.seats) if other != seat]
            names = [
                b"%b %02d" % (kind, other) for kind in (b"table", b"session", b"token") for other in others
            ]
            for secret in (*secrets_of(match.spec, seat), *names):
                assert secret not in heard


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    """Return the file to which everything is logged during a test, down to the finest level."""
    root, file = logging.getLogger(), tmp_path / "log"
    level = root.level
    handler = start_log(file)
    root.setLevel(logging.DEBUG)
    yield file
    root.setLevel(level)
    stop_log(handler)


# ---------------------------------------------------------------------- processes


async def play(spec: MatchSpec, bots: list[BotSpec]) -> tuple[MatchReport, list[str]]:
    """Play a match between *bots*, and return its report and their tokens."""
    async with open_referee() as host:
        started = [await host.start_bot(bot) for bot in bots]
        return await host.play_match(spec, started), [bot.token for bot in started]


def listening(folder: Path, name: str, *last_words: str) -> BotSpec:
    """Return a bot called *name* that writes down what it hears."""
    home = folder / f"home-of-{name}"
    home.mkdir()
    command = (sys.executable, BOT, str(home / "heard.json"), name, *last_words)
    return BotSpec(name, f"{name}-version", f"{name}-language", command, str(home))


class Heard:
    """All that a bot could know: its environment, its command line and its messages."""

    def __init__(self, bot: BotSpec) -> None:
        written = json.loads(Path(bot.command[2]).read_text())
        messages = [bytes.fromhex(data) for data in written["heard"]]
        read = [PlayResponse.FromString(data) for data in messages]
        self.session = next(message.welcome.session_id for message in read if message.HasField("welcome"))
        self.table = next(seated.table_id for message in read for seated in message.seated)
        self.results = [ended.result for message in read for ended in message.ended]
        self.everything = (
            b"".join(messages) + json.dumps([written["environment"], written["command"]]).encode()
        )


def test_a_bot_learns_nothing_of_who_else_plays_and_what_for(tmp_path: Path, log: Path) -> None:
    """Neither environment nor messages nor the result name the unit, the keys, the other bot, or why it lost."""
    spec = replace(spec_of(TWO, 5), label=LABEL, time=TimeControl(turn=20, bank=60))
    bots = [listening(tmp_path, "azure"), listening(tmp_path, "vermilion", *LAST_WORDS.split())]
    report, tokens = asyncio.run(asyncio.wait_for(play(spec, bots), 60))
    assert report.faults[0].stderr == LAST_WORDS
    heard = [Heard(bot) for bot in bots]
    assert [result.reason for result in heard[0].results] == ["side 1 forfeited"]
    for seat, (own, other) in enumerate([heard, heard[::-1]]):
        strangers = (bots[1 - seat].name, tokens[1 - seat], other.session, other.table)
        for secret in (*secrets_of(spec, seat), *(stranger.encode() for stranger in strangers)):
            assert secret not in own.everything
    assert b"regrets" not in heard[0].everything
    assert b"code 9" not in heard[0].everything
    assert LABEL in log.read_text()
    assert not CARD.search(log.read_text())


# ---------------------------------------------------------------------- logs


def test_the_log_of_a_match_that_fails_holds_no_card(log: Path) -> None:
    """When the referee fails between two rounds, its log tells the match and the error, and neither card nor key."""
    spec = spec_of(Place(replace(ONLINE, name="broken"), 2), 0)
    spec = replace(spec, keys=(spec.keys[0], b"short"), label=LABEL)

    async def steps() -> str | None:
        room = await Room(spec).get_ready()
        while not room.over:
            await answer(room, (fallback_action(room.table.match.state),), "log", strikes=True)
        return room.table.termination

    assert run(steps()) == "void"
    logged = log.read_bytes()
    assert b"the referee failed" in logged
    assert LABEL.encode() in logged
    assert not CARD.search(logged.decode())
    assert not any(form in logged for form in forms(spec.keys[0]))


def test_a_card_in_a_log_would_be_found() -> None:
    """The notation that the test above looks for is the one that the referee writes."""
    for text in (
        "discard 4h",
        "lay Td 2s JR",
        "Discard(card=3)",
        "Entry(cards=(3, 4))",
        "CARD_4H",
        "card: 3",
    ):
        assert CARD.search(text)
