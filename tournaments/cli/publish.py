"""`handfoot publish`: a league as a folder of pages."""

from datetime import UTC, datetime
from pathlib import Path

import click

from tournaments.cli.failures import reports_errors
from tournaments.cli.parameters import FOLDER


@click.command()
@click.argument("folder", metavar="LEAGUE", type=FOLDER)
@click.argument("out", type=FOLDER)
@reports_errors
def publish(folder: Path, out: Path) -> None:
    """
    Write the pages of LEAGUE into the folder OUT.

    They are plain HTML, JSON and CSV: open OUT/index.html, or copy OUT to any web server.

    \b
    Example:
      handfoot publish spring public
    """
    publish_league(folder, out)


def publish_league(folder: Path, out: Path) -> None:
    """Write the pages of the league in *folder* into *out*, wholly or not at all."""
    from tournaments.leagues.league import open_league
    from tournaments.leagues.publication import league_view
    from tournaments.site import render_site, write_site

    opened = open_league(folder)
    with opened.open_store() as store:
        view = league_view(opened, store, datetime.now(UTC))
    write_site(render_site(view), out)
    click.echo(f"published {opened.settings.name!r}: {out / 'index.html'}", err=True)
