"""
What thinking costs: the engine as a searcher uses it, playouts a second, and the house bot `searcher` at its effort.

    .venv/bin/python tests/benchmarks/searcher.py [--quick] [--duplicates N]

With `--duplicates` the searcher also plays so many duplicates against `steady` on `online`, in this process, and the
result is told every ten of them: 200 take about half an hour. The deals follow from their numbers.
"""

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from handfoot import Action, View
from handfoot.bots.steady import SteadyBot
from in_process import Match, Played, margin_of, play_duplicate, spec_of
from measuring import Effort, Rates, Table, per_cpu_second, pin

from referee.bots import Worlds, play_out, play_turn
from referee.bots.searcher import SearcherBot
from referee.rules import ONLINE, RULESETS, RoundState, Ruleset, apply, begin_round, legal_actions, observe
from tournaments.statistics import elo

SEATS = 4
POSITIONS = 100


class Timed(SearcherBot):
    """A searcher that counts what it spends, over all its matches."""

    cpu = 0.0
    made = 0

    def act(self, view: View) -> Action | list[Action]:
        """Return what a searcher answers."""
        began, spent = time.process_time(), self.spent
        answer = super().act(view)
        Timed.cpu += time.process_time() - began
        Timed.made += self.spent - spent
        return answer


def positions(ruleset: Ruleset) -> list[RoundState]:
    """Return positions before a turn, anywhere in rounds that were played by rules of thumb."""
    dice = random.Random(3)
    found: list[RoundState] = []
    while len(found) < POSITIONS:
        state, _ = begin_round(ruleset, SEATS, 0, dice.randbytes(32))
        play_out(state, dice.randrange(40))
        if not state.over:
            found.append(state)
    return found


def costs(effort: Effort) -> Table:
    """Measure what a searcher does at a position, and what it does most."""
    header = (
        "ruleset",
        "`copy`",
        "`apply`",
        "`observe`",
        "`Worlds`",
        "`sample`",
        "turn played",
        "playouts a second",
    )
    rows = [(name, *_costs_of(ruleset, effort)) for name, ruleset in RULESETS.items()]
    note = (
        "Microseconds of CPU a call, in the middle of rounds; *apply* is one action of a random turn, a *playout* "
        "copies a sampled world and plays it to the end of the round."
    )
    return Table("What thinking costs", header, tuple(rows), note)


def _costs_of(ruleset: Ruleset, effort: Effort) -> tuple[str, ...]:
    states, dice = positions(ruleset), random.Random(4)
    views = [observe(state, state.decider, [0, 0]) for state in states]
    worlds = [Worlds(ruleset, seen) for seen in views]
    numbers = range(POSITIONS)
    parts: tuple[Callable[[int], object], ...] = (
        lambda number: states[number].copy(),
        lambda number: observe(states[number], 0, [0, 0]),
        lambda number: Worlds(ruleset, views[number]),
        lambda number: worlds[number].sample(dice),
    )
    copied, observed, prepared, sampled = (
        _micros([lambda part=part, n=n: part(n) for n in numbers], effort) for part in parts
    )
    trials = [state.copy() for _ in range(effort.repetitions) for state in states]
    turns = _micros_once([lambda trial=trial: play_turn(trial) for trial in trials], effort)
    playouts = Rates(
        tuple(per_cpu_second(_playouts(worlds, dice), effort.seconds) for _ in range(effort.repetitions))
    )
    cells = (copied, _applied(states, dice, effort), observed, prepared, sampled, turns, playouts)
    return tuple(map(str, cells))


def _micros(calls: list[Callable[[], object]], effort: Effort) -> Rates:
    return _micros_once(calls * effort.repetitions, effort)


def _micros_once(calls: list[Callable[[], object]], effort: Effort) -> Rates:
    """Measure *calls*, each made once, in as many parts as there are repetitions."""
    size, values = len(calls) // effort.repetitions, []
    for begin in range(0, size * effort.repetitions, size):
        began = time.process_time()
        for call in calls[begin : begin + size]:
            call()
        values.append((time.process_time() - began) / size * 1e6)
    return Rates(tuple(values))


def _applied(states: list[RoundState], dice: random.Random, effort: Effort) -> Rates:
    """Measure `apply` alone, over the actions of random turns."""
    values = []
    for _ in range(effort.repetitions):
        took, actions = 0.0, 0
        for state in [state.copy() for state in states]:
            turn = state.turn
            while state.turn == turn and not state.over:
                action = legal_actions(state).sample(dice.random)
                began = time.process_time()
                apply(state, action)
                took += time.process_time() - began
                actions += 1
        values.append(took / actions * 1e6)
    return Rates(tuple(values))


def _playouts(worlds: list[Worlds], dice: random.Random) -> Callable[[], int]:
    samples = [world.sample(dice) for world in worlds]

    def some() -> int:
        for world in samples:
            play_out(world.copy())
        return len(samples)

    return some


def turns_of(match: Played, seats: set[int]) -> int:
    """Return how many turns *seats* had in *match*."""
    ends = [step for step in match.log if type(step.action).__name__ in ("Discard", "Pass")]
    return sum(step.seat in seats for step in ends)


def thinking(effort: Effort) -> Table:
    """Let the searcher play a match of each ruleset against `steady`, and tell what its turns cost."""
    rows = []
    for name, ruleset in RULESETS.items():
        per_turn, made = [], []
        for number in range(1 if effort.quick else 3):
            Timed.cpu, Timed.made = 0.0, 0
            match = Match(spec_of(ruleset, SEATS, f"thinking {number}"), [Timed, SteadyBot] * 2).play()
            turns = turns_of(match, {0, 2})
            per_turn.append(Timed.cpu / turns * 1000)
            made.append(Timed.made / turns)
        rows.append((name, str(Rates(tuple(per_turn))), str(Rates(tuple(made)))))
    note = f"At most {SearcherBot.playouts} playouts a decision; its planning and what the SDK does are counted in."
    return Table(
        "The house bot `searcher`", ("ruleset", "ms of CPU a turn", "playouts a turn"), tuple(rows), note
    )


def strength(duplicates: int) -> Iterator[Table]:
    """Yield, every ten duplicates, how the searcher did against `steady` on `online` so far."""
    margins: list[int] = []
    Timed.cpu, Timed.made, turns = 0.0, 0, 0
    for number in range(duplicates):
        legs = play_duplicate(ONLINE, SEATS, f"searcher {number}", Timed, SteadyBot)
        margins.append(margin_of(legs))
        turns += turns_of(legs[0], {0, 2}) + turns_of(legs[1], {1, 3})
        if len(margins) % 10 == 0 or len(margins) == duplicates:
            yield _strength_of(margins, turns)


def _strength_of(margins: list[int], turns: int) -> Table:
    wins, losses = sum(margin > 0 for margin in margins), sum(margin < 0 for margin in margins)
    draws = len(margins) - wins - losses
    found = elo(wins, draws, losses)
    error = statistics.stdev(margins) / len(margins) ** 0.5 if len(margins) > 1 else 0.0
    superior = "–" if found.los is None else f"{found.los:.4f}"
    row = (
        f"{wins}–{draws}–{losses}",
        superior,
        f"{statistics.mean(margins):+.0f} ± {error:.0f}",
        f"{Timed.cpu / turns * 1000:.0f}",
        f"{Timed.made / Timed.cpu:.0f}",
    )
    header = ("win–draw–loss", "los", "mean margin a duplicate", "ms of CPU a turn", "playouts a second")
    return Table(f"searcher against steady, online, {len(margins)} duplicates", header, (row,))


def measure(effort: Effort) -> tuple[Table, ...]:
    """Return the tables of this part of the benchmark."""
    pin(0)
    return costs(effort), thinking(effort)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--duplicates", type=int, default=0)
    said = parser.parse_args()
    for table in measure(Effort(1, 0.3) if said.quick else Effort(5, 1.5)):
        print(table.markdown(), end="\n\n", flush=True)
    for table in strength(said.duplicates):
        print(table.markdown(), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
