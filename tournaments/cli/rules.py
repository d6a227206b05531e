"""`handfoot rules`: the published rulesets and house rules, in words, compared and checked."""

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tournaments.cli.failures import reports_errors
from tournaments.cli.output import count_of, print_json, table
from tournaments.cli.parameters import RULES, json_option

if TYPE_CHECKING:
    from referee.rules import InvalidHouseRules, Ruleset
    from tournaments.rulesets import GivenRules


@click.group()
def rules() -> None:
    """Look at rulesets, compare them, and check house rules."""


@rules.command(name="list")
@json_option
@reports_errors
def list_rules(as_json: bool) -> None:
    """
    List the published rulesets.

    Their names can stand wherever a ruleset is asked for, as can the path of a file with house rules.

    \b
    Example:
      handfoot rules list
    """
    from referee.rules import DEFAULT, RULESETS

    if as_json:
        rows = [
            {"name": each.name, "hash": each.hash, "seats": list(each.seats), "default": each is DEFAULT}
            for each in RULESETS.values()
        ]
        print_json({"rulesets": rows})
    else:
        click.echo(table(["ruleset", "seats", "rounds", "hand", "foot", "opening", "pile"], _overview()))


def _overview() -> list[list[str]]:
    from referee.rules import RULESETS, describe_rules

    rows = []
    for each in RULESETS.values():
        words = describe_rules(each)
        opening = "none" if each.opening.unit == "none" else "/".join(map(str, each.opening.minimums))
        numbers = [each.rounds, each.deal.hand, each.deal.foot]
        seats = ", ".join(map(str, each.seats))
        rows.append([each.name, seats, *map(str, numbers), opening, words.get("pile.limit", "not taken")])
    return rows


@rules.command()
@click.argument("ruleset", metavar="RULES", type=RULES)
@click.option("--toml", "as_toml", is_flag=True, help="Print a file that can be the start of house rules.")
@json_option
@reports_errors
def show(ruleset: "GivenRules", as_toml: bool, as_json: bool) -> None:
    """
    Show a ruleset in words.

    RULES is the name of a published ruleset or the path of a file with house rules. Rules that are left nothing to
    decide by other rules are not shown.

    \b
    Examples:
      handfoot rules show online
      handfoot rules show online --toml > kitchen.toml
    """
    if as_toml and as_json:
        raise click.UsageError("--toml and --json do not go together.")
    shown = ruleset.ruleset
    if as_json:
        print_json({"name": shown.name, "hash": shown.hash, "rules": shown.content()})
    elif as_toml:
        from referee.rules import house_rules_text

        name = shown.name if ruleset.text is not None else f"my {shown.name}"
        click.echo(house_rules_text(shown, name, ruleset.base.name), nl=False)
    else:
        click.echo(_words(shown))


def _words(ruleset: "Ruleset") -> str:
    from referee.rules import describe_rules, is_published

    words = describe_rules(ruleset)
    kind = "published ruleset" if is_published(ruleset) else "house rules"
    lines = [f"{kind} {ruleset.name}, hash {ruleset.hash}"]
    width = max(len(key.rpartition(".")[2]) for key in words)
    for part, keys in groupby(words, key=lambda key: key.partition(".")[0]):
        lines += ["", part.replace("_", " ")]
        lines += [f"  {key.rpartition('.')[2]:<{width}}  {words[key]}" for key in keys]
    return "\n".join(lines)


@rules.command()
@click.argument("a", metavar="A", type=RULES)
@click.argument("b", metavar="B", type=RULES)
@json_option
@reports_errors
def diff(a: "GivenRules", b: "GivenRules", as_json: bool) -> None:
    """
    Show in what two rulesets differ.

    A and B are names of published rulesets or paths of files with house rules.

    \b
    Examples:
      handfoot rules diff online beginner
      handfoot rules diff online kitchen.toml --json
    """
    from referee.rules import differences

    found = differences(a.ruleset, b.ruleset)
    if as_json:
        rows = [{"key": key, "a": one, "b": other} for key, one, other in found]
        print_json({"a": _named(a.ruleset), "b": _named(b.ruleset), "differences": rows})
    elif found:
        click.echo(_compared(a.ruleset, b.ruleset))
    else:
        click.echo(f"{a.name} and {b.name} are the same game")


def _named(ruleset: "Ruleset") -> dict[str, str]:
    return {"name": ruleset.name, "hash": ruleset.hash}


def _compared(one: "Ruleset", other: "Ruleset") -> str:
    from referee.rules import describe_rule, differences

    width = max(len(one.name), len(other.name))
    lines = []
    for key, *values in differences(one, other):
        lines.append(key)
        for ruleset, value in zip((one, other), values, strict=True):
            lines.append(f"  {ruleset.name:<{width}}  {describe_rule(key, value)}")
    return "\n".join(lines)


@rules.command()
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@json_option
@reports_errors
def check(file: Path, as_json: bool) -> None:
    """
    Check the house rules in FILE.

    It is shown in what they differ from their base. Everything that is wrong is named with its line, and the exit
    code is 1. docs/house-rules.md describes all keys.

    \b
    Example:
      handfoot rules check kitchen.toml
    """
    from referee.rules import InvalidHouseRules
    from tournaments.rulesets import read_house_rules

    try:
        checked = read_house_rules(file)
    except InvalidHouseRules as error:
        if not as_json:
            raise
        print_json(_problems_json(file, error))
        raise click.exceptions.Exit(1) from None
    if as_json:
        head = {"file": str(file), "valid": True, **_named(checked.ruleset), "base": checked.base.name}
        print_json(head | {"problems": []})
    else:
        click.echo(_checked(checked.ruleset, checked.base))


def _problems_json(file: Path, error: "InvalidHouseRules") -> dict[str, Any]:
    problems = [{"line": each.line, "key": each.key, "text": each.text} for each in error.problems]
    return {"file": str(file), "valid": False, "name": None, "hash": None, "base": None, "problems": problems}


def _checked(ruleset: "Ruleset", base: "Ruleset") -> str:
    from referee.rules import differences

    seats = ", ".join(map(str, ruleset.seats))
    changed = count_of(len(differences(base, ruleset)), "difference")
    head = f"{ruleset.name}: valid, for {seats} seats, {changed} from {base.name}, hash {ruleset.hash}"
    return f"{head}\n\n{_compared(base, ruleset)}" if base.hash != ruleset.hash else head
