"""A record as text: one line an action, and the table at any moment."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from builders import meld
from recorded import EASY, SMALL, played

from referee.rules import (
    RULESETS,
    InvalidRecord,
    MatchRecord,
    RecordedFault,
    format_cards,
    from_bytes,
    narrate,
    replay_steps,
    show_at,
    sort_cards,
)
from referee.rules.narration import describe_meld, describe_name

RECORDS = Path(__file__).parents[1] / "golden" / "records"
TABLES = [(name, seats) for name, ruleset in RULESETS.items() for seats in ruleset.seats]
NUMBERED = re.compile(r" *(\d+) +(\d+ ms|referee)  seat (\d+) (.+)")


def lines_of(record: MatchRecord) -> list[str]:
    """Return all lines about *record*."""
    return list(narrate(record))


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.hfr")), ids=lambda path: path.stem)
def test_a_match_reads_as_it_was_written(path: Path, golden: Callable[[Path, str], None]) -> None:
    """A record that was kept replays today as it did then, and its text is in a file that a person can read."""
    golden(path.with_suffix(".txt"), "\n".join(narrate(from_bytes(path.read_bytes()))) + "\n")


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_action_is_one_numbered_line(name: str, seats: int) -> None:
    """In order, with its seat and its time, at every table; what else followed is not numbered."""
    record = played(RULESETS[name], seats, "any")
    found = [match for line in narrate(record) if (match := NUMBERED.fullmatch(line))]
    assert [int(match[1]) for match in found] == list(range(1, len(record.actions) + 1))
    assert [int(match[3]) for match in found] == [each.seat for each in record.actions]
    times = ["referee" if each.by_referee else f"{each.ms} ms" for each in record.actions]
    assert [match[2] for match in found] == times


@pytest.mark.parametrize("name", RULESETS)
def test_the_table_can_be_shown_before_any_action(name: str) -> None:
    """It shows what everybody holds, and the action as in the text of the match."""
    record = played(RULESETS[name], 4, "table", most_actions=150)
    told = {int(match[1]): line for line in narrate(record) if (match := NUMBERED.fullmatch(line))}
    for number, step in enumerate(replay_steps(record), start=1):
        if number > len(record.actions):
            break
        if number % 29 in (1, 2):
            shown = list(show_at(record, number))
            held = format_cards(sort_cards(step.match.state.seats[2].cards))
            assert any(line.startswith("seat 2 (bot2@1)") and line.endswith(held) for line in shown)
            assert told[number] in shown
            assert f"cards in the stock: {step.match.state.stock.left}" in shown


def test_one_round_can_be_told() -> None:
    """Only its own lines, with its score, which are those of the whole text."""
    record = played(RULESETS["online"], 2, "rounds")
    whole = lines_of(record)
    parts = [list(narrate(record, number)) for number in range(4)]
    head = next(place for place, line in enumerate(whole) if line == "")
    told = [line for part in parts for line in part[head:]]
    assert whole[head : head + len(told)] == told
    for number, part in enumerate(parts):
        assert [line.split(":")[0] for line in part if line.startswith("---")] == [f"--- round {number + 1}"]
        assert sum("all rounds" in line for line in part) == 1


def test_a_moment_or_round_that_was_not_played_is_refused() -> None:
    """The message says what there is."""
    record = played(SMALL, 2, "none")
    for number in (0, len(record.actions) + 1):
        with pytest.raises(
            ValueError, match=f"got {number}; expected a number from 1 to {len(record.actions)}"
        ):
            list(show_at(record, number))
    with pytest.raises(ValueError, match="no such round; got 2; expected a number from 1 to 1"):
        list(narrate(record, 1))


def test_a_record_is_told_up_to_where_it_does_not_replay() -> None:
    """Whoever looks for the place sees what came before."""
    record = played(SMALL, 2, "broken")
    broken = replace(record, actions=record.actions[:10] + record.actions[11:])
    lines, whole = narrate(broken), lines_of(record)
    last = next(place for place, line in enumerate(whole) if line.startswith("   10 "))
    assert [next(lines) for _ in range(last + 1)] == whole[: last + 1]
    with pytest.raises(InvalidRecord, match="action 11"):
        next(lines)


def test_the_end_of_a_forfeited_match_is_told_with_its_fault() -> None:
    """Who lost, and why."""
    record = played(RULESETS["simple"], 4, "end", most_actions=20)
    fault = RecordedFault(1, "timeout", 20, "out of time")
    told = lines_of(replace(record, faults=(fault,), forfeited=(1,)))
    assert told[-2:] == [
        "timeout of seat 1 after action 20: out of time",
        "forfeit, side 1 forfeited: side 0 wins, 0 : 0",
    ]


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("7s 7c 2s", "sevens"),
        ("2s 2c JR", "wild cards"),
        ("7s*7", "clean book of sevens"),
        ("As*5 2s*2", "dirty book of aces"),
        ("2s*5 JR*2", "book of wild cards"),
        ("Ts*9", "clean book of tens with 9 cards"),
    ],
)
def test_melds_are_said_as_at_the_table(cards: str, words: str) -> None:
    """Ranks by their names, since 7s is a card."""
    assert describe_meld(meld(cards)) == words


def test_a_ruleset_that_only_looks_published_is_told() -> None:
    """The name alone says nothing."""
    online = RULESETS["online"]
    assert describe_name(online) == "ruleset online"
    assert describe_name(replace(EASY)).startswith("house rules easy (")
    assert describe_name(replace(EASY, name="online")).startswith("not the published ruleset online (")
