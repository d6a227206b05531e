"""`handfoot replay`: look at recorded matches, verify them, and hand them to other programs."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tournaments.cli.failures import reports_errors
from tournaments.cli.output import count_of, print_json
from tournaments.cli.parameters import json_option

if TYPE_CHECKING:
    from tournaments.verification import Verdict

RECORD: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
RECORDS: Final = click.Path(exists=True, path_type=Path)

record_argument = click.argument("file", metavar="FILE", type=RECORD)


@click.group()
def replay() -> None:
    """Look at recorded matches, verify and export them."""


@replay.command()
@record_argument
@click.option("--at", "action", type=click.IntRange(min=1), help="Show the table just before this action.")
@click.option("--round", "number", type=click.IntRange(min=1), help="Tell only this round, counted from 1.")
@reports_errors
def show(file: Path, action: int | None, number: int | None) -> None:
    """
    Tell the match in FILE as a player would follow it.

    Each action is a line with its number and the time that the seat used, or `referee` where nobody was asked. With
    --at everything that lies on the table and is held around it is shown, all cards open.

    \b
    Examples:
      handfoot replay show records/000000-2f-9c-0.hfr
      handfoot replay show records/000000-2f-9c-0.hfr --at 141
    """
    from referee.rules import narrate, show_at
    from tournaments.records import read_record

    if action is not None and number is not None:
        raise click.UsageError("--at and --round do not go together: actions are numbered through the match.")
    record = read_record(file)
    if action is not None:
        _print_lines(show_at(record, action))
    else:
        _print_lines(narrate(record, None if number is None else number - 1))


def _print_lines(lines: Iterable[str]) -> None:
    try:
        for line in lines:
            click.echo(line)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


@replay.command()
@click.argument("places", metavar="FILE|DIR...", nargs=-1, required=True, type=RECORDS)
@json_option
@reports_errors
def verify(places: tuple[Path, ...], as_json: bool) -> None:
    """
    Deal and play recorded matches again and compare all scores.

    Of a folder, all records in it and below are verified. A record in which a byte, an action or a score was changed
    is refused, and the place is named. Exit code 1 says that at least one was refused.

    \b
    Examples:
      handfoot replay verify records/000000-2f-9c-0.hfr
      handfoot replay verify spring/records --json
    """
    from tournaments.records import find_records

    verdicts = _verify(find_records(places))
    refused = [verdict for verdict in verdicts if not verdict.verified]
    if as_json:
        print_json(_verdicts_json(verdicts))
    else:
        for verdict in refused:
            click.echo(f"{verdict.file}: {verdict.problem}")
        verified = count_of(len(verdicts) - len(refused), "record")
        click.echo(f"{verified} verified, {len(refused)} refused")
    if refused:
        raise click.exceptions.Exit(1)


def _verify(files: Sequence[Path]) -> "list[Verdict]":
    """Return the verdict on each of *files*, with progress shown while they come."""
    from tournaments.cli.progress import Progress
    from tournaments.verification import verify_record

    verdicts = []
    with Progress("verify", len(files), noun="records") as progress:
        for file in files:
            verdicts.append(verify_record(file))
            progress.advance()
    return verdicts


def _verdicts_json(verdicts: "list[Verdict]") -> dict[str, object]:
    from dataclasses import asdict

    files = [asdict(verdict) | {"verified": verdict.verified} for verdict in verdicts]
    verified = sum(verdict.verified for verdict in verdicts)
    return {"records": len(files), "verified": verified, "refused": len(files) - verified, "files": files}


@replay.command()
@record_argument
@click.option("--json", "as_json", is_flag=True, help="Print JSON, which is also done without this.")
@reports_errors
def export(file: Path, as_json: bool) -> None:
    """
    Print the match in FILE as JSON, for other programs.

    All rounds are in it as they were dealt, with every action and the scores line by line. docs/records.md describes
    the form. A record that does not replay is refused.

    \b
    Example:
      handfoot replay export records/000000-2f-9c-0.hfr --json
    """
    from referee.rules import export_record
    from tournaments.cli.layout import laid_out
    from tournaments.records import read_record

    click.echo(laid_out(export_record(read_record(file))))
