"""Invitations in a store: one per name holds, a token is known by its hash only, and the end is for good."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tournaments.store import AlreadyExists, Invitation, NotFound, Store, create_store, token_hash

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)


def test_an_invitation_is_found_by_the_hash_of_its_token(store: Store) -> None:
    """Whoever shows the token is known by name; another token is nobody's."""
    store.invite("ann", token_hash("one"), NOON)
    assert store.find_invitation(token_hash("one")) == Invitation("ann", NOON)
    assert store.find_invitation(token_hash("two")) is None


def test_a_name_has_one_invitation_at_a_time(store: Store) -> None:
    """A second token of a name needs the end of the first, which is told apart from one that never was."""
    store.invite("ann", token_hash("one"), NOON)
    with pytest.raises(AlreadyExists, match=r"^cannot invite: .*; got 'ann'$"):
        store.invite("ann", token_hash("two"), NOON)
    store.revoke("ann", LATER)
    store.invite("ann", token_hash("two"), LATER)
    assert store.find_invitation(token_hash("one")) == Invitation("ann", NOON, LATER)
    assert store.find_invitation(token_hash("two")) == Invitation("ann", LATER)


def test_only_an_invitation_that_holds_is_revoked(store: Store) -> None:
    """What was never issued, or has ended, cannot be revoked, and a name is its own."""
    store.invite("ann", token_hash("one"), NOON)
    with pytest.raises(NotFound, match=r"^cannot revoke: .*; got 'bea'$"):
        store.revoke("bea", NOON)
    store.revoke("ann", NOON)
    with pytest.raises(NotFound):
        store.revoke("ann", LATER)


def test_the_token_is_not_in_the_database(tmp_path: Path) -> None:
    """No file of the store holds the token."""
    token = "a-token-that-nobody-else-may-read"
    with create_store(tmp_path / "league.db", {}) as store:
        store.invite("ann", token_hash(token), NOON)
        held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert token.encode() not in held
    assert token_hash(token).encode() in held
