"""How gRPC is set in the processes of the referee and of bots [ADR 0015]."""

import os
import subprocess
import sys

import pytest

from referee.service import GRPC_EXPERIMENTS

REFEREE = """
import asyncio
from referee.service.host import open_referee
async def main():
    async with open_referee():
        pass
"""

BOT = """
import asyncio
from handfoot.transport import Address, GrpcTransport
async def main():
    await GrpcTransport(Address("unix:/nowhere", "token")).close()
"""

TELL = """
import os
asyncio.run(main())
print(os.environ["GRPC_EXPERIMENTS"])
"""


def run(program: str, **said: str) -> subprocess.CompletedProcess[str]:
    """Run *program* with what the environment *said* of gRPC."""
    environment = {name: text for name, text in os.environ.items() if not name.startswith("GRPC_")} | said
    command = [sys.executable, "-c", program + TELL]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60)


@pytest.mark.parametrize("program", [REFEREE, BOT], ids=["referee", "bot"])
def test_grpc_is_set_and_knows_the_setting(program: str) -> None:
    """Both ends set gRPC alike; a version of it that did not know the setting would complain."""
    ran = run(program)
    assert ran.stdout.split() == [GRPC_EXPERIMENTS]
    assert not ran.stderr


@pytest.mark.parametrize("program", [REFEREE, BOT], ids=["referee", "bot"])
def test_what_the_environment_says_of_grpc_stays(program: str) -> None:
    """Whoever sets gRPC otherwise has it so."""
    assert run(program, GRPC_EXPERIMENTS="-event_engine_fork").stdout.split() == ["-event_engine_fork"]
