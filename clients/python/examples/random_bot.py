"""The smallest bot: any legal action will do. Play it with ``python -m handfoot random_bot:RandomBot``."""

from handfoot import Action, Bot, View


class RandomBot(Bot):
    """Plays one of the legal actions, each as likely as the others."""

    name = "example-random"
    version = "1"

    def act(self, view: View) -> Action:
        """Return one of the legal actions; `rng` comes from the referee's seed, so a match can be replayed."""
        return self.rng.choice(view.legal_actions)
