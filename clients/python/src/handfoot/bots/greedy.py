"""The house bot that lives for the moment: it lays down whatever it can, as soon as it can."""

from handfoot import RANK_OF, TWO, Action, Bot, Ruleset, View, is_wild, points_by_card


class GreedyBot(Bot):
    """Takes the pile when it can, opens when it can, lays down all it can, and goes out when it can."""

    name = "greedy"
    version = "1"

    def act(self, view: View) -> Action:
        """Return the listed action that moves most cards."""
        return most_cards(view)


def most_cards(view: View) -> Action:
    """Return the listed action that moves most cards; where none does, a draw, a question, a yes or a discard."""
    kinds: dict[str | None, list[Action]] = {}
    for action in view.legal_actions:
        kinds.setdefault(action.WhichOneof("kind"), []).append(action)
    if melds := kinds.get("take_pile") or kinds.get("lay_down"):
        return max(melds, key=count_cards)
    if "ask_partner" in kinds and view.ruleset.permission == Ruleset.PERMISSION_REQUIRED:
        return kinds["ask_partner"][0]
    if "discard" in kinds:
        return cheapest_discard(view, kinds["discard"])
    return view.legal_actions[-1]


def count_cards(action: Action) -> int:
    """Return how many cards *action* takes and lays down."""
    melds = action.take_pile.melds or action.lay_down.melds
    return action.take_pile.count + sum(len(entry.cards) for entry in melds)


def cheapest_discard(view: View, discards: list[Action]) -> Action:
    """Return the discard that hurts least: threes first, wild cards last, else what is furthest from a meld."""
    points = points_by_card(view.ruleset)

    def loss(action: Action) -> tuple[bool, bool, int, int]:
        card = action.discard.card
        rank = RANK_OF[card]
        return is_wild(card), rank < TWO, len(view.holding_by_rank[rank]), points[card]

    return min(discards, key=loss)
