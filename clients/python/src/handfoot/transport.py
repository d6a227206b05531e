"""
How messages travel: the seam `Transport`, and its one real kind, a gRPC stream.

The stream is read and written with ``grpc.aio``: measured against the blocking API with its thread per
direction it costs a fifth less CPU per decision. The bot is called between two messages and need not know.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import grpc

from handfoot.errors import Disconnected, MissingAddress, StreamLost
from handfoot.v1.referee_service_pb2 import PlayRequest, PlayResponse
from handfoot.v1.referee_service_pb2_grpc import RefereeServiceStub


class Transport(Protocol):
    """One stream to the referee."""

    async def send(self, request: PlayRequest) -> None:
        """Send *request*; if the stream has ended, the next `receive` says how."""

    async def receive(self) -> PlayResponse | None:
        """
        Return the next message; None when the referee has closed the stream.

        Raises:
            StreamLost: the stream broke.
            Disconnected: the referee ended it and says why.
        """

    async def close(self) -> None:
        """Give the stream up."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the referee is, and what it wants to see."""

    target: str
    """``unix:/path`` or ``host:port``."""

    token: str
    """What admits the bot."""

    ca: bytes | None = None
    """The certificate that vouches for the referee, in PEM; None for a stream without TLS."""


def find_referee(environment: Mapping[str, str]) -> Address:
    """
    Return the address that HANDFOOT_ADDRESS, HANDFOOT_TOKEN and, for TLS, HANDFOOT_CA (a file) give.

    Raises:
        MissingAddress: one of them is missing or unreadable.
    """
    found = {name: environment.get(name, "") for name in ("HANDFOOT_ADDRESS", "HANDFOOT_TOKEN")}
    for name, value in found.items():
        if not value:
            raise MissingAddress(
                f"cannot find the referee: {name} is not set; the referee sets it for the bots it starts"
            )
    target, token = found.values()
    return Address(target, token, _read_certificate(environment.get("HANDFOOT_CA", "")))


def _read_certificate(path: str) -> bytes | None:
    if not path:
        return None
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise MissingAddress(f"cannot read HANDFOOT_CA: {error.strerror}; got {path!r}") from None


_FINAL = {
    grpc.StatusCode.ABORTED: "a newer stream of this session took over",
    grpc.StatusCode.UNAUTHENTICATED: "the referee does not know the token",
    grpc.StatusCode.PERMISSION_DENIED: "the referee does not admit the bot",
    grpc.StatusCode.INVALID_ARGUMENT: "the referee did not understand the bot",
    grpc.StatusCode.FAILED_PRECONDITION: "the referee did not accept the bot",
    grpc.StatusCode.NOT_FOUND: "the referee does not know the session",
    grpc.StatusCode.RESOURCE_EXHAUSTED: "a limit of the referee was exceeded",
    grpc.StatusCode.UNIMPLEMENTED: "there is no referee at the address",
}
"""The ends after which coming back is of no use."""


class GrpcTransport:
    """A stream of `RefereeService.Play` at one address."""

    def __init__(self, address: Address) -> None:
        """Open a stream to *address*; whether anybody is there shows at the first `receive`."""
        self._target = address.target
        self._channel = _open_channel(address)
        self._call = RefereeServiceStub(self._channel).Play()

    async def send(self, request: PlayRequest) -> None:
        """Send *request*; if the stream has ended, the next `receive` says how."""
        try:
            await self._call.write(request)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            return

    async def receive(self) -> PlayResponse | None:
        """
        Return the next message; None when the referee has closed the stream.

        Raises:
            StreamLost: the stream broke, or nobody is there.
            Disconnected: the referee ended it and says why.
        """
        try:
            response = await self._call.read()
        except grpc.aio.AioRpcError as error:
            raise _lost(self._target, error) from None
        return None if response is grpc.aio.EOF else response

    async def close(self) -> None:
        """Give the stream up."""
        self._call.cancel()
        await self._channel.close()


def _open_channel(address: Address) -> grpc.aio.Channel:
    """Return a channel with a connection of its own; a local one needs no keepalive."""
    options: list[tuple[str, int]] = [("grpc.use_local_subchannel_pool", 1)]
    if not address.target.startswith("unix:"):
        options += [("grpc.keepalive_time_ms", 30_000), ("grpc.http2.max_pings_without_data", 0)]
    if address.ca is None:
        return grpc.aio.insecure_channel(address.target, options)
    return grpc.aio.secure_channel(address.target, grpc.ssl_channel_credentials(address.ca), options)


def _lost(target: str, error: grpc.aio.AioRpcError) -> Disconnected:
    """Return what the end of a stream means for the bot, in one line."""
    code, details = error.code(), " ".join((error.details() or "").split())
    if code in _FINAL:
        return Disconnected(f"disconnected: {_FINAL[code]} ({details}); got {code.name} from {target!r}")
    return StreamLost(
        f"cannot reach the referee: {details or 'the stream broke'}; got {code.name} from {target!r}"
    )
