"""Actions and their notation."""

import handfoot
import pytest
from handfoot import CARDS, Action, MeldEntry, format_action, lay_off, new_meld, parse_action
from hypothesis import given
from hypothesis import strategies as st

cards = st.lists(st.sampled_from(CARDS), min_size=1, max_size=8)
entries = st.builds(new_meld, cards) | st.builds(lay_off, st.integers(0, 99), cards)
entry_lists = st.lists(entries, min_size=1, max_size=4)
actions = (
    st.sampled_from([handfoot.draw_stock(), handfoot.ask_partner(), handfoot.pass_turn()])
    | st.builds(lambda agree: handfoot.answer(agree=agree), st.booleans())
    | st.builds(handfoot.discard, st.sampled_from(CARDS))
    | st.builds(lambda melds: handfoot.lay_down(*melds), entry_lists)
    | st.builds(lambda count, melds: handfoot.take_pile(count, *melds), st.integers(1, 200), entry_lists)
)


@given(actions)
def test_every_action_is_read_as_it_is_written(action: Action) -> None:
    """Parsing the notation of an action gives the action back."""
    assert parse_action(format_action(action)) == action


@given(actions)
def test_every_action_has_a_kind(action: Action) -> None:
    """No constructor makes an action without a kind: the referee would refuse it."""
    assert action.WhichOneof("kind")


def test_meld_zero_is_not_a_new_meld() -> None:
    """Laying off on meld 0 says so on the wire, where a new meld says nothing."""
    onto, new = lay_off(0, [CARDS[5]]), new_meld([CARDS[5]])
    assert MeldEntry.FromString(onto.SerializeToString()).HasField("target")
    assert not MeldEntry.FromString(new.SerializeToString()).HasField("target")


def test_a_no_is_said() -> None:
    """A no to the partner is on the wire, not merely the absence of a yes."""
    assert Action.FromString(handfoot.answer(agree=False).SerializeToString()).answer_partner.HasField(
        "agree"
    )


@pytest.mark.parametrize(
    "text", ["", "fly", "draw 2", "discard", "lay", "lay 4h,", "lay x+ 4h", "take with 4h"]
)
def test_what_is_no_action_is_refused(text: str) -> None:
    """A text that is not an action, or only half of one, is refused in one line."""
    with pytest.raises(handfoot.InvalidNotation) as caught:
        parse_action(text)
    assert "expected" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_action_without_a_kind_can_be_shown() -> None:
    """The empty message has a notation too, so that a log can show it."""
    assert format_action(Action()) == "nothing"
