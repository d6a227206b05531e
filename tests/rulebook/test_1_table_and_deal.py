"""Chapter 1 of the rulebook: table and deal."""

from collections import Counter

import pytest
from builders import FILLER, round_with
from rulebook.holding import holds_for, not_for, tables

from referee.rules import (
    BEGINNER,
    ONLINE,
    RANK_OF,
    Deal,
    InvalidRuleset,
    Ruleset,
    begin_round,
    deal_round,
    format_cards,
    is_wild,
    observe,
    parse_cards,
)
from referee.rules.cards import BLACK_THREE, RED_THREE, pack_cards
from referee.rules.deal import winner_of_cut
from referee.rules.state import Stock

KEYS = [bytes(31) + bytes([last]) for last in range(256)]


def deals_with_rejected(ruleset: Ruleset, number: int) -> list[Deal]:
    """Return the deals of the first keys for which that many upcards are rejected."""
    deals = [deal_round(ruleset, ruleset.seats[-1], 0, key) for key in KEYS]
    return [deal for deal in deals if len(deal.rejected) == number]


@holds_for("HF-1.1")
def test_hf_1_1_numbers_of_seats(ruleset: Ruleset) -> None:
    """Only the listed numbers of seats are dealt, and a refusal names them."""
    for seats in range(1, 14):
        if seats in ruleset.seats:
            assert len(deal_round(ruleset, seats, 0, KEYS[0]).hands) == seats
        else:
            with pytest.raises(InvalidRuleset) as refused:
                begin_round(ruleset, seats, 0, KEYS[0])
            assert ", ".join(map(str, ruleset.seats)) in str(refused.value)


@tables()
def test_hf_1_2_sides(ruleset: Ruleset, seats: int) -> None:
    """Partners sit opposite, except where the table is played alone."""
    state = round_with(ruleset, seats=seats)
    alone = ruleset is ONLINE and seats < 4
    assert len(state.sides) == (seats if alone else seats // 2)
    for seat in range(seats):
        opposite = () if alone else ((seat + seats // 2) % seats,)
        assert state.partners(seat) == opposite
        assert state.side_of(seat) == seat % len(state.sides)


@tables()
def test_hf_1_3_packs(ruleset: Ruleset, seats: int) -> None:
    """What is dealt is the packs of the table, every card as often as it is in them."""
    deal = deal_round(ruleset, seats, 0, KEYS[0])
    dealt = [*sum(deal.hands, ()), *sum(deal.feet, ()), *deal.stock, *deal.under]
    packs = 5 if ruleset.name in ("beginner", "simple") else seats + 1
    assert Counter(dealt + ([] if deal.upcard is None else [deal.upcard])) == Counter(pack_cards(packs))


@tables()
def test_hf_1_4_hand_and_foot(ruleset: Ruleset, seats: int) -> None:
    """Each seat gets a hand and a foot of thirteen cards, eleven in publisher, and the rest is the stock."""
    deal = deal_round(ruleset, seats, 0, KEYS[1])
    size = 11 if ruleset.name == "publisher" else 13
    assert [len(hand) for hand in deal.hands] == [size] * seats
    assert [len(foot) for foot in deal.feet] == [size] * seats
    cards = 54 * ruleset.deal.packs_for(seats)
    assert len(deal.stock) + len(deal.under) + (deal.upcard is not None) == cards - 2 * size * seats


@holds_for("HF-1.5")
def test_hf_1_5_the_first_upcard(ruleset: Ruleset) -> None:
    """Red threes and wild cards are set aside until another card is turned; a black three may stay."""
    deals = [deal_round(ruleset, ruleset.seats[-1], 0, key) for key in KEYS]
    for deal in deals:
        assert deal.upcard is not None
        assert RANK_OF[deal.upcard] != RED_THREE
        assert not is_wild(deal.upcard)
        assert all(RANK_OF[card] == RED_THREE or is_wild(card) for card in deal.rejected)
    assert any(deal.upcard is not None and RANK_OF[deal.upcard] == BLACK_THREE for deal in deals)
    assert {len(deal.rejected) for deal in deals} >= {0, 1, 2}
    state, _ = begin_round(ruleset, ruleset.seats[-1], 0, KEYS[0])
    assert state.pile == [deals[0].upcard]


@holds_for("HF-1.6")
def test_hf_1_6_no_first_upcard(ruleset: Ruleset) -> None:
    """Nothing is turned: the pile is empty and the whole rest is the stock."""
    deal = deal_round(ruleset, 4, 0, KEYS[0])
    assert (deal.upcard, deal.rejected, deal.under) == (None, (), ())
    assert begin_round(ruleset, 4, 0, KEYS[0])[0].pile == []


@holds_for("HF-1.7")
def test_hf_1_7_rejected_upcards_are_buried(ruleset: Ruleset) -> None:
    """Cards set aside are in the stock again, at places that depend on the key."""
    places = set()
    for deal in deals_with_rejected(ruleset, 1):
        assert deal.under == ()
        assert len(deal.stock) == 165
        places |= {place for place, card in enumerate(deal.stock) if card == deal.rejected[0]}
    assert min(places) < 40
    assert max(places) > 120


@holds_for("HF-1.8")
def test_hf_1_8_rejected_upcards_go_under_the_stock(ruleset: Ruleset) -> None:
    """Cards set aside are drawn last, by whoever is there, in the order in which they were turned."""
    deal = next(each for each in deals_with_rejected(ruleset, 2) if each.rejected[0] != each.rejected[1])
    stock = Stock(deal.stock, deal.under, 4)
    drawn = [stock.draw(seat % 4)[0] for seat in range(len(deal.stock) + 2)]
    assert tuple(drawn[-2:]) == deal.rejected
    assert Counter(drawn[:-2]) == Counter(deal.stock)


@not_for("HF-1.8")
def test_hf_1_8_nothing_lies_under_other_stocks(ruleset: Ruleset) -> None:
    """Where upcards are buried, or none is turned, all cards of the stock are hidden."""
    assert all(deal_round(ruleset, 4, 0, key).under == () for key in KEYS[:40])


@holds_for("HF-1.9")
def test_hf_1_9_dealers_left_begins(ruleset: Ruleset) -> None:
    """Seat r mod n begins round r, whatever the key."""
    for seats in ruleset.seats:
        firsts = [deal_round(ruleset, seats, number, KEYS[number]).first_seat for number in range(7)]
        assert firsts == [number % seats for number in range(7)]


@holds_for("HF-1.10")
def test_hf_1_10_the_high_cut(ruleset: Ruleset) -> None:
    """Aces are high and twos low, jokers are cut again at once, equal cuts again at the end, each round anew."""
    cuts = {"Kd JR 9c 2h As": 3, "2s 3h 2d 2c": 1, "Kd Ks 5h Kh 4c 9d 9h 2c 8c": 3, "JB JR 4h 2c 2d 3s": 0}
    for text, seat in cuts.items():
        drawn = iter(parse_cards(text))
        assert winner_of_cut(4, drawn.__next__) == seat
        assert next(drawn, None) is None
    assert {deal_round(ruleset, 4, number, KEYS[9]).first_seat for number in range(4)} == {0}
    assert {deal_round(ruleset, 4, 0, key).first_seat for key in KEYS[:30]} == {0, 1, 2, 3}


@holds_for("HF-1.11")
def test_hf_1_11_what_is_open(ruleset: Ruleset) -> None:
    """A seat sees its own holding and what lies open; other holdings, feet and the stock only by their size."""
    hidden = {1: FILLER.replace("4c", "As"), 2: FILLER.replace("5c", "JR"), 3: FILLER}
    seen = observe(round_with(ruleset, pile="4h 9s 2d", on_foot=True), 0, [0, 0])
    other = round_with(ruleset, pile="4h 9s 2d", on_foot=True, others=hidden, feet=hidden, stock="As*8")
    assert observe(other, 0, [0, 0]) == seen
    assert format_cards(seen.pile) == "4h 9s 2d"
    assert (seen.stock, seen.holding_sizes, seen.foot_sizes) == (8, (11,) * 4, (0, 11, 11, 11))
    assert format_cards(seen.holding) == FILLER


def test_hf_1_11_a_foot_is_hidden_from_its_owner() -> None:
    """A seat that still plays its hand does not see its own foot."""
    seen = [observe(round_with(BEGINNER, feet={0: foot}), 0, [0, 0]) for foot in ("As*13", "4d*13")]
    assert seen[0] == seen[1]
    assert seen[0].foot_sizes[0] == 13
