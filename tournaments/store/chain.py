"""
The hash chain over results in order of arrival: changing, dropping or reordering a stored result breaks it.

``head(0) = SHA-256("HANDFOOT-CHAIN-v1\\0")``, ``head(i) = SHA-256(head(i-1) || SHA-256(line i))`` over raw
digests, where a line is the canonical JSON of a result in UTF-8.
"""

from collections.abc import Iterable
from hashlib import sha256

GENESIS = sha256(b"HANDFOOT-CHAIN-v1\0").hexdigest()


def next_head(head: str, line: str) -> str:
    """
    Return the head of a chain after *line* was appended to the one with this *head*.

    >>> next_head(GENESIS, "{}")
    '3ee57918c6e978c7c9ec95adebea42f619e250a3f7b348da9c77a64478346d77'
    """
    return sha256(bytes.fromhex(head) + sha256(line.encode()).digest()).hexdigest()


def first_break(links: Iterable[tuple[str, str]]) -> int | None:
    """
    Return the number, from 0, of the first of *links*, lines with their heads, that does not follow, or None.

    >>> one = next_head(GENESIS, "a")
    >>> two = next_head(one, "b")
    >>> first_break([("a", one), ("b", two)]), first_break([("a", one), ("changed", two)])
    (None, 1)
    """
    head = GENESIS
    for number, (line, said) in enumerate(links):
        head = next_head(head, line)
        if head != said:
            return number
    return None
