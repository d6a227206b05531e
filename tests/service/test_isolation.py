"""Tests of the levels of isolation: which works, which is chosen, what is told, and what `limits` limits."""

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest
from service.prowler import attempt
from service.test_processes import python, run

from referee.service.errors import HostError, IsolationMissing
from referee.service.isolation import (
    BLOCKING,
    LEVELS,
    MIB,
    WISHES,
    Finding,
    Isolation,
    Quota,
    choose,
    explain,
    probe,
    read_kernel,
    tell,
)
from referee.service.processes import BotProcess, BotSpec

NO_BWRAP = (Finding("bwrap", "there is no bwrap", "install bubblewrap"), Finding("limits"), Finding("none"))
ONLY_NONE = (NO_BWRAP[0], Finding("limits", "there is no prlimit", "install util-linux"), Finding("none"))
ALL = (Finding("bwrap"), Finding("limits"), Finding("none"))


def test_every_level_is_probed() -> None:
    """Each level is found to work or says why not; running bots as they are always works."""
    findings = probe()
    assert tuple(finding.level for finding in findings) == LEVELS
    assert all(finding.works or finding.remedy for finding in findings)
    assert findings[-1].works


@pytest.mark.parametrize(("findings", "best"), [(ALL, "bwrap"), (NO_BWRAP, "limits"), (ONLY_NONE, "none")])
def test_the_best_level_that_works_is_chosen(findings: tuple[Finding, ...], best: str) -> None:
    """Unless a level is asked for."""
    assert choose("auto", findings) == best
    assert choose("none", findings) == "none"


@pytest.mark.parametrize("wish", ["require", "bwrap"])
def test_less_than_required_is_refused(wish: str) -> None:
    """The error says what does not work and what would help."""
    with pytest.raises(IsolationMissing) as caught:
        choose(wish, NO_BWRAP)
    assert str(caught.value) == (
        f"cannot isolate bots: there is no bwrap; got isolation {wish!r}; remedy: install bubblewrap"
    )
    assert choose(wish, ALL) == "bwrap"


def test_what_is_missing_is_told() -> None:
    """A level below the best one comes with the reason and the remedy."""
    assert tell("bwrap", ALL) == "isolation bwrap"
    assert tell("limits", NO_BWRAP) == "isolation limits (bwrap: there is no bwrap; install bubblewrap)"
    assert tell("none", ONLY_NONE).count(";") == 2
    assert set(WISHES) == {"auto", "require", *LEVELS}


@pytest.mark.parametrize(
    ("said", "kernel", "remedy"),
    [
        (
            "bwrap: setting up uid map: Permission denied",
            {"kernel.apparmor_restrict_unprivileged_userns": "1"},
            "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for bwrap",
        ),
        (
            "bwrap: No permissions to create new namespace",
            {"kernel.unprivileged_userns_clone": "0", "user.max_user_namespaces": "90000"},
            "sysctl -w kernel.unprivileged_userns_clone=1",
        ),
        (
            "bwrap: Creating new namespace failed: No space left on device",
            {"user.max_user_namespaces": "0"},
            "sysctl -w user.max_user_namespaces=10000",
        ),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", {}, "unmasked /proc"),
        ("bwrap: Creating new namespace failed: Operation not permitted", {}, "allow user namespaces"),
    ],
)
def test_a_blocked_sandbox_says_what_would_help(said: str, kernel: dict[str, str], remedy: str) -> None:
    """The reason is what bubblewrap said; the remedy is the switch that is set, if one is."""
    finding = explain(said, kernel)
    assert not finding.works
    assert said.removeprefix("bwrap: ") in finding.reason
    assert remedy in finding.remedy
    assert set(read_kernel()) <= {
        "kernel.apparmor_restrict_unprivileged_userns",
        "kernel.unprivileged_userns_clone",
        "user.max_user_namespaces",
    }


def test_a_sandbox_needs_a_socket() -> None:
    """A referee that listens on a port cannot be reached from a sandbox; that is told before anything is started."""

    async def start() -> None:
        bot = BotProcess(python("pass"), "t", Isolation("bwrap"))
        try:
            bot.start("127.0.0.1:9")
        finally:
            await bot.stop(patience=0)

    if probe()[1].works:
        with pytest.raises(HostError, match="expected a unix socket"):
            run(start())


@pytest.mark.skipif(not probe()[1].works, reason="the level limits does not work here")
def test_limits_are_given_to_a_bot(tmp_path: Path) -> None:
    """CPU time, open files, sizes of files and core dumps; a file that grows beyond its limit is not written."""
    code = (
        "import json, os, resource as r, sys; "
        "kinds = (r.RLIMIT_CPU, r.RLIMIT_NOFILE, r.RLIMIT_FSIZE, r.RLIMIT_CORE); "
        "print(json.dumps([r.getrlimit(kind) for kind in kinds] + [os.nice(0)]))"
    )
    quota = Quota(open_files=50, file_bytes=1 << 20, cpu_seconds=60)

    async def said(spec: BotSpec) -> str:
        bot = BotProcess(spec, "t", Isolation("limits", quota))
        bot.start("unix:/x")
        await bot.exited.wait()
        await bot.stop(patience=0)
        return bot.stdout

    own = json.loads(run(said(BotSpec("b", "1", "python", (sys.executable, "-c", code)))))
    assert own == [[60, 60], [50, 50], [1 << 20, 1 << 20], [0, 0], os.nice(0) + 5]
    prowler = str(Path(__file__).with_name("prowler.py"))
    tries = json.dumps([["grow", str(tmp_path / "big")]])
    told = run(said(BotSpec("b", "1", "python", (sys.executable, prowler, tries))))
    assert json.loads(told) == {f"grow {tmp_path / 'big'}": "OSError"}
    assert attempt("grow", str(tmp_path / "free")) == "grown"


@pytest.mark.skipif(not probe()[1].works, reason="the level limits does not work here")
def test_a_bot_that_uses_up_its_cpu_time_is_ended() -> None:
    """It is told by the signal."""

    async def ending() -> str:
        bot = BotProcess(python("while True: pass"), "t", Isolation("limits", Quota(cpu_seconds=1)))
        bot.start("unix:/x")
        await asyncio.wait_for(bot.exited.wait(), 60)
        await bot.stop(patience=0)
        return bot.ending()

    assert run(ending()) in ("killed by SIGXCPU", "killed by SIGKILL")


def test_the_page_says_what_is_allowed() -> None:
    """The numbers in docs/isolation.md are those that hold, and every level and wish is named there."""
    page = " ".join((Path(__file__).parents[2] / "docs" / "isolation.md").read_text("utf-8").split())
    quota = Quota()
    for words in (
        f"{quota.memory // (1 << 30)} GiB of memory together",
        f"{quota.processes} processes; {quota.open_files} open files",
        f"{quota.cpu_seconds // 3600} hours of CPU time",
        f"files of {quota.file_bytes // MIB} MiB",
        *(f"`{level}`" for level in LEVELS),
        "`--isolation require`",
        *BLOCKING,
    ):
        assert words in page, words
