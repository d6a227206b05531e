"""
``python -m handfoot MODULE:CLASS``: play a bot at the referee that the environment names.

Exit code 0 when the referee closed the stream, 1 when the bot or the stream failed, 2 when it was not begun.
"""

import argparse
import importlib
import inspect
import os
import sys
from dataclasses import replace
from pathlib import Path

from handfoot.bot import Bot
from handfoot.errors import Disconnected, InvalidBot, MissingAddress
from handfoot.loop import run
from handfoot.play import play
from handfoot.session import Introduction, Session, introduce
from handfoot.transport import Address, GrpcTransport, find_referee


def main(arguments: list[str] | None = None) -> int:
    """Play the bot that *arguments* name, and return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        bot = load_bot(options.bot)
        address = find_referee(os.environ)
    except (InvalidBot, MissingAddress) as error:
        return _complain(error, 2)
    session = Session(bot, _introduction(bot, options), address.token)
    try:
        run(_play(session, address))
    except (Disconnected, InvalidBot) as error:
        return _complain(error, 1)
    except KeyboardInterrupt:
        return 130
    return 0


def load_bot(name: str) -> type[Bot]:
    """
    Return the class that *name*, ``MODULE:CLASS``, stands for; modules of the current folder come first.

    An error inside the module passes through.

    Raises:
        InvalidBot: there is no such module or class, or it is no complete bot.
    """
    module_name, colon, class_name = name.partition(":")
    if not (module_name and colon and class_name):
        raise InvalidBot(f"cannot load the bot: expected MODULE:CLASS, such as my_bot:MyBot; got {name!r}")
    bot = getattr(_import(module_name, name), class_name, None)
    if bot is None:
        raise InvalidBot(f"cannot load the bot: module {module_name} has no {class_name}; got {name!r}")
    if not (isinstance(bot, type) and issubclass(bot, Bot)):
        raise InvalidBot(f"cannot load the bot: {class_name} is no subclass of handfoot.Bot; got {name!r}")
    if inspect.isabstract(bot):
        raise InvalidBot(f"cannot load the bot: {class_name} has no method act(self, view); got {name!r}")
    return bot


def _import(module_name: str, name: str) -> object:
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise
        raise InvalidBot(
            f"cannot load the bot: no module {error.name} in {folder} or installed; got {name!r}"
        ) from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m handfoot",
        description="Play a bot at the referee named by HANDFOOT_ADDRESS (unix:/path or host:port) and "
        "HANDFOOT_TOKEN; with HANDFOOT_CA, a certificate file, over TLS.",
    )
    parser.add_argument("bot", metavar="MODULE:CLASS", help="the bot's class, for example my_bot:MyBot")
    parser.add_argument("--name", help="what reports call the bot (the class says)")
    parser.add_argument("--version", help="the version that reports show (the class says)")
    parser.add_argument("--tables", type=_at_least_one, help="matches to play at once (the class says; 1)")
    parser.add_argument(
        "--no-legal-actions", action="store_true", help="ask for requests without legal actions"
    )
    return parser


def _at_least_one(text: str) -> int:
    if not (text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"expected a number of at least 1; got {text!r}")
    return int(text)


def _introduction(bot: type[Bot], options: argparse.Namespace) -> Introduction:
    own = introduce(bot)
    return replace(
        own,
        name=options.name or own.name,
        version=options.version or own.version,
        tables=options.tables or own.tables,
        legal_actions=own.legal_actions and not options.no_legal_actions,
    )


async def _play(session: Session, address: Address) -> None:
    await play(session, lambda: GrpcTransport(address))


def _complain(error: Exception, code: int) -> int:
    print(f"handfoot: {error}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
