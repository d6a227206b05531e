"""
How far bots are kept apart from each other and from the machine: the levels, what each allows, and which works here.

How a bot is put into a sandbox is in `sandbox`; who watches its memory is in `watch`.
"""

import resource
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final, Literal

from referee.service.errors import IsolationMissing
from referee.service.sandbox import BWRAP, SYSTEM_PATH, probe_command

Level = Literal["bwrap", "limits", "none"]
LEVELS: Final[tuple[Level, ...]] = ("bwrap", "limits", "none")
"""The levels, best first."""

WISHES: Final = ("auto", *LEVELS, "require")
"""What can be asked for: the best level that works, a certain one, or `bwrap` and nothing less."""

PROBE_SECONDS: Final = 10.0
MIB: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Quota:
    """What the processes of one bot may use of the machine at the levels `bwrap` and `limits`."""

    memory: int = 1024 * MIB
    """Bytes of memory of all its processes together; above it the bot is ended."""

    processes: int = 256
    """How many processes it may have at once; above it the bot is ended."""

    open_files: int = 256
    """Open files of a process."""

    file_bytes: int = 64 * MIB
    """Size of a file that it writes, and of each folder of temporary files in a sandbox."""

    cpu_seconds: int = 24 * 3600
    """CPU time of a process: a brake for what runs wild, since its clock limits a bot in a match."""


@dataclass(frozen=True, slots=True)
class Isolation:
    """How the bots of a referee are kept apart."""

    level: Level = "none"
    quota: Quota = field(default_factory=Quota)


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether a level works on this machine, and if not, why and what to do about it."""

    level: Level
    reason: str = ""
    """Why it does not work, in one line; empty if it does."""

    remedy: str = ""
    """What the owner of the machine can do, in one line."""

    @property
    def works(self) -> bool:
        """Whether bots can be run at that level."""
        return not self.reason

    def __str__(self) -> str:
        """Return the finding in one line."""
        return f"{self.level}: {self.reason}; {self.remedy}" if self.reason else f"{self.level}: works"


def probe() -> tuple[Finding, ...]:
    """Return what is found of each level on this machine, best level first."""
    return (probe_bwrap(), probe_limits(), Finding("none"))


def choose(wish: str, findings: tuple[Finding, ...]) -> Level:
    """
    Return the level that *wish*, one of `WISHES`, means where *findings* hold.

    Raises:
        IsolationMissing: the wished level does not work here; the reason and the remedy are told.
    """
    if wish == "auto":
        return next(finding.level for finding in findings if finding.works)
    level = "bwrap" if wish == "require" else wish
    finding = next(finding for finding in findings if finding.level == level)
    if not finding.works:
        raise IsolationMissing(
            f"cannot isolate bots: {finding.reason}; got isolation {wish!r}; remedy: {finding.remedy}"
        )
    return finding.level


def tell(level: Level, findings: tuple[Finding, ...]) -> str:
    """Return in one line that *level* is used, and why the better ones are not."""
    better = [finding for finding in findings if LEVELS.index(finding.level) < LEVELS.index(level)]
    return " ".join([f"isolation {level}", *(f"({finding})" for finding in better if not finding.works)])


def probe_limits() -> Finding:
    """Return whether processes can be started with limits."""
    missing = [tool for tool in ("prlimit", "setpriv") if _tool(tool) is None]
    if missing:
        reason = f"there is no {' and no '.join(missing)} in {SYSTEM_PATH}"
        return Finding("limits", reason, "install util-linux")
    return Finding("limits")


def probe_bwrap() -> Finding:
    """Return whether a sandbox of the kind that bots get can be made, by making one."""
    if _tool(BWRAP) is None:
        return Finding("bwrap", f"there is no {BWRAP} in {SYSTEM_PATH}", "install bubblewrap")
    limits = probe_limits()
    if not limits.works:
        return Finding("bwrap", limits.reason, limits.remedy)
    try:
        done = subprocess.run(
            probe_command(), capture_output=True, text=True, timeout=PROBE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding("bwrap", f"a sandbox cannot be made: {error}", "see docs/isolation.md")
    if done.returncode:
        return explain(" ".join(done.stderr.split()) or f"exit code {done.returncode}", read_kernel())
    return Finding("bwrap")


def explain(said: str, kernel: Mapping[str, str]) -> Finding:
    """Return the finding for a sandbox that could not be made; bwrap *said* why, *kernel* has the switches."""
    reason = f"a sandbox cannot be made: {said.removeprefix('bwrap: ')}"
    for switch, (blocking, wanted) in BLOCKING.items():
        if kernel.get(switch) == blocking:
            remedy = f"as root: sysctl -w {switch}={wanted}"
            if "apparmor" in switch:
                remedy += ", or an AppArmor profile for bwrap (see docs/isolation.md)"
            return Finding("bwrap", f"{reason} ({switch} is {blocking})", remedy)
    if "mount proc" in said:
        return Finding("bwrap", reason, "in a container, give it an unmasked /proc (see docs/isolation.md)")
    return Finding("bwrap", reason, "allow user namespaces, in a container too (see docs/isolation.md)")


BLOCKING: Final[Mapping[str, tuple[str, str]]] = {
    "kernel.apparmor_restrict_unprivileged_userns": ("1", "0"),
    "kernel.unprivileged_userns_clone": ("0", "1"),
    "user.max_user_namespaces": ("0", "10000"),
}
"""Switches of the kernel, the values with which they forbid sandboxes, and those with which they do not."""


def read_kernel() -> dict[str, str]:
    """Return the switches of `BLOCKING` that this kernel has, with their values."""
    found = {}
    for switch in BLOCKING:
        path = Path("/proc/sys") / switch.replace(".", "/")
        try:
            found[switch] = path.read_text("ascii").strip()
        except OSError:
            continue
    return found


@cache
def death_prefix() -> tuple[str, ...]:
    """Return the command prefix that ends a process with the thread that started it; empty if there is none."""
    setpriv = _tool("setpriv")
    if setpriv is None:
        return ()
    prefix = (setpriv, "--pdeathsig", "KILL", "--")
    probe = subprocess.run([*prefix, setpriv, "--version"], capture_output=True, check=False)
    return prefix if probe.returncode == 0 else ()


def limit_prefix(quota: Quota) -> tuple[str, ...]:
    """Return the command prefix that gives a process the limits of *quota*, none above those of this process."""
    prlimit = _tool("prlimit")
    assert prlimit is not None, "the level was probed"
    limits = {
        "cpu": _within(resource.RLIMIT_CPU, quota.cpu_seconds),
        "nofile": _within(resource.RLIMIT_NOFILE, quota.open_files),
        "fsize": _within(resource.RLIMIT_FSIZE, quota.file_bytes),
        "core": 0,
    }
    return (prlimit, *(f"--{name}={value}" for name, value in limits.items()), "--")


def _within(kind: int, wanted: int) -> int:
    hard = resource.getrlimit(kind)[1]
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)


def _tool(name: str) -> str | None:
    return shutil.which(name, path=SYSTEM_PATH)
