"""
A referee with four bot processes that play random legal matches, written down beforehand, at so many tables.

Run as a process by `exchanges`, on a core of its own together with its bots; it measures for so many seconds as each
line on standard input says, and answers with a line of JSON.
"""

import argparse
import asyncio
import contextlib
import pickle
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from types import FrameType
from typing import Any

import grpc
from handfoot.loop import run as run_loop
from measuring import sampling
from stopwatch import Stopwatch, each_line, pin_to

from referee.rules import Action, begin_match, find_ruleset, legal_actions, play, sole_action
from referee.service.clock import TimeControl
from referee.service.codec import encode_action
from referee.service.host import Host, open_referee
from referee.service.processes import BotProcess, BotSpec
from referee.service.reports import MatchSpec

SEATS = 4
RULES = find_ruleset("online")
MATCHES = 20
"""How many different ones there are."""

WARM_SECONDS = 0.3


def write_match(number: int, *, everything: bool) -> tuple[MatchSpec, dict[int, list[bytes]], int]:
    """
    Return a match, by bot seed what each seat does in it, and how many decisions it has.

    What seats do is *everything*, or only where they have a choice.
    """
    dice = random.Random(number)
    keys = tuple(dice.randbytes(32) for _ in range(RULES.rounds))
    seeds = tuple(dice.getrandbits(64) for _ in range(SEATS))
    written: dict[int, list[bytes]] = {seed: [] for seed in seeds}
    match, _ = begin_match(RULES, SEATS, keys)
    decisions = 0
    while not match.finished:
        action: Action | None = None if everything else sole_action(match.state)
        if action is None:
            action = legal_actions(match.state).sample(dice.random)
            written[seeds[match.state.decider]].append(encode_action(action))
        play(match, action)
        decisions += 1
    return MatchSpec(RULES, SEATS, keys, seeds, TimeControl(60.0, 60.0)), written, decisions


class Exchanges:
    """How long each exchange took, where they come one after the other: from a message's way out to the answer."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def listen(self, context: Any) -> Any:
        """Return *context* such that its exchanges are timed."""
        return _Timed(context, self.times)


class _Timed:
    def __init__(self, context: Any, times: list[float]) -> None:
        self._context, self._times = context, times
        self._sent = 0.0
        self._now = asyncio.get_running_loop().time

    async def write(self, message: bytes) -> None:
        self._sent = self._now()
        await self._context.write(message)

    async def read(self) -> Any:
        message = await self._context.read()
        self._times.append(self._now() - self._sent)
        return message

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)


class Timing(grpc.aio.ServerInterceptor):  # type: ignore[misc]
    """Puts `Exchanges` between a stream and the referee."""

    def __init__(self, exchanges: Exchanges) -> None:
        self._exchanges = exchanges

    async def intercept_service(self, continuation: Any, details: Any) -> Any:
        """Return the handler with a context that is timed."""
        handler = await continuation(details)

        async def talk(requests: Any, context: Any) -> None:
            await handler.stream_stream(requests, self._exchanges.listen(context))

        return grpc.stream_stream_rpc_method_handler(talk)


PARTS = {
    "referee.rules.observation": "what a seat sees",
    "referee.rules": "rules",
    "namedtuple_": "rules",
    "referee.service.codec": "messages",
    "referee.service": "tables, clocks, sessions",
}
"""Beginnings of the names of modules, and what they are about."""

LIBRARIES = "gRPC and its event loop"


def part_of(frame: FrameType) -> str:
    """Return what the referee is doing in *frame*; what is written in C counts for its caller."""
    module = str(frame.f_globals.get("__name__", ""))
    return next((part for start, part in PARTS.items() if module.startswith(start)), LIBRARIES)


async def play_on(host: Host, bots: Sequence[BotProcess], specs: Sequence[MatchSpec], first: int) -> None:
    """Play one match after the other, for ever."""
    for spec in cycle([*specs[first:], *specs[:first]]):
        report = await host.play_match(spec, bots)
        assert report.termination == "played", report.faults


@dataclass(frozen=True, slots=True)
class Programme:
    """What is played."""

    specs: tuple[MatchSpec, ...]
    scripts: dict[int, list[bytes]]
    """By bot seed, what is done where a bot is asked."""

    share: float
    """Decisions of the matches for each one that is asked for."""


def write_programme(*, everything: bool) -> Programme:
    """Return the matches of a benchmark, and what is done in them."""
    written = [write_match(number, everything=everything) for number in range(MATCHES)]
    scripts = {seed: actions for _, match, _ in written for seed, actions in match.items()}
    asked = sum(map(len, scripts.values()))
    return Programme(
        tuple(spec for spec, _, _ in written), scripts, sum(number for _, _, number in written) / asked
    )


async def measure(
    host: Host,
    bots: Sequence[BotProcess],
    programme: Programme,
    tables: int,
    seconds: float,
    times: list[float],
    profiled: bool,
) -> None:
    """Play at so many *tables* at once for a while and tell the rate of decisions."""
    watch = Stopwatch([bot.pid for bot in bots if bot.pid is not None])
    playing = [
        asyncio.create_task(play_on(host, bots, programme.specs, table % MATCHES)) for table in range(tables)
    ]
    await asyncio.wait(playing, timeout=WARM_SECONDS, return_when=asyncio.FIRST_EXCEPTION)
    before = host.decisions
    times.clear()
    watch.start()
    with sampling(part_of) if profiled else contextlib.nullcontext() as found:
        await asyncio.wait(playing, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    watch.tell((host.decisions - before) * programme.share, times, found)
    for task in playing:
        task.cancel()
    ends = await asyncio.gather(*playing, return_exceptions=True)
    for end in ends:
        if not isinstance(end, asyncio.CancelledError):
            raise SystemExit(f"a match failed: {end!r}")


async def run(said: argparse.Namespace) -> None:
    """Open the referee, start the bots, and measure whatever is asked for."""
    pin_to(said.core)
    programme = write_programme(everything=said.everything)
    exchanges = Exchanges()
    interceptors = [Timing(exchanges)] if said.timed else []
    with tempfile.TemporaryDirectory() as folder:
        scripts = Path(folder) / "scripts"
        scripts.write_bytes(pickle.dumps(programme.scripts))
        async with open_referee(ask_always=said.everything, interceptors=interceptors) as host:
            bots = [await host.start_bot(_bot(scripts, said.tables, said.listed)) for _ in range(SEATS)]
            await host.play_match(programme.specs[0], bots)
            async for seconds in each_line():
                await measure(host, bots, programme, said.tables, seconds, exchanges.times, said.profiled)


def _bot(scripts: Path, tables: int, listed: bool) -> BotSpec:
    words = ("scripted.py", str(scripts), "listed" if listed else "plain")
    command = (sys.executable, str(Path(__file__).with_name(words[0])), *words[1:])
    return BotSpec(*("scripted", "1", "python"), command, stateless=True, legal_actions=listed, tables=tables)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--core", type=int, default=0)
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--everything", action="store_true", help="also ask where there is no choice")
    parser.add_argument("--listed", action="store_true", help="requests list the legal actions")
    parser.add_argument("--timed", action="store_true", help="measure each exchange; at one table")
    parser.add_argument("--profiled", action="store_true", help="tell in what the referee's time goes, too")
    run_loop(run(parser.parse_args()))
