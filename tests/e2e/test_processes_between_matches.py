"""Which process of a bot plays what: the bots write it down themselves, and any breach of the rules shows."""

import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from authored import write_bot
from command import handfoot_here

pytestmark = pytest.mark.slow

NOTES: str = """
import json, os, time
from handfoot import Bot

def now():
    return time.clock_gettime(time.CLOCK_BOOTTIME)

with open("/proc/self/stat") as stat:
    BORN = int(stat.read().rpartition(")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")

class Mine(Bot):
    def on_start(self, match):
        self.note = {{"pid": os.getpid(), "born": BORN, "seat": match.seat, "seed": match.bot_seed}}
        self.note["began"] = now()

    def act(self, view):
        return self.rng.choice(view.legal_actions)

    def on_end(self, ended):
        self.note["ended"] = now()
        with open("{notes}", "a") as file:
            file.write(json.dumps(self.note) + "\\n")
"""
DUPLICATES = 2


@dataclass(frozen=True)
class Sitting:
    """What a process wrote down of a seat in a match."""

    pid: int
    born: float
    """When the process was started, not when its interpreter was."""

    seat: int
    seed: int
    began: float
    ended: float

    @property
    def leg(self) -> int:
        """Which leg it was: the bot sits at even seats in the one and at odd seats in the other."""
        return self.seat % 2


def play(folder: Path, *, stateless: bool) -> list[Sitting]:
    """Play the noting bot against another one, and return what its processes wrote, by their beginnings."""
    notes = folder / "notes"
    more = "stateless = true\n" if stateless else ""
    mine = str(write_bot(folder / "mine", NOTES.format(notes=notes), more=more))
    words = ("--rules", "simple", "--duplicates", DUPLICATES, "--workers", 1, "--isolation", "none")
    done = handfoot_here("scrimmage", mine, "random", *words)
    assert done.exit_code == 0, done.stderr
    assert "faults" not in done.stdout
    sittings = [Sitting(**json.loads(line)) for line in notes.read_text().splitlines()]
    assert len(sittings) == DUPLICATES * 2 * 2
    return sorted(sittings, key=lambda sitting: sitting.began)


@pytest.fixture(scope="module", params=[False, True], ids=["fresh", "stateless"])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Sitting]:
    """What was written in a scrimmage of bots that are stateless, or are not."""
    return play(tmp_path_factory.mktemp("noted"), stateless=request.param)


def test_a_process_plays_one_kind_of_leg_for_ever(played: list[Sitting]) -> None:
    """In the second leg the cards are known from the first one."""
    for pid in {sitting.pid for sitting in played}:
        assert len({sitting.leg for sitting in played if sitting.pid == pid}) == 1


def test_a_process_never_holds_two_seats(played: list[Sitting]) -> None:
    """Whatever a process plays, it has ended before it sits down again."""
    for pid in {sitting.pid for sitting in played}:
        own = [sitting for sitting in played if sitting.pid == pid]
        assert all(first.ended <= second.began for first, second in pairwise(own))
    for first, second in zip(played[::2], played[1::2], strict=True):
        assert first.pid != second.pid
        assert {first.seat, second.seat} in ({0, 2}, {1, 3})


def test_the_two_legs_have_the_same_seeds(played: list[Sitting]) -> None:
    """They are of the seats and the deals, not of who sits there; every set of deals has its own."""
    seeds = [{sitting.seed for sitting in played if sitting.seat == seat} for seat in range(4)]
    assert all(len(each) == DUPLICATES for each in seeds)
    assert len(set.union(*seeds)) == 4 * DUPLICATES


def test_only_stateless_bots_are_used_again(played: list[Sitting], request: pytest.FixtureRequest) -> None:
    """They need four processes for any number of matches; others get one per seat and match."""
    stateless = request.node.name.endswith("[stateless]")
    assert len({sitting.pid for sitting in played}) == (4 if stateless else len(played))


def test_a_process_is_prepared_while_the_match_before_is_played(played: list[Sitting]) -> None:
    """Nobody waits for interpreters to start between two matches."""
    matches = [played[number : number + 2] for number in range(0, len(played), 2)]
    for before, after in pairwise(matches):
        for sitting in after:
            assert sitting.born < max(each.ended for each in before)
