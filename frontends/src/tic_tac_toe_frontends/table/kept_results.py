"""The results of puzzles in the user's folder."""

from __future__ import annotations

import contextlib

from tic_tac_toe.files import atomic_write

from ..program.folders import user_folder
from .results import MOST_CHARACTERS, Store


def on_this_device() -> Store:
    """Return a store in the user's folder; what cannot be read or written there is not kept."""
    path = user_folder("data", "tic-tac-toe") / "puzzles.json"

    def load() -> str:
        with contextlib.suppress(OSError, ValueError):
            if path.stat().st_size <= MOST_CHARACTERS:
                return path.read_text(encoding="utf-8")
        return ""

    def save(text: str) -> None:
        with contextlib.suppress(OSError, ValueError, RuntimeError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with atomic_write(path, mode=0o600) as file:
                file.write(text.encode())

    return Store(load, save)
