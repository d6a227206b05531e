"""`handfoot bot new`: what it writes is a bot that plays, and it never spoils what is there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typed_words import Handfoot

from tournaments.entrants import entrant_in
from tournaments.errors import TournamentError
from tournaments.starter import class_name, module_name, starter_files, write_starter

README = Path(__file__).parents[2] / "README.md"


@pytest.mark.slow
def test_a_new_bot_passes_its_check_and_its_own_tests(handfoot: Handfoot, tmp_path: Path) -> None:
    """A bot that was just begun is compliant, its tests pass, and neither changes what it is."""
    begun = handfoot("bot", "new", "my_bot")
    assert (begun.exit_code, begun.stdout) == (0, "my_bot: README.md, my_bot.py, test_my_bot.py, bot.toml\n")
    folder = tmp_path / "my_bot"
    before = entrant_in(folder)
    own = subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=folder, capture_output=True, check=False)
    assert own.returncode == 0, own.stdout.decode()
    checked = handfoot("bot", "check", "my_bot", "--rules", "simple", "--isolation", "none")
    assert checked.stderr.splitlines()[0] == "isolation none"
    assert (checked.exit_code, checked.stdout.splitlines()[-1]) == (
        0,
        "my_bot@1 passes: 10 steps passed, 1 step skipped",
    )
    assert entrant_in(folder) == before


def test_the_readme_shows_the_new_bot() -> None:
    """The README begins with `handfoot bot new my_bot`, and the code that it shows is what that writes."""
    text = README.read_text(encoding="utf-8")
    assert "handfoot bot new my_bot\n" in text
    (shown,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert shown == starter_files("my_bot")["my_bot.py"]


def test_a_folder_with_something_in_it_is_left_alone(handfoot: Handfoot, tmp_path: Path) -> None:
    """A folder that is not empty, or a file, is refused and stays as it is; an empty folder is filled."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "note.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for name in ("full", "file"):
        told = handfoot("bot", "new", name)
        assert told.exit_code in (1, 2)
        assert len(told.stderr.splitlines()[-1]) > 10
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["note.txt"]
    (tmp_path / "empty").mkdir()
    assert handfoot("bot", "new", "empty").exit_code == 0
    assert entrant_in(tmp_path / "empty").name == "empty"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "file", "full"]


def test_nothing_is_half_written(tmp_path: Path) -> None:
    """When a file cannot be written, no folder is left, and an empty one stays empty."""
    broken = {"bot.toml": "x", "no/such/folder": "y"}
    for folder in (tmp_path / "new", tmp_path / "there"):
        (tmp_path / "there").mkdir(exist_ok=True)
        with pytest.raises(OSError, match="no/such/folder"):
            write_starter(folder, broken)
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
    assert list((tmp_path / "there").iterdir()) == []


@pytest.mark.parametrize(
    "name", ["my-bot", "random", "2.0", "bot", "Bot", "...", "types", "handfoot", "a_b.C-9"]
)
def test_any_name_of_a_bot_makes_code_that_loads(tmp_path: Path, name: str) -> None:
    """The module hides none of the standard library, and the class is there under the name in the command."""
    write_starter(tmp_path / "bot", starter_files(name))
    assert module_name(name) not in sys.stdlib_module_names | {"handfoot", "bot"}
    entrant = entrant_in(tmp_path / "bot")
    assert (entrant.name, entrant.manifest.command[-1]) == (name, f"{module_name(name)}:{class_name(name)}")
    code = compile((tmp_path / "bot" / f"{module_name(name)}.py").read_text(), name, "exec")
    assert class_name(name) in code.co_names


def test_a_name_that_no_bot_can_have_is_refused(handfoot: Handfoot, tmp_path: Path) -> None:
    """The folder's name does not have to be that of the bot."""
    told = handfoot("bot", "new", "my bot")
    assert told.exit_code == 1
    assert "got 'my bot'; expected 1 to 40 letters" in told.stderr
    assert not (tmp_path / "my bot").exists()
    assert handfoot("bot", "new", "my bot", "--name", "careful").exit_code == 0
    assert entrant_in(tmp_path / "my bot").name == "careful"


def test_an_unknown_language_is_refused(handfoot: Handfoot) -> None:
    """Wrong usage names the languages that there are."""
    told = handfoot("bot", "new", "x", "--language", "cobol")
    assert told.exit_code == 2
    assert "python" in told.stderr
    with pytest.raises(TournamentError, match="unknown language"):
        starter_files("x", "cobol")
