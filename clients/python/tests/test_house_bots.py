"""What the house bots do in single situations of the samples. How strong they are is shown elsewhere."""

from collections.abc import Sequence

import pytest
from handfoot import PHASE_ANSWER, PHASE_DRAW, Action, Bot, Refusal, Ruleset, View, format_action
from handfoot.bots.greedy import GreedyBot
from handfoot.bots.random import RandomBot
from handfoot.bots.steady import SteadyBot
from handfoot.testing import check_bot, sample_match, sample_view, seat_bot

HOUSE = [GreedyBot, RandomBot, SteadyBot]
BOOKS = [(0, "Kh " * 7), (0, "5h " * 5 + "2c JR")]
"""A clean and a dirty book of the own side: what the ruleset of the samples needs for going out."""


def answer_of(bot: type[Bot], view: View) -> list[str]:
    """Return what *bot* answers, in notation."""
    answer = seat_bot(bot, view.match).act(view)
    return [format_action(action) for action in ([answer] if isinstance(answer, Action) else answer)]


def in_foot(view: View, *, others: Sequence[int] = (4, 4, 4)) -> View:
    """Let every seat play from its foot, the others with so many cards, in a round that is nearly over."""
    public = view.request.observation.public
    public.foot_sizes[:] = [0] * 4
    public.played_from_foot[:] = [True] * 4
    public.holding_sizes[1:] = others
    public.stock = 8
    view.match.ruleset.final_discard = Ruleset.FINAL_DISCARD_OPTIONAL
    return view


@pytest.mark.parametrize("bot", HOUSE)
def test_they_get_through_a_match_and_can_be_replayed(bot: type[Bot]) -> None:
    """Each passes the check that authors get, and says what it is called."""
    check_bot(bot)
    assert (bot.name, bot.version) == (bot.__name__.removesuffix("Bot").lower(), "1")


# Greedy


@pytest.mark.parametrize(
    ("legal", "expected"),
    [
        (["lay 4h 4c 2s", "lay 9h 9c 9d 9s", "discard Kd"], "lay 9h 9c 9d 9s"),
        (["draw", "take 5 with 7c 7d", "take 7 with 7c 7d"], "take 7 with 7c 7d"),
        (["answer no", "answer yes"], "answer yes"),
        (["draw"], "draw"),
    ],
)
def test_greedy_moves_as_many_cards_as_it_can(legal: list[str], expected: str) -> None:
    """It takes and lays down the most that is listed, and agrees with its partner."""
    assert answer_of(GreedyBot, sample_view(legal=legal)) == [expected]


def test_greedy_asks_only_where_it_must() -> None:
    """The question is put where going out needs a yes, and left out where it is free."""
    view = sample_view(legal=["ask", "discard 4h"])
    assert answer_of(GreedyBot, view) == ["discard 4h"]
    view.match.ruleset.permission = Ruleset.PERMISSION_REQUIRED
    assert answer_of(GreedyBot, view) == ["ask"]


def test_greedy_throws_threes_first_and_wild_cards_last() -> None:
    """Of its cards it parts with a three, then with what is furthest from a meld, and with a two at the very end."""
    discards = ["discard 4h", "discard 9s", "discard 2c", "discard 3s"]
    assert answer_of(GreedyBot, sample_view(holding="4h 4c 9s 2c 3s", legal=discards)) == ["discard 3s"]
    assert answer_of(GreedyBot, sample_view(holding="4h 4c 9s 2c", legal=discards[:3])) == ["discard 9s"]
    assert answer_of(GreedyBot, sample_view(holding="2c", legal=discards[2:3])) == ["discard 2c"]


# Steady


def test_steady_plays_its_turn_in_one_answer() -> None:
    """All lay-downs and the discard come at once."""
    view = sample_view(holding="4h 4c 4d 9s 9h 9d Qd Jc Ts", melds=[(0, "Kh Kd Kc")])
    lay, discard = answer_of(SteadyBot, view)
    assert lay == "lay 4h 4d 4c, 9s 9h 9d"
    assert discard.startswith("discard")


def test_steady_takes_the_pile_and_plays_on() -> None:
    """A pile worth more than two unknown cards is taken, and what came with it is planned in the same answer."""
    view = sample_view(
        holding="9c 9d Kh Kd 5s",
        pile="Kc 3s 9h",
        melds=[(0, "Qh Qd Qc Qs Qh")],
        legal=["draw", "take 3 with 9c 9d"],
        phase=PHASE_DRAW,
    )
    first, *then = answer_of(SteadyBot, view)
    assert first == "take 3 with 9c 9d"
    assert then == ["lay Kc Kh Kd", "discard 3s"]


def test_steady_leaves_a_poor_pile() -> None:
    """Threes below a single useful card are no reason to break a pair."""
    poor = sample_view(
        holding="4h 4c Kd Kc 9s",
        pile="3s 3c 3s 3c 3s 3c 4d",
        legal=["draw", "take 7 with 4h 4c"],
        phase=PHASE_DRAW,
    )
    assert answer_of(SteadyBot, poor) == ["draw"]


def test_steady_builds_clean_books_clean() -> None:
    """Wild cards stay in the hand while naturals can still complete the meld."""
    view = sample_view(holding="9c 9d 9h 2c 2d Jc Ts", melds=[(0, "Kh Kd Kc Ks Kh")])
    lay, _ = answer_of(SteadyBot, view)
    assert lay == "lay 9h 9d 9c"


def test_steady_completes_a_dirty_book_before_it_is_too_late() -> None:
    """With the stock almost gone the wild card makes the book."""
    view = sample_view(holding="2c 9d Ts 4s", melds=[(0, "Kh Kd Kc Ks Kh Kd")])
    view.request.observation.public.stock = 1
    lay, _ = answer_of(SteadyBot, view)
    assert lay == "lay 0+ 2c"


def test_steady_opens_with_what_costs_no_wild_cards() -> None:
    """Of two openings it takes the clean one."""
    legal = ["lay Kh Kd 2c", "lay Qh Qd Qc Qs 9h 9d 9c".replace("Qs ", "Qs, "), "discard 4h"]
    view = sample_view(holding="Kh Kd 2c Qh Qd Qc Qs 9h 9d 9c 4h 5s 6d", legal=legal, opened=False)
    assert answer_of(SteadyBot, view)[0] == legal[1]


def test_steady_discards_when_it_cannot_open() -> None:
    """Without an opening there is nothing but a discard."""
    [discard] = answer_of(SteadyBot, sample_view(opened=False, legal=["discard 4h"]))
    assert discard.startswith("discard")


def test_steady_does_not_feed_the_next_seat() -> None:
    """On a large pile a black three goes before a card with which others could take it."""
    view = sample_view(holding="3s 6d 8h Jc", pile="4c 5d 6h 7s 8c 9d Td Kd")
    assert answer_of(SteadyBot, view) == ["discard 3s"]


def test_steady_keeps_the_blocker_while_the_pile_is_small() -> None:
    """With nothing to lose in the pile a useless card goes first, and the three is kept for later."""
    view = sample_view(holding="3s 6d Kh Kc", pile="", melds=[(1, "6h " * 7), (1, "6s " * 7), (1, "6c " * 5)])
    assert answer_of(SteadyBot, view) == ["discard 6d"]


def test_steady_goes_out_when_it_can_and_it_pays() -> None:
    """With the books made and nothing more to hope for it ends the round, last card and all."""
    view = in_foot(sample_view(holding="Qh Qd Qc 4s", melds=BOOKS))
    assert answer_of(SteadyBot, view) == ["lay Qh Qd Qc", "discard 4s"]


def test_steady_melds_the_last_card_where_it_must_not_be_discarded() -> None:
    """Where the last card is to be melded, a way out that leaves one to discard is none."""
    view = in_foot(sample_view(holding="Qh Qd Qc 4s", melds=BOOKS))
    view.match.ruleset.final_discard = Ruleset.FINAL_DISCARD_FORBIDDEN
    [discard] = answer_of(SteadyBot, view)
    assert discard.startswith("discard")
    view = in_foot(sample_view(holding="Qh Qd Qc 4s", melds=[*BOOKS, (0, "4h 4d 4c")]))
    view.match.ruleset.final_discard = Ruleset.FINAL_DISCARD_FORBIDDEN
    assert answer_of(SteadyBot, view) == ["lay 2+ 4s, Qh Qd Qc"]


def test_steady_stays_in_while_it_hopes_for_more() -> None:
    """Melds that are nearly books, against others who have nothing to lose, are a reason to play on."""
    hopes = [(0, f"{rank}h {rank}d {rank}c {rank}s {rank}h {rank}d") for rank in "6789T"]
    view = in_foot(sample_view(holding="Qh Qd Qc 4s", melds=[*BOOKS, *hopes]), others=(1, 1, 1))
    view.request.observation.public.stock = 100
    assert answer_of(SteadyBot, view) != ["lay Qh Qd Qc", "discard 4s"]


def test_steady_asks_before_it_goes_out_and_bows_to_a_no() -> None:
    """Where a yes is needed it asks, goes out after a yes, and not after a no."""
    view = in_foot(sample_view(holding="Qh Qd Qc 4s", melds=BOOKS))
    view.match.ruleset.permission = Ruleset.PERMISSION_REQUIRED
    assert answer_of(SteadyBot, view) == ["ask"]
    view.request.observation.public.agreed = True
    assert answer_of(SteadyBot, view) == ["lay Qh Qd Qc", "discard 4s"]
    view.request.observation.public.agreed = False
    assert len(answer_of(SteadyBot, view)) == 1


def test_steady_agrees_unless_it_has_books_to_lay() -> None:
    """A partner may go out, but not while cards for two more books wait in this hand and the others lose little."""
    poor = in_foot(sample_view(holding="4s 9d", melds=BOOKS, phase=PHASE_ANSWER))
    assert answer_of(SteadyBot, poor) == ["answer yes"]
    rich = in_foot(
        sample_view(holding="Qh " * 7 + "Jh " * 7, melds=BOOKS, phase=PHASE_ANSWER), others=(1, 2, 1)
    )
    assert answer_of(SteadyBot, rich) == ["answer no"]


@pytest.mark.parametrize("legal", [["lay 1+ 4s", "pass"], ["discard 4s", "pass"], ["pass"]])
def test_steady_gets_rid_of_a_single_card_as_it_may(legal: list[str]) -> None:
    """Left with one card of the foot, it goes out by what is listed, and passes where nothing else is."""
    view = in_foot(sample_view(holding="4s", legal=legal))
    assert answer_of(SteadyBot, view) == legal[:1]


def test_steady_plays_what_is_listed_after_a_refusal() -> None:
    """Should a plan ever be refused, the next answer to the same request is one of the listed actions."""
    view = sample_view(legal=["discard 9s"])
    bot = seat_bot(SteadyBot, sample_match())
    bot.on_refused(Refusal(request_id=view.request.request_id, reason="no such meld"))
    assert bot.act(view) == view.legal_actions[0]
