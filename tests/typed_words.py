"""The type of the fixture that runs a command."""

from typing import Protocol

from click.testing import Result


class Handfoot(Protocol):
    """Runs `handfoot` with words, and returns exit code and texts."""

    def __call__(self, *words: object) -> Result:
        """Run the command of these *words*."""
        ...
