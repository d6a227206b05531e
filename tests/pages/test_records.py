"""docs/records.md describes what is in a record and in its export, and its example is one."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from pages.records import PAGE, PARTS, example
from pages.written import rewritten

from referee.rules import export_record


def test_the_page_is_current(golden: Callable[[Path, str], None]) -> None:
    """Its marked parts are what records say now."""
    golden(PAGE, rewritten(PAGE, PARTS))


def test_the_example_is_an_export() -> None:
    """Whoever tries a reader on it has a whole match."""
    text = PAGE.read_text(encoding="utf-8")
    inside = text[text.index("<!-- begin example") : text.index("<!-- end example")]
    (block,) = re.findall(r"```json\n(.*?)```", inside, re.DOTALL)
    assert json.loads(block) == export_record(example())


def test_the_command_on_the_page_reads_a_file() -> None:
    """A record can be looked into without this program."""
    import subprocess

    from pages.records import EXAMPLE

    (command,) = re.findall(r"(?m)^tail -n \+2 FILE .*$", PAGE.read_text(encoding="utf-8"))
    read = subprocess.run(
        ["bash", "-c", command.replace("FILE", str(EXAMPLE))], capture_output=True, text=True, check=True
    )
    assert json.loads(read.stdout)["match"] == example().match
