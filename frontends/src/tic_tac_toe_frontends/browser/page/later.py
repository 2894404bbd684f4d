"""What the page fetches when it is first wanted: what explains moves, and the puzzles of games."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from ...table.queries import ExplainMove, FindRest, JudgeMove

#: The queries that need it.
STUDIED = (ExplainMove, FindRest, JudgeMove)
#: The archive of the part of the engine that explains moves and sets puzzles.
LATER_FILE = "insight.zip"
_PLACE = Path("/", LATER_FILE)
#: The packages of which it has modules.
_PACKAGES = ("tic_tac_toe", "tic_tac_toe.insight", "tic_tac_toe.solver")


def is_loaded() -> bool:
    """Return whether that part of the engine is loaded."""
    return str(_PLACE) in sys.path


async def load_insight(fetch: Callable[[str], Awaitable[bytes]]) -> None:
    """Load that part of the engine, unless it is loaded.

    Args:
        fetch: returns a file of the page.

    Raises:
        OSError: it cannot be fetched.
    """
    if not is_loaded():
        _PLACE.write_bytes(await fetch(LATER_FILE))
        for name in _PACKAGES:
            module = importlib.import_module(name)
            module.__path__.append(str(_PLACE / name.replace(".", "/")))
        sys.path.append(str(_PLACE))


def puzzle_file(game: str) -> str:
    """Return the path of the puzzles of a game in the page.

    Servers would unpack a file whose name ends like that of the library's.
    """
    return f"puzzles/{game}.puzzles"
