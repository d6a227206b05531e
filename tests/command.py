"""The command `handfoot`, run to its end or as a process that may be killed, and what it leaves behind."""

import os
import subprocess
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

import psutil
from click.testing import CliRunner, Result

from tournaments.cli import main

HANDFOOT = str(Path(sysconfig.get_path("scripts")) / "handfoot")


def handfoot(*words: object, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in *folder* to its end."""
    command = [HANDFOOT, *map(str, words)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


def handfoot_here(*words: object) -> Result:
    """Run a command within this process, which spares a second of imports; its workers are processes still."""
    result = CliRunner().invoke(main, list(map(str, words)), prog_name="handfoot")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def start_handfoot(*words: object, folder: Path, **options: int) -> subprocess.Popen[bytes]:
    """Start a command in *folder*, with its temporary files below it."""
    scratch = folder / "tmp"
    scratch.mkdir(exist_ok=True)
    command = [HANDFOOT, *map(str, words)]
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    environment = os.environ | {"TMPDIR": str(scratch)}
    return subprocess.Popen(command, cwd=folder, env=environment, **(silent | options))  # type: ignore[call-overload, no-any-return]


def descendants(process: "subprocess.Popen[bytes]") -> list[psutil.Process]:
    """Return all processes that *process* started, directly or not, bots among them."""
    return psutil.Process(process.pid).children(recursive=True)


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> None:
    """Look again and again until *holds* is true; fail after so many *seconds*."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)


def all_gone(processes: list[psutil.Process]) -> bool:
    """Return whether none of *processes* runs any more."""
    return not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in processes)
