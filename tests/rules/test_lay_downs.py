"""The listed lay-downs of a seat that has opened."""

from builders import meld, round_with

from referee.rules import PUBLISHER, LayDown, legal_actions


def test_a_sample_finds_books_at_their_place() -> None:
    """Where books grow they stand on the list by rank, between new and unfinished melds, and so does a sample."""
    laid = [meld("4s*7"), meld("9s*4"), meld("Ks*7")]
    state = round_with(PUBLISHER, holding="4c 5c 5d 5h 9c Kd Ac Ad 2c", melds=laid)
    view = legal_actions(state)
    listed = list(view)
    ranks = [action.melds[0] for action in listed if isinstance(action, LayDown)]
    assert next(entry.target for entry in ranks) == 0
    assert 2 in [entry.target for entry in ranks]
    numbers = iter([(place + 0.5) / len(listed) for place in range(len(listed))])
    assert [view.sample(numbers.__next__) for _ in listed] == listed
