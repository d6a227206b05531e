"""`handfoot demo`: the whole way from a new league to its pages, in under a minute."""

import shlex
import shutil
import sys
from itertools import count
from pathlib import Path
from typing import Final

import click

from tournaments.cli.failures import reports_errors
from tournaments.cli.league import board_text
from tournaments.cli.output import count_of
from tournaments.cli.parameters import duplicates_option, workers_option
from tournaments.cli.publish import publish_league
from tournaments.cli.season import play_league

RULESET: Final = "simple"
"""A match of it is one round, so that enough are played in half a minute."""

DUPLICATES: Final = 15
SEED: Final = 1


@click.command()
@duplicates_option(DUPLICATES, "How many sets of deals every pairing plays.")
@workers_option
@reports_errors
def demo(duplicates: int, workers: int) -> None:
    """
    Play, rate and publish a small league of the house bots.

    It takes less than a minute; everything goes into a new folder handfoot-demo here.

    \b
    Example:
      handfoot demo
    """
    from tournaments.leagues.league import open_league
    from tournaments.leagues.publication import league_board

    folder = _new_folder()
    league, site = folder / "league", folder / "site"
    _make(league, duplicates)
    play_league(open_league(league), duplicates, workers)
    opened = open_league(league)
    with opened.open_store() as store:
        board = league_board(opened, store)
    publish_league(league, site)
    click.echo(f"\n{board_text(board)}\n\n{_advice(league, site)}")


def _new_folder() -> Path:
    names = (Path("handfoot-demo" if number == 1 else f"handfoot-demo-{number}") for number in count(1))
    folder = next(name for name in names if not name.exists())
    folder.mkdir()
    return folder


def _make(folder: Path, duplicates: int) -> None:
    """Make the league and enter the bots of the house that are quick."""
    from datetime import UTC, datetime

    from tournaments.entrants import house_entrant
    from tournaments.house import QUICK_BOTS
    from tournaments.integrity import seed_secret
    from tournaments.leagues.league import create_league, submit
    from tournaments.leagues.settings import LeagueSettings
    from tournaments.terms import Terms
    from tournaments.workers.housing import DEFAULT_MEMORY, find_housing

    housing, told = find_housing("auto", DEFAULT_MEMORY)
    settings = LeagueSettings("handfoot demo", Terms(RULESET), duplicates, SEED, None, housing=housing)
    league = create_league(folder, settings, seed_secret(SEED))
    click.echo(
        f"a league of {', '.join(QUICK_BOTS)}: {RULESET}, every pairing on {count_of(duplicates, 'set')} of deals, "
        f"{told}",
        err=True,
    )
    with league.open_store() as store:
        for name in QUICK_BOTS:
            submit(league, store, house_entrant(name), datetime.now(UTC))


def _advice(league: Path, site: Path) -> str:
    handfoot = "handfoot" if shutil.which("handfoot") else shlex.quote(sys.argv[0])
    commands = {
        f"{handfoot} league run {league} --duplicates 50": "play on; the numbers get sharper",
        f"{handfoot} league status {league}": "what is done, and the faults there were",
        f"{handfoot} scrimmage steady greedy --rules online": "two bots under other rules",
        f"{handfoot} --help": "everything else",
    }
    width = max(map(len, commands))
    lines = [f"  {command.ljust(width)}  {what}" for command, what in commands.items()]
    where = f"The pages are in {site}: open {site / 'index.html'}"
    return "\n".join([where, "", "What to type next:", *lines])
