"""Laws of endgames: with few cards on the foot, everything that could be done is tried and compared with the rules."""

from dataclasses import replace

from builders import books, broken_clause, meld, round_with
from hypothesis import assume, given
from hypothesis import strategies as st
from laws.exhaustive import all_actions
from laws.tables import BARRED, GENEROUS, HASTY, POLITE

from referee.rules import (
    BEGINNER,
    ONLINE,
    PUBLISHER,
    SIMPLE,
    Action,
    Entry,
    LayDown,
    Meld,
    Phase,
    RoundState,
    TakePile,
    legal_actions,
    sole_action,
)
from referee.rules.legal_actions import can_take

RULES = (BEGINNER, ONLINE, PUBLISHER, SIMPLE, HASTY, POLITE, GENEROUS, BARRED)
HELD = ("9c", "9d", "Kh", "2c", "JR", "3s")
UNFINISHED = ("", "9s*3", "9s*4", "9s*5 2d", "9s*3 2d", "9s*7", "9s*5 2d JB")
OTHERS = ("", "Ks*6", "Ks*4 2d JB", "2s*3", "2s*6", "Ks*7")


@st.composite
def endgames(draw: st.DrawFn) -> RoundState:
    """Draw a position in which a seat on its foot holds up to three cards and its side has a few melds."""
    ruleset = draw(st.sampled_from(RULES))
    phase = draw(st.sampled_from([Phase.DRAW, Phase.PLAY]))
    holding = draw(st.lists(st.sampled_from(HELD), min_size=1, max_size=3))
    agreed = draw(st.sampled_from([None, True, False])) if phase is Phase.PLAY else None
    laid = draw(melds(allow_wild=ruleset.melds.wild_melds))
    state = round_with(
        ruleset,
        seats=ruleset.seats[-1],
        phase=phase,
        holding=" ".join(holding),
        on_foot=True,
        others_played_foot=[2] if draw(st.booleans()) else [],
        melds=laid,
        opened=bool(laid) or ruleset.opening.unit != "side",
        pile=draw(st.sampled_from(["9h", "4c 9h", "2h", "JB", "Kd", "3c", "5c Kd 9h", ""])),
        stock=draw(st.sampled_from(["", "4d 5d"])),
        agreed=agreed,
        asked=agreed is not None,
    )
    state.stranded = phase is Phase.PLAY and len(holding) == 1
    assume(state.stock.left or phase is Phase.PLAY or can_take(state))
    return state


@st.composite
def melds(draw: st.DrawFn, *, allow_wild: bool) -> list[Meld]:
    """Draw the melds of the side: a few around the cards held, and books enough to go out or not."""
    texts = [draw(st.sampled_from(UNFINISHED)), draw(st.sampled_from(OTHERS))]
    laid = [meld(text) for text in texts if text and (allow_wild or not text.startswith("2"))]
    if draw(st.booleans()):
        laid += [each for each in books(2, 3, int(allow_wild)) if each.rank not in {own.rank for own in laid}]
        laid += [meld("7s*7"), meld("8s*7"), meld("4s*5 2c JR"), meld("5s*5 2c JR")]
    return laid


def tidy(action: Action) -> Action:
    """Return *action* with the cards of each entry sorted."""
    if isinstance(action, LayDown | TakePile):
        return replace(
            action, melds=tuple(Entry(tuple(sorted(each.cards)), each.target) for each in action.melds)
        )
    return action


@given(endgames())
def test_trying_everything_agrees_with_the_rules(state: RoundState) -> None:
    """
    What is listed is what trying finds, and of each kind of action something is listed iff any of it is legal.

    The rules name a sole action iff trying finds just one, and a pile that can be taken iff trying takes it.
    """
    found = list(all_actions(state))
    listed = [tidy(action) for action in legal_actions(state)]
    assert set(listed) <= set(found)
    assert {type(action) for action in listed} == {type(action) for action in found}
    sole = sole_action(state)
    assert (sole and tidy(sole)) == (found[0] if len(found) == 1 else None)
    if state.phase is Phase.DRAW:
        assert can_take(state) is any(isinstance(action, TakePile) for action in found)


def test_a_pile_is_taken_with_one_card_more_to_go_out() -> None:
    """A wild card that has to be laid before the meld is a book goes along with the pair, or the pile stays."""
    going_out = replace(GENEROUS.going_out, final_discard="forbidden")
    house = replace(GENEROUS, name="house", going_out=going_out)
    state = round_with(
        house,
        phase=Phase.DRAW,
        holding="9c 9d 2c",
        on_foot=True,
        melds=[meld("9s*4"), meld("Ks*7")],
        pile="9h",
    )
    assert broken_clause(state, "take 1 with 0+ 9c 9d") == "HF-8.12"
    assert [action for action in legal_actions(state) if isinstance(action, TakePile)] != []
