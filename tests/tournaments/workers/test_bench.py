"""The bench, with a real referee and processes that only wait: who may sit where, and when a process ends."""

import asyncio
from collections.abc import Awaitable, Callable

from referee.service.host import Host, open_referee
from referee.service.processes import BotSpec
from tournaments.entrants import EntrantHash
from tournaments.jobs import Player
from tournaments.workers.bench import Bench, Chair


def chair(name: str, leg: int, *, stateless: bool, tables: int = 1) -> Chair:
    """Return a chair for a bot that does nothing."""
    command = ("/bin/sleep", "1000")
    spec = BotSpec(
        name=name, version="1", language="none", command=command, stateless=stateless, tables=tables
    )
    return Chair(Player(EntrantHash(name), spec), leg)


def with_host(test: Callable[[Host], Awaitable[None]]) -> None:
    """Run *test* with a referee."""

    async def run() -> None:
        async with open_referee() as host:
            await test(host)

    asyncio.run(run())


def test_a_process_is_never_used_for_both_legs() -> None:
    """What has played first legs plays only first legs, and no process has two seats."""

    async def test(host: Host) -> None:
        bench = Bench(host)
        first = [chair("a", 0, stateless=True), chair("b", 0, stateless=True)] * 2
        second = [chair("a", 1, stateless=True), chair("b", 1, stateless=True)] * 2
        one = await bench.take(first)
        assert len(set(one)) == 4
        await bench.give(one)
        two = await bench.take(second)
        assert not set(one) & set(two)
        await bench.give(two)
        assert set(await bench.take(first)) == set(one)
        assert set(await bench.take(second)) == set(two)

    with_host(test)


def test_a_bot_that_is_not_stateless_plays_one_match_per_process() -> None:
    """Its process ends with the match; the next one has been prepared meanwhile."""

    async def test(host: Host) -> None:
        bench = Bench(host)
        chairs = [chair("a", 0, stateless=False)]
        [bot] = await bench.take(chairs)
        await bench.prepare(chairs)
        await bench.give([bot])
        assert bot.exited.is_set()
        [after] = await bench.take(chairs)
        assert after is not bot
        assert not after.exited.is_set()

    with_host(test)


def test_preparing_twice_starts_nothing_twice() -> None:
    """What waits already is counted."""

    async def test(host: Host) -> None:
        bench = Bench(host)
        chairs = [chair("a", 0, stateless=True)] * 2
        await bench.prepare(chairs)
        await bench.prepare(chairs)
        taken = await bench.take(chairs)
        await bench.prepare(chairs[:1])
        assert len(set(taken) | set(await bench.take(chairs[:1]))) == 3

    with_host(test)


def test_whoever_left_after_a_match_is_replaced() -> None:
    """A process that ended while it waited costs its bot nothing."""

    async def test(host: Host) -> None:
        bench = Bench(host)
        chairs = [chair("a", 0, stateless=True)]
        [bot] = await bench.take(chairs)
        await bench.give([bot])
        await bot.stop(patience=0.01)
        [after] = await bench.take(chairs)
        assert not after.exited.is_set()

    with_host(test)


def test_the_bench_has_only_so_much_room() -> None:
    """Of many entrants only the last ones wait; the processes of the others end."""

    async def test(host: Host) -> None:
        bench = Bench(host, room=2)
        taken = []
        for name in "abc":
            chairs = [chair(name, 0, stateless=True)]
            taken += await bench.take(chairs)
            await bench.give(taken[-1:])
        assert [bot.exited.is_set() for bot in taken] == [True, False, False]

    with_host(test)


def test_what_is_wanted_next_stays_however_little_room_there_is() -> None:
    """At a large table those that have just got ready for the next leg are not sent away for those that played."""

    async def test(host: Host) -> None:
        bench = Bench(host, room=2)
        first, second = ([chair(name, leg, stateless=True) for name in "abc"] for leg in (0, 1))
        one = await bench.take(first)
        await bench.prepare(second)
        await bench.give(one)
        assert all(bot.exited.is_set() for bot in one)
        two = await bench.take(second)
        assert not any(bot.exited.is_set() for bot in two)

    with_host(test)


def test_a_replay_gets_processes_that_have_never_played() -> None:
    """What waits is left alone when fresh ones are asked for."""

    async def test(host: Host) -> None:
        bench = Bench(host)
        chairs = [chair("a", 0, stateless=True)]
        used = await bench.take(chairs)
        await bench.give(used)
        fresh = await bench.start(chairs)
        assert not set(used) & set(fresh)
        assert await bench.take(chairs) == used

    with_host(test)


def test_a_process_that_is_worn_out_plays_no_other_match() -> None:
    """It is ended in time, so that no match ends by the limit of its CPU time."""

    async def test(host: Host) -> None:
        bench = Bench(host)
        chairs = [chair("a", 0, stateless=True)] * 2
        fresh, worn = await bench.take(chairs)
        worn.worn = True
        await bench.give([fresh, worn])
        assert worn.exited.is_set()
        again = await bench.take(chairs)
        assert fresh in again
        assert worn not in again

    with_host(test)


def test_a_process_plays_as_many_matches_as_bench_and_bot_allow() -> None:
    """The same processes sit at several tables, of one leg only; a table more takes others."""

    async def test(host: Host) -> None:
        bench = Bench(host, tables=2)
        chairs = [chair("a", 0, stateless=True, tables=3)] * 2
        first, second, third = [await bench.take(chairs) for _ in range(3)]
        assert first == second
        assert len(set(first)) == 2
        assert not set(first) & set(third)
        assert not set(first + third) & set(await bench.take([chair("a", 1, stateless=True, tables=3)]))
        assert {bot.spec.tables for bot in first} == {2}
        await bench.give(first)
        await bench.give(third)
        assert await bench.take(chairs) == first, (
            "whoever plays already plays on, so that most travels together"
        )

    with_host(test)


def test_without_tables_of_its_own_the_bench_gives_a_process_one_match() -> None:
    """As in leagues, whatever the bot says of itself."""

    async def test(host: Host) -> None:
        bench = Bench(host)
        chairs = [chair("a", 0, stateless=True, tables=3)]
        assert await bench.take(chairs) != await bench.take(chairs)

    with_host(test)


def test_who_is_sent_away_ends_with_its_last_match() -> None:
    """Its other matches go on, new ones get another process."""

    async def test(host: Host) -> None:
        bench = Bench(host, tables=2)
        chairs = [chair("a", 0, stateless=True, tables=2)]
        [bot] = await bench.take(chairs)
        assert await bench.take(chairs) == [bot]
        await bench.send_away([bot])
        assert not bot.exited.is_set()
        assert await bench.take(chairs) != [bot]
        await bench.give([bot])
        assert bot.exited.is_set()

    with_host(test)


def test_who_ended_at_one_table_gets_no_other() -> None:
    """The process is gone although its matches are not over yet."""

    async def test(host: Host) -> None:
        bench = Bench(host, tables=2)
        chairs = [chair("a", 0, stateless=True, tables=2)]
        [bot] = await bench.take(chairs)
        await bot.stop(patience=0.01)
        assert await bench.take(chairs) != [bot]

    with_host(test)
