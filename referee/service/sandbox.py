"""
The sandbox of a bot, made by bubblewrap: what of the machine it can see, as words of a command.

It has no network, process ids, shared memory and temporary files of its own, all of /usr, its own folder and the
interpreter that it runs on, both read-only, and the referee's socket. Nothing else of the machine is there.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

BWRAP: Final = "bwrap"
SYSTEM_PATH: Final = "/usr/bin:/bin"
SOCKET: Final = "/run/referee"
"""Where the referee's socket is in a sandbox."""

HOME: Final = "/tmp"
"""The private folder of a bot in a sandbox; it holds nothing at first."""

_SYSTEM_FOLDERS: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SYSTEM_FILES: Final = ("/etc/ld.so.cache", "/etc/alternatives")
"""What programs in /usr need to be found and loaded."""

_OURS: Final = ("handfoot", "referee", "grpc", "google.protobuf")
"""Packages that a bot on handfoot's own interpreter may import."""

NOBODY: Final = "65534"
_PROBED_BYTES: Final = 1 << 20


def sandbox(
    command: Iterable[str], folder: str | None, socket: str, tmp_bytes: int, status: int
) -> tuple[str, ...]:
    """
    Return the words that run *command* in a sandbox, in the read-only *folder* (None for its private one).

    Args:
        command: the first word is the full path of a program.
        folder: an absolute path.
        socket: the path of the referee's socket.
        tmp_bytes: how much the temporary files may hold.
        status: the descriptor to which bubblewrap writes how the command ended, if it was reached.
    """
    words = tuple(command)
    shown = {path for path in visible(Path(words[0])) if folder is None or not path.is_relative_to(folder)}
    if words[0] == sys.executable:
        shown |= own_interpreter()
    binds = [word for path in outermost(shown) for word in ("--ro-bind", str(path), str(path))]
    if folder is not None:
        binds += ["--ro-bind", folder, folder]
    inside = (*binds, "--bind", socket, SOCKET, "--remount-ro", "/", "--chdir", folder or HOME)
    return (*_frame(tmp_bytes), "--json-status-fd", str(status), *inside, "--", *words)


def probe_command() -> tuple[str, ...]:
    """Return the words that make a sandbox in which nothing is done."""
    return (*_frame(_PROBED_BYTES), "--remount-ro", "/", "--", "/usr/bin/env", "true")


def _frame(tmp_bytes: int) -> tuple[str, ...]:
    """Return what every sandbox has."""
    knows = features()
    size = ("--size", str(tmp_bytes)) if "--size" in knows else ()
    locked = ("--disable-userns",) if "--disable-userns" in knows else ()
    return (
        *(shutil.which(BWRAP, path=SYSTEM_PATH) or BWRAP, "--unshare-all", "--unshare-user", *locked),
        *("--die-with-parent", "--uid", NOBODY, "--gid", NOBODY, "--cap-drop", "ALL"),
        *("--ro-bind", "/usr", "/usr", *_system()),
        *("--proc", "/proc", "--dev", "/dev", *size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"),
        *(*size, "--tmpfs", "/tmp"),
    )


@cache
def features() -> frozenset[str]:
    """Return the options of bwrap that not every version has and this one knows."""
    program = shutil.which(BWRAP, path=SYSTEM_PATH)
    if program is None:
        return frozenset()
    told = subprocess.run([program, "--help"], capture_output=True, text=True, check=False)
    return frozenset({"--size", "--disable-userns"} & set(f"{told.stdout}{told.stderr}".split()))


@cache
def _system() -> tuple[str, ...]:
    """Return the words for what lies beside /usr and belongs to it."""
    words: list[str] = []
    for name in _SYSTEM_FOLDERS:
        if Path(name).is_symlink():
            words += ["--symlink", str(Path(name).readlink()), name]
        elif Path(name).is_dir():
            words += ["--ro-bind", name, name]
    for name in _SYSTEM_FILES:
        words += ["--ro-bind-try", name, name]
    return tuple(words)


def visible(program: Path) -> set[Path]:
    """
    Return what has to be shown of the machine to run *program*: where it is installed, and where its links lead.

    A program in the folder `bin` of an installation needs that installation; any other one is shown by itself, so
    that nothing comes along by being beside it.
    """
    return {
        _installation(hop) or hop
        for hop in _hops(program)
        if not any(hop.is_relative_to(system) for system in ("/usr", *_SYSTEM_FOLDERS))
    }


def _hops(path: Path) -> Iterator[Path]:
    """Yield *path* and what it links to, step by step."""
    for _ in range(16):
        yield path
        if not path.is_symlink():
            return
        path = Path(os.path.normpath(path.parent / path.readlink()))


def _installation(program: Path) -> Path | None:
    """Return the folder into which *program* was installed with all it needs, if it is one of its own."""
    prefix = program.parent.parent
    is_one = program.parent.name == "bin" and any(
        (prefix / sign).exists() for sign in ("pyvenv.cfg", "lib", "include")
    )
    return prefix if is_one and not _is_shared(prefix) else None


def _is_shared(prefix: Path) -> bool:
    """Return whether *prefix* holds more than one installation: the home folder, what is above it, or ~/.local."""
    home = Path.home()
    return home.is_relative_to(prefix) or prefix == home / ".local"


@cache
def own_interpreter() -> frozenset[Path]:
    """Return what has to be shown of the interpreter that runs this, and of the packages that bots import."""
    prefixes = {Path(prefix) for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
    shown = {prefix for prefix in prefixes if not prefix.is_relative_to("/usr")}
    packages = {path for path in map(_package, _OURS) if path is not None}
    return frozenset(shown | {path for path in packages if not path.is_relative_to("/usr")})


def _package(name: str) -> Path | None:
    """Return the folder of the package *name*, which may lie anywhere."""
    found = find_spec(name)
    return None if found is None or found.origin is None else Path(found.origin).parent


def outermost(paths: Iterable[Path]) -> list[Path]:
    """
    Return those of *paths* that lie below none of the others.

    >>> [str(path) for path in outermost([Path("/a/b"), Path("/a"), Path("/c")])]
    ['/a', '/c']
    """
    kept: list[Path] = []
    for path in sorted(set(paths)):
        if not any(path.is_relative_to(other) for other in kept):
            kept.append(path)
    return kept
