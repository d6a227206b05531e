"""Playing a league with progress, for the commands that do it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tournaments.cli.failures import run_to_end
from tournaments.cli.output import count_of
from tournaments.cli.progress import Progress

if TYPE_CHECKING:
    from tournaments.leagues.league import League
    from tournaments.leagues.run import Season
    from tournaments.workers.engine import Finished

AHEAD: int = 4
"""How many units per worker are begun and not finished, so that no worker waits for the next one."""


def play_league(league: "League", duplicates: int | None, workers: int, log: Path | None = None) -> int:
    """Play what is pending in *league*, store it, and return how many of all units asked for are given up."""
    from tournaments.leagues.run import plan_season
    from tournaments.leagues.status import read_status
    from tournaments.store import own_league

    now = datetime.now(UTC)
    with own_league(league.folder, now), league.open_store() as store:
        season = plan_season(league, store, duplicates)
        for entity, reason in season.roster.reasons.items():
            click.echo(f"{season.roster.labels[entity]} is out: {reason}", err=True)
        _play(season, workers, log)
        return read_status(league, store).given_up


def _play(season: "Season", workers: int, log: Path | None) -> None:
    from tournaments.leagues.run import play_season
    from tournaments.workers.engine import LocalEngine
    from tournaments.workers.housing import refuse_missing
    from tournaments.workers.options import WorkerOptions

    total = season.done + len(season.pending)
    if not season.pending:
        click.echo(f"nothing to play: all {count_of(total, 'unit')} are done", err=True)
        return
    if season.done:
        click.echo(f"{season.done} of {total} units are done already", err=True)
    settings = season.league.settings
    refuse_missing(settings.housing)
    options = WorkerOptions(settings.housing, log, settings.name)
    with Progress(settings.name, total, done=season.done) as progress:

        def tell(finished: "Finished") -> None:
            if finished.complaint is not None:
                progress.note(finished.complaint)
            progress.advance()

        async def play() -> None:
            async with LocalEngine(min(workers, len(season.pending)), options=options) as engine:
                await play_season(season, engine, AHEAD * workers, lambda: datetime.now(UTC), tell)

        run_to_end(play(), "run the same command again to go on")
