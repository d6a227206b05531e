"""The house bot that plays by chance."""

from handfoot import Action, Bot, View


class RandomBot(Bot):
    """Plays one of the legal actions it is sent, each as likely as the others."""

    name = "random"
    version = "1"

    def act(self, view: View) -> Action:
        """Return one of the legal actions."""
        return self.rng.choice(view.legal_actions)
