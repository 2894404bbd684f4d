"""Drawing on a canvas in few calls of Tk's, however much there is to draw."""

from __future__ import annotations

import tkinter as tk


class Brush:
    """Collects drawing commands, and runs them in one call of Tk.

    Each call of Tk's gives way to other threads. While a computer player thinks in one of them,
    `SWITCH_SECONDS` pass until it is this thread's turn again, for each mark of a large board.
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

    def draw(self, kind: str, numbers: tuple[float, ...], **options: object) -> None:
        """Draw something.

        Args:
            kind: such as ``rectangle``, as Tk calls it.
            numbers: where it lies, in pixels.
            options: Tk's. The caller has to keep a reference to a picture.
        """
        words = [f"-{name} {{{value}}}" for name, value in options.items()]
        self._add("create", kind, *(f"{number:.2f}" for number in numbers), *words)

    def _add(self, *words: str) -> None:
        self._commands.append(" ".join([str(self._canvas), *words]))
