"""What a league keeps of an invitation: whom it is for and a hash, never the token."""

import hashlib
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Invitation:
    """What lets the bots of one author dial in to an open league."""

    name: str
    """What the author's bots are called in the league."""

    issued_at: datetime
    """With its time zone; read back in UTC."""

    revoked_at: datetime | None = None
    """Since when it lets nobody in; None while it does."""

    @property
    def revoked(self) -> bool:
        """Whether it lets nobody in any more."""
        return self.revoked_at is not None


def token_hash(token: str) -> str:
    """
    Return what is stored of *token*, 64 hex digits.

    A token is drawn from 256 random bits, so that a plain SHA-256 cannot be searched.

    >>> token_hash("secret")[:16]
    '2bb80d537b1da3e3'
    """
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()
