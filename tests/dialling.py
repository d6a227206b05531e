"""An open league served within the test, over real sockets, and bots that dial in to it from the same process."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from handfoot.bot import Bot
from handfoot.bots.random import RandomBot
from handfoot.errors import Disconnected, StreamLost
from handfoot.play import play
from handfoot.session import Introduction, Session
from handfoot.transport import Address, GrpcTransport
from handfoot.v1.referee_service_pb2 import PlayRequest, PlayResponse

from tournaments.integrity import seed_secret
from tournaments.leagues.league import League, create_league
from tournaments.leagues.settings import LeagueSettings
from tournaments.open_leagues.invitations import invite
from tournaments.open_leagues.serve import OpenServer, Patience
from tournaments.store import Store
from tournaments.terms import Terms

NOW = datetime(2026, 12, 1, tzinfo=UTC)


def open_league_in(folder: Path, ruleset: str = "simple", seats: int = 4, time: str = "5s+60s") -> League:
    """Make an open league, reproducible, in *folder*."""
    terms = Terms(ruleset, seats, time)
    return create_league(folder / "spring", LeagueSettings("spring", terms, 1, 5, None, True), seed_secret(5))


class Served:
    """An open league while it is served: its store, its address, and all that the server told."""

    def __init__(self, league: League, store: Store) -> None:
        self.league, self.store = league, store
        self.address = ""
        self.told: list[str] = []
        self.bots: list[asyncio.Task[str]] = []
        self.serving: asyncio.Task[None] | None = None
        self._heard = asyncio.Event()

    def tell(self, line: str) -> None:
        """Take a line of the server."""
        self.told.append(line)
        self._heard.set()

    async def until(self, holds: Callable[[], bool], seconds: float = 30.0) -> None:
        """Wait until *holds* is true after something that the server told; fail after so many *seconds*."""
        async with asyncio.timeout(seconds):
            while not holds():
                assert self.serving is not None
                if self.serving.done():
                    self.serving.result()
                self._heard.clear()
                await self._heard.wait()

    async def until_told(self, text: str, times: int = 1) -> None:
        """Wait until the server told *text* in so many lines."""
        await self.until(lambda: sum(text in line for line in self.told) >= times)

    def token(self, author: str) -> str:
        """Invite *author*, whose token is told apart from others by the name."""
        return invite(self.league, self.store, author, NOW, f"the token of {author}")

    def dial(
        self,
        token: str,
        bot: Callable[[], Bot] = RandomBot,
        version: str = "1",
        transport: Callable[[Address], GrpcTransport] = GrpcTransport,
    ) -> asyncio.Task[str]:
        """Let a bot dial in; the task ends with what it was told at the end, empty if all was well."""
        task = asyncio.create_task(_play(Address(self.address, token), bot, version, transport))
        self.bots.append(task)
        return task


async def _play(
    address: Address, bot: Callable[[], Bot], version: str, transport: Callable[[Address], GrpcTransport]
) -> str:
    session = Session(bot, Introduction("whatever", version), address.token)
    try:
        await play(session, lambda: transport(address))
    except Disconnected as error:
        return str(error)
    return ""


@asynccontextmanager
async def serving(league: League, units: int = 1, patience: Patience | None = None) -> AsyncIterator[Served]:
    """Serve *league* for the length of the context, on a port of the loopback."""
    with league.open_store() as store:
        served = Served(league, store)
        server = OpenServer(league, store, units, served.tell, lambda: NOW, patience)
        listening = asyncio.get_running_loop().create_future()
        served.serving = asyncio.create_task(server.serve("127.0.0.1:0", None, listening.set_result))
        await asyncio.wait([served.serving, listening], return_when=asyncio.FIRST_COMPLETED)
        served.address = listening.result()
        try:
            yield served
        finally:
            served.serving.cancel()
            await asyncio.gather(served.serving, return_exceptions=True)
            for bot in served.bots:
                bot.cancel()
            await asyncio.gather(*served.bots, return_exceptions=True)


class BreakingTransport(GrpcTransport):
    """A stream that breaks after a few messages."""

    MESSAGES = 20

    def __init__(self, address: Address) -> None:
        super().__init__(address)
        self._left = self.MESSAGES

    async def receive(self) -> PlayResponse | None:
        """Return the next message, or break."""
        if not self._left:
            raise StreamLost("cut by the test")
        self._left -= 1
        return await super().receive()


class SilentTransport(GrpcTransport):
    """A stream over which a bot never says that it is ready."""

    READIES = 0

    def __init__(self, address: Address) -> None:
        super().__init__(address)
        self._left = self.READIES

    async def send(self, request: PlayRequest) -> None:
        """Send *request*, unless it says ready once too often."""
        if request.ready and not self._left:
            return
        self._left -= bool(request.ready)
        await super().send(request)


class OnceReadyTransport(SilentTransport):
    """A stream over which a bot gets ready for a single match."""

    READIES = 1
