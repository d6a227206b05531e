"""Bots that dial in from elsewhere: let in by an author's token, every new stream a session of its own."""

import asyncio
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

import grpc
from handfoot.v1.referee_service_pb2 import Hello

from referee.service.allowance import Allowance
from referee.service.sessions import Session, refuse_protocol
from referee.service.streams import Stream

MOST_SESSIONS: Final = 32
"""Sessions per token at a time, among them those whose stream broke a moment ago."""

GRACE_SECONDS: Final = 60.0
"""How long a session may be without a stream while it plays nothing."""

_VERSION: Final = re.compile(r"[A-Za-z0-9._-]{1,40}")
_LANGUAGE: Final = 40


@dataclass(frozen=True, slots=True)
class Author:
    """Whom a token stands for."""

    name: str
    """What the bots of the author are called, whatever they say themselves."""

    revoked: bool = False
    """Whether the token let its bots in once and does no longer."""


class Visitor(Session):
    """A bot process that dialled in. It is there while its stream is."""

    def __init__(
        self, hello: Hello, author: Author, allowance: Allowance, on_change: Callable[[], None]
    ) -> None:
        super().__init__(hello.token, label=f"{author.name}@{hello.version}")
        self.author = author.name
        self.version = hello.version
        self.language = _language(hello.language)
        self.gone_since: float | None = None
        """Since when it has no stream, in the time of the event loop; None while it has one."""
        self._allowance = allowance
        self._on_change = on_change

    def connect(self, stream: Stream, hello: Hello) -> None:
        """Let *stream*, which said *hello*, take over."""
        super().connect(stream, hello)
        self.gone_since = None
        self._on_change()

    def disconnect(self, stream: Stream) -> None:
        """Note that *stream* is gone; a newer one stays."""
        super().disconnect(stream)
        if self.stream is None and self.gone_since is None:
            self.gone_since = asyncio.get_running_loop().time()
            self._on_change()

    def throttle(self, size: int, now: float) -> float:
        """Return for how long nothing more is read after a message of *size*: all bots of a token share a limit."""
        return self._allowance.take(size, now)


class Entrance:
    """The bots that dialled in. Who may is known to *authorise*; *on_change* is called when somebody comes or goes."""

    def __init__(
        self,
        authorise: Callable[[str], Author | None],
        on_change: Callable[[], None],
        allow: Callable[[], Allowance] = Allowance,
    ) -> None:
        """Let in whom *authorise* knows; *allow* makes what a token may send."""
        self._authorise = authorise
        self._on_change = on_change
        self._allow = allow
        self._visitors: dict[str, Visitor] = {}
        self._allowances: dict[str, Allowance] = {}

    @property
    def visitors(self) -> tuple[Visitor, ...]:
        """All sessions, in the order in which they came; some may have lost their stream a moment ago."""
        return tuple(self._visitors.values())

    def find(self, hello: Hello) -> tuple[Session | None, grpc.StatusCode, str]:
        """Return the session that *hello* comes back to, or a new one; or the status and the reason why not."""
        author = self._authorise(hello.token)
        if author is None:
            return None, grpc.StatusCode.UNAUTHENTICATED, "unknown token"
        if author.revoked:
            return None, grpc.StatusCode.PERMISSION_DENIED, _revoked(author.name)
        if hello.HasField("session_id"):
            known = self._visitors.get(hello.session_id)
            if known is None or known.closed or known.token != hello.token:
                return None, grpc.StatusCode.NOT_FOUND, "unknown session"
            return known, grpc.StatusCode.OK, ""
        refusal = refuse_protocol(hello) or _refuse_version(hello)
        if refusal is not None:
            return None, grpc.StatusCode.FAILED_PRECONDITION, refusal
        if sum(visitor.token == hello.token for visitor in self._visitors.values()) >= MOST_SESSIONS:
            reason = f"too many bots under this token: at most {MOST_SESSIONS} at a time"
            return None, grpc.StatusCode.RESOURCE_EXHAUSTED, reason
        return self._let_in(hello, author), grpc.StatusCode.OK, ""

    def _let_in(self, hello: Hello, author: Author) -> Visitor:
        allowance = self._allowances.get(hello.token) or self._allow()
        self._allowances[hello.token] = allowance
        visitor = Visitor(hello, author, allowance, self._on_change)
        self._visitors[visitor.id] = visitor
        return visitor

    def dismiss(self, visitor: Visitor, status: grpc.StatusCode, reason: str) -> None:
        """End the session of *visitor*, and tell it why."""
        visitor.close(status, reason)
        self._forget(visitor)

    def tidy(self, now: float, grace: float = GRACE_SECONDS, busy: Collection[Visitor] = frozenset()) -> None:
        """
        End the sessions of revoked tokens, and those that lost their stream *grace* seconds before *now*.

        Whoever is *busy* stays until it no longer is.
        """
        authors = {token: self._authorise(token) for token in {visitor.token for visitor in self.visitors}}
        for visitor in self.visitors:
            author = authors[visitor.token]
            if visitor in busy:
                continue
            if author is None or author.revoked:
                self.dismiss(visitor, grpc.StatusCode.PERMISSION_DENIED, _revoked(visitor.author))
            elif visitor.closed or (visitor.gone_since is not None and now >= visitor.gone_since + grace):
                self._forget(visitor)

    def close(self) -> None:
        """End all sessions: the bots are told that there is nothing more to play."""
        for visitor in self.visitors:
            self.dismiss(visitor, grpc.StatusCode.OK, "")

    def _forget(self, visitor: Visitor) -> None:
        self._visitors.pop(visitor.id, None)
        if not any(other.token == visitor.token for other in self._visitors.values()):
            self._allowances.pop(visitor.token, None)
        self._on_change()


def _revoked(name: str) -> str:
    return f"the invitation of {name} was revoked; ask the organiser for another one"


def _refuse_version(hello: Hello) -> str | None:
    if _VERSION.fullmatch(hello.version):
        return None
    return f"unusable version; got {hello.version[:60]!r}; expected 1 to 40 letters, digits, '.', '_' or '-'"


def _language(said: str) -> str:
    return said if said.isprintable() and 1 <= len(said) <= _LANGUAGE else "unknown"
