"""Bots as processes of their own: started, watched, drained and ended as a group. What they say is not read here."""

import asyncio
import contextlib
import errno
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import IO, Any, Final, Self

from referee.service.errors import HostError
from referee.service.isolation import Isolation
from referee.service.launch import Launch, launch
from referee.service.priority import yield_priority
from referee.service.strays import end_strays

TAIL_BYTES: Final = 16 * 1024
"""How much of the end of each output is kept."""

FREE_BYTES: Final = 256 << 20
"""How much of an output is read as fast as it comes."""

PAUSE_SECONDS: Final = 0.02
"""How long nothing is read after each chunk of what exceeds that: whoever writes so much may wait."""

_EXHAUSTED: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.ENOSPC})
"""Errors of a machine that has nothing left."""

_CHUNK: Final = 64 * 1024
_SIGNAL_BASE: Final = 128
"""What is added to the number of a signal to tell it as an exit code."""

_POLL_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class BotSpec:
    """What is needed to start a bot."""

    name: str
    version: str
    language: str
    command: tuple[str, ...]
    """The words of the command; the first one is the full path of a program."""

    folder: str | None = None
    """The absolute folder in which it runs; None for its private temporary folder."""

    stateless: bool = False
    """Whether one process may play several matches."""

    legal_actions: bool = True
    """Whether requests shall list the legal actions."""

    tables: int = 1
    """How many matches one process can play at once."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain JSON values."""
        return asdict(self) | {"command": list(self.command)}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """
        Return the spec that `to_dict` wrote.

        Raises:
            HostError: a field is missing or unknown.
        """
        names = {field.name for field in fields(cls)}
        if set(values) != names:
            raise HostError(f"unreadable bot: expected the keys {sorted(names)}; got {sorted(values)}")
        return cls(**values | {"command": tuple(values["command"])})


class Tail:
    """The end of an output that is read as fast as it comes, so that its writer never waits."""

    def __init__(self, pipe: IO[bytes], limit: int = TAIL_BYTES) -> None:
        self._pipe: IO[bytes] | None = pipe
        self._limit = limit
        self._kept = b""
        self.total = 0
        """How many bytes were written in all."""
        os.set_blocking(pipe.fileno(), False)
        asyncio.get_running_loop().add_reader(pipe.fileno(), self.read)

    def read(self) -> bool:
        """Take one chunk, and return whether there may be more."""
        if self._pipe is None:
            return False
        try:
            chunk = os.read(self._pipe.fileno(), _CHUNK)
        except BlockingIOError:
            return False
        if not chunk:
            self.close()
            return False
        self.total += len(chunk)
        if self.total > FREE_BYTES:
            self._pause()
        self._kept = (self._kept + chunk)[-self._limit :]
        return True

    def _pause(self) -> None:
        """Read no chunk for a while."""
        assert self._pipe is not None
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._pipe.fileno())
        loop.call_later(PAUSE_SECONDS, self._go_on)

    def _go_on(self) -> None:
        if self._pipe is not None:
            asyncio.get_running_loop().add_reader(self._pipe.fileno(), self.read)

    def close(self) -> None:
        """Read no further."""
        if self._pipe is not None:
            asyncio.get_running_loop().remove_reader(self._pipe.fileno())
            self._pipe.close()
            self._pipe = None

    def text(self, lines: int = 20) -> str:
        """
        Return the last *lines* lines, and say so where something before them is left out.

        Characters that would steer a terminal are shown and not sent.
        """
        kept = [_harmless(line) for line in self._kept.decode("utf-8", "replace").splitlines()]
        cut = self.total > len(self._kept) or len(kept) > lines
        return "\n".join(([f"[the last of {self.total} bytes]"] if cut else []) + kept[-lines:])


class BotProcess:
    """
    A started bot: leader of a session of its own, ended as a group.

    Start it with `start_process` from the thread of the running event loop, which must outlive it.
    """

    def __init__(
        self, spec: BotSpec, token: str, isolation: Isolation | None = None, scratch: Path | None = None
    ) -> None:
        """Make a process of *spec* that is not started; its private folder will be one of *scratch*."""
        self.spec = spec
        self.token = token
        """What the process shows to be let in."""
        self.isolation = isolation or Isolation()
        self.failure: str | None = None
        """Why it could not be started."""
        self.host_failure: str | None = None
        """Why the referee's machine did not get as far as starting it, which is no fault of the bot."""
        self.verdict: str | None = None
        """Why the referee ended it in the middle of its work."""
        self.worn = False
        """Whether it used so much CPU time that it should not begin another match."""
        self.exit_code: int | None = None
        """How it ended; the negative number of a signal; None while it runs or when it never started."""
        self.exited = asyncio.Event()
        """Set once it has ended, or could not be started."""
        self.on_exit: Callable[[], None] = lambda: None
        """Called once, when it has ended by itself or was ended."""
        self._scratch = scratch
        self._home: Path | None = None
        self._status: int | None = None
        self._popen: subprocess.Popen[bytes] | None = None
        self._pidfd: int | None = None
        self._outputs: dict[str, Tail] = {}

    @property
    def pid(self) -> int | None:
        """The id of the process; None when it was not started."""
        return None if self._popen is None else self._popen.pid

    @property
    def stderr(self) -> str:
        """The last lines of its standard error."""
        return self._outputs["stderr"].text() if self._outputs else ""

    @property
    def stdout(self) -> str:
        """The last lines of its standard output."""
        return self._outputs["stdout"].text() if self._outputs else ""

    @property
    def home(self) -> Path | None:
        """Its private folder; None before it is started."""
        return self._home

    def start(self, address: str) -> None:
        """
        Start the process; a command that cannot be started is kept in `failure`.

        Raises:
            HostError: the machine cannot start any process just now, which is no fault of the bot.
        """
        try:
            self._home = self._make_home()
            self._popen = self._spawn(address)
        except HostError:
            self.exited.set()
            raise
        except OSError as error:
            self.exited.set()
            if error.errno in _EXHAUSTED:
                raise HostError(f"cannot start processes: {error.strerror}") from None
            self.failure = f"cannot be started: {error.strerror or error}"
            return
        assert self._popen.stdout is not None
        assert self._popen.stderr is not None
        self._outputs = {"stdout": Tail(self._popen.stdout), "stderr": Tail(self._popen.stderr)}
        yield_priority(self._popen.pid)
        self._watch()

    def _make_home(self) -> Path:
        try:
            return Path(tempfile.mkdtemp(prefix="home-", dir=self._scratch))
        except OSError as error:
            raise HostError(f"cannot make a folder for a bot: {error}") from None

    def _spawn(self, address: str) -> subprocess.Popen[bytes]:
        program, folder = Path(self.spec.command[0]), self.spec.folder
        if not (program.is_file() and os.access(program, os.X_OK)):
            raise FileNotFoundError(0, f"no program {str(program)!r}")
        if folder is not None and not Path(folder).is_dir():
            raise FileNotFoundError(0, f"no folder {folder!r}")
        self._status, written = os.pipe()
        try:
            begun = launch(self.isolation, self.spec.command, folder, str(self._home), address, written)
            return self._popen_of(begun, written)
        finally:
            os.close(written)

    def _popen_of(self, begun: Launch, status: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            begun.words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=begun.folder,
            env=self._environment(begun),
            start_new_session=True,
            bufsize=0,
            pass_fds=(status,) if begun.tells_status else (),
        )

    def _environment(self, begun: Launch) -> dict[str, str]:
        return {
            "HANDFOOT_ADDRESS": begun.address,
            "HANDFOOT_TOKEN": self.token,
            "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "HOME": begun.home,
        }

    def _watch(self) -> None:
        assert self._popen is not None
        loop = asyncio.get_running_loop()
        try:
            self._pidfd = os.pidfd_open(self._popen.pid)
        except (AttributeError, OSError):
            loop.call_later(_POLL_SECONDS, self._poll)
        else:
            loop.add_reader(self._pidfd, self._reap)

    def _poll(self) -> None:
        assert self._popen is not None
        if self._popen.poll() is not None:
            self._reap()
        else:
            asyncio.get_running_loop().call_later(_POLL_SECONDS, self._poll)

    def _reap(self) -> None:
        """Collect the process, which has ended; what it started goes with it."""
        assert self._popen is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(
                self._popen.pid, signal.SIGKILL
            )  # before it is collected: the id of the group is its own
        self._note_end(self._popen.wait())
        for output in self._outputs.values():
            for _ in range(64):  # what a pipe can hold, many times over
                if not output.read():
                    break
            output.close()
        if self._pidfd is not None:
            asyncio.get_running_loop().remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = None
        self.exited.set()
        self.on_exit()

    def _note_end(self, code: int) -> None:
        """Keep how it ended. A sandbox tells a signal as a shell does, and says so if it never came to the bot."""
        status = _drain(self._status)
        self._status = None
        self.exit_code = code
        if self.isolation.level != "bwrap" or code <= 0:
            return
        if b"exit-code" not in status:
            self.host_failure = f"the sandbox could not be made: {self.stderr or f'exit code {code}'}"
        elif code > _SIGNAL_BASE:
            self.exit_code = _SIGNAL_BASE - code

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process and everything in its group; without effect once it has been collected."""
        if self._popen is not None and self._popen.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, number)

    def end(self, verdict: str) -> None:
        """Kill the process and everything in its group, and keep why."""
        if self.verdict is None and self.exit_code is None:
            self.verdict = verdict
            self.signal(signal.SIGKILL)

    def ending(self) -> str:
        """Return in words how the process ended or that it still runs."""
        if self.failure is not None or self.verdict is not None:
            return self.failure or self.verdict or ""
        if self.exit_code is None:
            return "still running"
        if self.exit_code < 0:
            return f"killed by {_signal_name(-self.exit_code)}"
        return f"exited with code {self.exit_code}"

    async def stop(self, *, patience: float) -> None:
        """End the process and all it started: wait *patience* seconds, then ask, then kill; remove its folder."""
        for number in (None, signal.SIGTERM, signal.SIGKILL):
            if number is not None:
                self.signal(number)
            if await self._exits_within(None if number is signal.SIGKILL else patience):
                break
        _drain(self._status)
        self._status = None
        if self._home is not None:
            await asyncio.to_thread(_clear, self._home, strays=self.isolation.level != "bwrap")

    async def _exits_within(self, seconds: float | None) -> bool:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.exited.wait(), seconds)
        return self.exited.is_set()


def _harmless(line: str) -> str:
    r"""
    Return *line* with what is not printable written out.

    >>> print(_harmless("a" + chr(27) + "[2J b"))
    a\x1b[2J b
    """
    return "".join(
        letter if letter.isprintable() or letter == "\t" else letter.encode("unicode_escape").decode()
        for letter in line
    )


def _drain(status: int | None) -> bytes:
    """Return what was written to the pipe *status*, and close it."""
    if status is None:
        return b""
    os.set_blocking(status, False)
    try:
        return os.read(status, _CHUNK)
    except BlockingIOError:
        return b""
    finally:
        os.close(status)


def _clear(home: Path, *, strays: bool) -> None:
    """Remove *home*, and end what still lives in it where nothing else does."""
    if strays:
        end_strays(home)
    shutil.rmtree(home, ignore_errors=True)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
