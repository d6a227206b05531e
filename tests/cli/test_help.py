"""Every command explains itself, and the programme is quick to say so."""

import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from tournaments.cli import COMMANDS, main


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command that does something, with the words that call it."""

    def below(words: list[str], group: click.Group) -> Iterator[tuple[str, click.Command]]:
        context = click.Context(group)
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            if isinstance(command, click.Group):
                yield from below([*words, name], command)
            else:
                yield " ".join([*words, name]), command

    yield from below(["handfoot"], main)


FOUND = list(commands())
each_command = pytest.mark.parametrize(("words", "command"), FOUND, ids=[words for words, _ in FOUND])


@each_command
def test_every_command_has_help_with_an_example(words: str, command: click.Command) -> None:
    """The help says what the command does in a line that fits, and shows it being typed."""
    text = (command.help or "").strip()
    assert text.partition("\n")[0].endswith(".")
    assert not command.get_short_help_str(64).endswith("...")
    assert "Example" in text
    assert f"  {words}" in text


def test_the_list_of_commands_says_what_they_say_themselves() -> None:
    """The list is printed without importing the commands, and yet agrees with them."""
    context = click.Context(main)
    for name, text in COMMANDS.items():
        command = main.get_command(context, name)
        assert command is not None
        assert command.get_short_help_str(110) == text


@each_command
def test_every_option_has_help(words: str, command: click.Command) -> None:
    """No option is left to be guessed."""
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    assert [option.name for option in options if not option.help] == []


def test_help_imports_nothing_heavy() -> None:
    """Help and completion start in a tenth of a second, so they import no database, wire or rating package."""
    heavy = ("sqlmodel", "sqlalchemy", "grpc", "trueskill", "jinja2", "google.protobuf", "referee.rules")
    code = (
        "import sys; from tournaments.cli import COMMANDS, main\n"
        "try: main(['--help'])\n"
        f"except SystemExit: print([name for name in {heavy!r} if name in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.splitlines()[-1] == "[]"
