"""Records: written, read and replayed; and whatever was changed in one is refused, with the place."""

import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import EASY, SMALL, forged, played, sealed
from rulesets import rulesets

from referee.rules import (
    RULESETS,
    InvalidRecord,
    RecordedFault,
    Ruleset,
    from_bytes,
    replay,
    to_bytes,
)
from referee.rules.ruleset import MatchRule

TABLES = [(name, seats) for name, ruleset in RULESETS.items() for seats in ruleset.seats]


@cache
def small() -> bytes:
    """Return a small record file."""
    return to_bytes(played(SMALL, 2, "small"))


def text_of(data: bytes) -> bytes:
    """Return the text that a record file holds."""
    return zlib.decompress(data.partition(b"\n")[2])


def refusal(data: bytes) -> str:
    """Return why *data* is refused as a record that replays."""
    with pytest.raises(InvalidRecord) as refused:
        replay(from_bytes(data))
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_record_is_read_back_and_replays(name: str, seats: int) -> None:
    """The same values come out of the bytes, and the same scores out of the replay, at every table."""
    record = played(RULESETS[name], seats, "any")
    data = to_bytes(record)
    assert from_bytes(data) == record
    assert to_bytes(from_bytes(data)) == data
    match = replay(record)
    assert match.finished
    assert tuple(match.totals) == record.totals


@settings(max_examples=15, deadline=None)
@given(rulesets(), st.data())
def test_house_rules_are_recorded_whole(ruleset: Ruleset, data: st.DataObject) -> None:
    """A record holds all rules, so that it replays wherever the house rules came from."""
    short = replace(ruleset, match=MatchRule(rounds=1))
    seats = data.draw(st.sampled_from(short.seats))
    record = played(short, seats, data.draw(st.integers(0, 1000)), most_actions=250)
    read = from_bytes(to_bytes(record))
    assert read.ruleset == short
    assert tuple(replay(read).totals) == record.totals


@pytest.mark.parametrize("actions", [0, 1, 7, 60])
def test_a_match_that_was_forfeited_replays_to_where_it_was(actions: int) -> None:
    """Its record holds what was played until then, and the fault."""
    fault = RecordedFault(1, "crash", actions, "it ended with exit code 7, saying „ü“")
    record = replace(played(RULESETS["online"], 4, "cut", most_actions=actions), faults=(fault,))
    read = from_bytes(to_bytes(record))
    assert read == record
    assert not replay(read).finished


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_changed_byte_is_refused(data: st.DataObject) -> None:
    """Whatever byte is changed, and to whatever value."""
    whole = small()
    place = data.draw(st.integers(0, len(whole) - 1))
    value = data.draw(st.integers(0, 255).filter(lambda value: value != whole[place]))
    assert refusal(whole[:place] + bytes([value]) + whole[place + 1 :])


def test_every_byte_counts() -> None:
    """No byte of a record is free: each of them, with a bit turned over, is refused, in head and content."""
    whole = small()
    head = len(whole.partition(b"\n")[0])
    for place in range(len(whole)):
        said = refusal(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        where = "first line" if place <= head else r"digest in the first line is not that of what follows"
        assert where in said


@pytest.mark.parametrize("cut", [0, 1, 20, 100, -1])
def test_a_file_that_was_cut_off_is_refused(cut: int) -> None:
    """A half-written record is none."""
    assert refusal(small()[:cut])
    assert refusal(small() + b"\0")


def test_a_damaged_content_says_how_far_it_can_be_read() -> None:
    """The place of the damage is told in bytes of what follows the first line."""
    head, _, payload = small().partition(b"\n")
    broken = payload[:500] + bytes(20) + payload[520:]
    said = refusal(head + b"\n" + broken)
    place = int(said.partition("up to byte ")[2].partition(" ")[0])
    assert 500 <= place < len(payload)
    assert said.endswith(f"of {len(payload)}")


def test_a_later_version_is_told_apart_from_damage() -> None:
    """Whoever has an old program learns that it is the program."""
    head, _, payload = small().partition(b"\n")
    said = refusal(head.replace(b" 1 ", b" 2 ") + b"\n" + payload)
    assert said == "unknown version of the record in the first line; got '2'; expected '1'"


def test_other_compression_of_the_same_text_is_the_same_record() -> None:
    """Canonical is the text: libraries compress differently."""
    import hashlib

    payload = zlib.compress(text_of(small()), 1)
    digest = hashlib.sha256(payload).hexdigest().encode()
    assert from_bytes(b"HANDFOOT-RECORD 1 %s\n%s" % (digest, payload)) == from_bytes(small())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (lambda text: text.replace(b",", b", ", 1), "the text is not canonical from byte"),
        (lambda text: b" " + text, "not canonical from byte 1 on"),
        (lambda text: text.replace(b'{"actions"', b'{"zeal":1,"actions"'), "not canonical from byte 3 on"),
        (lambda text: text.replace(b'"version":1', b'"version":2'), "not canonical from byte"),
        (lambda text: text.replace(b'"bot0@1"', b'"\\u0062ot0@1"'), "not canonical from byte"),
        (lambda text: text.replace(b'"bot0@1"', b'"\\ud800"'), "surrogates not allowed"),
        (lambda text: text.replace(b'"bot0@1"', b'"\xff"'), "invalid start byte"),
        (lambda text: text.replace(b",1]", b",true]", 1), "the mark of the referee of action"),
        (lambda text: text[:-1], "unreadable record: Expecting"),
        (lambda text: b"[" * 100_000, "unreadable record: "),
        (lambda text: b"[]", "unreadable record: a part has the wrong form"),
        (lambda text: b"{}", "unreadable record: missing key 'ruleset'"),
    ],
)
def test_a_text_that_is_not_canonical_is_refused(text: Callable[[bytes], bytes], said: str) -> None:
    """One match has one text, and the first byte that differs is named."""
    assert said in refusal(sealed(text(text_of(small()))))


def test_nothing_may_follow_the_compressed_text() -> None:
    """Bytes that no replay looks at could be anything."""
    said = refusal(sealed(text_of(small()), b"more"))
    assert said.startswith("damaged record: what follows the first line can be decompressed up to byte ")


def test_a_text_without_end_is_not_unpacked() -> None:
    """A small file cannot fill the memory."""
    assert "damaged record" in refusal(sealed(bytes(80 * 1024 * 1024)))


def set_in(*path: Any) -> Callable[[dict[str, Any]], None]:
    """Return a change that puts the last of *path* where the rest of it leads."""
    *way, last, value = path

    def change(values: dict[str, Any]) -> None:
        found: Any = values
        for step in way:
            found = found[step]
        found[last] = value(found[last]) if callable(value) else value

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (set_in("actions", 4, 2, "answer yes"), "round 1 action 5"),
        (set_in("actions", 1, 2, "discard 4x"), "expected a card such as '4h', 'Tc' or 'JR'; got '4x'; action 2"),
        (set_in("actions", 1, 2, "jump"), "unreadable action"),
        (set_in("actions", 2, 2, "discard JR"), "round 1 action 3"),
        (set_in("actions", 6, 1, lambda seat: 1 - seat), "another seat is to act; got seat"),
        (set_in("actions", 6, 1, 7), "got seat 7 in round 1; expected seat"),
        (set_in("actions", 6, 0, 1), "in round 2; expected seat"),
        (set_in("actions", 6, 1, True), "the seat of action 7 must be a whole number from 0; got True"),
        (set_in("actions", 6, 3, -1), "the time of action 7 must be a whole number from 0; got -1"),
        (set_in("actions", 6, 3, 1.5), "the time of action 7 must be a whole number from 0; got 1.5"),
        (set_in("actions", 6, lambda action: action[:4]), "a part has the wrong form"),
        (set_in("actions", lambda actions: [*actions, [0, 0, "draw", 0, 0]]), "the match is over; match 000000-small"),
        (set_in("actions", lambda actions: actions[:-1]), "the number of finished rounds differs; got 1; expected 0"),
        (set_in("scores", 0, 1, "melded_cards", lambda old: old + 5), "'melded_cards' in the score of round 1 side"),
        (set_in("scores", 0, 0, "total", lambda old: old - 1), "'total' in the score of round 1 side 0 differs"),
        (set_in("scores", 0, 0, "books", "500"), "the line 'books' of a score must be a whole number; got '500'"),
        (set_in("scores", 0, 0, {"total": 0}), "the lines of the score of round 1 side 0 differs; got ['total']"),
        (set_in("scores", 0, lambda scores: scores[:1]), "the number of sides of round 1 differs; got 1; expected 2"),
        (set_in("scores", []), "the number of finished rounds differs; got 0; expected 1"),
        (set_in("totals", 0, lambda total: total + 1), "the list of totals differs; got ["),
        (set_in("totals", 0, float), "a total must be a whole number; got "),
        (set_in("keys", 0, lambda key: key[:-1] + ("0" if key[-1] != "0" else "1")), "the record does not replay: "),
        (set_in("keys", 0, lambda key: key[:-2]), "expected 1 deal keys of 32 bytes"),
        (set_in("keys", lambda keys: keys * 2), "expected 1 deal keys of 32 bytes"),
        (set_in("rules", "deal", "hand", 12), "the rules do not match their hash"),
        (set_in("rules_hash", "0" * 64), "the rules do not match their hash"),
        (set_in("rules", "deal", "hand", 99), "deal.hand must be between 11 and 15; got 99"),
        (set_in("seats", ["one"]), "unsupported number of seats"),
        (set_in("seats", 0, 7), "expected a text; got 7"),
        (set_in("match", None), "expected a text; got None"),
        (set_in("isolation", 1), "expected a text; got 1"),
        (set_in("termination", "won"), "unknown termination; got 'won'; expected one of played, forfeit"),
        (set_in("termination", "void"), "the match was played to its end; got 'void'; match 000000-small after action"),
        (set_in("termination", "forfeit"), "impossible forfeits of a match that ended 'forfeit'; got []"),
        (set_in("forfeited", [0]), "impossible forfeits of a match that ended 'played'; got [0]"),
        (set_in("faults", [{"seat": 0, "kind": "late", "action": 1, "reason": "x"}]), "unknown fault; got 'late'"),
        (set_in("faults", [{"seat": 0}]), "a part has the wrong form"),
    ],
)  # fmt: skip
def test_a_change_with_a_fresh_digest_is_found_by_replaying(
    change: Callable[[dict[str, Any]], object], said: str
) -> None:
    """Whoever can write a record cannot write another outcome: the place is named."""
    assert said in refusal(forged(small(), change))


def test_rules_that_were_changed_with_their_hash_do_not_replay() -> None:
    """The score is that of the rules in the record."""
    record = from_bytes(small())
    rules = replace(SMALL, scores=replace(SMALL.scores, red_three_laid=300))
    said = refusal(to_bytes(replace(record, ruleset=rules)))
    assert "'red_table' in the score of round 1 side" in said


@pytest.mark.parametrize("ruleset", [SMALL, EASY], ids=lambda ruleset: ruleset.name)
def test_an_action_that_was_left_out_or_doubled_is_found(ruleset: Ruleset) -> None:
    """At any place of the match."""
    record = played(ruleset, ruleset.seats[0], "left out", most_actions=60)
    for place in range(len(record.actions)):
        before, one, after = (
            record.actions[:place],
            record.actions[place : place + 1],
            record.actions[place + 1 :],
        )
        for actions in (before + after, before + one + one + after):
            changed = replace(record, actions=actions, termination="played", forfeited=())
            assert refusal(to_bytes(changed))


def test_a_match_that_was_cut_short_is_not_played() -> None:
    """A record cannot hide its end."""
    record = played(RULESETS["simple"], 4, "short", most_actions=30)
    said = refusal(to_bytes(replace(record, termination="played", forfeited=())))
    assert said.endswith("the match is not over; got 'played'; match 000000-short after action 30")


def test_forfeits_fit_the_number_of_sides() -> None:
    """With three sides a match that was played to its end may have had a forfeit, and all can have forfeited."""
    record = played(RULESETS["online"], 3, "three")
    assert replay(from_bytes(to_bytes(replace(record, forfeited=(2,)))))
    for forfeited in ((3,), (1, 0), (1, 1)):
        assert "impossible forfeits" in refusal(to_bytes(replace(record, forfeited=forfeited)))
    assert "a side must be a whole number from 0" in refusal(to_bytes(replace(record, forfeited=(-1,))))


def test_a_record_is_small_and_its_text_is_plain() -> None:
    """The text is JSON with sorted keys and without blanks; a match takes a few kilobytes."""
    text = text_of(small())
    assert text.decode("ascii") == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))
    assert len(to_bytes(played(RULESETS["beginner"], 4, "size"))) < 20_000
