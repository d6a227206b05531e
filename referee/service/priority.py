"""Who goes first when the machine is busy: the referee, then the bots."""

import asyncio
import contextlib
import errno
from pathlib import Path
from typing import Final

NICENESS: Final = 5
"""By how much bots are nicer than the referee: it then gets three times the share of any one of them."""

_PAUSE_SECONDS: Final = 0.15
_ATTEMPTS: Final = 20


def yield_priority(pid: int, attempts: int = _ATTEMPTS) -> None:
    """
    Have the session that the process *pid* leads give way to this one.

    Where Linux shares the processor among sessions first, the niceness of a process counts only within its own. The
    kernel takes such a change ten times a second from anybody but root; so it may be made later, by the running loop.
    """
    path = Path(f"/proc/{pid}/autogroup")
    try:
        path.write_text(str(NICENESS), encoding="ascii")
    except OSError as error:
        if error.errno == errno.EAGAIN and attempts > 1:
            with contextlib.suppress(RuntimeError):
                loop = asyncio.get_running_loop()
                loop.call_later(_PAUSE_SECONDS, yield_priority, pid, attempts - 1)
