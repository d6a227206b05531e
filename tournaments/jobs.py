"""Jobs: a unit with everything that is needed to play it, as a value that travels to a worker as one line of JSON."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from referee.service.processes import BotSpec
from tournaments.entrants import EntrantHash, bot_spec
from tournaments.integrity import deal_key
from tournaments.partnerships import Partnership
from tournaments.schedule import EntityHash, Leg, Unit
from tournaments.terms import Terms


@dataclass(frozen=True, slots=True)
class Player:
    """An entrant as a worker needs it: how it is started, and what tells it from others."""

    entrant: EntrantHash
    spec: BotSpec


@dataclass(frozen=True, slots=True)
class Job:
    """A unit to be played."""

    unit: Unit

    terms: Terms

    keys: tuple[bytes, ...]
    """The deal key of each round, 32 bytes each."""

    lineups: tuple[tuple[Player, ...], ...]
    """Per entity of the unit, who plays its seats, in the order of the seats of a side."""

    records: str | None
    """The folder that gets the records of the matches, if they are to be kept."""

    def to_line(self) -> str:
        """Return one line of JSON, without its end, that `from_line` reads."""
        unit = {"id": self.unit.id, "duplicate": self.unit.duplicate, "entities": self.unit.entities}
        lineups = [
            [{"entrant": p.entrant, "spec": p.spec.to_dict()} for p in lineup] for lineup in self.lineups
        ]
        keys = [key.hex() for key in self.keys]
        more = {"terms": asdict(self.terms), "keys": keys, "lineups": lineups, "records": self.records}
        return json.dumps({"unit": unit} | more)

    @staticmethod
    def from_line(line: str) -> "Job":
        """Return the job that `to_line` wrote."""
        plain: dict[str, Any] = json.loads(line)
        unit = plain["unit"]
        return Job(
            Unit(unit["id"], unit["duplicate"], tuple(map(EntityHash, unit["entities"]))),
            Terms(**plain["terms"]),
            tuple(map(bytes.fromhex, plain["keys"])),
            tuple(tuple(map(_player, lineup)) for lineup in plain["lineups"]),
            plain["records"],
        )


def job_of(
    unit: Unit, terms: Terms, secret: bytes, entities: Mapping[EntityHash, Partnership], records: Path | None
) -> Job:
    """Return the job of playing *unit* by *terms*, on the deals that follow from *secret*."""
    keys = tuple(deal_key(secret, unit.id, number) for number in range(terms.rounds))
    lineups = tuple(_lineup(entities[entity]) for entity in unit.entities)
    return Job(unit, terms, keys, lineups, None if records is None else str(records))


def players_by_seat(job: Job, leg: Leg) -> tuple[Player, ...]:
    """Return who sits where in *leg*: side s has the seats s, s + sides, s + 2 sides …"""
    sides = len(job.lineups)
    return tuple(job.lineups[leg.seating[seat % sides]][seat // sides] for seat in range(job.terms.seats))


def _lineup(partnership: Partnership) -> tuple[Player, ...]:
    return tuple(Player(entrant.hash, bot_spec(entrant)) for entrant in partnership.entrants)


def _player(plain: dict[str, Any]) -> Player:
    return Player(EntrantHash(plain["entrant"]), BotSpec.from_dict(plain["spec"]))
