"""What the package exports, documents and shows as examples."""

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path
from types import ModuleType

import handfoot
import pytest
from handfoot import Bot
from handfoot.testing import check_bot

FOLDER = Path(__file__).parents[1]
README = FOLDER / "README.md"
MODULES = [
    name
    for _, name, _ in pkgutil.walk_packages(handfoot.__path__, "handfoot.")
    if not name.startswith("handfoot.v1") and name != "handfoot.__main__"
]


def own_names(module: ModuleType) -> set[str]:
    """The public names of *module* that are neither modules nor missing a home."""
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    }


@pytest.mark.parametrize("name", ["handfoot", "handfoot.testing"])
def test_what_is_exported_is_there(name: str) -> None:
    """Each exported name exists, once, in order."""
    module = importlib.import_module(name)
    assert len(set(module.__all__)) == len(module.__all__)
    assert set(module.__all__) <= own_names(module)


def test_everything_public_is_exported() -> None:
    """What `import handfoot` brings is exactly what it lists."""
    assert set(handfoot.__all__) == own_names(handfoot)


def test_the_constructors_and_errors_are_exported() -> None:
    """Whatever the modules of actions, cards, errors and views define can be had from the package itself."""
    homes = ("handfoot.actions", "handfoot.cards", "handfoot.errors", "handfoot.view", "handfoot.bot")
    for home in map(importlib.import_module, homes):
        defined = {
            name for name, value in vars(home).items() if getattr(value, "__module__", None) == home.__name__
        }
        assert {name for name in defined if not name.startswith("_")} <= set(handfoot.__all__)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_hold(name: str) -> None:
    """Every example in a docstring gives what it says."""
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_public_names_have_docstrings(name: str) -> None:
    """Modules, classes, functions and methods that an author meets say what they are for."""
    module = importlib.import_module(name)
    assert module.__doc__
    for member in vars(module).values():
        named = inspect.isclass(member) or inspect.isroutine(member)
        if named and member.__module__ == name and not member.__name__.startswith("_"):
            assert inspect.getdoc(member), f"{name}.{member.__name__}"
            for key, part in vars(member).items() if isinstance(member, type) else ():
                if not key.startswith("_") and (inspect.isfunction(part) or isinstance(part, property)):
                    assert inspect.getdoc(part), f"{name}.{member.__name__}.{key}"


def test_the_package_is_typed() -> None:
    """Type checkers take the annotations of the package."""
    assert (Path(handfoot.__file__).parent / "py.typed").exists()


def test_the_readme_says_what_happens() -> None:
    """The examples of the README at the prompt give what it shows."""
    assert doctest.testfile(str(README), module_relative=False).failed == 0


def test_the_bots_of_the_readme_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs of the README work as they stand there, its tests among them."""
    programs = re.findall(r"```python\n# (\w+)\.py\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert [name for name, _ in programs] == ["my_bot", "better_bot", "test_my_bot"]
    monkeypatch.syspath_prepend(tmp_path)
    for name, source in programs:
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
        module = importlib.import_module(name)
        for member in list(vars(module).values()):
            if isinstance(member, type) and issubclass(member, Bot) and member is not Bot:
                check_bot(member)
            if inspect.isfunction(member) and member.__name__.startswith("test_"):
                member()


@pytest.mark.parametrize("path", sorted((FOLDER / "examples").glob("*.py")), ids=lambda path: path.name)
def test_the_examples_are_short_and_play(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each example is a bot in fewer than sixty lines."""
    assert len(path.read_text(encoding="utf-8").splitlines()) < 60
    monkeypatch.syspath_prepend(path.parent)
    module = importlib.import_module(path.stem)
    (bot,) = (value for value in vars(module).values() if getattr(value, "__module__", "") == path.stem)
    check_bot(bot)
