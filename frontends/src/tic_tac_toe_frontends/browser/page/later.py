"""What the page fetches when it is first wanted: explanations, game trees, the puzzles of games."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from ...table.queries import ExplainMove, FindRest, JudgeMove

#: The queries that need it, beside the one for a game tree.
STUDIED = (ExplainMove, FindRest, JudgeMove)
#: The archive of the modules that are not needed to play.
LATER_FILE = "later.zip"
_PLACE = Path("/", LATER_FILE)
#: These modules, by their packages, and the packages that are in it as a whole.
_MODULES: Mapping[str, tuple[str, ...]] = {
    "tic_tac_toe": ("certificate_check", "files"),
    "tic_tac_toe.game": ("tree",),
    "tic_tac_toe.insight": (),
    "tic_tac_toe.pictures": ("tree", "tree_svg"),
    "tic_tac_toe.solver": ("certificates",),
    "tic_tac_toe_frontends.browser.page.dialogs": ("puzzles",),
    "tic_tac_toe_frontends.table": ("study_menu",),
    "tic_tac_toe_frontends.words": ("tree_text",),
}


#: What of the package that explains and sets puzzles is needed to play; all else of it is later.
_INSIGHT = "tic_tac_toe.insight"
_EARLY = {f"{_INSIGHT}.{name}" for name in ("__init__", "facts", "hints")}


def is_later(module: str) -> bool:
    """Return whether a module is in the archive."""
    if module.startswith(f"{_INSIGHT}."):
        return module not in _EARLY
    names = (f"{package}.{name}" for package, names in _MODULES.items() for name in names)
    return any(f"{module}.".startswith(f"{name}.") for name in names)


def is_loaded() -> bool:
    """Return whether the archive is loaded."""
    return str(_PLACE) in sys.path


async def load_later(fetch: Callable[[str], Awaitable[bytes]]) -> None:
    """Load the archive, unless it is loaded.

    Args:
        fetch: returns a file of the page.

    Raises:
        OSError: it cannot be fetched.
    """
    if not is_loaded():
        _PLACE.write_bytes(await fetch(LATER_FILE))
        for name in _MODULES:
            module = importlib.import_module(name)
            module.__path__.append(str(_PLACE / name.replace(".", "/")))
        sys.path.append(str(_PLACE))


def puzzle_file(game: str) -> str:
    """Return the path of the puzzles of a game in the page.

    Servers would unpack a file whose name ends like that of the library's.
    """
    return f"puzzles/{game}.puzzles"
