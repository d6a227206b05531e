"""What may stand behind the options of several commands, and how it is completed in a shell."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from tournaments.rulesets import GivenRules
    from tournaments.terms import Terms

    TextType = click.ParamType[str]
    RulesType = click.ParamType[GivenRules]
else:
    TextType = RulesType = click.ParamType  # generic only in newer releases of click

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
MOST_WORKERS: Final = 256
MEMORY_RANGE: Final = (32, 1024 * 1024)


class BotName(TextType):
    """A house bot or a folder; what it names is found by the command."""

    name = "bot"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Offer house bots, and folders."""
        from tournaments.house import HOUSE_BOTS

        names = [CompletionItem(name) for name in HOUSE_BOTS if name.startswith(incomplete)]
        return [*names, CompletionItem(incomplete, type="dir")]


class RulesText(RulesType):
    """The name of a published ruleset, or the path of a file with house rules."""

    name = "ruleset"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> "GivenRules":
        """Return the ruleset that *value* names; an unknown name is wrong usage, wrong house rules are not."""
        from referee.rules import InvalidHouseRules
        from tournaments.errors import TournamentError
        from tournaments.rulesets import GivenRules, find_rules

        try:
            return value if isinstance(value, GivenRules) else find_rules(str(value))
        except InvalidHouseRules as error:
            raise click.ClickException(str(error)) from error
        except TournamentError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Offer the published rulesets, and files."""
        from referee.rules import RULESETS

        names = [CompletionItem(name) for name in RULESETS if name.startswith(incomplete)]
        return [*names, CompletionItem(incomplete, type="file")]


class TimeText(TextType):
    """A time control: a limit per turn, and a bank behind a plus."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return *value* in its one notation; else it is wrong usage."""
        from tournaments.errors import TournamentError
        from tournaments.terms import Terms

        try:
            return Terms(time=str(value)).time
        except TournamentError as error:
            self.fail(str(error), param, ctx)


BOT: Final = BotName()
RULES: Final = RulesText()
FOLDER: Final = click.Path(file_okay=False, path_type=Path)
SEED: Final = click.IntRange(0, 2**63 - 1)

rules_option = click.option(
    "--rules",
    "rules",
    type=RULES,
    default="online",
    show_default=True,
    metavar="RULESET",
    help="The ruleset: beginner, online, publisher, simple, or a file with house rules.",
)
seats_option = click.option(
    "--seats",
    type=int,
    default=4,
    show_default=True,
    help="How many sit at a table: online 2 to 4; publisher 4, 6, 8, 10 or 12; beginner and simple 4.",
)
time_option = click.option(
    "--time",
    "time",
    type=TimeText(),
    default="1s+30s",
    show_default=True,
    metavar="TURN+BANK",
    help="The limit of a turn, and the bank of a match that pays for what exceeds it.",
)
workers_option = click.option(
    "--workers",
    type=click.IntRange(1, MOST_WORKERS),
    default=lambda: len(os.sched_getaffinity(0)),
    show_default="one per processor",
    help="How many units are played at once; results do not depend on it.",
)
isolation_option = click.option(
    "--isolation",
    type=click.Choice(("auto", "bwrap", "limits", "none", "require")),
    default="auto",
    show_default=True,
    help="How bots are kept apart: the best level that works here, a certain one, or bwrap and nothing less.",
)
memory_option = click.option(
    "--memory",
    type=click.IntRange(*MEMORY_RANGE),
    default=1024,
    show_default=True,
    metavar="MIB",
    help="Memory that all processes of a bot may use together; not limited with --isolation none.",
)
log_option = click.option(
    "--log",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Add lines of JSON about what happens to this file.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


def writable_log(log: Path | None) -> Path | None:
    """
    Return where *log* is; the file is made now, so that a mistake is told before anything is played.

    Raises:
        click.ClickException: it cannot be written.
    """
    if log is None:
        return None
    try:
        log.open("a", encoding="utf-8").close()
    except OSError as error:
        raise click.ClickException(f"cannot write the log: {error.strerror}; got {str(log)!r}") from None
    return log.resolve()


def duplicates_option(default: int | None, text: str) -> Callable[[Decorated], Decorated]:
    """Return the option ``--duplicates`` with its *default* and the help *text*."""
    kind = click.IntRange(1, 999_999)
    return click.option(
        "--duplicates", type=kind, default=default, show_default=default is not None, help=text
    )


def terms_of(rules: "GivenRules", seats: int, time: str) -> "Terms":
    """Return what matches are played by; a number of seats at which *rules* are not played is wrong usage."""
    from tournaments.errors import TournamentError
    from tournaments.terms import Terms

    try:
        return Terms(rules.name, seats, time, rules.text)
    except TournamentError as error:
        raise click.BadParameter(str(error), param_hint="'--seats'") from error
