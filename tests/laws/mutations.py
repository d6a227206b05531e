"""Actions close to legal ones: other cards, targets and numbers, entries joined, left out and turned round."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from referee.rules import (
    RANK_OF,
    Action,
    AnswerPartner,
    AskPartner,
    Card,
    Discard,
    DrawStock,
    Entry,
    LayDown,
    Pass,
    RoundState,
    TakePile,
)
from referee.rules.cards import PACK_SIZE

Entries = tuple[Entry, ...]


def vary(state: RoundState, action: Action, listed: list[Action], random: Random) -> Action:
    """Return an action near *action*, or of another kind altogether."""
    if random.random() < 0.15:
        return _other_kind(state, random)
    match action:
        case Discard():
            return Discard(_some_card(state, random))
        case TakePile(count, melds) if random.random() < 0.25:
            return TakePile(max(0, count + random.choice((-1, 1))), melds)
        case TakePile(count, melds):
            return TakePile(count, _vary_entries(state, melds, listed, random))
        case LayDown(melds):
            return LayDown(_vary_entries(state, melds, listed, random))
    return _other_kind(state, random)


def _other_kind(state: RoundState, random: Random) -> Action:
    cards = tuple(_some_card(state, random) for _ in range(random.randint(1, 4)))
    entry = Entry(cards, _some_target(state, random))
    others: list[Action] = [DrawStock(), Pass(), AskPartner(), AnswerPartner(random.random() < 0.5)]
    others += [Discard(cards[0]), LayDown((entry,)), TakePile(random.randint(0, 8), (entry,))]
    return random.choice(others)


def _some_card(state: RoundState, random: Random) -> Card:
    held = state.seats[state.turn].cards
    return random.choice(held) if held and random.random() < 0.7 else Card(random.randrange(PACK_SIZE))


def _some_target(state: RoundState, random: Random) -> int | None:
    number = random.randrange(-3, len(state.melds) + 2)
    return None if number < -1 else number


def _vary_entries(state: RoundState, entries: Entries, listed: list[Action], random: Random) -> Entries:
    ways: list[Callable[[], Entries]] = [
        lambda: _at_one(entries, random, lambda entry: replace(entry, target=_some_target(state, random))),
        lambda: _at_one(entries, random, lambda entry: _swap(state, entry, random)),
        lambda: _at_one(entries, random, lambda entry: _other_suit(state, entry, random)),
        lambda: _at_one(
            entries, random, lambda entry: Entry((*entry.cards, _some_card(state, random)), entry.target)
        ),
        lambda: _at_one(entries, random, lambda entry: Entry(entry.cards[:-1], entry.target)),
        lambda: _at_one(entries, random, lambda entry: Entry(entry.cards[::-1], entry.target)),
        lambda: entries + _entries_of(random.choice(listed)),
        lambda: _entries_of(random.choice(listed)) + entries,
        lambda: entries[::-1],
        lambda: entries[1:],
        lambda: _split(entries, random),
    ]
    return random.choice(ways)()


def _at_one(entries: Entries, random: Random, change: Callable[[Entry], Entry]) -> Entries:
    if not entries:
        return entries
    place = random.randrange(len(entries))
    return (*entries[:place], change(entries[place]), *entries[place + 1 :])


def _entries_of(action: Action) -> Entries:
    return action.melds if isinstance(action, LayDown | TakePile) else ()


def _swap(state: RoundState, entry: Entry, random: Random) -> Entry:
    return Entry((*entry.cards[:-1], _some_card(state, random)), entry.target)


def _other_suit(state: RoundState, entry: Entry, random: Random) -> Entry:
    """Put a held card of the same rank in place of the first one."""
    if not entry.cards:
        return entry
    alike = [card for card in state.seats[state.turn].cards if RANK_OF[card] == RANK_OF[entry.cards[0]]]
    return Entry((random.choice(alike or [entry.cards[0]]), *entry.cards[1:]), entry.target)


def _split(entries: Entries, random: Random) -> Entries:
    """Lay the last cards of an entry off on the meld that the others begin."""
    if not entries:
        return entries
    first = entries[0]
    number = random.randint(0, len(first.cards))
    return (
        Entry(first.cards[:number], first.target),
        Entry(first.cards[number:], first.target),
        *entries[1:],
    )
