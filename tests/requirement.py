"""Tools that some tests need: absent, they skip with the reason; where HANDFOOT_REQUIRE names them, they fail."""

import os
from typing import NoReturn

import pytest


def skip_without(tool: str, reason: str) -> NoReturn:
    """Skip the running test because *tool* is missing, or fail it where HANDFOOT_REQUIRE (node,postgres,…) has it."""
    if tool in os.environ.get("HANDFOOT_REQUIRE", "").split(","):
        pytest.fail(f"HANDFOOT_REQUIRE names {tool}, but {reason}", pytrace=False)
    pytest.skip(reason)
