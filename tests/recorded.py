"""Matches played by chance in this process, as records, and forgeries of them."""

import hashlib
import json
import random
import zlib
from collections.abc import Callable
from functools import cache
from itertools import islice
from typing import Any

from referee.rules import (
    LayDown,
    MatchRecord,
    RecordedAction,
    Ruleset,
    TakePile,
    begin_match,
    legal_actions,
    parse_house_rules,
    play,
    score_lines,
    sole_action,
)

SMALL = parse_house_rules(
    """
    name = "short for two"
    base = "online"
    match.rounds = 1
    opening = { unit = "none", minimums = [0] }
    [deal]
    seats = [2]
    solo = [2]
    packs = 2
    hand = 11
    foot = 11
    draw = 4
    """,
    "SMALL",
)
"""A ruleset of which a match takes about forty actions."""

EASY = parse_house_rules(
    """
    name = "easy"
    base = "beginner"
    match.rounds = 1
    opening = { unit = "none", minimums = [0] }
    going_out = { clean_books = 0, dirty_books = 0, wild_books = 0 }
    [deal]
    packs = 8
    """,
    "EASY",
)
"""A ruleset of which a round often ends by going out, after the partner was asked."""


@cache
def played(ruleset: Ruleset, seats: int, seed: object, most_actions: int | None = None) -> MatchRecord:
    """
    Return the record of a match played by chance, mostly melding where it is possible.

    With *most_actions* it ends with a crash of the seat that would have been next, if it is not over by then.
    """
    rng = random.Random(str(seed))
    keys = tuple(rng.randbytes(32) for _ in range(ruleset.rounds))
    match, _ = begin_match(ruleset, seats, keys)
    log: list[RecordedAction] = []
    while not match.finished and len(log) != most_actions:
        forced = sole_action(match.state)
        listed = list(islice(legal_actions(match.state), 200))
        melds = [action for action in listed if isinstance(action, LayDown | TakePile)]
        action = forced or rng.choice(melds if melds and rng.random() < 0.8 else listed)
        ms = 0 if forced else rng.randrange(1000)
        log.append(RecordedAction(match.round, match.state.decider, action, ms, forced is not None))
        play(match, action)
    guilty = () if match.finished else (match.state.turn % len(match.totals),)
    return MatchRecord(
        match=f"000000-{seed}",
        ruleset=ruleset,
        seats=tuple(f"bot{seat}@1" for seat in range(seats)),
        keys=keys,
        actions=tuple(log),
        termination="forfeit" if guilty else "played",
        forfeited=guilty,
        scores=score_lines(match),
        totals=tuple(match.totals),
    )


def forged(data: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """Return the bytes of a record after a *change* of its values, in canonical form and with a fresh digest."""
    values = json.loads(zlib.decompress(data.partition(b"\n")[2]))
    change(values)
    return sealed(json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode())


def sealed(text: bytes, after: bytes = b"") -> bytes:
    """Return a record file that holds *text*, with the right digest, and *after* behind its compressed form."""
    payload = zlib.compress(text, 9) + after
    return b"HANDFOOT-RECORD 1 " + hashlib.sha256(payload).hexdigest().encode() + b"\n" + payload
