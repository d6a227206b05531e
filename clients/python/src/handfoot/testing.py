"""
For the tests of a bot: requests to ask it with, and a stream that is a script instead of a connection.

    def test_keeps_its_joker():
        bot = seat_bot(MyBot, sample_match())
        view = sample_view(holding="4h JR", legal=["discard 4h", "discard JR"])
        assert format_action(bot.act(view)) == "discard 4h"

The samples look like requests of the referee, but nobody has checked that such a position can come up.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence

from handfoot.actions import parse_action
from handfoot.bot import Bot
from handfoot.cards import RANK_OF, TWO, is_wild, parse_cards
from handfoot.errors import InvalidBot
from handfoot.play import play
from handfoot.session import Introduction, Session, seat_bot
from handfoot.v1.observation_pb2 import (
    PHASE_ANSWER,
    PHASE_DRAW,
    PHASE_PLAY,
    Observation,
    Phase,
    PrivateObservation,
    PublicObservation,
)
from handfoot.v1.referee_service_pb2 import (
    Clock,
    DecisionRequest,
    MatchEnded,
    PlayRequest,
    PlayResponse,
    Seated,
    Welcome,
)
from handfoot.v1.result_pb2 import TERMINATION_PLAYED, MatchResult
from handfoot.v1.ruleset_pb2 import PileRule, Ruleset, ScoreRule
from handfoot.view import View

__all__ = [
    "ScriptedTransport",
    "check_bot",
    "play_script",
    "sample_match",
    "sample_ruleset",
    "sample_view",
    "seat_bot",
]

TABLE = "sample-table"
"""The table of all samples."""


class ScriptedTransport:
    """A `Transport` that receives what its script says, and keeps what is sent to it."""

    def __init__(self, script: Iterable[PlayResponse | Exception]) -> None:
        """Receive the messages of *script* one by one, raise its errors, and end when it ends."""
        self._script = iter(script)
        self.sent: list[PlayRequest] = []
        """What was sent so far."""
        self.closed = False
        """Whether the stream was given up."""

    async def send(self, request: PlayRequest) -> None:
        """Keep *request*."""
        self.sent.append(request)

    async def receive(self) -> PlayResponse | None:
        """Return or raise the next thing of the script; None at its end."""
        following = next(self._script, None)
        if isinstance(following, Exception):
            raise following
        return following

    async def close(self) -> None:
        """Note that the stream was given up."""
        self.closed = True


def play_script(bot: Callable[[], Bot], script: Iterable[PlayResponse | Exception]) -> list[PlayRequest]:
    """
    Return all that *bot* sends while the referee says what *script* says; the hello comes first.

    Raises:
        HandfootError: as `handfoot.play.play` does.
    """
    transport = ScriptedTransport(script)
    session = Session(bot, Introduction("scripted", "0"), token="sample-token")
    asyncio.run(play(session, lambda: transport, now=lambda: 0.0))
    return transport.sent


def sample_ruleset() -> Ruleset:
    """Return a ruleset for samples; its numbers are plausible, and nothing is played by them."""
    return Ruleset(
        name="sample",
        hash="0" * 64,
        packs=5,
        hand_size=13,
        foot_size=13,
        rounds=4,
        draw_count=2,
        pile=PileRule(allowed=True, limit=7),
        max_wilds=[1, 1, 2, 2, 3],
        opening_minimums=[50, 90, 120, 150],
        opening_unit=Ruleset.OPENING_UNIT_SIDE,
        clean_books_needed=1,
        dirty_books_needed=1,
        card_points=[5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 20, 20, 50, 5],
        scores=ScoreRule(clean_book=500, dirty_book=300, going_out=100, melded_cards=True),
    )


def sample_match(seat: int = 0, seats: int = 4, sides: int = 2, bot_seed: int = 7) -> Seated:
    """Return a seat in a match, as the referee gives it out."""
    return Seated(
        table_id=TABLE,
        seat=seat,
        seats=seats,
        sides=sides,
        ruleset=sample_ruleset(),
        clock=Clock(turn_limit_ms=1_000, bank_ms=30_000),
        bot_seed=bot_seed,
    )


def sample_view(
    *,
    holding: str = "4h 4c 9s Kd 2c",
    legal: Sequence[str] = ("discard 4h", "discard 9s"),
    pile: str = "7h",
    melds: Sequence[tuple[int, str]] = (),
    phase: Phase.ValueType = PHASE_PLAY,
    opened: bool = True,
    request_id: int = 1,
) -> View:
    """
    Return what seat 0 of four sees, written in notation: cards, actions, and melds as (side, cards).

    `View.request` is the message; change it for whatever else a test needs before the view is read.

    Raises:
        InvalidNotation: a text is not a card or an action.
    """
    cards = sorted(parse_cards(holding))
    public = PublicObservation(
        phase=phase,
        totals=[0, 0],
        stock=100,
        pile=parse_cards(pile),
        opening_minimum=50,
        holding_sizes=[len(cards), 13, 13, 13],
        foot_sizes=[13] * 4,
        played_from_foot=[False] * 4,
        opened=[opened] * 4,
        red_threes=[0, 0],
    )
    for side, meld in melds:
        _lay(public, side, meld)
    request = DecisionRequest(
        table_id=TABLE,
        request_id=request_id,
        observation=Observation(public=public, private=PrivateObservation(holding=cards)),
        clock=Clock(turn_limit_ms=1_000, bank_ms=30_000),
        legal_actions=map(parse_action, legal),
        legal_actions_complete=True,
    )
    return View(request, sample_match(), request.events)


def _lay(public: PublicObservation, side: int, meld: str) -> None:
    cards = parse_cards(meld)
    public.meld_sides.append(side)
    public.meld_ranks.append(next((RANK_OF[card] for card in cards if not is_wild(card)), TWO))
    public.meld_sizes.append(len(cards))
    public.meld_cards.extend(cards)


def check_bot(bot: type[Bot]) -> None:
    """
    Raise unless *bot* gets through a small sample match twice in the same way.

    It is asked to draw, to play and to answer its partner. Whether its answers are legal only a referee knows.

    Raises:
        InvalidBot: it answers with something that is no action, or differently the second time, although both
            matches had the same seed.
    """
    first, second = (play_script(bot, _sample_script()) for _ in range(2))
    if first != second:
        raise InvalidBot(
            f"cannot replay {bot.__name__}: expected the same answers to the same requests and the same seed; "
            "use self.rng for whatever is left to chance"
        )


def _sample_script() -> list[PlayResponse]:
    asked = (
        sample_view(legal=["draw"], phase=PHASE_DRAW, request_id=1),
        sample_view(legal=["lay 4h 4c 2c", "discard 9s"], request_id=2),
        sample_view(legal=["answer yes", "answer no"], phase=PHASE_ANSWER, request_id=3),
    )
    result = MatchResult(termination=TERMINATION_PLAYED, totals=[10, 5], winners=[0])
    return [
        PlayResponse(welcome=Welcome(session_id="sample-session", protocol_version=1)),
        PlayResponse(seated=[sample_match()]),
        *(PlayResponse(requests=[view.request]) for view in asked),
        PlayResponse(ended=[MatchEnded(table_id=TABLE, result=result)]),
    ]
