"""`handfoot scrimmage`: a partnership for each side, a number of duplicates, and what the results say."""

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tournaments.cli.failures import GIVEN_UP, reports_errors, run_to_end
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
from tournaments.cli.progress import Progress

if TYPE_CHECKING:
    from tournaments.results import UnitResult
    from tournaments.rulesets import GivenRules
    from tournaments.scrimmages.scrimmage import Scrimmage
    from tournaments.statistics import Elo, Placing, Summary
    from tournaments.workers.options import WorkerOptions
    from tournaments.workers.usage import Usage


@click.command()
@click.argument("bots", metavar="BOT BOT [BOT]...", type=BOT, nargs=-1, required=True)
@duplicates_option(20, "How many sets of deals; each is played once from each side of the table.")
@rules_option
@seats_option
@click.option("--seed", type=SEED, help="What all deals follow from; a fresh one if not given, and printed.")
@workers_option
@click.option(
    "--tables",
    type=click.IntRange(1, 64),
    help="How many matches a worker plays at once at most, if all bots declare so many; 16 if not given.",
)
@time_option
@isolation_option
@memory_option
@log_option
@click.option("--records", type=FOLDER, help="Keep the record of every match in this folder.")
@json_option
@reports_errors
def scrimmage(
    bots: tuple[str, ...],
    duplicates: int,
    rules: "GivenRules",
    seats: int,
    seed: int | None,
    workers: int,
    tables: int | None,
    time: str,
    isolation: str,
    memory: int,
    log: Path | None,
    records: Path | None,
    as_json: bool,
) -> None:
    """
    Play bots against each other on the same deals from all sides.

    There are as many BOTs as sides: house bots (`handfoot bot list`) or folders with a bot.toml; A+B names a mixed
    partnership. Each bot plays all seats of its side. The same seed gives the same result, whatever the number of
    workers and tables.

    \b
    Examples:
      handfoot scrimmage steady greedy
      handfoot scrimmage ./my_bot steady --duplicates 100 --rules simple --seed 7
      handfoot scrimmage steady greedy random --seats 3
    """
    from tournaments.errors import TournamentError
    from tournaments.scrimmages.scrimmage import MOST_TABLES, Scrimmage, find_partnership, refuse_wrong_number
    from tournaments.scrimmages.summary import scrimmage_json, usage
    from tournaments.workers.housing import find_housing
    from tournaments.workers.options import WorkerOptions
    from tournaments.workers.usage import usage_text

    terms = terms_of(rules, seats, time)
    try:
        refuse_wrong_number(bots, terms)
    except TournamentError as error:
        raise click.UsageError(str(error)) from error
    entrants = tuple(find_partnership(bot, terms) for bot in bots)
    chosen = secrets.randbelow(2**31) if seed is None else seed
    planned = Scrimmage(entrants, terms, duplicates, chosen)
    folder = None if records is None else _writable(records)
    housing, told = find_housing(isolation, memory)
    workers = min(workers, duplicates)
    options = WorkerOptions(housing, writable_log(log), tables=planned.tables(workers, tables or MOST_TABLES))
    click.echo(f"{terms.ruleset} at {terms.seats} seats, {terms.time}, seed {chosen}, {told}", err=True)
    results, units = _play(planned, workers, folder, options)
    for letter, used in usage(planned, units).items():
        click.echo(f"time of {letter.upper()}      {usage_text(used)}", err=True)
    if as_json:
        print_json(scrimmage_json(planned, results, folder) | {"isolation": housing.isolation})
    else:
        click.echo(_text(planned, results))
    if any(result.status == "given_up" for result in results):
        raise click.exceptions.Exit(GIVEN_UP)


def _writable(records: Path) -> Path:
    """Make the folder now, so that a mistake is told before anything is played."""
    records.mkdir(parents=True, exist_ok=True)
    if not os.access(records, os.W_OK):
        raise click.ClickException(f"cannot keep records: the folder is not writable; got {str(records)!r}")
    return records.resolve()


def _play(
    planned: "Scrimmage", workers: int, records: Path | None, options: "WorkerOptions"
) -> "tuple[tuple[UnitResult, ...], list[tuple[Usage, ...]]]":
    """Play all units, and return their results and what was used in each."""
    from tournaments.scrimmages.scrimmage import play_scrimmage
    from tournaments.workers.engine import Finished, LocalEngine

    used: list[tuple[Usage, ...]] = []
    with Progress("scrimmage", planned.duplicates) as progress:

        def tell(finished: Finished) -> None:
            used.append(finished.usage)
            if finished.complaint is not None:
                progress.note(finished.complaint)
            progress.advance()

        async def play() -> tuple["UnitResult", ...]:
            async with LocalEngine(workers, options=options) as engine:
                return await play_scrimmage(planned, engine, records, tell)

        return run_to_end(play(), f"repeat it with --seed {planned.seed}"), used


def _text(planned: "Scrimmage", results: "tuple[UnitResult, ...]") -> str:
    from tournaments.scrimmages.summary import faults, placings, summary

    counted = faults(planned, results)
    head = [
        f"{letter.upper()}  {entrant.label}"
        for letter, entrant in zip(planned.letters, planned.entrants, strict=True)
    ]
    played = f"{planned.terms.ruleset} at {planned.terms.seats} seats"
    played += f", {count_of(planned.duplicates, 'duplicate')}, seed {planned.seed}"
    unrated = sum(not result.rated for result in results)
    if len(planned.entrants) == 2:
        said = [f"{played}; seen from A:", "", *_rivalry_lines(summary(planned, results), unrated)]
    else:
        said = [
            f"{played}{f', {unrated} unrated' if unrated else ''}:",
            "",
            _places_text(placings(planned, results)),
        ]
    guilty = [
        f"faults of {letter.upper()}    {faults_text(count)}" for letter, count in counted.items() if count
    ]
    return "\n".join([*head, *said, *guilty])


def _rivalry_lines(said: "Summary", unrated: int) -> list[str]:
    return [
        f"win–draw–loss  {said.wins}–{said.draws}–{said.losses}"
        + (f", {unrated} unrated" if unrated else ""),
        f"mean margin    {_margin_text(said)}",
        f"Elo            {_elo_text(said.strength)}",
        f"superiority    {_superiority_text(said.strength)}",
    ]


def _places_text(placings: "dict[str, Placing]") -> str:
    headings = ["", "mean place", "±", "win–draw–loss", "mean score", "±"]
    rows = [
        [
            letter.upper(),
            _decimals(placing.place_mean, 2),
            _decimals(placing.place_se, 2),
            f"{placing.wins}–{placing.draws}–{placing.losses}",
            _decimals(placing.score_mean, 0),
            _decimals(placing.score_se, 0),
        ]
        for letter, placing in placings.items()
    ]
    return table(headings, rows)


def _decimals(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}".replace("-", "−")


def _margin_text(said: "Summary") -> str:
    if said.margin_mean is None:
        return "–"
    error = "" if said.margin_se is None else f" ± {said.margin_se:.0f}"
    return f"{signed(said.margin_mean)}{error} points per duplicate"


def _elo_text(elo: "Elo") -> str:
    if elo.elo is None:
        return "–"
    low = "−∞" if elo.low is None else signed(elo.low)
    high = "+∞" if elo.high is None else signed(elo.high)
    return f"{signed(elo.elo)} per duplicate, 95% from {low} to {high}"


def _superiority_text(elo: "Elo") -> str:
    return "–" if elo.los is None else f"{100 * elo.los:.1f}% likely that A is the stronger"
