"""Where each page of a site lies, relative to the site's folder."""

from collections.abc import Iterable
from typing import Final

from tournaments.results import UnitResult
from tournaments.schedule import SHORT, EntityHash

INDEX: Final = "index.html"
STYLE: Final = "style.css"


def partnership_page(entity: EntityHash) -> str:
    """
    Return the page of a partnership.

    >>> partnership_page(EntityHash("ab" * 32))
    'partnerships/abababababab.html'
    """
    return f"partnerships/{entity[:SHORT]}.html"


def match_page(result: UnitResult, leg: int) -> str:
    """Return the page of the match that is *leg*, from 0, of the unit of *result*."""
    return f"matches/{result.unit}-{leg}.html"


def anchor(rivals: Iterable[EntityHash]) -> str:
    """
    Return the anchor of the units against *rivals* on the page of a partnership.

    >>> anchor([EntityHash("ab" * 32)])
    'v-abababababab'
    """
    return "-".join(("v", *(rival[:SHORT] for rival in rivals)))


def to_top(path: str) -> str:
    """
    Return what leads from the page at *path* to the site's folder.

    >>> [to_top("index.html"), to_top("matches/x.html")]
    ['', '../']
    """
    return "../" * path.count("/")
