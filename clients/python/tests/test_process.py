"""``python -m handfoot`` as a process of its own, at a referee on a real socket."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import grpc
import pytest
from handfoot.testing import sample_match, sample_view
from handfoot.v1.referee_service_pb2 import MatchEnded, PlayRequest, PlayResponse, Welcome

RunBot = Callable[..., subprocess.CompletedProcess[str]]
Serve = Callable[..., str]

RANDOM = "handfoot.bots.random:RandomBot"
WELCOME = PlayResponse(welcome=Welcome(session_id="s-1", protocol_version=1))
SEATED = PlayResponse(seated=[sample_match()])
ENDED = PlayResponse(ended=[MatchEnded(table_id="sample-table")])


def request(number: int) -> PlayResponse:
    """A message with one request."""
    return PlayResponse(requests=[sample_view(request_id=number).request])


class Referee:
    """Says each of its messages, and hears the answer to those that want one; then it ends as it is told to."""

    def __init__(self, *messages: PlayResponse, end: grpc.StatusCode = grpc.StatusCode.OK) -> None:
        self.messages = messages
        self.end = end
        self.heard: list[PlayRequest] = []

    def __call__(
        self, requests: Iterator[PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[PlayResponse]:
        self.heard.append(next(requests))
        for message in self.messages:
            yield message
            if message.seated or message.requests:
                self.heard.append(next(requests))
        if self.end is not grpc.StatusCode.OK:
            context.abort(self.end, "because the test says so")


def test_a_bot_plays_until_the_referee_closes_the_stream(serve: Serve, run_bot: RunBot) -> None:
    """The process says hello, is ready, answers every request, and exits with 0 at the end of the stream."""
    referee = Referee(WELCOME, SEATED, *map(request, range(1, 101)), ENDED)
    run = run_bot(serve(referee), bot=RANDOM)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    hello, ready, *answers = referee.heard
    assert (hello.hello.token, hello.hello.name, hello.hello.version) == ("secret", "random", "1")
    assert ready.ready[0].table_id == "sample-table"
    assert [answer.decisions[0].request_id for answer in answers] == list(range(1, 101))


def test_a_bot_of_the_current_folder_is_found(serve: Serve, run_bot: RunBot) -> None:
    """The module is looked for where the command runs, and the flags go before what the class says."""
    source = (
        "from handfoot import Bot\n"
        "class MyBot(Bot):\n"
        "    name = 'mine'\n"
        "    tables = 3\n"
        "    def act(self, view):\n"
        "        return view.legal_actions[-1]\n"
        "    def on_end(self, ended):\n"
        "        print('the end of', ended.table_id)\n"
    )
    referee = Referee(WELCOME, SEATED, request(1), ENDED)
    run = run_bot(serve(referee), source, "my_bot:MyBot", "--version", "2.1", "--no-legal-actions")
    assert (run.returncode, run.stdout, run.stderr) == (0, "the end of sample-table\n", "")
    hello = referee.heard[0].hello
    assert (hello.name, hello.version, hello.tables, hello.legal_actions) == ("mine", "2.1", 3, False)


def test_a_bot_that_raises_crashes_with_its_traceback(serve: Serve, run_bot: RunBot) -> None:
    """An error of the bot ends the process, and the author sees the line it came from."""
    source = "from handfoot import Bot\nclass MyBot(Bot):\n    def act(self, view):\n        return 1 // 0  # here\n"
    run = run_bot(serve(Referee(WELCOME, SEATED, request(1))), source)
    assert run.returncode == 1
    assert "return 1 // 0  # here" in run.stderr
    assert "ZeroDivisionError" in run.stderr


def test_a_bot_that_answers_nonsense_ends_with_one_line(serve: Serve, run_bot: RunBot) -> None:
    """Forgetting to return an action is said in a line."""
    source = "from handfoot import Bot\nclass MyBot(Bot):\n    def act(self, view):\n        pass\n"
    run = run_bot(serve(Referee(WELCOME, SEATED, request(1))), source)
    assert run.returncode == 1
    assert run.stderr == (
        "handfoot: cannot send the answer of MyBot.act: expected an action or a list of actions; got None\n"
    )


def test_a_bot_comes_back_after_a_broken_stream(serve: Serve, run_bot: RunBot) -> None:
    """The next stream is of the same session, and the pending request gets the answer it had."""
    first = Referee(WELCOME, SEATED, request(1), request(2), end=grpc.StatusCode.UNAVAILABLE)
    second = Referee(WELCOME, request(2), request(3), ENDED)
    run = run_bot(serve(first, second), bot=RANDOM)
    assert (run.returncode, run.stderr) == (0, "")
    assert second.heard[0].hello.session_id == "s-1"
    for heard in (first.heard[-1], second.heard[1]):
        heard.decisions[0].ClearField("thinking_us")
    assert second.heard[1] == first.heard[-1]
    assert second.heard[2].decisions[0].request_id == 3


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (grpc.StatusCode.UNAUTHENTICATED, "does not know the token"),
        (grpc.StatusCode.ABORTED, "a newer stream"),
        (grpc.StatusCode.NOT_FOUND, "does not know the session"),
    ],
)
def test_a_final_status_ends_the_bot(
    serve: Serve, run_bot: RunBot, code: grpc.StatusCode, reason: str
) -> None:
    """What the referee ended for good is said in one line with the referee's own words, and not tried again."""
    run = run_bot(serve(Referee(WELCOME, end=code)), bot=RANDOM)
    assert run.returncode == 1
    assert run.stderr.startswith("handfoot: disconnected: ")
    assert reason in run.stderr
    assert "because the test says so" in run.stderr
    assert run.stderr.count("\n") == 1


def test_a_referee_that_is_not_there_is_named(short_folder: Path, run_bot: RunBot) -> None:
    """Nobody at the address: one line with the address, exit code 1."""
    address = f"unix:{short_folder}/nobody"
    run = run_bot(address, bot=RANDOM)
    assert run.returncode == 1
    assert run.stderr.startswith("handfoot: cannot reach the referee: ")
    assert repr(address) in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate of this test")
def test_a_referee_with_a_certificate_is_reached_over_tls(
    start_server: Callable[..., int], run_bot: RunBot, tmp_path: Path
) -> None:
    """With HANDFOOT_CA the stream is encrypted and the referee's certificate is checked."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    kind = "req -x509 -nodes -days 2 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -subj /CN=localhost"
    command = ["openssl", *kind.split(), "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*command, *files], check=True, capture_output=True)
    credentials = grpc.ssl_server_credentials([(key.read_bytes(), certificate.read_bytes())])
    referee = Referee(WELCOME, SEATED, request(1), ENDED)
    port = start_server("localhost:0", referee, credentials=credentials)
    plain = run_bot(f"localhost:{port}", bot=RANDOM)
    secure = run_bot(f"localhost:{port}", bot=RANDOM, HANDFOOT_CA=str(certificate))
    assert plain.returncode == 1
    assert (secure.returncode, secure.stderr) == (0, "")


def test_a_bot_plays_over_tcp(start_server: Callable[..., int], run_bot: RunBot) -> None:
    """An address of host and port works like a socket in the file system."""
    port = start_server("127.0.0.1:0", Referee(WELCOME, SEATED, request(1), ENDED))
    assert run_bot(f"127.0.0.1:{port}", bot=RANDOM).returncode == 0
