"""Progress on standard error: a bar on a terminal, an occasional line anywhere else."""

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Final, Self

import click

SECONDS_BETWEEN_LINES: Final = 10.0
MOST_NOTES: Final = 20
CLEAR_LINE: Final = "\r\x1b[K"


class Progress:
    """Shows how many units, or what else the *noun* says, are finished; a context."""

    def __init__(
        self,
        label: str,
        total: int,
        *,
        done: int = 0,
        noun: str = "units",
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin with *done* of *total* units; *now* tells seconds and decides how often a line is printed."""
        self._label = label
        self._noun = noun
        self._total = total
        self._done = done
        self._now = now
        self._next_line = now() + SECONDS_BETWEEN_LINES
        self._notes: set[str] = set()
        self._exit = ExitStack()
        self._bar: Any = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            bar = click.progressbar(length=self._total, label=self._label, file=sys.stderr, show_pos=True)
            self._bar = self._exit.enter_context(bar)
            self._bar.update(self._done)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._exit.close()

    def advance(self) -> None:
        """Show that one more unit is finished."""
        self._done += 1
        seconds = self._now()
        if self._bar is not None:
            self._bar.update(1)
        elif self._done == self._total or seconds >= self._next_line:
            click.echo(f"{self._label}: {self._done} of {self._total} {self._noun}", err=True)
            self._next_line = seconds + SECONDS_BETWEEN_LINES

    def note(self, text: str) -> None:
        """Print *text* above the bar, unless one with the same first line was; and not too many in all."""
        head = text.partition("\n")[0]
        if head in self._notes or len(self._notes) > MOST_NOTES:
            return
        self._notes.add(head)
        self._print(text if len(self._notes) <= MOST_NOTES else "… and more of this kind")

    def _print(self, text: str) -> None:
        if self._bar is None:
            click.echo(text, err=True)
        else:
            click.echo(f"{CLEAR_LINE}{text}", err=True)
            self._bar.render_progress()


class Announcement:
    """Shows which of several named steps is under way, on a terminal only; a context."""

    def __init__(self, names: Sequence[str]) -> None:
        """Begin with the first of *names*."""
        self._names = names
        self._done = 0

    def __enter__(self) -> Self:
        self._show()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._clear()

    def advance(self) -> None:
        """Show the next step; what is printed before its end stands above it."""
        self._clear()
        self._done += 1
        self._show()

    def _show(self) -> None:
        if sys.stderr.isatty() and self._done < len(self._names):
            click.echo(f"{self._done + 1:>2}  …        {self._names[self._done]}", nl=False, err=True)

    def _clear(self) -> None:
        if sys.stderr.isatty():
            click.echo(CLEAR_LINE, nl=False, err=True)
