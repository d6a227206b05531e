"""Lines of the score that only house rules change."""

from dataclasses import replace

from builders import meld, round_with

from referee.rules import BEGINNER
from referee.rules.scoring import score_round


def test_melded_cards_may_be_worth_nothing() -> None:
    """Where house rules do not count melded cards, their line is 0 although the cards have points."""
    melds = [meld("9c*3"), meld("Kc*7", side=1)]
    house = replace(BEGINNER, name="house", scores=replace(BEGINNER.scores, melded_cards=False))
    counted, uncounted = (score_round(round_with(ruleset, melds=melds)) for ruleset in (BEGINNER, house))
    assert [score.melded_cards for score in counted] == [30, 70]
    assert [score.melded_cards for score in uncounted] == [0, 0]
