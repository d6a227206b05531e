"""Bots with one defect each, as code for `authored.write_bot`."""

from typing import Final

_HEAD: Final = """
import os, threading, time
import handfoot.play
from handfoot import Bot, pass_turn
from handfoot.session import Session

class Mine(Bot):
    def act(self, view):
        return self.rng.choice(view.legal_actions)
"""
EXITS: Final = "import sys\nprint('no book found', file=sys.stderr)\nraise SystemExit(5)\n"
BOASTS: Final = f"{_HEAD}    name = 'somebody'\n    version = '9'\n"
NEVER_READY: Final = f"{_HEAD}    def on_start(self, match):\n        time.sleep(600)\n"
SLOW: Final = f"""{_HEAD}
    def act(self, view):
        time.sleep(1.5)
        return view.legal_actions[0]
"""
ILLEGAL: Final = f"{_HEAD}\n    def act(self, view):\n        return pass_turn()\n"
DIES_ON_REFUSAL: Final = (
    f"{_HEAD}    def on_refused(self, refusal):\n        raise RuntimeError(refusal.reason)\n"
)
DIES_ON_FORFEIT: Final = f"""{_HEAD}
    def on_end(self, ended):
        assert ended.result.totals[0] or ended.result.totals[1], "nobody has a point"
"""
STAYS_AWAY: Final = f"{_HEAD}\nhandfoot.play.PAUSES = ()\n"
FORGETS_ITS_SESSION: Final = f"""{_HEAD}
def hello(self, said=Session.hello):
    message = said(self)
    message.hello.ClearField("session_id")
    return message

Session.hello = hello
"""
HANGS_AT_THE_END: Final = f"{_HEAD}\nthreading.Thread(target=time.sleep, args=(600,)).start()\n"
REMEMBERS: Final = f"""{_HEAD}
    matches = 0

    def on_start(self, match):
        Mine.matches += 1

    def act(self, view):
        return view.legal_actions[-1 if self.matches > 1 else 0]
"""
MIXES_ITS_TABLES: Final = f"""{_HEAD}
    asked = 0

    def on_start(self, match):
        Mine.asked = 0

    def act(self, view):
        Mine.asked += 1
        return view.legal_actions[-1 if self.asked % 3 else 0]
"""
ROLLS_ITS_OWN_DICE: Final = f"""{_HEAD}
    def act(self, view):
        return view.legal_actions[os.urandom(1)[0] % len(view.legal_actions)]
"""
