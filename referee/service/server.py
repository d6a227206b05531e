"""The gRPC server of a referee and where it listens: a unix socket in a private folder, or a port of the loopback."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

import grpc

from referee.service.errors import HostError
from referee.service.scratch import open_scratch
from referee.service.servicer import READ_LIMIT_BYTES, Servicer

MAX_SOCKET_PATH: Final = 100
"""The longest path of a unix socket, in bytes, that every system takes."""

SHORT_FOLDER: Final = Path("/tmp")
"""Where the socket goes if the usual place for temporary files has too long a path."""

_OPTIONS: Final = [
    ("grpc.so_reuseport", 0),
    ("grpc.max_concurrent_streams", 100),
    ("grpc.max_receive_message_length", READ_LIMIT_BYTES),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 20_000),
]


@asynccontextmanager
async def serve(
    servicer: Servicer, address: str | None = None, interceptors: Sequence[grpc.aio.ServerInterceptor] = ()
) -> AsyncIterator[str]:
    """
    Serve *servicer* for the length of the context and yield the address that bots dial.

    Args:
        address: where to listen, as ``unix:/path`` or ``host:port``; None for a place that only this machine reaches.
        interceptors: what stands between the bots' streams and the servicer.

    Raises:
        HostError: it cannot listen there.
    """
    with ExitStack() as exits:
        place = address or exits.enter_context(local_address())
        server = grpc.aio.server(interceptors=interceptors, options=_OPTIONS)
        server.add_generic_rpc_handlers((servicer.handlers(),))
        try:
            bound = _listen(server, place)
            await start_whole(server)
            yield bound
        finally:
            await server.stop(grace=1.0)


async def start_whole(server: grpc.aio.Server) -> None:
    """Start *server*. If that is cancelled it is started first: one that has started by half cannot be stopped."""
    starting = asyncio.create_task(server.start())
    try:
        await asyncio.shield(starting)
    except asyncio.CancelledError:
        await asyncio.wait([starting])
        raise


@contextmanager
def local_address() -> Iterator[str]:
    """Yield an address in a private folder; one of the loopback where there is none with a path short enough."""
    with ExitStack() as exits:
        for parent in (None, SHORT_FOLDER):
            if parent is None or os.access(parent, os.W_OK):
                path = exits.enter_context(open_scratch(parent)) / "referee"
                if len(bytes(path)) <= MAX_SOCKET_PATH:
                    yield f"unix:{path}"
                    return
        yield "127.0.0.1:0"


def _listen(server: grpc.aio.Server, address: str) -> str:
    try:
        port = server.add_insecure_port(address)
    except RuntimeError:
        raise HostError(
            f"cannot listen: the address is taken or not of this machine; got {address!r}"
        ) from None
    return f"{address.rpartition(':')[0]}:{port}" if address.endswith(":0") else address
