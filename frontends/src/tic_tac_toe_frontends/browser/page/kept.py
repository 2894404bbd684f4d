"""The page's settings in the browser's storage; for finished games see `history`."""

from __future__ import annotations

from tic_tac_toe.pictures.board import Look

from ...table.setup import Setup
from ...words.rules_text import PLAYERS
from .dom import delete_item, load_item
from .settings_dialog import SWITCHES

#: The keys of the settings; the seats of online games are not among them.
NAMES = (
    *("theme", "language", *SWITCHES, "players", "think", "boards", "muted"),
    *(f"look.{look.value}" for look in Look),
)


def stored_setup() -> Setup:
    """Return the default game with the players of the last visit."""
    x, _, o = (load_item("players") or "").partition(" ")
    return Setup(x=x, o=o) if x in PLAYERS and o in PLAYERS else Setup()


def delete_everything() -> None:
    """Delete all these settings."""
    for name in NAMES:
        delete_item(name)
