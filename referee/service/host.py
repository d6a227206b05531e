"""A referee with the bots that it starts: open it, start bots, play matches between them, and close it."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import grpc

from referee.service.errors import HostError
from referee.service.isolation import Isolation
from referee.service.journal import note
from referee.service.outcome import flush, report_of
from referee.service.processes import BotProcess, BotSpec
from referee.service.reports import FaultReport, Limits, MatchReport, MatchSpec, SeatTime
from referee.service.runner import Runner
from referee.service.scratch import open_scratch
from referee.service.server import serve
from referee.service.servicer import Servicer
from referee.service.sessions import Registry, Session
from referee.service.strays import adopt_orphans
from referee.service.usage import Meter
from referee.service.watch import Watch

logger = logging.getLogger(__name__)

EXIT_GRACE: Final = 0.02
"""Seconds between the end of a process and its consequences, in which what it said before is still read."""

PATIENCE: Final = 0.5
"""Seconds that a bot may take to end by itself once its stream is closed, and again once it is asked to."""


@dataclass(slots=True, eq=False)
class _Guest:
    """A bot that this host started."""

    process: BotProcess
    session: Session
    measured: bool = False
    """Whether its CPU time has been read."""

    at_fault: bool = False
    """Whether it lost a match by its faults: such a bot is ended without being waited for."""


@dataclass(slots=True, eq=False)
class _Playing:
    """A match that is being played."""

    runner: Runner
    guests: Sequence[_Guest | None]
    meters: dict[int, Meter]
    """By seat, once the match has begun."""


class Host:
    """
    A referee that is listening. Made by `open_referee`.

    Several matches may be played at once; a bot may play one after the other, and as many at once as its spec says.
    """

    def __init__(
        self,
        address: str,
        registry: Registry,
        scratch: Path,
        watch: Watch,
        isolation: Isolation,
        *,
        ask_always: bool,
    ) -> None:
        self.address = address
        """What bots dial."""
        self.isolation = isolation
        """How the bots are kept apart."""
        self._registry = registry
        self._scratch = scratch
        self._watch = watch
        self._ask_always = ask_always
        self._guests: dict[BotProcess, _Guest] = {}
        self._playing: list[_Playing] = []
        watch.on_sample = self._read_meters

    @property
    def decisions(self) -> int:
        """How many decisions its bots, as far as they have not ended, have sent so far."""
        return sum(guest.session.decisions for guest in self._guests.values())

    async def start_bot(self, spec: BotSpec) -> BotProcess:
        """
        Start a bot and return at once; if it cannot be started, its match will end as a no-show.

        Raises:
            HostError: the machine cannot start any process just now.
        """
        process = BotProcess(spec, secrets.token_urlsafe(24), self.isolation, self._scratch)
        label = f"{spec.name}@{spec.version}"
        session = Session(process.token, lists_actions=spec.legal_actions, label=label, tables=spec.tables)
        process.on_exit = lambda: _note_exit(process, session)
        self._registry.add(session)
        self._guests[process] = _Guest(process, session)
        try:
            process.start(self.address)
        except HostError:
            await self.stop_bot(process)
            raise
        self._watch.add(process)
        note(logger, "bot started", entrant=label, pid=process.pid, problem=process.failure)
        return process

    async def stop_bot(self, bot: BotProcess) -> None:
        """End a bot and all it started; one that behaved may end by itself first."""
        guest = self._guests.pop(bot, None)
        if guest is None:
            return
        self._registry.remove(guest.session)
        guest.session.close()
        await bot.stop(patience=0.0 if guest.at_fault else PATIENCE)
        self._watch.remove(bot)
        note(logger, "bot ended", entrant=guest.session.label, pid=bot.pid, exit_code=bot.exit_code)

    async def play_match(self, spec: MatchSpec, bots: Sequence[BotProcess | None]) -> MatchReport:
        """
        Play a match between *bots*, one a seat (None where the referee plays), and report what came of it.

        Raises:
            HostError: the bots do not fit the seats.
        """
        guests = self._invite(spec, bots)
        limits = Limits(time=spec.time, ready=spec.ready_limit)
        sessions = [None if guest is None else guest.session for guest in guests]
        excuse = partial(self._watch.excuse, [bot for bot in bots if bot is not None])
        runner = Runner(
            *(spec, limits, sessions),
            ask_always=self._ask_always,
            lateness=self._watch.lateness,
            excuse=excuse,
        )
        playing = _Playing(runner, guests, {})
        self._playing.append(playing)
        runner.on_begin = partial(self._start_meters, playing)
        runner.begin()
        for seating in runner.seatings:
            guest = guests[seating.seat]
            if guest is not None and guest.process.exited.is_set():
                _tell_exit(guest.process, guest.session)
        try:
            await asyncio.shield(runner.over)
        finally:
            runner.abandon("the match was called off")
            self._playing.remove(playing)
        await flush(sessions)
        for fault in runner.table.faults:
            guest = guests[fault.seat] if fault.seat >= 0 else None
            if guest is not None and fault.ends_match:
                guest.at_fault = True
        self._read_last(playing)
        report = _report(playing, self.isolation)
        for seat, time in enumerate(report.times):
            used = {name: getattr(time, name) for name in time.__slots__}
            note(logger, "time used", match=spec.label, seat=seat, entrant=_label(guests[seat]), **used)
        return report

    def _start_meters(self, playing: _Playing) -> None:
        """Measure the bots of a match that begins."""
        for seat, guest in enumerate(playing.guests):
            if guest is not None:
                cpu = self._last_cpu if guest.measured else self._watch.cpu
                guest.measured = True
                playing.meters[seat] = Meter(cpu(guest.process))

    def _read_meters(self, now: float) -> None:
        for playing in self._playing:
            _read(playing, self._watch.last_cpu, now)

    def _read_last(self, playing: _Playing) -> None:
        """Read the meters of a match that is over."""
        _read(playing, self._last_cpu, asyncio.get_running_loop().time())

    def _last_cpu(self, bot: BotProcess) -> float:
        """Return the CPU seconds of *bot*: as of now, or where it is divided among matches anyway, as last read."""
        return self._watch.cpu(bot) if bot.spec.tables == 1 else self._watch.last_cpu(bot)

    def _invite(self, spec: MatchSpec, bots: Sequence[BotProcess | None]) -> list[_Guest | None]:
        """Return the guests of *bots*, who must be free, each at one seat, and there where a bot is needed."""
        sides = spec.ruleset.sides(spec.seats)
        if len(bots) != spec.seats:
            raise HostError(f"cannot seat the bots: expected {spec.seats}, one a seat; got {len(bots)}")
        for seat, bot in enumerate(bots):
            if (bot is None) != (seat % sides in spec.referee_sides):
                raise HostError(f"cannot seat the bots: a bot, or none, is wrong here; got seat {seat}")
        present = [bot for bot in bots if bot is not None]
        if len(set(present)) != len(present):
            raise HostError("cannot seat the bots: one process never holds two seats of a match")
        for bot in present:
            if bot not in self._guests:
                raise HostError(f"cannot seat the bots: not started here; got {bot.spec.name!r}")
            if len(self._guests[bot].session.seatings) >= bot.spec.tables:
                raise HostError(f"cannot seat the bots: one is still playing; got {bot.spec.name!r}")
        return [None if bot is None else self._guests[bot] for bot in bots]

    async def close(self) -> None:
        """End all bots."""
        await asyncio.gather(*(self.stop_bot(bot) for bot in list(self._guests)))


def _note_exit(process: BotProcess, session: Session) -> None:
    asyncio.get_running_loop().call_later(EXIT_GRACE, _tell_exit, process, session)


def _tell_exit(process: BotProcess, session: Session) -> None:
    if process.host_failure is not None:
        session.abandon(process.host_failure)
    else:
        session.leave(process.ending())


def _read(playing: _Playing, cpu: Callable[[BotProcess], float], now: float) -> None:
    for seat, meter in playing.meters.items():
        guest = playing.guests[seat]
        if guest is not None:
            moving = playing.runner.table.chairs[seat].clock.until(now)
            meter.read(cpu(guest.process), moving, max(1, len(guest.session.seatings)))


@asynccontextmanager
async def open_referee(
    *,
    address: str | None = None,
    ask_always: bool = False,
    isolation: Isolation | None = None,
    adopts: bool = False,
    interceptors: Sequence[grpc.aio.ServerInterceptor] = (),
) -> AsyncIterator[Host]:
    """
    Open a referee for the length of the context; at its end all bots are ended.

    Args:
        address: where to listen, as ``unix:/path`` or ``host:port``; None for a place that only this machine reaches.
        ask_always: ask for every decision, also where there is no choice. For benchmarks.
        isolation: how the bots are kept apart, at a level that works here; not at all if there is none.
        adopts: whether this process starts nothing but bots, so that any other child of it was left by one.
        interceptors: what stands between the bots' streams and the referee.

    Raises:
        HostError: it cannot listen there.
    """
    kept = isolation or Isolation()
    registry = Registry()
    with open_scratch() as scratch:
        async with serve(Servicer(registry), address, interceptors) as bound:
            quota = None if kept.level == "none" else kept.quota
            watch = Watch(quota, adopts=adopts and adopt_orphans())
            host = Host(bound, registry, scratch, watch, kept, ask_always=ask_always)
            try:
                yield host
            finally:
                await host.close()
                watch.close()


def _report(playing: _Playing, isolation: Isolation) -> MatchReport:
    guests = playing.guests
    report = report_of(playing.runner, [_label(guest) for guest in guests], isolation.level)
    return replace(
        report,
        faults=tuple(_describe(fault, guests) for fault in report.faults),
        times=tuple(_time(time, playing.meters.get(seat)) for seat, time in enumerate(report.times)),
    )


def _time(time: SeatTime, meter: Meter | None) -> SeatTime:
    """Return *time* with what *meter* tells."""
    if meter is None:
        return time
    return replace(time, cpu_ms=round(meter.total * 1000), idle_cpu_ms=round(meter.idle * 1000))


def _describe(fault: FaultReport, guests: Sequence[_Guest | None]) -> FaultReport:
    """Return *fault* with what is known of the process."""
    guest = guests[fault.seat] if fault.seat >= 0 else None
    if guest is None:
        return fault
    process, spec = guest.process, guest.process.spec
    complaint = guest.session.complaint if fault.kind == "no_show" else ""
    return replace(
        fault,
        reason=f"{fault.reason}; {complaint}" if complaint else fault.reason,
        command=spec.command,
        folder=spec.folder,
        exit_code=process.exit_code,
        stderr=process.stderr,
    )


def _label(guest: _Guest | None) -> str:
    return "referee" if guest is None else guest.session.label
