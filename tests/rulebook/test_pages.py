"""The pages of the rulebook say what the rules do."""

from collections.abc import Callable
from pathlib import Path

import pytest
from rulebook.pages import PARTS, marked_pages, rewrite


@pytest.mark.parametrize("page", marked_pages(), ids=lambda page: page.name)
def test_page_is_current(page: Path, golden: Callable[[Path, str], None]) -> None:
    """The marked parts of a page are what the rules say now."""
    golden(page, rewrite(page))


def test_each_part_is_on_a_page() -> None:
    """Everything that can be written from the rules stands on a page."""
    text = "".join(page.read_text(encoding="utf-8") for page in marked_pages())
    assert [name for name in PARTS if f"<!-- begin {name}:" not in text] == []
