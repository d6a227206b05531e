"""The page for authors of bots that search: what it shows is what happens."""

import doctest
import re
from pathlib import Path

from handfoot.bots.random import RandomBot
from in_process import play_match, spec_of

from referee.rules import SIMPLE

PAGE = Path(__file__).parents[2] / "docs" / "searching.md"


def test_the_examples_give_what_they_show() -> None:
    """Every line that is typed on the page prints what stands below it."""
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted > 10
    assert found.failed == 0


def test_the_bot_of_the_page_plays() -> None:
    """The bot that is written out there plays a match without a refusal."""
    (text,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    written: dict[str, type[RandomBot]] = {}
    exec(compile(text, str(PAGE), "exec"), written)
    match = play_match(spec_of(SIMPLE, 4, "page"), [written["Sampler"], *[RandomBot] * 3])
    assert match.refusals == []
    assert match.match.finished
