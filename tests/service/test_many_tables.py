"""Many tables of four seats at the same time, each seat held by a process of its own."""

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

SCRIPT = Path(__file__).parents[2] / "docs" / "endurance" / "tables.py"
TABLES = 64
MIB_PER_TABLE = 100


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_sixty_four_tables_of_four_play_at_once() -> None:
    """With all 256 bots connected every match is begun, and every one is played out; no process is left."""
    if psutil.virtual_memory().available < TABLES * MIB_PER_TABLE << 20:
        pytest.skip(f"{TABLES} tables need {TABLES * MIB_PER_TABLE} MiB of memory")
    command = [sys.executable, str(SCRIPT), "--tables", str(TABLES)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"| bot processes | {4 * TABLES}, 0 of them left at the end |" in done.stdout
    assert f"| matches | {TABLES} played |" in done.stdout
