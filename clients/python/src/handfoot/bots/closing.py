"""Going out: how it can be done, whether it pays, and what to answer a partner who asks."""

from typing import Final

from handfoot import Ruleset, View
from handfoot.bots.appraisal import Appraisal
from handfoot.bots.layout import Layout, best_layouts
from handfoot.bots.position import Position
from handfoot.bots.prospects import Prospects

CARD = 25.0
"""Points of each card in another seat's holding or foot: what it costs there, and what it could have become."""

MOST_CARDS: Final = 20
"""A holding larger than this is not laid down in one turn."""

LEFT_FOR_DISCARD: Final = {
    Ruleset.FINAL_DISCARD_OPTIONAL: (0, 1),
    Ruleset.FINAL_DISCARD_FORBIDDEN: (0,),
    Ruleset.FINAL_DISCARD_REQUIRED: (1,),
}
"""How many cards going out may leave for the final discard."""


def may_go_out(view: View) -> bool:
    """Return whether nothing but cards, books and a question keeps the own seat from going out."""
    if not view.in_foot or view.agreed is False:
        return False
    if view.partner is None or not view.ruleset.partner_must_have_played_foot:
        return True
    return view.public.played_from_foot[view.partner]


def must_ask(view: View) -> bool:
    """Return whether the partner has to agree before the own seat goes out."""
    required = view.ruleset.permission == Ruleset.PERMISSION_REQUIRED
    return required and view.partner is not None and not view.agreed


def best_way_out(position: Position, unseen: list[int]) -> Layout | None:
    """Return the most valuable way to lay all down but the final discard, with the books needed; None without one."""
    if position.held > MOST_CARDS:
        return None
    left = LEFT_FOR_DISCARD[position.view.ruleset.final_discard]
    ways = [
        layout
        for layout in best_layouts(ending(position, unseen))
        if layout.left in left and not any(layout.gains.short_of(position.missing))
    ]
    return max(ways, key=lambda layout: layout.value, default=None)


def ending(position: Position, unseen: list[int]) -> Appraisal:
    """Return what cards are worth if the round ends now."""
    return Appraisal(position, Prospects(position.view, unseen, turns=0))


def going_out_pays(way: Layout, stay: Layout, appraisal: Appraisal) -> bool:
    """
    Return whether going out by *way* is better than staying in with *stay*.

    Going out ends all hopes: those of the others, and those of the own side.
    """
    position, prospects = appraisal.position, appraisal.prospects
    hoped = prospects.unfinished(position.unfinished.values())
    partner = CARD * _cards_of_others(position.view, position.view.side)
    return gain_by_ending(appraisal) >= hoped + stay.value - way.value + partner


def agrees(appraisal: Appraisal) -> bool:
    """Return whether the partner had better go out now: unless what could still be laid from here is worth more."""
    now = ending(appraisal.position, appraisal.prospects.unseen)
    held = sum(now.points[rank] * len(cards) for rank, cards in enumerate(appraisal.position.cards))
    could_lay = max(layout.value for layout in best_layouts(now)) + held
    return gain_by_ending(appraisal) >= could_lay


def gain_by_ending(appraisal: Appraisal) -> float:
    """Return the bonus for going out and what each other side loses by it, on average."""
    view, prospects = appraisal.position.view, appraisal.prospects
    lost = 0.0
    for side in range(view.sides):
        if side != view.side:
            theirs = Prospects(view, prospects.unseen, prospects.turns, side)
            lost += theirs.unfinished(view.melds_of(side)) + CARD * _cards_of_others(view, side)
    return view.ruleset.scores.going_out + lost / (view.sides - 1)


def _cards_of_others(view: View, side: int) -> int:
    """Return how many cards the seats of *side* hold or have in their feet, without the own seat."""
    public = view.public
    seats = [seat for seat in range(side, view.seats, view.sides) if seat != view.seat]
    return sum(public.holding_sizes[seat] + public.foot_sizes[seat] for seat in seats)
