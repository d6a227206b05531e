"""
A worker that plays nothing: it answers each job with a made-up result, or dies where its plan says so.

Started by the tests of the engine as a process. The plan is a JSON file: ``{"deaths": {unit: how often}}``; each
death is counted in a file beside it, since the next worker has to know. ``together`` says how many jobs it takes
before it answers them all, the last one first.
"""

import json
import os
import signal
import sys
from pathlib import Path

from tournaments.jobs import Job
from tournaments.results import LegResult, UnitResult


def main() -> None:
    """Answer jobs until standard input ends."""
    plan = Path(sys.argv[1])
    said = json.loads(plan.read_text())
    deaths, together = said["deaths"], said.get("together", 1)
    answers: list[str] = []
    (plan.parent / f"pid-{os.getpid()}").touch()
    print(json.dumps({"ready": "nowhere"}), flush=True)
    for line in sys.stdin:
        job = Job.from_line(line)
        died = plan.parent / f"died-{job.unit.id}"
        so_far = len(died.read_text()) if died.exists() else 0
        if so_far < deaths.get(job.unit.id, 0):
            died.write_text("x" * (so_far + 1))
            print(f"cannot play {job.unit.id}", file=sys.stderr, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        answers.append(json.dumps({"result": result_of(job).to_json(), "complaint": None, "usage": []}))
        if len(answers) == together:
            print("\n".join(reversed(answers)), flush=True)
            answers.clear()


def result_of(job: Job) -> UnitResult:
    """Return a result that depends on nothing but the deal keys of *job*."""
    unit, points = job.unit, job.keys[0][0]
    legs = tuple(LegResult(f"{unit.id}-{number}", (points, 100), 1, (0, 1)) for number in range(2))
    return UnitResult(unit.id, unit.duplicate, unit.entities, legs, "rated")


if __name__ == "__main__":
    main()
