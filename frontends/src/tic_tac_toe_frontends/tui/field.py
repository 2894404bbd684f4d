"""The part of the screen that the board is drawn in."""

from __future__ import annotations

from textual import events
from textual.containers import Container

from .board import Board


class Field(Container):
    """Tells the board how much space there is, each time that the layout has changed it."""

    def on_resize(self, event: events.Resize) -> None:
        """Pass the space on."""
        self.query_one(Board).give_space(event.size)
