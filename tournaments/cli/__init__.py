"""
The command line. Each command group is a module that is imported when it is asked for; none does work at import.

Data goes to standard output, talk to standard error. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 finished with
units given up.
"""

import importlib
from typing import Final

import click

COMMANDS: Final = {
    "bot": "Begin a bot, check it, and see which there are.",
    "completion": "Print what makes a shell complete commands and bots.",
    "demo": "Play, rate and publish a small league of the house bots.",
    "league": "Make a league, enter bots, play it, and see who is best.",
    "publish": "Write the pages of LEAGUE into the folder OUT.",
    "replay": "Look at recorded matches, verify and export them.",
    "rules": "Look at rulesets, compare them, and check house rules.",
    "scrimmage": "Play bots against each other on the same deals from all sides.",
    "serve": "Play an open LEAGUE with bots that dial in.",
}
"""The commands and what they do; each is defined under its name in the module of its name."""


class LazyGroup(click.Group):
    """A group that imports a command when somebody asks for it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name, if there is one."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(f"tournaments.cli.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List all commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that *args* begin with, or say which one was probably meant."""
        from tournaments.suggestions import expectation

        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"no such command {args[0]!r}; expected {expectation(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.version_option(package_name="handfoot", message="%(prog)s %(version)s")
def main() -> None:
    """
    Tournaments and bot competitions for the card game Hand and Foot.

    Begin with `handfoot demo`: a small league of the house bots, played, rated and published in under a minute.
    """
