"""The session: what a bot process says to what it hears, without any stream."""

import pytest
from handfoot import Bot, Disconnected, HandfootError, InvalidBot, View, discard, format_action, parse_card
from handfoot.bots.random import RandomBot
from handfoot.session import Introduction, Session, introduce
from handfoot.testing import check_bot, play_script, sample_match, sample_view
from handfoot.v1.action_pb2 import Action
from handfoot.v1.event_pb2 import CardDiscarded, Event
from handfoot.v1.referee_service_pb2 import (
    DecisionRequest,
    MatchEnded,
    PlayRequest,
    PlayResponse,
    Refusal,
    Seated,
    Welcome,
)

WELCOME = PlayResponse(welcome=Welcome(session_id="s-1", protocol_version=1))
SEATED = PlayResponse(seated=[sample_match()])


class Listener(Bot):
    """Discards its first card, and keeps all it is told in the class, for the test to read."""

    told: list[object]

    def on_start(self, match: Seated) -> None:
        self.told.append(match.table_id)

    def act(self, view: View) -> Action:
        self.told.append([event.number for event in view.events])
        return discard(view.holding[0])

    def on_refused(self, refusal: Refusal) -> None:
        self.told.append(refusal.reason)

    def on_end(self, ended: MatchEnded) -> None:
        self.told.append(list(ended.result.totals))


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What all listeners of the test are told."""
    heard: list[object] = []
    monkeypatch.setattr(Listener, "told", heard, raising=False)
    return heard


def session_of(bot: type[Bot]) -> Session:
    """A session that is welcome and has a seat at the sample table."""
    session = Session(bot, introduce(bot), token="t")
    session.answer(WELCOME)
    session.answer(SEATED)
    return session


def asked(request_id: int = 1, events: tuple[int, ...] = (), table: str = "sample-table") -> DecisionRequest:
    """A request with events of the given numbers."""
    request = sample_view(request_id=request_id).request
    request.table_id = table
    request.events.extend(Event(number=number, card_discarded=CardDiscarded(seat=1)) for number in events)
    return request


def ask(session: Session, *requests: DecisionRequest) -> PlayRequest:
    """What the session answers to *requests*."""
    reply = session.answer(PlayResponse(requests=requests))
    assert reply is not None
    return reply


def test_the_hello_says_what_the_class_says() -> None:
    """Name, version and wishes of the class go into the hello; a class without a name leaves it out."""
    hello = Session(Listener, introduce(Listener), token="secret").hello().hello
    assert (hello.token, hello.name, hello.version, hello.language) == ("secret", "", "0", "python")
    assert (list(hello.protocol_versions), hello.tables, hello.legal_actions) == ([1], 1, True)
    assert not hello.HasField("session_id")


def test_the_hello_of_a_welcome_session_names_it() -> None:
    """After the welcome a new stream says which session comes back."""
    session = Session(RandomBot, Introduction("r", "1", legal_actions=False, tables=4), token="t")
    assert not session.welcomed
    assert session.answer(WELCOME) is None
    assert session.hello().hello.session_id == "s-1"
    assert (session.hello().hello.tables, session.hello().hello.legal_actions) == (4, False)


def test_a_seat_is_answered_with_ready_after_on_start(told: list[object]) -> None:
    """The bot is made and prepared before it says that it is ready."""
    reply = Session(Listener, introduce(Listener), token="t").answer(SEATED)
    assert reply is not None
    assert [ready.table_id for ready in reply.ready] == ["sample-table"]
    assert told == ["sample-table"]


def test_requests_of_one_message_are_answered_in_one(told: list[object]) -> None:
    """Requests of several tables get their answers in one message, each by a bot of its own."""
    session = session_of(Listener)
    other = sample_match()
    other.table_id = "other"
    session.answer(PlayResponse(seated=[other]))
    reply = ask(session, asked(3), asked(9, table="other"))
    assert [(d.table_id, d.request_id) for d in reply.decisions] == [("sample-table", 3), ("other", 9)]
    assert [format_action(action) for d in reply.decisions for action in d.actions] == ["discard 2c"] * 2


def test_tables_do_not_share_a_bot() -> None:
    """Each match has an instance of its own, with randomness from its own seed."""
    made: list[Bot] = []

    class Counted(RandomBot):
        def __init__(self) -> None:
            made.append(self)

    session = session_of(Counted)
    other = sample_match(bot_seed=8)
    other.table_id = "other"
    session.answer(PlayResponse(seated=[other]))
    assert len(made) == 2
    assert made[0].rng.random() != made[1].rng.random()


def test_equal_seeds_play_equally() -> None:
    """A bot that draws from its rng answers the same to the same requests and the same seed."""
    script = [WELCOME, SEATED, *(PlayResponse(requests=[asked(number)]) for number in range(1, 20))]
    assert play_script(RandomBot, script) == play_script(RandomBot, script)


def test_several_actions_are_sent_in_order() -> None:
    """A list of actions travels as it is."""

    class Planner(Bot):
        def act(self, view: View) -> list[Action]:
            return [discard(card) for card in view.holding]

    (decision,) = ask(session_of(Planner), asked()).decisions
    assert [format_action(action) for action in decision.actions] == [
        "discard 2c",
        "discard 4c",
        "discard Kd",
        "discard 4h",
        "discard 9s",
    ]


def test_a_refused_answer_is_told_and_asked_again(told: list[object]) -> None:
    """After a refusal the bot hears the reason and is asked again for the same request."""
    session = session_of(Listener)
    first = ask(session, asked(1))
    refusal = Refusal(table_id="sample-table", request_id=1, reason="no such card")
    again = session.answer(PlayResponse(refusals=[refusal], requests=[asked(1)]))
    assert again == first
    assert told == ["sample-table", [], "no such card", []]


def test_the_reason_of_a_refusal_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """A bot that does not care about refusals still leaves the reason where its author finds it."""
    session = session_of(RandomBot)
    session.answer(
        PlayResponse(refusals=[Refusal(table_id="sample-table", request_id=4, reason="draw first")])
    )
    session.answer(PlayResponse(refusals=[Refusal(reason="unknown table")]))
    assert capsys.readouterr().err == "refused: draw first; request 4\nrefused: unknown table\n"


def test_a_request_that_comes_again_unrefused_gets_the_same_answer(told: list[object]) -> None:
    """A request repeated over a new stream is answered as before, without asking the bot twice."""
    session = session_of(RandomBot)
    first = ask(session, asked(1))
    assert all(ask(session, asked(1)) == first for _ in range(20))
    assert session.answered == 1


def test_events_are_shown_once(told: list[object]) -> None:
    """When all events of the match come again after a dropped stream, the bot sees the new ones."""
    session = session_of(Listener)
    ask(session, asked(1, events=(1, 2)))
    ask(session, asked(2, events=(3,)))
    ask(session, asked(3, events=(1, 2, 3, 4, 5)))
    ask(session, asked(4))
    assert told[1:] == [[1, 2], [3], [4, 5], []]


def test_a_seat_given_out_again_keeps_its_bot(told: list[object]) -> None:
    """The same seat named again over a new stream is confirmed, and the bot goes on."""
    session = session_of(Listener)
    reply = session.answer(SEATED)
    assert reply is not None
    assert len(reply.ready) == 1
    assert told == ["sample-table"]


def test_an_ended_match_is_told_and_forgotten(told: list[object]) -> None:
    """The bot hears the result; the same table may then be seated anew."""
    session = session_of(Listener)
    ended = MatchEnded(table_id="sample-table")
    ended.result.totals.extend([700, -20])
    assert session.answer(PlayResponse(ended=[ended, MatchEnded(table_id="never seen")])) is None
    session.answer(SEATED)
    assert told == ["sample-table", [700, -20], "sample-table"]


@pytest.mark.parametrize("answer", [None, [], "draw", [None], 3, ()])
def test_an_answer_that_is_no_action_is_named(answer: object) -> None:
    """What is neither an action nor a list of actions ends the bot with a clear word."""

    class Odd(Bot):
        def act(self, view: View) -> Action:
            return answer  # type: ignore[return-value]

    with pytest.raises(InvalidBot) as caught:
        ask(session_of(Odd), asked())
    assert "Odd.act" in str(caught.value)
    assert repr(answer) in str(caught.value)


def test_what_the_bot_raises_passes_through() -> None:
    """The author sees the bot's own error, not one of the session."""

    class Broken(Bot):
        def act(self, view: View) -> Action:
            return discard(parse_card("Zz"))

    with pytest.raises(HandfootError, match="Zz"):
        ask(session_of(Broken), asked())


def test_another_protocol_is_not_spoken() -> None:
    """A referee that chose another protocol version is left."""
    session = Session(RandomBot, introduce(RandomBot), token="t")
    with pytest.raises(Disconnected, match="got 2"):
        session.answer(PlayResponse(welcome=Welcome(session_id="s", protocol_version=2)))


def test_a_request_at_an_unknown_table_is_an_error() -> None:
    """A request where no seat was given out is not answered by guessing."""
    with pytest.raises(Disconnected, match="nowhere"):
        ask(session_of(RandomBot), asked(table="nowhere"))


def test_check_bot_finds_what_cannot_be_replayed() -> None:
    """A bot whose answers do not follow from requests and seed is named."""
    count = iter(range(100))

    class Fickle(Bot):
        def act(self, view: View) -> Action:
            return view.legal_actions[next(count) // 3 % len(view.legal_actions)]

    check_bot(RandomBot)
    with pytest.raises(InvalidBot, match="Fickle"):
        check_bot(Fickle)
