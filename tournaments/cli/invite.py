"""`handfoot league invite`: let an author's bots dial in to an open league, or no longer."""

import secrets
from datetime import UTC, datetime
from pathlib import Path

import click

from tournaments.cli.failures import reports_errors
from tournaments.cli.parameters import FOLDER


@click.command()
@click.argument("folder", metavar="LEAGUE", type=FOLDER)
@click.argument("name")
@click.option("--revoke", is_flag=True, help="End the invitation of NAME instead.")
@reports_errors
def invite(folder: Path, name: str, revoke: bool) -> None:
    """
    Invite author NAME to an open LEAGUE: print a token.

    By it the bots of NAME dial in. It is printed this once; the league keeps a hash. With --revoke it lets nobody in
    any more; results stay, and NAME may be invited again.

    \b
    Example:
      handfoot league invite spring ann
    """
    from tournaments.leagues.league import open_league
    from tournaments.open_leagues.invitations import invite as issue
    from tournaments.open_leagues.invitations import withdraw

    opened, now = open_league(folder), datetime.now(UTC)
    with opened.open_store() as store:
        if revoke:
            withdraw(opened, store, name, now)
            click.echo(f"the invitation of {name} has ended", err=True)
            return
        token = issue(opened, store, name, now, secrets.token_urlsafe(32))
    click.echo(f"for {name}, who sets it as HANDFOOT_TOKEN; it is not shown again:", err=True)
    click.echo(token)
