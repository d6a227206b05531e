"""How numbers and foreign text are written on the pages; escaping for HTML is not done here."""

import unicodedata
from typing import Any, Final

from markupsafe import Markup

NOT_DEFINED: Final = "–"
MINUS: Final = "−"
UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Categories of characters that show nothing and change how others show: controls, directions, half characters."""


def visible(value: Any) -> Any:
    """
    Return *value*, with each unseen character of a text that is no markup replaced by one that is seen.

    >>> visible("line\\r\\nbreak \\u202ereversed")
    'line��break �reversed'
    """
    if not isinstance(value, str) or isinstance(value, Markup) or value.isprintable():
        return value
    return "".join("�" if unicodedata.category(letter) in UNSEEN else letter for letter in value)


def points(value: float | None) -> str:
    """
    Return whole points.

    >>> [points(12345), points(-50.4), points(0), points(None)]
    ['12,345', '−50', '0', '–']
    """
    return NOT_DEFINED if value is None else _minus(f"{round(value):,}")


def signed(value: float | None) -> str:
    """
    Return whole points with their sign.

    >>> [signed(1234.6), signed(-50), signed(0.2), signed(None)]
    ['+1,235', '−50', '0', '–']
    """
    if value is None or round(value) == 0:
        return points(value)
    return _minus(f"{round(value):+,}")


def decimals(value: float | None, digits: int = 2) -> str:
    """
    Return *value* with that many decimals.

    >>> [decimals(25.0), decimals(-1.239), decimals(None)]
    ['25.00', '−1.24', '–']
    """
    return NOT_DEFINED if value is None else _minus(f"{value:.{digits}f}")


def percent(value: float | None) -> str:
    """
    Return a likelihood in percent, which is never said to be certain.

    >>> [percent(0.5), percent(0.97549), percent(1.0), percent(0.0), percent(None)]
    ['50.0%', '97.5%', '> 99.9%', '< 0.1%', '–']
    """
    if value is None:
        return NOT_DEFINED
    if value >= 0.9995:
        return "> 99.9%"
    return "< 0.1%" if value < 0.0005 else f"{value:.1%}"


def counted(number: int, noun: str) -> str:
    """
    Return *number* and *noun*, which takes an s.

    >>> [counted(1, "unit"), counted(1200, "unit")]
    ['1 unit', '1,200 units']
    """
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _minus(text: str) -> str:
    return text.replace("-", MINUS)
