"""Bots as authors hand them in: folders, made for a test."""

from pathlib import Path
from typing import Final

PLAYS_BY_CHANCE: Final = """
from handfoot import Bot

class Mine(Bot):
    def act(self, view):
        return self.rng.choice(view.legal_actions)
"""
CRASHES: Final = """
import os
from handfoot import Bot

class Mine(Bot):
    def act(self, view):
        os._exit(7)
"""
EXITS_AT_ONCE: Final = """
import sys
print("no book found in book.txt", file=sys.stderr)
raise SystemExit(5)
"""
MODULE: Final = '["python", "-m", "handfoot", "mine:Mine"]'


def write_bot(folder: Path, code: str, *, command: str = MODULE, version: str = "1", more: str = "") -> Path:
    """Make *folder* that of a bot with this *code*, named like the folder; return it."""
    folder.mkdir(parents=True, exist_ok=True)
    head = f'name = "{folder.name}"\nversion = "{version}"\nlanguage = "Python"\n'
    (folder / "bot.toml").write_text(f"{head}command = {command}\n{more}")
    (folder / "mine.py").write_text(code)
    return folder
