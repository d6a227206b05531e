"""
The secret of a season and what follows from it: commitment, deal keys, bot seeds, and digests of results.

Nothing here deals, or draws randomness: entropy is passed in.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterable
from typing import Final

from tournaments.errors import TournamentError

SECRET_SIZE: Final = 32
"""Bytes of a season's secret."""

CHAIN_START: Final = "0" * 64
"""The head of a hash chain that holds no result yet."""


def seed_secret(seed: int) -> bytes:
    """
    Return the secret of a reproducible season: 32 bytes that anybody can work out from *seed*.

    >>> seed_secret(7).hex()[:16], seed_secret(-7) == seed_secret(7)
    ('64288d121a76d96a', False)
    """
    return hashlib.sha256(b"HANDFOOT-SEED-v1\0" + str(seed).encode()).digest()


def fresh_secret(entropy: Callable[[int], bytes]) -> bytes:
    """
    Return a season's secret that nobody can foresee; *entropy* is a source such as `secrets.token_bytes`.

    Raises:
        TournamentError: *entropy* gave another number of bytes than it was asked for.
    """
    return _checked(entropy(SECRET_SIZE))


def commitment(secret: bytes) -> str:
    """
    Return what is published before the first match and proves afterwards that *secret* was not chosen late.

    >>> commitment(bytes(range(32)))
    '329bd669e2c07d373dd3054cb3c6736c453b3dc7acf78c67dcc8559979036f10'
    """
    return hashlib.sha256(b"HANDFOOT-COMMIT-v1\0" + _checked(secret)).hexdigest()


def deal_key(secret: bytes, unit: str, round_number: int, beacon: bytes = b"") -> bytes:
    """
    Return the 32-byte key of one deal: HMAC-SHA-256 of beacon, unit id and round under the season's secret.

    The message is unambiguous: the beacon and then the unit id in UTF-8, each after its length in bytes as a
    big-endian u32, then the round as a big-endian u32. It holds no leg: all legs of a unit share their deals.

    >>> deal_key(bytes(range(32)), "000000-aaaaaaaaaaaa-bbbbbbbbbbbb", 0).hex()[:16]
    '34380c5407fb8444'
    """
    fields = (beacon, unit.encode())
    message = b"".join(len(field).to_bytes(4, "big") + field for field in fields)
    return hmac.digest(_checked(secret), message + round_number.to_bytes(4, "big"), "sha256")


def open_deal_key(secret: bytes, unit: str, leg: int, attempt: str, round_number: int) -> bytes:
    """
    Return the key of one deal of an open league, in which no two matches share their deals.

    It is the `deal_key` of the unit id, the leg and the attempt, joined by slashes. The attempt, ``run.count``,
    differs whenever a match is begun anew: whoever played in it has seen cards.

    >>> keys = {open_deal_key(bytes(32), "000000-a-b", leg, run, 0) for leg in (0, 1) for run in ("1.1", "2.1")}
    >>> len(keys), open_deal_key(bytes(32), "u", 0, "1.1", 2) == deal_key(bytes(32), "u/0/1.1", 2)
    (4, True)
    """
    return deal_key(secret, f"{unit}/{leg}/{attempt}", round_number)


def bot_seed(key: bytes, seat: int) -> int:
    """Return the u64 that *seat* may draw its own randomness from; *key* is that of the match's round 0."""
    return int.from_bytes(hmac.digest(key, b"bot" + bytes([seat]), "sha256")[:8], "big")


def chain(head: str, line: str) -> str:
    """Return the head of a hash chain after *line*: SHA-256 of the old head and the SHA-256 of the line."""
    return hashlib.sha256(bytes.fromhex(head) + hashlib.sha256(line.encode()).digest()).hexdigest()


def digest(lines: Iterable[str]) -> str:
    """
    Return the SHA-256 of *lines*, sorted and each ended by a line feed; their order makes no difference.

    >>> digest(["b", "a"]) == digest(["a", "b"]) != digest(["a"])
    True
    """
    total = hashlib.sha256()
    for line in sorted(lines):
        total.update(line.encode() + b"\n")
    return total.hexdigest()


def _checked(secret: bytes) -> bytes:
    if len(secret) != SECRET_SIZE:
        raise TournamentError("no secret", f"{len(secret)} bytes", expected=f"{SECRET_SIZE} bytes")
    return secret
