"""`handfoot bot`: begin a bot, check one, and see which there are."""

import shlex
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tournaments.cli.failures import reports_errors, run_to_end
from tournaments.cli.output import print_json, table
from tournaments.cli.parameters import BOT, FOLDER, RULES, isolation_option, json_option, time_option
from tournaments.cli.progress import Announcement

if TYPE_CHECKING:
    from referee.service.isolation import Isolation
    from tournaments.compliance.check import Plan
    from tournaments.compliance.steps import Step
    from tournaments.rulesets import GivenRules


@click.group()
def bot() -> None:
    """Begin a bot, check it, and see which there are."""


@bot.command(name="list")
@json_option
@reports_errors
def list_bots(as_json: bool) -> None:
    """
    List the bots of the house.

    Their names can stand wherever a bot is asked for.

    \b
    Example:
      handfoot bot list
    """
    from tournaments.house import HOUSE_BOTS, describe_house_bot, house_manifest

    rows = [
        {"name": name, "version": house_manifest(name).version, "description": describe_house_bot(name)}
        for name in sorted(HOUSE_BOTS)
    ]
    if as_json:
        print_json({"bots": rows})
    else:
        click.echo(table(["bot", "version", "plays"], [list(row.values()) for row in rows]))


@bot.command()
@click.argument("folder", type=FOLDER)
@click.option(
    "--language",
    type=click.Choice(["python"], case_sensitive=False),
    default="python",
    show_default=True,
    help="What the bot is written in.",
)
@click.option("--name", help="What the bot is called; the name of the folder if not given.")
@reports_errors
def new(folder: Path, language: str, name: str | None) -> None:
    """
    Begin a bot in a new folder.

    FOLDER gets a small bot that passes `handfoot bot check`, with its bot.toml, a README and tests. A folder that holds
    anything already is left as it is.

    \b
    Examples:
      handfoot bot new my_bot
      handfoot bot new bots/careful --name careful-one
    """
    from tournaments.starter import starter_files, write_starter

    files = starter_files(name or folder.resolve().name, language.lower())
    write_starter(folder, files)
    click.echo(f"{folder}: {', '.join(files)}")
    click.echo(f"next: handfoot bot check {shlex.quote(str(folder))}", err=True)


@bot.command()
@click.argument("bot", type=BOT)
@click.option(
    "--rules", type=RULES, metavar="RULESET", help="Play this ruleset only; not all that it declares."
)
@time_option
@isolation_option
@json_option
@reports_errors
def check(bot: str, rules: "GivenRules | None", time: str, isolation: str, as_json: bool) -> None:
    """
    Check a bot in numbered steps.

    BOT, a folder with a bot.toml or a house bot, plays at a real referee: one match of each kind that it declares, and
    some with trouble in them. A step passes, fails, or is skipped. The exit code is 0 if none failed, else 1.

    \b
    Examples:
      handfoot bot check ./my_bot
      handfoot bot check ./my_bot --rules simple --json
    """
    from tournaments.compliance.check import plan_check
    from tournaments.compliance.steps import Compliance, summary
    from tournaments.entrants import find_entrant
    from tournaments.workers.housing import DEFAULT_MEMORY, find_housing

    plan = plan_check(find_entrant(bot), None if rules is None else rules.ruleset)
    housing, told = find_housing(isolation, DEFAULT_MEMORY)
    click.echo(told, err=True)
    checking = _check(plan, time, housing.to_isolation(), silent=as_json)
    compliance = Compliance(plan.entrant.label, run_to_end(checking, "nothing is left of the check"))
    if as_json:
        print_json(compliance.to_dict() | {"isolation": housing.isolation})
    else:
        click.echo(f"\n{summary(compliance)}")
    if not compliance.passed:
        raise click.exceptions.Exit(1)


async def _check(plan: "Plan", time: str, isolation: "Isolation", *, silent: bool) -> "tuple[Step, ...]":
    """Return the steps of a check; unless *silent*, each is told in full as soon as it is done."""
    from referee.service.clock import parse_time
    from tournaments.compliance.check import check_bot
    from tournaments.compliance.room import Patience

    steps: list[Step] = []
    with Announcement(plan.names) as announcement:
        checking = check_bot(plan, Patience(time=parse_time(time)), isolation)
        async with aclosing(checking) as done:
            async for step in done:
                announcement.advance()
                steps.append(step)
                if not silent:
                    click.echo(_step_text(step))
    return tuple(steps)


def _step_text(step: "Step") -> str:
    """Return a step in a line, and below it what an author needs to know of a failure."""
    found = step.finding
    outcome = "FAIL" if found.outcome == "fail" else found.outcome
    lines = [f"{step.number:>2}  {outcome:<7}  {step.name}: {found.detail}"]
    if found.exchange:
        lines += ["      what was said last:", *(f"        {line}" for line in found.exchange)]
    if found.stderr:
        lines += [
            "      last lines of standard error:",
            *(f"        {line}" for line in found.stderr.splitlines()),
        ]
    if found.advice:
        lines.append(f"      what to do: {found.advice}")
    return "\n".join(lines)
