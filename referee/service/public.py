"""The gRPC server that strangers dial: TLS, limits, keepalive, health checking and reflection."""

import ipaddress
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc

from referee.service.errors import HostError
from referee.service.server import start_whole
from referee.service.servicer import SERVICE, Servicer

READ_LIMIT_BYTES: Final = 4 << 20
"""A larger message ends its stream unread; between the protocol's limit and this it is refused by name."""

MOST_STREAMS: Final = 1024
"""Streams at a time, among them those that have not said hello yet."""

_OPTIONS: Final = [
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", READ_LIMIT_BYTES),
    ("grpc.max_concurrent_streams", 64),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 20_000),
]


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a server proves itself with; both in PEM."""

    chain: bytes
    key: bytes


def read_certificate(chain: Path, key: Path) -> Certificate:
    """
    Return the certificate in the file *chain* with its *key*.

    Raises:
        HostError: a file cannot be read, holds something else, or they do not belong together.
    """
    shown = f"got {str(chain)!r} and {str(key)!r}"
    try:
        found = Certificate(chain.read_bytes(), key.read_bytes())
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(chain, key, password=b"")
    except ssl.SSLError as error:
        reason = error.reason or "not a certificate"
        raise HostError(
            f"cannot use the certificate: {reason.lower().replace('_', ' ')}; {shown}; "
            "expected a certificate and its key without a password, both in PEM"
        ) from None
    except OSError as error:
        raise HostError(f"cannot read the certificate: {error.strerror}; {shown}") from None
    return found


def only_this_machine(address: str) -> bool:
    """
    Return whether nobody else can dial *address*: a unix socket, or a port of the loopback.

    >>> [only_this_machine(each) for each in ("unix:/run/hf", "127.0.0.1:0", "[::1]:7000", "localhost:1")]
    [True, True, True, True]
    >>> [only_this_machine(each) for each in ("0.0.0.0:7000", "[::]:7000", "cards.example:7000")]
    [False, False, False]
    """
    if address.startswith("unix:"):
        return True
    host = address.rpartition(":")[0].strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@asynccontextmanager
async def serve_publicly(
    servicer: Servicer, address: str, certificate: Certificate | None
) -> AsyncIterator[str]:
    """
    Serve *servicer* for the length of the context and yield the address that bots dial.

    Args:
        address: where to listen, as ``host:port`` (0 for any free port) or ``unix:/path``.
        certificate: what TLS is spoken with; None for none.

    Raises:
        HostError: it cannot listen there.
    """
    from grpc_health.v1 import health, health_pb2, health_pb2_grpc  # a third of a second, for servers only
    from grpc_reflection.v1alpha import reflection

    server = grpc.aio.server(options=_OPTIONS, maximum_concurrent_rpcs=MOST_STREAMS)
    server.add_generic_rpc_handlers((servicer.handlers(),))
    checks = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    names = (SERVICE, health.SERVICE_NAME)
    reflection.enable_server_reflection((*names, reflection.SERVICE_NAME), server)
    try:
        bound = _listen(server, address, certificate)
        await start_whole(server)
        for name in ("", *names):
            await checks.set(name, health_pb2.HealthCheckResponse.SERVING)
        yield bound
        await checks.enter_graceful_shutdown()
    finally:
        await server.stop(grace=1.0)


def _listen(server: grpc.aio.Server, address: str, certificate: Certificate | None) -> str:
    try:
        if certificate is None:
            port = server.add_insecure_port(address)
        else:
            pairs = [(certificate.key, certificate.chain)]
            port = server.add_secure_port(address, grpc.ssl_server_credentials(pairs))
    except RuntimeError:
        raise HostError(
            f"cannot listen: the address is taken or not of this machine; got {address!r}; expected HOST:PORT"
        ) from None
    return f"{address.rpartition(':')[0]}:{port}" if address.endswith(":0") else address
