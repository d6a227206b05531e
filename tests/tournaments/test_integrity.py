"""The season's secret: what is published, what follows from it, and that nothing collides."""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.errors import TournamentError
from tournaments.integrity import (
    CHAIN_START,
    bot_seed,
    chain,
    commitment,
    deal_key,
    digest,
    fresh_secret,
    seed_secret,
)

SECRET = bytes(range(32))
FIELDS = st.tuples(st.binary(max_size=8), st.text(max_size=8), st.integers(0, 20))


def test_the_deal_key_is_an_hmac_of_what_the_documentation_says() -> None:
    """Anybody can work out a deal key from a revealed secret with a few lines."""
    message = b"\x00\x00\x00\x04noon" + b"\x00\x00\x00\x08000007-a" + b"\x00\x00\x00\x02"
    expected = hmac.new(SECRET, message, hashlib.sha256).digest()
    assert deal_key(SECRET, "000007-a", 2, b"noon") == expected


@given(FIELDS, FIELDS)
def test_different_deals_have_different_keys(
    one: tuple[bytes, str, int], other: tuple[bytes, str, int]
) -> None:
    """No beacon, unit and round run together with those of another deal."""
    keys = [deal_key(SECRET, unit, number, beacon) for beacon, unit, number in (one, other)]
    assert (keys[0] == keys[1]) == (one == other)


def test_a_beacon_and_a_unit_do_not_run_together() -> None:
    """Letters moved from the beacon to the unit are another deal."""
    assert deal_key(SECRET, "b-1", 0, b"a") != deal_key(SECRET, "-1", 0, b"ab")


def test_the_bot_seed_is_the_start_of_an_hmac() -> None:
    """A seat's seed is the first eight bytes, big-endian, of the HMAC of its number under round 0's key."""
    key = deal_key(SECRET, "000007-a", 0)
    expected = hmac.new(key, b"bot\x03", hashlib.sha256).digest()[:8]
    assert bot_seed(key, 3).to_bytes(8, "big") == expected


def test_the_commitment_binds_to_one_secret() -> None:
    """The published commitment has its golden value and is another one for another secret."""
    assert commitment(SECRET) == "329bd669e2c07d373dd3054cb3c6736c453b3dc7acf78c67dcc8559979036f10"
    assert commitment(SECRET[::-1]) != commitment(SECRET)


@given(st.integers(), st.integers())
def test_a_seed_is_one_secret(one: int, other: int) -> None:
    """Equal seeds have equal secrets, other seeds others; any integer is a seed."""
    assert len(seed_secret(one)) == 32
    assert (seed_secret(one) == seed_secret(other)) == (one == other)


def test_a_fresh_secret_is_what_the_entropy_gave() -> None:
    """Randomness is passed in, and asked for in full."""
    assert fresh_secret(lambda size: bytes([7]) * size) == bytes([7]) * 32


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_secret_of_another_size_is_refused(size: int) -> None:
    """A short or long secret is neither committed to nor dealt from."""
    for use in (
        commitment,
        lambda secret: deal_key(secret, "u", 0),
        lambda secret: fresh_secret(lambda _: secret),
    ):
        with pytest.raises(TournamentError, match="expected 32 bytes"):
            use(bytes(size))


def test_the_chain_shows_order_and_content() -> None:
    """The head after two lines is the documented hash, and another one after the same lines in another order."""
    first = hashlib.sha256(bytes(32) + hashlib.sha256(b"one").digest()).digest()
    second = hashlib.sha256(first + hashlib.sha256(b"two").digest()).hexdigest()
    assert chain(chain(CHAIN_START, "one"), "two") == second
    assert chain(chain(CHAIN_START, "two"), "one") != second


@given(st.lists(st.text("abc", max_size=3)), st.randoms(use_true_random=False))
def test_the_digest_ignores_order_only(lines: list[str], rng) -> None:  # type: ignore[no-untyped-def]
    """Shuffled lines have the same digest; one line more has another."""
    shuffled = rng.sample(lines, len(lines))
    assert digest(shuffled) == digest(lines) != digest([*lines, "d"])


def test_the_digest_keeps_lines_apart() -> None:
    """Two lines are not one line of the same letters."""
    assert digest(["ab", "c"]) != digest(["a", "bc"])
