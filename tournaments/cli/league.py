"""`handfoot league`: make a league, enter bots, play it, and look at it."""

import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tournaments.cli.failures import GIVEN_UP, reports_errors
from tournaments.cli.invite import invite
from tournaments.cli.output import count_of, faults_text, print_json, signed, table
from tournaments.cli.parameters import (
    BOT,
    FOLDER,
    SEED,
    duplicates_option,
    isolation_option,
    json_option,
    log_option,
    memory_option,
    rules_option,
    seats_option,
    terms_of,
    time_option,
    workers_option,
    writable_log,
)

if TYPE_CHECKING:
    from tournaments.leaderboard import Leaderboard
    from tournaments.leagues.status import LeagueStatus
    from tournaments.open_leagues.presence import Presence
    from tournaments.rulesets import GivenRules

league_argument = click.argument("folder", metavar="LEAGUE", type=FOLDER)


@click.group()
def league() -> None:
    """Make a league, enter bots, play it, and see who is best."""


league.add_command(invite)


@league.command()
@league_argument
@rules_option
@seats_option
@click.option("--seed", type=SEED, help="Make the league reproducible: its deals are then no secret.")
@time_option
@duplicates_option(100, "Per pairing, where `handfoot league run` or `handfoot serve` names no number.")
@isolation_option
@memory_option
@click.option("--open", "is_open", is_flag=True, help="Let bots dial in from elsewhere: `handfoot serve`.")
@reports_errors
def create(
    folder: Path,
    rules: "GivenRules",
    seats: int,
    seed: int | None,
    time: str,
    duplicates: int,
    isolation: str,
    memory: int,
    is_open: bool,
) -> None:
    """
    Make a new league in the folder LEAGUE.

    Its settings stand in LEAGUE/league.toml. Without --seed all deals follow from a secret in LEAGUE/secret.key.
    House rules are copied to LEAGUE/house-rules.toml: what is changed elsewhere afterwards does not count. The level of
    isolation is fixed here; a machine on which it does not work plays nothing.

    \b
    Example:
      handfoot league create spring --rules online
    """
    from tournaments.integrity import commitment, fresh_secret, seed_secret
    from tournaments.leagues.league import create_league
    from tournaments.leagues.settings import LeagueSettings
    from tournaments.workers.housing import Housing, find_housing

    terms = terms_of(rules, seats, time)
    secret = fresh_secret(secrets.token_bytes) if seed is None else seed_secret(seed)
    committed = commitment(secret) if seed is None else None
    housing, told = (Housing(), "bots dial in") if is_open else find_housing(isolation, memory)
    settings = LeagueSettings(folder.resolve().name, terms, duplicates, seed, committed, is_open, housing)
    create_league(folder, settings, secret)
    kind = "open league" if is_open else "league"
    click.echo(
        f"made {kind} {settings.name!r} of {rules.name} at {seats} seats in {folder}, {told}", err=True
    )


@league.command()
@league_argument
@click.argument("bot", type=BOT)
@reports_errors
def submit(folder: Path, bot: str) -> None:
    """
    Enter BOT, a house bot or a folder with a bot.toml, into LEAGUE.

    The folder is copied; that copy plays. A bot that was suspended comes back.

    \b
    Example:
      handfoot league submit spring ./my_bot
    """
    from tournaments.entrants import find_entrant
    from tournaments.leagues.league import open_league
    from tournaments.leagues.league import submit as enter

    opened = open_league(folder)
    with opened.open_store() as store:
        entry, is_new = enter(opened, store, find_entrant(bot), datetime.now(UTC))
    told = "entered" if is_new else "was entered before and is active"
    click.echo(f"{entry.label} {told}, content {entry.hash[:12]}", err=True)


@league.command()
@league_argument
@duplicates_option(
    None,
    "Per pairing, earlier ones included; a larger number extends the league.  [default: from league.toml]",
)
@workers_option
@log_option
@reports_errors
def run(folder: Path, duplicates: int | None, workers: int, log: Path | None) -> None:
    """
    Play what is scheduled in LEAGUE and not played yet.

    It may be stopped at any time and goes on where it was. Exit code 3 says that units were given up.

    \b
    Example:
      handfoot league run spring --duplicates 50
    """
    from tournaments.cli.season import play_league
    from tournaments.leagues.league import open_league

    given_up = play_league(open_league(folder), duplicates, workers, writable_log(log))
    if given_up:
        click.echo(f"{count_of(given_up, 'unit')} given up; see `handfoot league status {folder}`", err=True)
        raise click.exceptions.Exit(GIVEN_UP)


@league.command()
@league_argument
@json_option
@reports_errors
def status(folder: Path, as_json: bool) -> None:
    """
    Show what is done, pending and given up in LEAGUE.

    A unit is a set of deals on which as many partnerships as sides meet. Faults are counted by class. Of an open league
    that is served it is shown who is connected.

    \b
    Example:
      handfoot league status spring
    """
    from dataclasses import asdict

    from tournaments.leagues.league import open_league
    from tournaments.leagues.status import read_status
    from tournaments.open_leagues.presence import read_presence
    from tournaments.store import find_owner

    opened = open_league(folder)
    with opened.open_store() as store:
        found = read_status(opened, store)
    owner = find_owner(folder)
    server = None if owner is None else read_presence(folder, owner.pid)
    head: dict[str, str | int | bool | None] = {
        "league": opened.settings.name,
        "ruleset": opened.settings.terms.ruleset,
        "seats": opened.settings.terms.seats,
        "open": opened.settings.is_open,
        "isolation": None if opened.settings.is_open else opened.settings.housing.isolation,
        "running": None if owner is None else str(owner),
    }
    if as_json:
        print_json(head | asdict(found) | {"server": None if server is None else asdict(server)})
    else:
        click.echo("\n".join([_status_text(head, found), *_server_lines(head, server)]))


def _status_text(head: dict[str, str | int | bool | None], found: "LeagueStatus") -> str:
    kind, noun = (" (open league)", "unit") if head["open"] else ("", "duplicate")
    lines = [
        f"{head['league']}{kind}: {head['ruleset']} at {head['seats']} seats, "
        f"{count_of(found.duplicates, noun)} per pairing"
    ]
    lines += [f"bots are isolated by: {head['isolation']}"] if head["isolation"] else []
    lines += [f"played by process {head['running']}"] if head["running"] else []
    rows = [
        [row.partnership, str(row.done), str(row.pending), str(row.given_up), faults_text(dict(row.faults))]
        for row in found.partnerships
    ]
    rows.append(["all units", str(found.done), str(found.pending), str(found.given_up), ""])
    lines += ["", table(["partnership", "done", "pending", "given up", "faults"], rows)]
    lines += [f"{row.partnership} is out: {row.out}" for row in found.partnerships if row.out is not None]
    return "\n".join(lines)


def _server_lines(head: dict[str, str | int | bool | None], server: "Presence | None") -> list[str]:
    """Return who is connected to the server of an open league, in lines of text; nothing of a hosted one."""
    if not head["open"]:
        return []
    if server is None:
        return ["", "the server is just starting or ending" if head["running"] else "no server is running"]
    rows = [[each.entrant, str(each.connected), str(each.needed), each.state] for each in server.connected]
    there = table(["connected now", "processes", "needed", "state"], rows) if rows else "nobody is connected"
    return ["", f"served at {server.address}", "", there]


@league.command()
@league_argument
@json_option
@reports_errors
def standings(folder: Path, as_json: bool) -> None:
    """
    Show the leaderboard of LEAGUE.

    \b
    Example:
      handfoot league standings spring --json
    """
    from tournaments.leaderboard import standings_json
    from tournaments.leagues.league import open_league
    from tournaments.leagues.publication import league_board

    opened = open_league(folder)
    with opened.open_store() as store:
        board = league_board(opened, store)
    click.echo(standings_json(board).rstrip() if as_json else board_text(board))


def board_text(board: "Leaderboard") -> str:
    """Return *board* as people read it on a terminal."""
    headings = ["rank", "partnership", "rating", "sigma", "units", "win–draw–loss", "margin", "±", "forfeits"]
    rows = [
        [
            "–" if row.rank is None else str(row.rank),
            row.partnership,
            f"{row.mu:.2f}",
            f"{row.sigma:.2f}",
            str(row.units),
            f"{row.wins}–{row.draws}–{row.losses}",
            signed(row.margin_mean),
            "–" if row.margin_se is None else f"{row.margin_se:.0f}",
            str(row.forfeits),
        ]
        for row in board.rows
    ]
    return f"{board.league}: {board.ruleset}, {count_of(board.units, 'unit')}\n\n{table(headings, rows)}"
