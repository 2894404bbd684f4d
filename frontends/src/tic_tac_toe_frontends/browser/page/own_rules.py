"""A game of one's own in the page: the server that a person has started here has its code."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.rules.catalogue import find_rules, names_object, register

#: The file of the code, which only the program has that was started with the game.
OWN_GAME = "own-game.json"
#: Where the files of the code lie.
FOLDER = Path("/own-game")


async def prepare_own_game(fragment: str, fetch: Any) -> None:
    """Load the game that a link names if it has the name of one's own, unless it is there.

    The link brings no code: the page takes it from where it comes from itself, and only a program
    that was started with ``--variant MODULE:CLASS`` has it.

    Args:
        fetch: returns the bytes of a file of the page.
    """
    parts = (part.partition("=") for part in fragment.split("&"))
    name = next((value for key, _, value in parts if key == "game"), "")
    if names_object(name):
        try:
            find_rules(name)
        except InvalidVariant:
            try:
                load_own_game(await fetch(OWN_GAME))
            except OSError:  # there is none here: the link is then told to name no game
                return


def load_own_game(code: bytes, folder: Path = FOLDER) -> None:
    """Write the files of a game to a folder, import it and register it under its name."""
    found = json.loads(code)
    for name, text in found["files"].items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    module, _, name = found["place"].partition(":")
    rules = getattr(import_module(module), name)
    register(found["name"], rules() if isinstance(rules, type) else rules)
