"""The game engines of others, each as a function that plays one random game and returns its number of decisions."""

import random
from collections.abc import Callable, Iterator
from importlib import import_module, metadata
from typing import Any

Play = Callable[[], int]
PACKAGES = ("open_spiel", "rlcard", "pettingzoo", "pokerkit", "chess")


def versions() -> dict[str, str]:
    """Return the installed version of each peer's package, or 'absent'."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "absent"
    return found


def find_peer(name: str) -> Play | None:
    """Return the random game of the peer called *name*, such as `open_spiel:gin_rummy`; None where it is absent."""
    package, _, game = name.partition(":")
    try:
        return _PEERS[package](game)
    except ModuleNotFoundError:
        return None


def _open_spiel(game: str) -> Play:
    return _spiel(game, lambda state: None)


def _open_spiel_observed(game: str) -> Play:
    def look(state: Any) -> None:
        state.observation_tensor(state.current_player())

    return _spiel(game, look)


def _spiel(game: str, look: Callable[[Any], None]) -> Play:
    loaded = import_module("pyspiel").load_game(game)
    chance = random.Random(1).random

    def play() -> int:
        state, decisions = loaded.new_initial_state(), 0
        while not state.is_terminal():
            if not state.is_chance_node():
                decisions += 1
                look(state)
            actions = state.legal_actions()
            state.apply_action(actions[int(chance() * len(actions))])
        return decisions

    return play


def _rlcard(game: str) -> Play:
    library = import_module("rlcard")
    from rlcard.agents import RandomAgent

    environment = library.make(game)
    decisions = [0]

    class Counting(RandomAgent):  # type: ignore[misc]
        def step(self, state: Any) -> Any:
            decisions[0] += 1
            return super().step(state)

        def eval_step(self, state: Any) -> Any:
            return self.step(state), {}

    environment.set_agents([Counting(environment.num_actions) for _ in range(environment.num_players)])

    def play() -> int:
        decisions[0] = 0
        environment.run(is_training=False)
        return decisions[0]

    return play


def _pettingzoo(game: str) -> Play:
    environment = import_module(f"pettingzoo.classic.{game}").env()
    flat = import_module("numpy").flatnonzero
    chance = random.Random(1).random
    seeds: Iterator[int] = iter(range(1, 1 << 30))

    def play() -> int:
        environment.reset(seed=next(seeds))
        decisions = 0
        for _ in environment.agent_iter():
            seen, _, ended, cut, _ = environment.last()
            if ended or cut:
                environment.step(None)
                continue
            legal = flat(seen["action_mask"])
            environment.step(int(legal[int(chance() * len(legal))]))
            decisions += 1
        return decisions

    return play


def _pokerkit(_: str) -> Play:
    library = import_module("pokerkit")
    automation = tuple(each for each in library.Automation)
    dice = random.Random(1)

    def play() -> int:
        state = library.NoLimitTexasHoldem.create_state(automation, True, 0, (1, 2), 2, 200, 4)
        decisions = 0
        while state.status:
            moves = [state.fold] if state.can_fold() else []
            if state.can_check_or_call():
                moves.append(state.check_or_call)
            if state.can_complete_bet_or_raise_to():
                least = state.min_completion_betting_or_raising_to_amount
                most = state.max_completion_betting_or_raising_to_amount
                moves.append(lambda: state.complete_bet_or_raise_to(dice.randint(least, most)))  # noqa: B023
            moves[int(dice.random() * len(moves))]()
            decisions += 1
        return decisions

    return play


def _chess(_: str) -> Play:
    board_of = import_module("chess").Board
    chance = random.Random(1).random

    def play() -> int:
        board, plies = board_of(), 0
        while not board.is_game_over():
            moves = list(board.legal_moves)
            board.push(moves[int(chance() * len(moves))])
            plies += 1
        return plies

    return play


_PEERS: dict[str, Callable[[str], Play]] = {
    "open_spiel": _open_spiel,
    "open_spiel_observed": _open_spiel_observed,
    "rlcard": _rlcard,
    "pettingzoo": _pettingzoo,
    "pokerkit": _pokerkit,
    "chess": _chess,
}
