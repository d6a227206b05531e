"""The house bot that searches: it deals what it cannot see by chance, again and again, and plays its plans out."""

from math import inf, sqrt
from typing import ClassVar, Final

from handfoot import Action, Seated, View
from handfoot.bots.greedy import most_cards
from handfoot.bots.steady import SteadyBot

from referee.bots.memory import Memory
from referee.bots.planning import Plan, plans
from referee.bots.playouts import play_out
from referee.bots.reading import read_events, read_observation
from referee.bots.rulesets import read_ruleset
from referee.bots.worlds import Worlds
from referee.rules import Action as RulesAction
from referee.rules import IllegalAction, RoundState, apply, score_round
from referee.service.codec import read_actions

FEWEST: Final = 2
"""On fewer worlds nothing is judged."""


class SearcherBot(SteadyBot):
    """Compares a few plans for its turn by playing each out on the same sampled cards."""

    name = "searcher"
    version = "1"

    playouts: ClassVar[int] = 24
    """At most so many playouts a decision; more are stronger and slower."""

    layouts: ClassVar[int] = 1
    """So many lay-downs are compared with the preferred one."""

    discards: ClassVar[int] = 1
    """So many discards are compared with the preferred one."""

    caution: ClassVar[float] = 4.0
    """By so many standard errors a plan has to be better than the preferred one."""

    spent = 0
    """Playouts of this match so far."""

    def on_start(self, match: Seated) -> None:
        """Forget the match before."""
        self.memory = Memory(match.seats)
        self.rules = read_ruleset(match.ruleset, match.seats, match.sides)

    def act(self, view: View) -> Action | list[Action]:
        """Return the plan for the rest of the turn that did best."""
        self.memory.follow(read_events(view))
        if view.request.request_id == self.refused:
            return most_cards(view)
        compared = plans(view, self.layouts, self.discards)
        if len(compared) == 1:
            return list(compared[0])
        return list(compared[self._best(view, compared)])

    def _best(self, view: View, compared: list[Plan]) -> int:
        """
        Return which of *compared* is best: the first, unless another one is better beyond doubt.

        All are played out on the same cards; a plan that is no better than the first so far is not played any more.
        """
        worlds = Worlds(self.rules, read_observation(view), self.memory)
        candidates = [tuple(read_actions(plan)) for plan in compared]
        gains: dict[int, list[float]] = {number: [] for number in range(1, len(candidates))}
        left = self.playouts
        while gains and left > len(gains):
            left -= 1 + len(gains)
            self.spent += 1 + len(gains)
            world = worlds.sample(self.rng)
            first = play_plan(world.copy(), candidates[0], view.seat)
            for number, gain in list(gains.items()):
                gain.append(play_plan(world.copy(), candidates[number], view.seat) - first)
                if len(gain) >= FEWEST and sum(gain) <= 0:
                    del gains[number]
        leads = {number: lead_of(gain, self.caution) for number, gain in gains.items()}
        best = max(leads, key=lambda number: leads[number], default=0)
        return best if best and leads[best] > 0 else 0


def lead_of(gains: list[float], caution: float) -> float:
    """Return the mean of *gains* less *caution* standard errors of it; minus infinity for fewer than `FEWEST`."""
    number = len(gains)
    if number < FEWEST:
        return -inf
    mean = sum(gains) / number
    variance = sum([(gain - mean) ** 2 for gain in gains]) / (number - 1)
    return mean - caution * sqrt(variance / number)


def play_plan(state: RoundState, plan: tuple[RulesAction, ...], seat: int) -> float:
    """Return by how much the side of *seat* is ahead in the round after *plan*; an illegal plan is worth nothing."""
    try:
        for action in plan:
            apply(state, action)
    except IllegalAction:
        return -100_000.0
    play_out(state)
    scores = [score.total for score in score_round(state)]
    own = scores.pop(state.side_of(seat))
    return float(own - max(scores))
