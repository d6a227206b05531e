"""The shuffle's two ways: all numbers at once, and one by one where some have to be skipped."""

import pytest

from referee.rules import deal


@pytest.mark.parametrize("size", [2, 54, 270])
def test_both_ways_shuffle_alike(size: int) -> None:
    """Where no number is skipped the quick way is the one by one way."""
    for number in range(20):
        key = bytes([number]) * deal.KEY_SIZE
        assert deal.shuffled(key, b"deck", size) == deal._shuffled_with_skips(key, b"deck", size)


def test_a_number_past_the_last_multiple_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick way gives over to the other one as soon as a number could have to be skipped."""
    key = bytes(deal.KEY_SIZE)
    expected = deal.shuffled(key, b"deck", 54)
    monkeypatch.setattr(deal, "_LEAST_BOUND", 0)
    monkeypatch.setattr(deal, "_shuffled_with_skips", lambda *given: [given])
    assert deal.shuffled(key, b"deck", 54) == [(key, b"deck", 54)]
    assert sorted(expected) == list(range(54))
