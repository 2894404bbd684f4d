"""Running `tic-tac-toe solve` and its like within the tests' own process."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

SMALL = ("--variant", "connect-four-5x4")
#: Large, and not in the opening book.
LARGE = ("--variant", "connect-four", "--moves", "121156665", "--threads", "1", "--memory", "4")


class Ended(NamedTuple):
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def answers(self) -> list[dict[str, Any]]:
        """The JSON objects that it printed."""
        return [json.loads(line) for line in self.out.splitlines()]


Command = Callable[..., Ended]
