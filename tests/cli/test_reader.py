"""Whoever reads the output may leave; a command that works for long notices."""

import asyncio
import os
from pathlib import Path

from tournaments.cli.reader import has_no_reader, until_reader_leaves


def test_a_pipe_has_a_reader_until_it_is_closed() -> None:
    """Whether anything was read or not."""
    reading, writing = os.pipe()
    assert not has_no_reader(writing)
    os.close(reading)
    assert has_no_reader(writing)
    asyncio.run(asyncio.wait_for(until_reader_leaves(writing), 5))
    os.close(writing)


def test_a_file_is_always_read(tmp_path: Path) -> None:
    """What is written to a file is for somebody who comes later."""
    with (tmp_path / "kept").open("w") as file:
        assert not has_no_reader(file.fileno())
