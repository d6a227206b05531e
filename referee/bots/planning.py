"""Which turns are worth a playout: the plan that the appraisal prefers, and others that come close."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from handfoot import (
    PHASE_ANSWER,
    PHASE_DRAW,
    RED_THREE,
    Action,
    Ruleset,
    View,
    answer,
    ask_partner,
    discard,
    draw_stock,
)
from handfoot.bots.closing import agrees, best_way_out, going_out_pays, may_go_out, must_ask
from handfoot.bots.greedy import most_cards
from handfoot.bots.layout import MANY, Layout, best_layouts
from handfoot.bots.openings import best_opening
from handfoot.bots.pile import best_draw
from handfoot.bots.position import RANKS, Position
from handfoot.bots.steady import PICK_UP

from referee.bots.temper import Judgement, Outlook, cost_of_discard, look_ahead

Plan = tuple[Action, ...]
"""The rest of a turn, as far as it can be foreseen."""

TAKES: Final = 3
"""So many ways to take the pile are compared."""


def plans(view: View, layouts: int, discards: int) -> list[Plan]:
    """
    Return plans for the rest of the turn, each once, the preferred one first.

    Beside that one there are the next best *layouts* and, for the preferred lay-down, the next best *discards*.
    """
    if view.phase == PHASE_ANSWER:
        return _answers(view)
    found: list[Plan] = []
    for plan in _draws(view) if view.phase == PHASE_DRAW else _turns(view, layouts, discards):
        if plan and plan not in found:
            found.append(plan)
    return found


def _answers(view: View) -> list[Plan]:
    agree = agrees(Judgement(Position(view), look_ahead(view)))
    return [(answer(agree=agree),), (answer(agree=not agree),)]


def _draws(view: View) -> Iterator[Plan]:
    outlook = look_ahead(view)
    draw = best_draw(Judgement(Position(view), outlook), view.legal_actions)
    yield _draw(view, outlook, draw)
    if view.stock:
        yield (draw_stock(),)
    takes = (action for action in view.legal_actions if action.HasField("take_pile"))
    for take in islice(takes, TAKES):
        yield _draw(view, outlook, take)


def _draw(view: View, outlook: Outlook, draw: Action) -> Plan:
    if not draw.HasField("take_pile"):
        return (draw,)
    position = Position(view)
    position.follow(draw)
    return (draw, *(_lay_and_discard(Judgement(position, outlook)) or ()))


def _turns(view: View, layouts: int, discards: int) -> Iterator[Plan]:
    outlook = look_ahead(view)
    opening = None if view.opened else best_opening(outlook, view.legal_actions)
    for layout, number in (
        (0, 0),
        *((0, n + 1) for n in range(discards)),
        *((n + 1, 0) for n in range(layouts)),
    ):
        position = Position(view)
        actions: tuple[Action, ...] = ()
        if opening is not None:
            position.follow(opening)
            actions = (opening,)
        rest = _lay_and_discard(Judgement(position, outlook), layout, number)
        if rest is not None:
            yield (*actions, *rest) or (most_cards(view),)


def _lay_and_discard(appraisal: Judgement, layout: int = 0, number: int = 0) -> Plan | None:
    """Return the lay-down of rank *layout* with the discard of rank *number*; None where there are fewer."""
    position = appraisal.position
    actions: Plan = ()
    if position.view.in_foot and position.held < MANY:
        return None if layout or number else ()
    if position.opened and position.held:
        lay_downs = _lay_downs(appraisal)
        if layout >= len(lay_downs):
            return None
        chosen = lay_downs[layout]
        if chosen is None:
            return (ask_partner(),)
        if chosen.lays:
            actions = (position.lay(chosen.lays),)
    elif layout:
        return None
    if not position.held:
        return actions if not number else None
    cards = _discards(appraisal)
    return (*actions, cards[number]) if number < len(cards) else None


def _lay_downs(appraisal: Judgement) -> list[Layout | None]:
    """Return the layouts from the best on; None stands for the question that has to come before."""
    position, view = appraisal.position, appraisal.position.view
    layouts = best_layouts(appraisal)
    if view.in_foot:
        layouts = [layout for layout in layouts if layout.left == MANY]
        layouts.sort(key=lambda layout: -layout.value)
    else:
        layouts.sort(key=lambda layout: -layout.value - PICK_UP[layout.left])
    found: list[Layout | None] = [*layouts]
    way = best_way_out(position, appraisal.prospects.unseen) if may_go_out(view) else None
    if way is not None:
        pays = not layouts or going_out_pays(way, layouts[0], appraisal)
        found.insert(0 if pays else 1, None if must_ask(view) else way)
    return found


def _discards(appraisal: Judgement) -> list[Action]:
    """Return the discards from the one that weighs least on, one a rank."""
    cards = appraisal.position.cards
    stays = appraisal.position.view.ruleset.red_threes == Ruleset.RED_THREE_RULE_LAID
    ranks = [rank for rank in RANKS if cards[rank] and not (rank == RED_THREE and stays)]
    ranks.sort(key=lambda rank: cost_of_discard(appraisal, rank))
    return [discard(cards[rank][-1]) for rank in ranks]
