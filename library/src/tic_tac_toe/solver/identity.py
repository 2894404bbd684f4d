"""What a saved state belongs to: a game, and the version of the solver that made it."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import variant_name

FORMAT = "tictactoe-engine checkpoint 2"
#: The modules beside the kernels that give saved arrays their meaning.
_SEARCH = ("saved_search", "scale", "session")


def identity(rules: Rules) -> dict[str, str]:
    """Return the format, the game, and the digest of the program, as a saved state names them."""
    return {"format": FORMAT, "game": variant_name(rules), "code": code_digest()}


@lru_cache(maxsize=1)
def code_digest() -> str:
    """Return a digest of the source of the search: arrays mean nothing to another version."""
    folder = Path(__file__).parent
    sources = sorted(folder.joinpath("kernels").rglob("*.py"))
    sources += (folder / f"{name}.py" for name in _SEARCH)
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
