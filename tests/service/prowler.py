"""
A bot for tests that plays nothing: it tries what it is told to and prints what came of each try, as JSON.

``prowler.py TRIES``: TRIES is a JSON list of [kind, argument]; a try that succeeds gives a text, one that fails the
name of the error.
"""

import ctypes
import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path


def read(path: str) -> str:
    """Read a file, or list a folder."""
    place = Path(path)
    return " ".join(sorted(map(str, place.iterdir()))) if place.is_dir() else place.read_text("utf-8")


def write(path: str) -> str:
    """Write a file."""
    Path(path).write_text("x", encoding="utf-8")
    return "written"


def connect(target: str) -> str:
    """Open a connection to host:port, or to an abstract socket named @name, or to a unix socket."""
    if ":" in target:
        host, port = target.rsplit(":", 1)
        socket.create_connection((host, int(port)), timeout=3).close()
    else:
        with socket.socket(socket.AF_UNIX) as near:
            near.connect(target.replace("@", "\0", 1))
    return "connected"


def see(pid: str) -> str:
    """Look for a process, and send it nothing."""
    os.kill(int(pid), 0)
    return "seen"


def attach(identity: str) -> str:
    """Attach a segment of System V shared memory."""
    found = ctypes.CDLL(None, use_errno=True).shmget(int(identity), 1, 0)
    if found < 0:
        raise OSError(ctypes.get_errno(), "shmget")
    return "attached"


def fill(path: str) -> str:
    """Write 200 MB into files below *path*, each smaller than a limit on files would allow."""
    for number in range(20):
        Path(path, f"fill-{number}").write_bytes(bytes(10 << 20))
    return "filled"


def grow(path: str) -> str:
    """Write one file of 200 MB."""
    with Path(path).open("wb") as file:
        for _ in range(200):
            file.write(bytes(1 << 20))
    return "grown"


def nest(_: str) -> str:
    """Make a user namespace, in which one is root."""
    if ctypes.CDLL(None, use_errno=True).unshare(0x10000000) < 0:
        raise OSError(ctypes.get_errno(), "unshare")
    return "root"


def load(module: str) -> str:
    """Import a module."""
    __import__(module)
    return "imported"


TRIES: dict[str, Callable[[str], str]] = {
    each.__name__: each for each in (read, write, connect, see, attach, fill, grow, nest, load)
}


def attempt(kind: str, argument: str) -> str:
    """Return what came of a try."""
    try:
        return TRIES[kind](argument)
    except Exception as error:
        return type(error).__name__


if __name__ == "__main__":
    tries = json.loads(sys.argv[1])
    print(json.dumps({f"{kind} {argument}": attempt(kind, argument) for kind, argument in tries}), flush=True)
