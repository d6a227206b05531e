"""Playing over streams that break, with scripts for streams and a list for the clock."""

import asyncio
from collections.abc import Sequence

import pytest
from handfoot import Disconnected
from handfoot.bots.random import RandomBot
from handfoot.errors import StreamLost
from handfoot.play import PAUSES, play
from handfoot.session import Session, introduce
from handfoot.testing import ScriptedTransport, sample_match, sample_view
from handfoot.v1.referee_service_pb2 import PlayResponse, Welcome

WELCOME = PlayResponse(welcome=Welcome(session_id="s-1", protocol_version=1))
SEATED = PlayResponse(seated=[sample_match()])
BREAK = StreamLost("broken")

Script = Sequence[PlayResponse | Exception]


def request(number: int) -> PlayResponse:
    """A message with one request."""
    return PlayResponse(requests=[sample_view(request_id=number).request])


class Streams:
    """Streams that a session opens one after the other, and the pauses it makes between them."""

    def __init__(self, *scripts: Script) -> None:
        self.transports = [ScriptedTransport(script) for script in scripts]
        self.opened = iter(self.transports)
        self.pauses: list[float] = []
        self.seconds = 0.0

    def now(self) -> float:
        self.seconds += 0.25
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def play(self) -> None:
        session = Session(RandomBot, introduce(RandomBot), token="t")
        asyncio.run(play(session, lambda: next(self.opened), self.sleep, self.now))


def test_a_closed_stream_ends_the_play() -> None:
    """When the referee closes the stream, playing is over, and the stream is given up."""
    streams = Streams([WELCOME, SEATED, request(1)])
    streams.play()
    assert streams.pauses == []
    assert streams.transports[0].closed
    assert len(streams.transports[0].sent) == 3


def test_a_broken_stream_is_followed_by_another_with_the_session() -> None:
    """The next stream names the session, and the pending request is answered there as it was before."""
    first: Script = [WELCOME, SEATED, request(1), request(2), BREAK]
    second: Script = [WELCOME, request(2), request(3)]
    streams = Streams(first, second)
    streams.play()
    before, after = (transport.sent for transport in streams.transports)
    assert after[0].hello.session_id == "s-1"
    assert after[1] == before[-1]
    assert after[2].decisions[0].request_id == 3
    assert streams.pauses == [PAUSES[0]]
    assert all(transport.closed for transport in streams.transports)


def test_an_answer_says_how_long_it_took() -> None:
    """From receiving the request to sending the answer, in microseconds, each answer of a message the same."""
    streams = Streams([WELCOME, SEATED, request(1), request(2)])
    streams.play()
    decisions = [decision for sent in streams.transports[0].sent for decision in sent.decisions]
    assert [decision.thinking_us for decision in decisions] == [250_000, 250_000]


def test_before_the_welcome_nothing_is_tried_twice() -> None:
    """A referee that is not there is an error at once."""
    streams = Streams([BREAK], [WELCOME])
    with pytest.raises(StreamLost):
        streams.play()
    assert streams.pauses == []
    assert streams.transports[0].closed


def test_coming_back_is_given_up_after_the_last_pause() -> None:
    """A referee that stays away is tried again after longer and longer pauses, then it is lost."""
    streams = Streams([WELCOME, BREAK], *([BREAK] for _ in range(20)))
    with pytest.raises(Disconnected):
        streams.play()
    assert tuple(streams.pauses) == PAUSES
    assert list(PAUSES) == sorted(PAUSES)


def test_welcomes_alone_do_not_start_the_pauses_anew() -> None:
    """A referee that greets and hangs up every time does not keep the bot busy for ever."""
    greeting: Script = [WELCOME, BREAK]
    streams = Streams(*(greeting for _ in range(20)))
    with pytest.raises(Disconnected):
        streams.play()
    assert tuple(streams.pauses) == PAUSES


def test_an_answered_request_starts_the_pauses_anew() -> None:
    """What broke and then went well again has all its attempts once more."""
    one_by_one: list[Script] = [[WELCOME, request(number), BREAK] for number in range(1, 8)]
    streams = Streams([WELCOME, SEATED, BREAK], *one_by_one, [WELCOME])
    streams.play()
    assert streams.pauses == [PAUSES[0]] * 8


def test_a_final_end_is_not_tried_again() -> None:
    """A stream that the referee ended for good is not followed by another."""
    streams = Streams([WELCOME, Disconnected("a newer stream took over")], [WELCOME])
    with pytest.raises(Disconnected, match="newer"):
        streams.play()
    assert streams.pauses == []
