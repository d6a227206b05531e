"""`handfoot completion`: what makes a shell complete commands, options and names of bots."""

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "fish", "zsh"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """
    Print what makes a shell complete commands and bots.

    \b
    Examples:
      eval "$(handfoot completion bash)"                                  in ~/.bashrc
      eval "$(handfoot completion zsh)"                                   in ~/.zshrc
      handfoot completion fish > ~/.config/fish/completions/handfoot.fish
    """
    make = get_completion_class(shell)
    assert make is not None, "click knows these shells"
    click.echo(make(ctx.find_root().command, {}, "handfoot", "_HANDFOOT_COMPLETE").source())
