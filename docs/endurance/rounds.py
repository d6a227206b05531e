"""
Play very many rounds by random and by greedy play, and verify each match from the bytes of its record.

    .venv/bin/python docs/endurance/rounds.py --random 10000 --greedy 2000 --workers 2

Every match has to end within the bound that the rules state, its cards have to stay whole packs, no decision of a
greedy bot may be refused, and the record, read back from its bytes, has to replay to the same scores. The first thing
that does not hold stops the run with the ruleset, the number of seats and the seed. Prints a table in Markdown.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from handfoot.bots.greedy import GreedyBot
from in_process import play_match, spec_of

from referee.rules import (
    RULESETS,
    MatchRecord,
    MatchState,
    RecordedAction,
    Ruleset,
    action_bound,
    begin_match,
    from_bytes,
    legal_actions,
    play,
    replay,
    score_lines,
    to_bytes,
)
from referee.rules.cards import PACK_SIZE


@dataclass(slots=True)
class Tally:
    """What some rounds of one kind at one size of table came to."""

    ruleset: str
    seats: int
    kind: str
    rounds: int = 0
    actions: int = 0
    longest: int = 0
    """Most actions of a round."""

    went_out: int = 0
    seconds: float = 0.0

    def add(self, other: "Tally") -> None:
        """Count the rounds of *other* as well."""
        self.rounds += other.rounds
        self.actions += other.actions
        self.went_out += other.went_out
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)


def play_random(ruleset: Ruleset, seats: int, seed: str) -> tuple[MatchState, list[RecordedAction]]:
    """Return a match of random legal actions and all its actions."""
    dice = random.Random(seed)
    match, _ = begin_match(ruleset, seats, [dice.randbytes(32) for _ in range(ruleset.rounds)])
    actions: list[RecordedAction] = []
    while not match.finished:
        action = legal_actions(match.state).sample(dice.random)
        actions.append(RecordedAction(match.round, match.state.decider, action, 0, by_referee=False))
        play(match, action)
        if match.state.over or len(actions) % 64 == 0:
            count_cards(match)
    return match, actions


def play_greedy(ruleset: Ruleset, seats: int, seed: str) -> tuple[MatchState, list[RecordedAction]]:
    """Return a match of the house bot greedy against itself, through the referee's table and codec."""
    played = play_match(spec_of(ruleset, seats, seed), [GreedyBot] * seats)
    assert not played.refusals, played.refusals[0]
    return played.match, played.log


def count_cards(match: MatchState) -> None:
    """Raise unless the cards at the table are whole packs."""
    state = match.state
    cards = len(state.pile) + state.stock.left + sum(meld.size for meld in state.melds)
    cards += sum(len(seat.cards) + len(seat.foot) for seat in state.seats)
    cards += sum(len(side.red_threes) for side in state.sides)
    assert cards == PACK_SIZE * match.ruleset.deal.packs_for(match.seats), f"{cards} cards"


def verify(match: MatchState, actions: list[RecordedAction]) -> None:
    """Raise unless the record of the match, read back from its bytes, replays to the same scores."""
    record = MatchRecord(
        match="endurance",
        ruleset=match.ruleset,
        seats=("bot@1",) * match.seats,
        keys=match.keys,
        actions=tuple(actions),
        termination="played",
        forfeited=(),
        scores=score_lines(match),
        totals=tuple(match.totals),
    )
    assert replay(from_bytes(to_bytes(record))).totals == match.totals


PLAYS = {"random": play_random, "greedy": play_greedy}


def play_one(kind: str, ruleset: Ruleset, seats: int, seed: str) -> Tally:
    """Play and verify one match."""
    started = time.process_time()
    match, actions = PLAYS[kind](ruleset, seats, seed)
    count_cards(match)
    lengths = [0] * ruleset.rounds
    for recorded in actions:
        lengths[recorded.round] += 1
    bound = action_bound(ruleset, seats)
    assert max(lengths) <= bound, f"a round of {max(lengths)} actions, above {bound}"
    verify(match, actions)
    out = sum(seat is not None for seat in match.went_out)
    seconds = time.process_time() - started
    return Tally(ruleset.name, seats, kind, ruleset.rounds, len(actions), max(lengths), out, seconds)


def play_batch(batch: tuple[str, str, int, int, int]) -> Tally:
    """Play the matches numbered from *first* up to *last*; name the one that fails."""
    kind, name, seats, first, last = batch
    tally = Tally(name, seats, kind)
    for number in range(first, last):
        seed = f"{kind} {name} {seats} {number}"
        try:
            tally.add(play_one(kind, RULESETS[name], seats, seed))
        except Exception as error:
            raise RuntimeError(f"{seed}: {type(error).__name__}: {error}") from error
    return tally


def batches(
    rounds: dict[str, int], names: list[str], seats: int | None
) -> Iterator[tuple[str, str, int, int, int]]:
    """Yield the work in pieces of at most 25 matches."""
    for kind, number in rounds.items():
        for name in names:
            matches = -(-number // RULESETS[name].rounds)
            for each in RULESETS[name].seats if seats is None else [seats]:
                for first in range(0, matches, 25):
                    yield kind, name, each, first, min(first + 25, matches)


def main() -> None:
    """Play what the command line asks for and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--random", type=int, default=10_000, help="random rounds per ruleset and size of table"
    )
    parser.add_argument(
        "--greedy", type=int, default=2_000, help="greedy rounds per ruleset and size of table"
    )
    parser.add_argument("--rules", choices=list(RULESETS), action="append", help="only this ruleset")
    parser.add_argument("--seats", type=int, help="only this number of seats")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    rounds = {"random": given.random, "greedy": given.greedy}
    tallies: dict[tuple[str, int, str], Tally] = {}
    with ProcessPoolExecutor(given.workers) as pool:
        for tally in pool.map(play_batch, batches(rounds, given.rules or list(RULESETS), given.seats)):
            key = (tally.ruleset, tally.seats, tally.kind)
            tallies.setdefault(key, Tally(*key)).add(tally)
            print(f"\r{sum(each.rounds for each in tallies.values())} rounds", end="", file=sys.stderr)
    print(file=sys.stderr)
    print("| ruleset | seats | play | rounds | actions a round | longest | bound | went out | CPU s |")
    print("|---|---:|---|---:|---:|---:|---:|---:|---:|")
    for each in sorted(tallies.values(), key=lambda tally: (tally.ruleset, tally.seats, tally.kind)):
        bound = action_bound(RULESETS[each.ruleset], each.seats)
        print(
            f"| {each.ruleset} | {each.seats} | {each.kind} | {each.rounds} | {each.actions / each.rounds:.0f} "
            f"| {each.longest} | {bound} | {each.went_out / each.rounds:.0%} | {each.seconds:.0f} |"
        )


if __name__ == "__main__":
    main()
