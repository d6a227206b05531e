"""A bot that lays down what it can, and throws away what it can spare. ``python -m handfoot greedy_bot:GreedyBot``."""

from collections.abc import Iterable

from handfoot import RANK_OF, Action, Bot, Card, MatchEnded, MeldEntry, Seated, View, is_wild, points_by_card


class GreedyBot(Bot):
    """Takes the action that moves the most points to the table; of the discards the one that costs the least."""

    name = "example-greedy"
    version = "1"

    def on_start(self, match: Seated) -> None:
        """Look up once what each card is worth in this match."""
        self.points = points_by_card(match.ruleset)

    def act(self, view: View) -> Action:
        """Return the most valuable of the legal actions."""
        return max(view.legal_actions, key=lambda action: self.value(view, action))

    def value(self, view: View, action: Action) -> float:
        """Return how much *action* is worth; only the order of the values means anything."""
        match action.WhichOneof("kind"):
            case "lay_down":
                return 2_000 + self.points_of(action.lay_down.melds)
            case "take_pile":
                return 1_000 + action.take_pile.count + self.points_of(action.take_pile.melds)
            case "ask_partner":
                return 900
            case "answer_partner":
                return 1 if action.answer_partner.agree else 0
            case "draw_stock":
                return 500
            case "discard":
                return 100 - self.cost(view, action.discard.card)
        return 0

    def points_of(self, entries: Iterable[MeldEntry]) -> int:
        """Return the points of all cards that go to melds."""
        return sum(self.points[card] for entry in entries for card in entry.cards)

    def cost(self, view: View, card: Card) -> float:
        """Return how much it hurts to part with *card*: wild cards and beginnings of melds are kept."""
        held = len(view.holding_by_rank[RANK_OF[card]])
        return self.points[card] / 10 + 4 * held + (50 if is_wild(card) else 0)

    def on_end(self, ended: MatchEnded) -> None:
        """Say how it went; the referee keeps what a bot prints."""
        print(f"{ended.result.reason or 'played out'}: {list(ended.result.totals)}")
