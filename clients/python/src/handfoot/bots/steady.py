"""The house bot that thinks: about its opening, its foot, its books, whom a discard feeds, and when to go out."""

from handfoot import PHASE_ANSWER, PHASE_DRAW, Action, Bot, Refusal, View, answer, ask_partner
from handfoot.bots.appraisal import Appraisal
from handfoot.bots.closing import agrees, best_way_out, going_out_pays, may_go_out, must_ask
from handfoot.bots.greedy import most_cards
from handfoot.bots.layout import MANY, Layout, best_layouts
from handfoot.bots.openings import best_opening
from handfoot.bots.pile import best_discard, best_draw
from handfoot.bots.position import Position
from handfoot.bots.prospects import Prospects, count_unseen, expected_turns

FOOT_NOW = 450.0
"""Points for picking up the foot and playing on from it."""

FOOT_NEXT = 300.0
"""Points for picking up the foot with the last discard."""

PICK_UP = (FOOT_NOW, FOOT_NEXT, 0.0)


class SteadyBot(Bot):
    """Plans a turn as a whole: what its cards may still become decides what is laid, kept, taken and discarded."""

    name = "steady"
    version = "1"

    refused = 0
    """The last request whose answer was refused; 0 before the first."""

    def act(self, view: View) -> Action | list[Action]:
        """Return the rest of the turn as far as it can be foreseen."""
        if view.request.request_id == self.refused:
            return most_cards(view)
        position = Position(view)
        appraisal = Appraisal(position, Prospects(view, count_unseen(view), expected_turns(view)))
        if view.phase == PHASE_ANSWER:
            return answer(agree=agrees(appraisal))
        if view.phase != PHASE_DRAW:
            return self._play(appraisal)
        draw = best_draw(appraisal, view.legal_actions)
        if not draw.HasField("take_pile"):
            return draw
        position.follow(draw)
        return [draw, *self._play(appraisal)]

    def on_refused(self, refusal: Refusal) -> None:
        """Answer this request again with what is listed, which is certainly legal."""
        self.refused = refusal.request_id
        super().on_refused(refusal)

    def _play(self, appraisal: Appraisal) -> list[Action]:
        """Return lay-downs and the discard, or the question; what follows the foot is planned when it is seen."""
        position = appraisal.position
        view = position.view
        actions: list[Action] = []
        if not position.opened:
            opening = best_opening(appraisal.prospects, view.legal_actions)
            if opening is not None:
                position.follow(opening)
                actions.append(opening)
        appraisal = Appraisal(position, appraisal.prospects)
        if view.in_foot and position.held < MANY:
            return actions or [most_cards(view)]
        if position.opened and position.held:
            actions += lay_cards(appraisal)
        if position.held and actions[-1:] != [ask_partner()]:
            actions.append(best_discard(appraisal))
        return actions


def lay_cards(appraisal: Appraisal) -> list[Action]:
    """Return what is laid down, all in one action, if anything is; or the question that has to be asked before."""
    position, view = appraisal.position, appraisal.position.view
    layout = best_stay(best_layouts(appraisal), in_foot=view.in_foot)
    way = best_way_out(position, appraisal.prospects.unseen) if may_go_out(view) else None
    if way is not None and going_out_pays(way, layout, appraisal):
        if must_ask(view):
            return [ask_partner()]
        layout = way
    return [position.lay(layout.lays)] if layout.lays else []


def best_stay(layouts: list[Layout], *, in_foot: bool) -> Layout:
    """Return the most valuable of *layouts* that does not go out."""
    if in_foot:
        return max((layout for layout in layouts if layout.left == MANY), key=lambda layout: layout.value)
    return max(layouts, key=lambda layout: layout.value + PICK_UP[layout.left])
