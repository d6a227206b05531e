"""Scrimmages: a partnership for each side over a number of duplicates, and how they are played."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase
from typing import Final

from tournaments.entrants import find_entrant, resolve_command
from tournaments.errors import DidNotShow, TournamentError
from tournaments.integrity import seed_secret
from tournaments.jobs import job_of
from tournaments.partnerships import Partnership, mirrored, mixed, refuse_unfit_partners
from tournaments.results import UnitResult
from tournaments.schedule import Unit, single_pairing
from tournaments.terms import Terms
from tournaments.workers.engine import Finished, LocalEngine

MOST_TABLES: Final = 16
"""How many matches a worker plays at once unless it is told otherwise."""

MOST_PROCESSES: Final = 24
"""Up to how many processes of bots a worker may need at once to play several matches: a seat has one for each leg."""


@dataclass(frozen=True, slots=True)
class Scrimmage:
    """What is to be played."""

    entrants: tuple[Partnership, ...]
    """One for each side, in the order in which they were given; they are called a, b, c and so on."""

    terms: Terms
    duplicates: int

    seed: int
    """What all deals and the bots' own randomness follow from."""

    def tables(self, workers: int, most: int = MOST_TABLES) -> int:
        """
        Return how many units each of *workers* plays at once, *most* at most.

        As many as every bot plays tables; no more than there are for each worker; and one only where the processes of
        all legs are so many that their memory counts.
        """
        declared = min(entrant.manifest.tables for side in self.entrants for entrant in side.entrants)
        if self.terms.seats * self.terms.sides > MOST_PROCESSES:
            return 1
        return max(1, min(declared, most, -(-self.duplicates // workers)))

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units, one per duplicate."""
        return single_pairing([entrant.hash for entrant in self.entrants], self.duplicates)

    @property
    def indices(self) -> tuple[int, ...]:
        """For each of `entrants`, which of a unit's entities it is; equal ones keep their order."""
        order = sorted(range(len(self.entrants)), key=lambda number: self.entrants[number].hash)
        return tuple(order.index(number) for number in range(len(order)))

    @property
    def letters(self) -> tuple[str, ...]:
        """What the `entrants` are called."""
        return tuple(ascii_lowercase[: len(self.entrants)])


def refuse_wrong_number(bots: Sequence[str], terms: Terms) -> None:
    """
    Raise unless there are as many *bots*, or partnerships of them, as sides.

    Raises:
        TournamentError: too few or too many; says how many are needed, and at how many seats there would be enough.
    """
    given, rules = len(bots), terms.rules
    if given == terms.sides:
        return
    fitting = [str(seats) for seats in rules.seats if rules.sides(seats) == given]
    instead = f", or --seats {' or '.join(fitting)}" if fitting else ""
    raise TournamentError(
        "wrong number of bots",
        f"{rules.name} at {terms.seats} seats is played by {terms.sides} sides",
        got=given,
        expected=f"{terms.sides}, one for each side{instead}",
    )


def find_partnership(bots: str, terms: Terms) -> Partnership:
    """
    Return the partnership that *bots* names: one bot for all seats of a side, or as many as seats, joined by ``+``.

    Raises:
        InvalidEntrant: an unknown bot, one that cannot be started or does not play by *terms*, or too many of them.
    """
    names = [bots] if Path(bots).is_dir() else bots.split("+")
    entrants = [find_entrant(name) for name in names]
    size = terms.side_size
    partnership = mirrored(entrants[0], size) if len(entrants) == 1 else mixed(entrants, size)
    refuse_unfit_partners(partnership, terms.ruleset, terms.seats)
    for entrant in entrants:
        resolve_command(entrant)
    return partnership


async def play_scrimmage(
    scrimmage: Scrimmage, engine: LocalEngine, records: Path | None, tell: Callable[[Finished], None]
) -> tuple[UnitResult, ...]:
    """
    Play *scrimmage* and return its results in the order of the units; *tell* of each as it comes.

    Raises:
        DidNotShow: a bot did not get ready; what is not played by then is not played at all.
    """
    entities = {entrant.hash: entrant for entrant in scrimmage.entrants}
    for unit in scrimmage.units:
        engine.submit(job_of(unit, scrimmage.terms, seed_secret(scrimmage.seed), entities, records))
    results: list[UnitResult] = []
    async for finished in engine.as_completed():
        if finished.result.status == "no_show":
            raise DidNotShow((finished.complaint or "a bot did not show").strip())
        tell(finished)
        results.append(finished.result)
    return tuple(sorted(results, key=lambda result: result.unit))
