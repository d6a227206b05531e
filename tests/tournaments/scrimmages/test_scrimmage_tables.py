"""How many units of a scrimmage a worker plays at once."""

from dataclasses import replace

from tournaments.entrants import Entrant, house_entrant
from tournaments.partnerships import mirrored
from tournaments.scrimmages.scrimmage import MOST_TABLES, Scrimmage
from tournaments.terms import Terms


def scrimmage(*tables: int, terms: Terms | None = None, duplicates: int = 100) -> Scrimmage:
    """Return a scrimmage of bots that declare so many *tables*."""
    chosen = terms or Terms("simple")
    bots = [_declaring(house_entrant("random"), number) for number in tables]
    return Scrimmage(tuple(mirrored(bot, chosen.side_size) for bot in bots), chosen, duplicates, 7)


def _declaring(entrant: Entrant, tables: int) -> Entrant:
    return replace(entrant, manifest=replace(entrant.manifest, tables=tables))


def test_as_many_as_every_bot_declares() -> None:
    """One that does not declare any keeps the others to one match at a time."""
    assert scrimmage(8, 12).tables(1) == 8
    assert scrimmage(1, 12).tables(1) == 1


def test_no_more_than_it_is_told() -> None:
    """There is a most that nobody has to ask for, and a most that was asked for."""
    assert scrimmage(64, 64).tables(1) == MOST_TABLES
    assert scrimmage(64, 64).tables(1, 64) == 64
    assert scrimmage(64, 64).tables(1, 1) == 1


def test_no_worker_takes_what_another_could_play() -> None:
    """Few units are spread over the workers."""
    assert scrimmage(64, 64, duplicates=6).tables(2) == 3
    assert scrimmage(64, 64, duplicates=7).tables(2) == 4
    assert scrimmage(64, 64, duplicates=1).tables(1) == 1


def test_large_tables_are_played_one_by_one() -> None:
    """Every seat needs a process for each leg, and all of them memory."""
    six = Terms("publisher", 6)
    assert scrimmage(*[64] * 3, terms=six).tables(1) == MOST_TABLES
    assert scrimmage(*[64] * 4, terms=Terms("publisher", 8)).tables(1) == 1
