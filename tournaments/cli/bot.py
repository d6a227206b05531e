"""`handfoot bot`: what there is to know about bots."""

import click

from tournaments.cli.failures import reports_errors
from tournaments.cli.output import print_json, table
from tournaments.cli.parameters import json_option


@click.group()
def bot() -> None:
    """Look at bots."""


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
