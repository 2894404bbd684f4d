"""Loads a user's own game into the page, from the server that the user started on this machine."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.rules.catalogue import find_rules, names_object, register

#: The file of the code; only a program that was started with the game serves it.
OWN_GAME = "own-game.json"
#: The folder of the code's files.
FOLDER = Path("/own-game")


async def prepare_own_game(fragment: str, fetch: Any) -> None:
    """Load a link's game if its name is that of a user's own game, unless it is loaded already.

    The link contains no code: the page fetches it from its own server, and only a program that was
        started with ``--variant MODULE:CLASS`` has it.

    Args:
        fetch: returns a file of the page as bytes.
    """
    parts = (part.partition("=") for part in fragment.split("&"))
    name = next((value for key, _, value in parts if key == "game"), "")
    if names_object(name):
        try:
            find_rules(name)
        except InvalidVariant:
            try:
                load_own_game(await fetch(OWN_GAME))
            except OSError:  # no such file: reading the link then fails
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
