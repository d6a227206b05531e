"""The game in process: random legal play of each ruleset against the engines of others, and what its parts cost."""

import random
import time
from collections import Counter
from collections.abc import Callable
from types import FrameType

from measuring import Effort, Measure, Rates, Row, Table, in_turn, per_cpu_second, pin, sampling, worst_of
from peers import Play, find_peer

from referee.rules import (
    RULESETS,
    MatchState,
    Ruleset,
    begin_match,
    begin_round,
    legal_actions,
    observe,
    play,
)

SEATS = 4
GOALS: tuple[tuple[str, bool, float, float], ...] = (
    ("open_spiel:gin_rummy", False, 2.0, 5.0),
    ("open_spiel_observed:gin_rummy", True, 1.5, 4.0),
    ("rlcard:gin-rummy", False, 6.0, 15.0),
    ("pettingzoo:gin_rummy_v4", False, 20.0, 50.0),
    ("pokerkit:no_limit_holdem", False, 20.0, 50.0),
    ("chess:random_plies", False, 4.0, 10.0),
    ("open_spiel:hearts", False, 0.2, 0.5),
    ("open_spiel:euchre", False, 0.2, 0.5),
    ("open_spiel:spades", False, 0.2, 0.5),
)
"""Peer, whether both observe at each decision, goal, stretch."""


def new_match(ruleset: Ruleset, dice: random.Random) -> MatchState:
    """Return the start of a match with fresh deals."""
    match, _ = begin_match(ruleset, SEATS, [dice.randbytes(32) for _ in range(ruleset.rounds)])
    return match


def random_match(ruleset: Ruleset, *, observing: bool) -> Play:
    """Return a function that plays a random match to its end, looking from the decider's seat if *observing*."""
    dice = random.Random(1)
    chance = dice.random

    def one() -> int:
        match, decisions = new_match(ruleset, dice), 0
        while not match.finished:
            state = match.state
            if observing:
                observe(state, state.decider, match.totals)
            play(match, legal_actions(state).sample(chance))
            decisions += 1
        return decisions

    return one


def choices_of(ruleset: Ruleset) -> float:
    """Return which part of the decisions of random play has more than one listed action."""
    dice = random.Random(2)
    many = decisions = 0
    for _ in range(2):
        match = new_match(ruleset, dice)
        while not match.finished:
            listed = list(legal_actions(match.state))
            many += len(listed) > 1
            decisions += 1
            play(match, listed[int(dice.random() * len(listed))])
    return many / decisions


def against_peers(effort: Effort) -> tuple[Table, Table]:
    """Measure each ruleset and each peer in turn; all rulesets are set against each peer's goal."""
    contestants: dict[str, Measure] = {}
    for name, ruleset in RULESETS.items():
        for observing in (False, True):
            contestants[f"{name} {observing}"] = _measure(random_match(ruleset, observing=observing), effort)
    for peer, *_ in GOALS:
        if found := find_peer(peer):
            found()
            contestants[peer] = _measure(found, effort)
    rates = in_turn(contestants, effort.repetitions)
    ours = Table(
        "Random legal play",
        ("ruleset", "decisions", "with a choice", "decisions, observed"),
        tuple(
            (name, str(rates[f"{name} False"]), f"{choices_of(ruleset):.0%}", str(rates[f"{name} True"]))
            for name, ruleset in RULESETS.items()
        ),
        "Decisions of all kinds per CPU second in one thread, and the part of them that leave a choice.",
    )
    return ours, _ratios(rates)


def _ratios(rates: dict[str, Rates]) -> Table:
    lines = []
    for peer, observing, goal, stretch in GOALS:
        rows = [
            Row(name, rates[f"{name} {observing}"], peer, rates.get(peer), goal, stretch) for name in RULESETS
        ]
        cells = ["–" if row.peer is None else str(row.ours.over(row.peer)) for row in rows]
        label = peer.replace("_observed", ", observed").replace(":", " ")
        verdict = worst_of(rows)
        lines.append((label, str(rates.get(peer, "–")), *cells, f"≥ {goal:g}, stretch {stretch:g}", verdict))
    header = ("peer", "its rate", *RULESETS, "goal", "")
    note = "Our rate over the peer's, taken in turn. Where the peer observes at each decision, so do we."
    return Table("Against the engines of others", header, tuple(lines), note)


def _measure(one: Play, effort: Effort) -> Measure:
    return lambda: per_cpu_second(one, effort.seconds)


def costs(effort: Effort) -> Table:
    """Measure the parts on positions of a random match of each ruleset."""
    header = ("ruleset", "`copy`", "`observe`", "list all", "`sample`", "deal", "match, ms")
    rows = [(name, *_costs_of(ruleset, effort)) for name, ruleset in RULESETS.items()]
    note = "Microseconds of CPU a call, on the positions of random matches."
    return Table("What the parts cost", header, tuple(rows), note)


def _costs_of(ruleset: Ruleset, effort: Effort) -> tuple[str, ...]:
    positions = _positions(ruleset)
    chance = random.Random(4).random
    parts: tuple[Callable[[MatchState], object], ...] = (
        lambda match: match.state.copy(),
        lambda match: observe(match.state, match.state.decider, match.totals),
        lambda match: list(legal_actions(match.state)),
        lambda match: legal_actions(match.state).sample(chance),
        lambda match: begin_round(ruleset, SEATS, 0, bytes(32)),
    )
    micros = [str(_micros(part, positions, effort)) for part in parts]
    one = random_match(ruleset, observing=False)
    began = time.process_time()
    for _ in range(effort.repetitions):
        one()
    took = (time.process_time() - began) / effort.repetitions
    return *micros, f"{took * 1000:.0f}"


def _positions(ruleset: Ruleset) -> list[MatchState]:
    dice = random.Random(3)
    found = []
    while len(found) < 200:
        match = new_match(ruleset, dice)
        for _ in range(dice.randrange(200)):
            if not match.finished:
                play(match, legal_actions(match.state).sample(dice.random))
        if not match.finished:
            found.append(match)
    return found


def _micros(part: Callable[[MatchState], object], positions: list[MatchState], effort: Effort) -> Rates:
    values = []
    for _ in range(effort.repetitions):
        began = time.process_time()
        for match in positions:
            part(match)
        values.append((time.process_time() - began) / len(positions) * 1e6)
    return Rates(tuple(values))


def where_time_goes(effort: Effort) -> Table:
    """Sample random play of each ruleset: which functions of the engine the time is spent in."""
    columns = [_profile(ruleset, effort) for ruleset in RULESETS.values()]
    total: Counter[str] = Counter()
    for column in columns:
        total.update(column)
    lines = [
        (f"`{name}`", *(f"{column[name]:.1%}" for column in columns)) for name, _ in total.most_common(20)
    ]
    note = "Share of the CPU time spent in the function itself, built-in functions it calls among it."
    return Table("Where the time of random play goes", ("function", *RULESETS), tuple(lines), note)


def _profile(ruleset: Ruleset, effort: Effort) -> dict[str, float]:
    one = random_match(ruleset, observing=False)
    one()
    with sampling(_function) as found:
        per_cpu_second(one, effort.seconds * effort.repetitions)
    return Counter({name: number / found.total() for name, number in found.items()})  # type: ignore[arg-type]


def _function(frame: FrameType) -> str:
    module = str(frame.f_globals.get("__name__", "")).removeprefix("referee.rules.")
    return f"{module}.{frame.f_code.co_name}"


def measure(effort: Effort) -> tuple[Table, ...]:
    """Return the tables of this part of the benchmark."""
    pin(0)
    return *against_peers(effort), costs(effort), where_time_goes(effort)
