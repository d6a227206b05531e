"""Whoever reads what a command prints: a command that works for long need not go on when nobody does."""

import asyncio
import select
from typing import Final

STDOUT: Final = 1
PAUSE_SECONDS: Final = 0.5


async def until_reader_leaves(output: int = STDOUT) -> None:
    """Return when nobody will ever read the descriptor *output*: the other end of that pipe is closed."""
    while not has_no_reader(output):
        await asyncio.sleep(PAUSE_SECONDS)


def has_no_reader(output: int) -> bool:
    """Return whether *output* is a pipe whose other end is closed."""
    look = select.poll()
    look.register(output, 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in look.poll(0))
