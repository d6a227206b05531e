"""The server that strangers dial: who may come in, what is too much, health, reflection and TLS."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from handfoot.v1.referee_service_pb2 import Hello, PlayRequest, PlayResponse
from handfoot.v1.referee_service_pb2_grpc import RefereeServiceStub
from tlsfiles import make_certificate

from referee.service.allowance import BURST_SECONDS, BYTES_PER_SECOND, Allowance
from referee.service.entrance import MOST_SESSIONS, Author, Entrance, Visitor
from referee.service.errors import HostError
from referee.service.public import READ_LIMIT_BYTES, Certificate, read_certificate, serve_publicly
from referee.service.servicer import SERVICE, Servicer

AUTHORS = {"ann's": Author("ann"), "bea's": Author("bea"), "old": Author("cat", revoked=True)}


def entrance() -> Entrance:
    """Return an entrance that knows three authors."""
    return Entrance(AUTHORS.get, lambda: None)


def hello(token: str = "ann's", name: str = "ann", session_id: str | None = None) -> Hello:
    """Return what a bot says first."""
    said = Hello(token=token, name=name, version="1", language="python", protocol_versions=[1])
    if session_id is not None:
        said.session_id = session_id
    return said


def let_in(door: Entrance, said: Hello) -> Visitor:
    """Return the session of a bot that may come in."""
    session, status, _ = door.find(said)
    assert status is grpc.StatusCode.OK
    assert isinstance(session, Visitor)
    return session


@asynccontextmanager
async def channel_to(
    door: Entrance, certificate: Certificate | None = None
) -> AsyncIterator[grpc.aio.Channel]:
    """Serve *door*, and open a channel to it."""
    async with serve_publicly(Servicer(door), "127.0.0.1:0", certificate) as address:
        if certificate is None:
            channel = grpc.aio.insecure_channel(address)
        else:
            port = address.rpartition(":")[2]
            trusted = grpc.ssl_channel_credentials(certificate.chain)
            channel = grpc.aio.secure_channel(f"localhost:{port}", trusted)
        async with channel:
            yield channel


def test_each_stream_is_a_bot_of_its_author() -> None:
    """The name is that of the invitation, whatever the bot says; the version and the language are its own."""
    door = entrance()
    one, other = let_in(door, hello(name="the best")), let_in(door, hello(name="steady"))
    assert one is not other
    assert {one.label, other.label} == {"ann@1"}
    assert one.language == "python"


def test_a_session_is_come_back_to_under_its_own_token_only() -> None:
    """A session id is a secret of one author; one that is not known is refused by name."""
    door = entrance()
    visitor = let_in(door, hello())
    assert door.find(hello(session_id=visitor.id))[0] is visitor
    for said in (hello("bea's", session_id=visitor.id), hello(session_id="guessed")):
        assert door.find(said) == (None, grpc.StatusCode.NOT_FOUND, "unknown session")


def test_a_token_has_a_limited_number_of_sessions() -> None:
    """A crowd under one token is refused, and takes nothing from another author."""
    door = entrance()
    for _ in range(MOST_SESSIONS):
        let_in(door, hello())
    _, status, reason = door.find(hello())
    assert (status, "too many bots under this token" in reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, True)
    let_in(door, hello("bea's"))


def test_all_bots_of_a_token_share_its_rate() -> None:
    """What one sends too much, the other waits for as well; another author does not."""
    door = entrance()
    one, other, stranger = let_in(door, hello()), let_in(door, hello()), let_in(door, hello("bea's"))
    burst = int(BYTES_PER_SECOND * BURST_SECONDS)
    assert one.throttle(burst - 1, now=10.0) == 0
    assert other.throttle(int(BYTES_PER_SECOND), now=10.0) == pytest.approx(1.0, abs=0.01)
    assert stranger.throttle(100, now=10.0) == 0
    assert one.throttle(0, now=12.0) == 0


def test_a_bot_that_lost_its_stream_is_forgotten_after_a_while() -> None:
    """Until then it may come back; one that is connected stays."""
    door = entrance()
    gone, there = let_in(door, hello()), let_in(door, hello())
    gone.gone_since = 100.0
    door.tidy(now=159.0, grace=60.0)
    assert list(door.visitors) == [gone, there]
    door.tidy(now=160.0, grace=60.0, busy=[gone])
    assert list(door.visitors) == [gone, there], "it is in the middle of a unit"
    door.tidy(now=160.0, grace=60.0)
    assert list(door.visitors) == [there]


def test_it_is_healthy_and_describes_itself() -> None:
    """Health checks answer for the service, and tools learn of it by reflection."""

    async def ask() -> tuple[int, set[str]]:
        async with channel_to(entrance()) as channel:
            health = health_pb2_grpc.HealthStub(channel)
            checked = await health.Check(health_pb2.HealthCheckRequest(service=SERVICE))
            stub = reflection_pb2_grpc.ServerReflectionStub(channel)
            stream = stub.ServerReflectionInfo()
            await stream.write(reflection_pb2.ServerReflectionRequest(list_services=""))
            listed = await stream.read()
            stream.cancel()
            return checked.status, {each.name for each in listed.list_services_response.service}

    status, services = asyncio.run(ask())
    assert status == health_pb2.HealthCheckResponse.SERVING
    assert services >= {SERVICE, "grpc.health.v1.Health"}


async def end_of(channel: grpc.aio.Channel, *messages: bytes) -> grpc.StatusCode:
    """Send *messages* over a stream, and return how it ends."""
    play = channel.stream_stream(f"/{SERVICE}/Play", None, PlayResponse.FromString)()
    try:
        for message in messages:
            await play.write(message)
        while await play.read() is not grpc.aio.EOF:
            pass
    except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
        pass
    code: grpc.StatusCode = await play.code()
    return code


@pytest.mark.parametrize(
    ("messages", "status"),
    [
        ((PlayRequest(hello=hello()).SerializeToString(), bytes(READ_LIMIT_BYTES + 1)), "RESOURCE_EXHAUSTED"),
        ((PlayRequest(hello=hello()).SerializeToString(), *[b"\xff"] * 10), "RESOURCE_EXHAUSTED"),
        ((b"\xff\xff",), "INVALID_ARGUMENT"),
        ((PlayRequest(hello=hello("old")).SerializeToString(),), "PERMISSION_DENIED"),
        ((PlayRequest(hello=hello("none")).SerializeToString(),), "UNAUTHENTICATED"),
    ],
    ids=["too-large", "garbage", "no-hello", "revoked", "unknown"],
)
def test_what_breaks_the_rules_is_ended(messages: tuple[bytes, ...], status: str) -> None:
    """A stream that sends too much or nonsense ends with the status that says so."""

    async def send() -> grpc.StatusCode:
        async with channel_to(entrance()) as channel:
            return await asyncio.wait_for(end_of(channel, *messages), 20)

    assert asyncio.run(send()).name == status


def test_what_exceeds_the_rate_is_not_read() -> None:
    """Of ten messages the first is read; a bot of another author is heard meanwhile."""

    async def flood() -> None:
        allowances = [Allowance(messages=1 / 3600, burst=0.0), Allowance()]
        door = Entrance(AUTHORS.get, lambda: None, lambda: allowances.pop(0))
        async with channel_to(door) as channel, asyncio.timeout(20):
            first = asyncio.create_task(end_of(channel, *garbage("ann's")))
            while not (door.visitors and door.visitors[0].complaint):
                await asyncio.sleep(0)
            assert await end_of(channel, *garbage("bea's")) is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert not first.done()
            first.cancel()

    asyncio.run(flood())


def garbage(token: str) -> tuple[bytes, ...]:
    """Return a hello and then what ends a stream if it is read."""
    return (PlayRequest(hello=hello(token)).SerializeToString(), *[b"\xff"] * 10)


def test_a_port_has_one_server() -> None:
    """A second server on the same port is refused, instead of taking half of the bots."""

    async def serve_twice() -> None:
        async with serve_publicly(Servicer(entrance()), "127.0.0.1:0", None) as address:
            with pytest.raises(HostError, match=r"^cannot listen: the address is taken .*; got '127"):
                async with serve_publicly(Servicer(entrance()), address, None):
                    pass

    asyncio.run(serve_twice())


@pytest.fixture(scope="module")
def self_made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for localhost that vouches for itself, and its key."""
    return make_certificate(tmp_path_factory.mktemp("tls"))


def test_it_speaks_tls_with_its_certificate(self_made: tuple[Path, Path]) -> None:
    """A bot that trusts the certificate is let in; one that speaks without TLS is not heard."""

    async def dial() -> None:
        certificate = read_certificate(*self_made)
        async with channel_to(entrance(), certificate) as channel:
            stream = RefereeServiceStub(channel).Play()
            await stream.write(PlayRequest(hello=hello()))
            assert (await stream.read()).welcome.session_id
            stream.cancel()
        async with (
            serve_publicly(Servicer(entrance()), "127.0.0.1:0", certificate) as address,
            grpc.aio.insecure_channel(address) as channel,
        ):
            said = PlayRequest(hello=hello()).SerializeToString()
            assert await end_of(channel, said) is grpc.StatusCode.UNAVAILABLE

    asyncio.run(dial())


def test_a_certificate_that_cannot_be_used_is_refused_before_it_is(self_made: tuple[Path, Path]) -> None:
    """The message names the files and says what was expected."""
    chain, key = self_made
    nonsense = chain.with_name("nonsense.pem")
    nonsense.write_text("not a certificate")
    for wrong in ((nonsense, key), (chain, nonsense), (chain, chain)):
        with pytest.raises(
            HostError, match=r"^cannot use the certificate: .*; got .*; expected a certificate"
        ):
            read_certificate(*wrong)
    with pytest.raises(HostError, match=r"^cannot read the certificate: No such file.*; got"):
        read_certificate(chain.with_name("absent.pem"), key)
