"""How commands fail: one clear message on standard error, an exit code, no traceback, nothing left running."""

import asyncio
import errno
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

import click

from tournaments.cli.reader import until_reader_leaves

P = ParamSpec("P")
T = TypeVar("T")

GIVEN_UP: Final = 3
"""The exit code of a command that finished with units given up."""

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def reports_errors(command: Callable[P, T]) -> Callable[P, T]:
    """Have *command* end with the text of a foreseen error instead of a traceback."""

    @wraps(command)
    def reporting(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return command(*args, **kwargs)
        except BrokenPipeError:
            raise  # whoever read the output has left: click ends quietly
        except OSError as error:
            raise click.ClickException(str(error)) from error
        except Exception as error:
            if isinstance(error, _foreseen()):
                raise click.ClickException(str(error)) from error
            raise

    return reporting


def run_to_end(work: Coroutine[Any, Any, T], advice: str) -> T:
    """
    Run *work* and return what it returns; a signal cancels it, and what it started ends with it.

    It also ends when whoever reads the output has left.

    Raises:
        click.ClickException: it was stopped by a signal; the message ends with *advice*.
        BrokenPipeError: nobody reads the output any more.
    """
    stopped_by: list[signal.Signals] = []
    try:
        return _run(work, stopped_by)
    except asyncio.CancelledError:
        if not stopped_by:
            raise BrokenPipeError(errno.EPIPE, "nobody reads the output") from None
        raise click.ClickException(f"stopped by {stopped_by[0].name}; {advice}") from None


def run_until_stopped(work: Coroutine[Any, Any, None]) -> None:
    """Run *work*, which has no end of its own, until a signal cancels it; what it started ends with it."""
    with suppress(asyncio.CancelledError):
        _run(work, [])


def _run(work: Coroutine[Any, Any, T], stopped_by: list[signal.Signals]) -> T:
    """Run *work* and return what it returns; a signal cancels it and is added to *stopped_by*."""
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        task = loop.create_task(work)
        loop.create_task(until_reader_leaves()).add_done_callback(lambda _: task.cancel())

        def stop(number: signal.Signals) -> None:
            if not stopped_by:  # a second signal does not disturb the ending
                stopped_by.append(number)
                task.cancel()

        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                loop.add_signal_handler(number, stop, number)
        return loop.run_until_complete(task)


def _foreseen() -> tuple[type[Exception], ...]:
    from referee.rules import RulesError
    from referee.service.errors import ServiceError
    from tournaments.errors import TournamentError

    return (TournamentError, RulesError, ServiceError)
