"""What somebody probably meant who misspelt a name."""

from collections.abc import Iterable
from difflib import get_close_matches


def expectation(given: str, known: Iterable[str]) -> str:
    """
    Say which of the *known* names was expected, the closest to *given* first if there is one.

    >>> expectation("stedy", ["greedy", "random", "steady"])
    "'steady' (or one of greedy, random)"
    >>> expectation("x", ["greedy", "random"])
    'one of greedy, random'
    """
    names = sorted(known)
    close = get_close_matches(given, names, n=1, cutoff=0.6)
    if not close:
        return f"one of {', '.join(names)}"
    others = ", ".join(name for name in names if name != close[0])
    return f"{close[0]!r} (or one of {others})" if others else repr(close[0])
