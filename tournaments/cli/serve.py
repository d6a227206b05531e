"""`handfoot serve`: an open league that bots dial in to."""

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tournaments.cli.failures import reports_errors, run_until_stopped
from tournaments.cli.parameters import FOLDER, duplicates_option, log_option, writable_log

if TYPE_CHECKING:
    from referee.service.public import Certificate

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("folder", metavar="LEAGUE", type=FOLDER)
@duplicates_option(
    None,
    "Units per pairing, earlier ones included; a larger number extends the league.  [default: from league.toml]",
)
@click.option(
    "--listen",
    default="127.0.0.1:0",
    show_default=True,
    metavar="HOST:PORT",
    help="Where bots dial in; port 0 means any that is free.",
)
@click.option("--tls-cert", type=FILE, help="The certificate of this server, in PEM, for TLS.")
@click.option("--tls-key", type=FILE, help="Its key, in PEM, without a password.")
@click.option(
    "--insecure-listen-anywhere",
    is_flag=True,
    help="Listen on any address without TLS: whoever is on the way reads tokens and cards.",
)
@log_option
@reports_errors
def serve(
    folder: Path,
    duplicates: int | None,
    listen: str,
    tls_cert: Path | None,
    tls_key: Path | None,
    insecure_listen_anywhere: bool,
    log: Path | None,
) -> None:
    """
    Play an open LEAGUE with bots that dial in.

    Bots of invited authors come and go; whoever is there plays whom it has played least. The first line of output is
    the address. It goes on until it is stopped (Ctrl-C): then the bots are told, and what is being played comes to
    nothing and is played another time.

    \b
    Example:
      handfoot serve spring --listen 0.0.0.0:7000 --tls-cert cert.pem --tls-key key.pem
    """
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # what it has to say is told in our words
    if not (listen.startswith("unix:") or re.fullmatch(r".+:\d{1,5}", listen)):
        raise click.UsageError(f"--listen: not an address; got {listen!r}; expected HOST:PORT")
    certificate = _certificate(tls_cert, tls_key)
    if certificate is None:
        _refuse_strangers(listen, insecure_listen_anywhere)
    _serve(folder, duplicates, listen, certificate, writable_log(log))


def _certificate(chain: Path | None, key: Path | None) -> "Certificate | None":
    from referee.service.public import read_certificate

    if (chain is None) != (key is None):
        raise click.UsageError("--tls-cert and --tls-key belong together; got one of them")
    return None if chain is None or key is None else read_certificate(chain, key)


def _refuse_strangers(listen: str, allowed: bool) -> None:
    """Raise unless only this machine can dial in, or everybody is *allowed* to; then warn."""
    from referee.service.public import only_this_machine

    if only_this_machine(listen):
        return
    if not allowed:
        raise click.UsageError(
            f"--listen: without TLS only this machine may dial in; got {listen!r}; expected --tls-cert and "
            "--tls-key, or --insecure-listen-anywhere"
        )
    click.echo(f"warning: no TLS on {listen}: whoever is on the way reads tokens and cards", err=True)


def _serve(
    folder: Path, duplicates: int | None, listen: str, certificate: "Certificate | None", log: Path | None
) -> None:
    from referee.service.journal import start_log, stop_log
    from tournaments.leagues.league import open_league
    from tournaments.open_leagues.serve import OpenServer
    from tournaments.store import own_league

    def tell(line: str) -> None:
        click.echo(line, err=True)

    def now() -> datetime:
        return datetime.now(UTC)

    league = open_league(folder)
    with own_league(league.folder, now()), league.open_store() as store:

        async def work() -> None:
            server = OpenServer(league, store, duplicates, tell, now)
            await server.serve(listen, certificate, click.echo)

        logging_to = start_log(log, league=league.settings.name)
        try:
            run_until_stopped(work())
        finally:
            stop_log(logging_to)
        click.echo("stopped; the same command goes on", err=True)
