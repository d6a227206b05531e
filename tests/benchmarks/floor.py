"""
The floor under the referee: messages of 150 bytes to and fro over bare gRPC streams, no protobuf, no game.

One server asks four processes in turn and waits for each answer, with grpc.aio at both ends. Run as a process by
`exchanges`: it starts the four itself, measures for so many seconds as each line on standard input says, and
answers with a line of JSON.
"""

import asyncio
import contextlib
import subprocess
import sys
from typing import Any

import grpc
from stopwatch import Stopwatch, each_line, pin_to

SEATS = 4
MESSAGE = bytes(150)
METHOD = "/bare.Floor/Talk"


async def serve(core: int, address: str) -> None:
    """Measure whatever is asked for."""
    pin_to(core)
    seats: asyncio.Queue[Any] = asyncio.Queue()
    over = asyncio.Event()

    async def talk(_: Any, context: Any) -> None:
        await seats.put(context)
        await over.wait()

    handler = grpc.stream_stream_rpc_method_handler(talk)
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("bare.Floor", {"Talk": handler})])
    server.add_insecure_port(address)
    await server.start()
    clients = [subprocess.Popen([sys.executable, __file__, address]) for _ in range(SEATS)]
    contexts = [await seats.get() for _ in clients]
    async for seconds in each_line():
        await exchange(contexts, Stopwatch([client.pid for client in clients]), seconds)
    over.set()
    await server.stop(1.0)
    for client in clients:
        client.wait()


async def exchange(contexts: list[Any], watch: Stopwatch, seconds: float) -> None:
    """Send to each of *contexts* in turn and wait for its answer, for so many *seconds*; tell the rate."""
    loop = asyncio.get_running_loop()
    times: list[float] = []
    watch.start()
    until = loop.time() + seconds
    while (now := loop.time()) < until:
        context = contexts[len(times) % SEATS]
        await context.write(MESSAGE)
        await context.read()
        times.append(loop.time() - now)
    watch.tell(len(times), times)


async def echo(address: str) -> None:
    """Answer every message with the same bytes."""
    async with grpc.aio.insecure_channel(address) as channel:
        call = channel.stream_stream(METHOD)()
        with contextlib.suppress(grpc.aio.AioRpcError):
            while (message := await call.read()) is not grpc.aio.EOF:
                await call.write(message)


if __name__ == "__main__":
    asyncio.run(echo(sys.argv[1]) if len(sys.argv) == 2 else serve(int(sys.argv[1]), sys.argv[2]))
