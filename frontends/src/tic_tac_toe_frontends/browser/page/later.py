"""What the page fetches when it is first wanted: explanations, game trees, online play, puzzles."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from ...table.queries import ExplainMove, FindRest, JudgeMove

#: The queries that need `LATER`, beside the one for a game tree.
STUDIED = (ExplainMove, FindRest, JudgeMove)
#: The archives of modules that are not needed to play on this device: what explains moves, sets
#: puzzles and draws trees; online play; and all other modules.
LATER, ONLINE, APP = "later.zip", "online.zip", "app.zip"
_INSIGHT = "tic_tac_toe.insight"
#: The modules and packages of the archives, by the packages that they are in.
_PARTS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    LATER: {
        "tic_tac_toe": ("certificate_check", "files"),
        "tic_tac_toe.game": ("tree",),
        _INSIGHT: (),  # all that is not `_EARLY`
        "tic_tac_toe.pictures": ("tree", "tree_svg"),
        "tic_tac_toe.solver": ("certificates",),
        "tic_tac_toe_frontends.browser.page.dialogs": ("puzzles",),
        "tic_tac_toe_frontends.table": ("study_menu",),
        "tic_tac_toe_frontends.words": ("tree_text",),
    },
    ONLINE: {
        "tic_tac_toe.protocols.online": (
            *("client", "events", "game", "game_copy", "judge", "news"),
            *("replies", "requests", "seat_book"),
        ),
        "tic_tac_toe_frontends.browser.page": ("online",),
        "tic_tac_toe_frontends.words": ("clock_text", "online_text"),
    },
}
_EARLY = frozenset(f"{_INSIGHT}.{name}" for name in ("__init__", "facts", "hints"))


def archive_of(module: str) -> str:
    """Return the archive of a module."""
    if module.startswith(f"{_INSIGHT}."):
        return APP if module in _EARLY else LATER
    for archive, parts in _PARTS.items():
        names = (f"{package}.{name}." for package, names in parts.items() for name in names)
        if f"{module}.".startswith((*names,)):
            return archive
    return APP


def is_loaded(archive: str) -> bool:
    """Return whether an archive is loaded."""
    return _place(archive) in sys.path


async def load_archive(archive: str, fetch: Callable[[str], Awaitable[bytes]]) -> None:
    """Load an archive, unless it is loaded.

    Args:
        fetch: returns a file of the page.

    Raises:
        OSError: it cannot be fetched.
    """
    if not is_loaded(archive):
        place = _place(archive)
        Path(place).write_bytes(await fetch(archive))
        for name in _PARTS[archive]:
            path = f"{place}/{name.replace('.', '/')}"
            importlib.import_module(name).__path__.append(path)
        sys.path.append(place)


def _place(archive: str) -> str:
    return f"/{archive}"


def puzzle_file(game: str) -> str:
    """Return the path of the puzzles of a game in the page.

    Servers would unpack a file whose name ends like that of the library's.
    """
    return f"puzzles/{game}.puzzles"
