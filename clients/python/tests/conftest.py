"""A small referee on a real socket, which says what a test wants it to say, and bots as processes."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import grpc
import pytest
from handfoot.v1.referee_service_pb2 import PlayRequest, PlayResponse
from handfoot.v1.referee_service_pb2_grpc import RefereeServiceServicer, add_RefereeServiceServicer_to_server

Conversation = Callable[[Iterator[PlayRequest], grpc.ServicerContext], Iterator[PlayResponse]]
"""What the referee says on one stream, given what it hears."""


class _Servicer(RefereeServiceServicer):
    def __init__(self, conversations: tuple[Conversation, ...]) -> None:
        self._conversations = iter(conversations)

    def Play(  # noqa: N802 (the name of the call)
        self, requests: Iterator[PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[PlayResponse]:
        return next(self._conversations)(requests, context)


@pytest.fixture
def start_server() -> Iterator[Callable[..., int]]:
    """Start a server at an address that has each conversation with one stream, in order; returns its port."""
    with ExitStack() as stack:

        def start(
            address: str, *conversations: Conversation, credentials: grpc.ServerCredentials | None = None
        ) -> int:
            server = grpc.server(ThreadPoolExecutor(4), options=[("grpc.so_reuseport", 0)])
            add_RefereeServiceServicer_to_server(_Servicer(conversations), server)
            port: int
            if credentials is None:
                port = server.add_insecure_port(address)
            else:
                port = server.add_secure_port(address, credentials)
            server.start()
            stack.callback(lambda: server.stop(None).wait())
            return port

        yield start


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder whose path is short enough for a unix socket."""
    with TemporaryDirectory(prefix="hf") as folder:
        yield Path(folder)


@pytest.fixture
def serve(short_folder: Path, start_server: Callable[..., int]) -> Callable[..., str]:
    """Start a referee on a unix socket that has the given conversations; returns its address."""

    def start(*conversations: Conversation) -> str:
        address = f"unix:{short_folder}/referee"
        start_server(address, *conversations)
        return address

    return start


@pytest.fixture
def run_bot(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run ``python -m handfoot`` in a folder with the given bot, as a process of its own."""

    def run(
        address: str, source: str = "", bot: str = "my_bot:MyBot", *flags: str, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        (tmp_path / "my_bot.py").write_text(source, encoding="utf-8")
        environment = {
            "HANDFOOT_ADDRESS": address,
            "HANDFOOT_TOKEN": "secret",
            "PATH": os.defpath,
            **variables,
        }
        return subprocess.run(
            [sys.executable, "-m", "handfoot", bot, *flags],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run
