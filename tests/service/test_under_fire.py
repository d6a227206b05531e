"""
Everything that bots are known to do to referees, tried on ours: real processes, real sockets, one after the other.

One well-behaved bot plays against all of them, in one process, at one referee. It never loses anything, and it is
told how each match ended. What was tried and what it got stands in docs/reliability.md. It takes half a minute; the
classes of faults are tried one by one in `test_matches`.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from conftest import Golden
from service.sitting import spec
from service.stub_bot import TRICKS
from service.test_matches import PATIENT, ROUND, stub

from referee.service.clock import TimeControl
from referee.service.host import Host, open_referee
from referee.service.isolation import Isolation, Quota, probe
from referee.service.processes import BotSpec
from referee.service.reports import MatchReport

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
BEGIN, END = (
    "<!-- faults tried: written by tests/service/test_under_fire.py -->\n",
    "<!-- end of faults tried -->\n",
)
HASTY = TimeControl(turn=0.5, bank=0.5)
FOLDER = str(Path(__file__).parent)
LIMITED = Isolation("limits" if probe()[1].works else "none", Quota(memory=300 << 20, processes=30))


@dataclass(frozen=True)
class Attack:
    """What a bot does, and what it gets."""

    what: str
    tricks: tuple[str, ...]
    kind: str | None
    """The class of the fault that ends the match; None where it is played out."""

    time: TimeControl = PATIENT


ATTACKS: Sequence[Attack] = (
    Attack("freezes (SIGSTOP)", ("freeze@5",), "timeout", HASTY),
    Attack("answers too late", ("dawdle@2",), "timeout", HASTY),
    Attack("answers too late, and illegally", ("dawdle-illegally@2",), "timeout", HASTY),
    Attack("drops its stream and comes back", ("drop@3", "drop@9"), None),
    Attack("drops its stream and comes back too late", ("drop@3", "stay-away@2"), "timeout", HASTY),
    Attack("exits at the first request", ("exit@1",), "crash"),
    Attack("exits in the middle of the match", ("exit@20",), "crash"),
    Attack("aborts with a signal", ("abort@4",), "crash"),
    Attack("prints what would steer a terminal, and exits", ("steer@2",), "crash"),
    Attack("uses more memory than it may", ("hog@3",), "crash"),
    Attack("starts more processes than it may", ("multiply@3",), "crash"),
    Attack("is always illegal", ("illegal",), "illegal"),
    Attack("is illegal once", ("illegal@4",), None),
    Attack("is illegal within a batch", ("illegal-in-batch@4",), None),
    Attack("sends bytes that are no message, once", ("garbage@3",), None),
    Attack("sends bytes that are no message, again and again", ("only-garbage@3",), "protocol"),
    Attack("sends half a message", ("half@3",), None),
    Attack("sends a message of 50 MB", ("huge@3",), None),
    Attack("sends messages of 400,000 empty answers", ("stuffed@3",), "protocol"),
    Attack("answers a request that was not made", ("wrong-id@3",), None),
    Attack("answers every request under a wrong id as well", ("wrong-id",), "protocol"),
    Attack("answers for another table", ("wrong-table@3",), None),
    Attack("answers for another table every time", ("wrong-table",), "protocol"),
    Attack("answers for another seat", ("wrong-seat@3",), None),
    Attack("answers twice", ("twice@3",), None),
    Attack("answers without an action", ("no-actions@3",), None),
    Attack("sends two thousand messages at once", ("spam@3",), "protocol"),
    Attack("holds two hundred idle connections open", ("knock@3",), None),
    Attack("writes 100 MB to each output", ("flood@3",), None),
    Attack("leaves a process behind", ("leave-a-child@3",), None),
    Attack(
        "needs five seconds to get ready, with a clock of one", ("slow-start@5",), None, TimeControl(1, 0)
    ),
    Attack("exits before it is ready", ("exit-at-once",), "no_show"),
    Attack("never says hello", ("never-hello",), "no_show"),
    Attack("never gets ready", ("never-ready",), "no_show"),
    Attack("cannot be started", (), "no_show"),
)

GETS = {
    None: "refused where it is wrong; the match is played out",
    "timeout": "forfeits",
    "crash": "forfeits",
    "illegal": "three strikes, then forfeits",
    "protocol": "refused by name; the tenth forfeits",
    "no_show": "the match is given up, unrated",
}


async def meet(host: Host, attack: Attack, innocent: object, told: Path) -> list[str]:
    """Let the *innocent* play against a bot of *attack*, and return what is not as it should be."""
    told.unlink(missing_ok=True)
    missing = BotSpec("ghost", "1", "none", ("/nonexistent/ghost",))
    guilty = await host.start_bot(stub(*attack.tricks, folder=FOLDER) if attack.tricks else missing)
    match = spec(ROUND, 2, time=attack.time, ready_limit=2.0 if attack.kind == "no_show" else 30.0)
    playing = asyncio.create_task(host.play_match(match, [innocent, guilty]))  # type: ignore[list-item]
    family = await _watch(guilty.pid, playing)
    report = await playing
    await host.stop_bot(guilty)
    wrong = _judge(attack, report)
    if "termination" not in (told.read_text() if told.exists() else ""):
        wrong.append("the innocent was not told how it ended")
    _, alive = await asyncio.to_thread(psutil.wait_procs, family, 5)
    return wrong + [f"left: {process}" for process in alive if process.status() != psutil.STATUS_ZOMBIE]


async def _watch(pid: int | None, playing: "asyncio.Task[MatchReport]") -> set[psutil.Process]:
    """Return the process *pid* and all that it started while the match was played."""
    family: set[psutil.Process] = set()
    while not playing.done():
        try:
            process = psutil.Process(pid) if pid is not None else None
            family |= set() if process is None else {process, *process.children(recursive=True)}
        except psutil.Error:
            pass
        await asyncio.wait([playing], timeout=0.2)
    return family


def _judge(attack: Attack, report: MatchReport) -> list[str]:
    ending = {None: "played", "no_show": "no_show"}.get(attack.kind, "forfeit")
    wrong = [] if report.termination == ending else [f"{report.termination}: {report.faults}"]
    kinds = {fault.kind for fault in report.faults}
    wrong += [] if kinds == ({attack.kind} - {None}) else [f"got {kinds}"]
    wrong += [f"the innocent is blamed: {fault}" for fault in report.faults if fault.seat != 1]
    wrong += [] if report.forfeited == (1 if ending == "forfeit" else None) else ["the wrong side forfeited"]
    return wrong


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_whatever_a_bot_does_the_other_one_loses_nothing(tmp_path: Path) -> None:
    """Each fault is of its class, costs whoever committed it what it is worth, and leaves no process."""

    async def steps() -> dict[str, list[str]]:
        wrong: dict[str, list[str]] = {}
        told = tmp_path / "told"
        async with open_referee(isolation=LIMITED) as host:
            innocent = await host.start_bot(stub(tell=told, stateless=True, folder=FOLDER))
            for attack in ATTACKS:
                if LIMITED.level == "none" and "than it may" in attack.what:
                    continue
                wrong[attack.what] = await meet(host, attack, innocent, told)
            assert innocent.exit_code is None
        return {what: faults for what, faults in wrong.items() if faults}

    assert asyncio.run(steps()) == {}


def test_every_trick_is_tried() -> None:
    """What the stub bot can do wrong is in the list; or elsewhere, where more is asked about it."""
    tried = {word.partition("@")[0] for attack in ATTACKS for word in attack.tricks}
    assert set(TRICKS) - tried == {"burn", "illegal-card"}


def test_the_page_says_what_was_tried(golden: Golden) -> None:
    """The table in the documentation is the list above; --update-golden writes it anew."""
    rows = [f"| {attack.what} | {_class(attack)} | {GETS[attack.kind]} |\n" for attack in ATTACKS]
    table = ["| what the bot does | class | what it gets |\n", "|---|---|---|\n", *rows]
    head, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    _, end, tail = rest.partition(END)
    assert end, "the page has lost its marks"
    golden(PAGE, f"{head}{BEGIN}\n{''.join(table)}\n{END}{tail}")


def _class(attack: Attack) -> str:
    return "–" if attack.kind is None else f"`{attack.kind}`"
