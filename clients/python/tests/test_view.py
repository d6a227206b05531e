"""What a bot reads from a request."""

import handfoot
import pytest
from handfoot import JOKER, PHASE_ANSWER, TWO, format_cards, parse_card
from handfoot.testing import sample_match, sample_view
from handfoot.v1.card_pb2 import RANK_FOUR, RANK_KING
from handfoot.view import View


def test_melds_are_cut_from_the_flat_lists() -> None:
    """Each meld has its number, side, rank and cards, and counts naturals and wilds."""
    view = sample_view(melds=[(0, "4h 4c 2s"), (1, "Kd Kd Kh Ks Kc Kc Kd"), (0, "2c JR 2h")])
    assert [(meld.number, meld.side, meld.rank, meld.naturals, meld.wilds) for meld in view.melds] == [
        (0, 0, RANK_FOUR, 2, 1),
        (1, 1, RANK_KING, 7, 0),
        (2, 0, TWO, 0, 3),
    ]
    assert [format_cards(meld.cards) for meld in view.melds][2] == "2c JR 2h"


def test_books_are_told_by_size_and_wilds() -> None:
    """Seven cards are a book; clean without wilds, wild with nothing else."""
    clean, dirty, wild, small = sample_view(
        melds=[(0, "4h " * 7), (0, "5h " * 6 + "2c"), (0, "2h " * 7), (0, "6h " * 6)]
    ).melds
    assert [meld.is_book for meld in (clean, dirty, wild, small)] == [True, True, True, False]
    assert [meld.is_clean for meld in (clean, dirty, wild)] == [True, False, False]
    assert [meld.is_wild for meld in (clean, dirty, wild)] == [False, False, True]
    assert clean.size == 7


def test_own_melds_are_those_of_the_own_side() -> None:
    """Melds are found by side, and the own side is the seat's."""
    view = sample_view(melds=[(0, "4h 4c 4d"), (1, "5h 5c 5d")])
    assert view.own_melds == view.melds_of(0) == view.melds[:1]
    assert view.melds_of(1) == view.melds[1:]


@pytest.mark.parametrize(
    ("seat", "seats", "sides", "partner"),
    [(0, 4, 2, 2), (3, 4, 2, 1), (1, 6, 3, 4), (5, 6, 3, 2), (7, 8, 4, 3), (1, 2, 2, None), (2, 3, 3, None)],
)
def test_the_partner_sits_opposite(seat: int, seats: int, sides: int, partner: int | None) -> None:
    """The partner is the other seat of the side, at every size of the table; a side of one has none."""
    request = sample_view().request
    request.seat = seat
    view = View(request, sample_match(seat, seats, sides), ())
    assert view.partner == partner
    assert view.side == seat % sides


def test_the_holding_is_grouped_by_rank() -> None:
    """Cards of a rank stand together; ranks that are not held are absent."""
    groups = sample_view(holding="4h JR 4c JB 4h").holding_by_rank
    assert {rank: len(cards) for rank, cards in groups.items()} == {RANK_FOUR: 3, JOKER: 2}


def test_an_empty_pile_has_no_upcard() -> None:
    """The upcard is the last card of the pile, and None where there is none."""
    assert sample_view(pile="7h Kd").upcard == parse_card("Kd")
    assert sample_view(pile="").upcard is None


def test_an_answer_not_given_is_not_a_no() -> None:
    """Before the partner has answered `agreed` is None, afterwards what it said."""
    view = sample_view(phase=PHASE_ANSWER)
    assert view.agreed is None
    view.request.observation.public.agreed = False
    assert view.agreed is False


def test_everything_of_the_message_can_be_read() -> None:
    """Each property of a view can be read on a request that has only the least in it."""
    view = sample_view()
    names = [name for name in dir(handfoot.View) if not name.startswith("_") and name != "melds_of"]
    assert len(names) > 25
    assert all(getattr(view, name) is not None for name in names if name not in ("agreed",))
    assert repr(view) == "<View of seat 0, round 0, request 1>"


def test_the_foot_is_in_play_once_picked_up() -> None:
    """A seat plays from its foot as soon as no untouched foot is left to it."""
    assert not sample_view().in_foot
    request = sample_view().request
    request.observation.public.foot_sizes[0] = 0
    assert View(request, sample_match(), ()).in_foot
