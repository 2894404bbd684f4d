"""Drawing on a canvas in few calls of Tk's, however much there is to draw."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping
from typing import TypeAlias

_Numbers: TypeAlias = tuple[float, ...]


class Brush:
    """Collects drawing commands, and runs them in one call of Tk.

    Each call of Tk's gives way to other threads. While a computer player thinks in one of them,
    five milliseconds pass until it is this thread's turn again: a large board, drawn mark by mark,
    would take seconds.

    Args:
        canvas: where to draw.
    """

    def __init__(self, canvas: tk.Canvas) -> None:
        self._canvas = canvas
        self._commands: list[str] = []

    def paint(self) -> None:
        """Draw what was collected."""
        commands, self._commands = self._commands, []
        self._canvas.tk.eval("\n".join(commands))

    def erase(self, tag: str) -> None:
        """Take away what has a tag."""
        self._add("delete", tag)

    def rectangle(
        self,
        corners: _Numbers,
        *,
        fill: str = "",
        outline: str = "",
        width: float = 0,
        tag: str = "",
    ) -> None:
        """Draw a rectangle: filled, framed, or both."""
        options = {"fill": fill, "outline": outline, "width": width, "tags": tag}
        self._create("rectangle", corners, options)

    def line(self, ends: _Numbers, colour: str, width: float, tag: str = "") -> None:
        """Draw a stroke with round ends."""
        options = {"fill": colour, "width": width, "capstyle": "round", "tags": tag}
        self._create("line", ends, options)

    def ring(self, corners: _Numbers, colour: str, width: float) -> None:
        """Draw a dashed ring."""
        dash = f"{round(2 + 3 * width)} {round(2 + 2 * width)}"
        self._create("oval", corners, {"outline": colour, "width": width, "dash": dash})

    def image(self, centre: _Numbers, picture: tk.PhotoImage, tag: str = "") -> None:
        """Show a picture, to which the caller has to keep a reference."""
        self._create("image", centre, {"image": str(picture), "tags": tag})

    def text(self, centre: _Numbers, text: str, colour: str, family: str, pixels: int) -> None:
        """Write a word."""
        # A negative size is one in pixels.
        font = f"{{{family}}} -{pixels}"
        self._create("text", centre, {"text": text, "fill": colour, "font": font})

    def _create(self, kind: str, numbers: _Numbers, options: Mapping[str, object]) -> None:
        words = [f"-{name} {{{value}}}" for name, value in options.items()]
        self._add("create", kind, *(f"{number:.2f}" for number in numbers), *words)

    def _add(self, *words: str) -> None:
        self._commands.append(" ".join([str(self._canvas), *words]))
