"""Lets people enlarge a board with small cells by two fingers, and shift it by one or the mouse."""

from __future__ import annotations

import math
from typing import Any

from tic_tac_toe.game.geometry import Box

from .dom import on, window
from .views import Lens

#: How far a pointer moves before it shifts the board and no longer chooses a cell, in CSS pixels.
SLOP = 8.0


class Magnifier:
    """Turns the movements of pointers over the frame of a board into a lens.

    While it is not `enabled`, the board is seen as a whole and pointers are left alone.

    Args:
        frame: the element that the board is seen in; its layers follow its ``--zoom``, ``--pan-x``
            and ``--pan-y``.
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self._lens = Lens()
        self._enabled = False
        self._pointers: dict[int, tuple[float, float]] = {}
        self._start = (0.0, 0.0)
        self._apply()  # the frame may have kept the lens of an earlier visit
        #: Whether the pointer that is pressed, or was last, has enlarged or shifted the board.
        self.dragged = False
        on(frame, "pointerdown", self._press)
        on(frame, "pointermove", self._move)
        for event in ("pointerup", "pointercancel"):
            on(window, event, lambda event: self._pointers.pop(event.pointerId, None))
        # Two fingers enlarge the board, and neither the page nor what is around the board moves.
        on(frame, "touchmove", self._keep_page, passive=False)

    @property
    def lens(self) -> Lens:
        """How the board is seen."""
        return self._lens

    def enable(self, enabled: bool) -> None:
        """Follow pointers from now on, or show the whole board and leave pointers alone."""
        if enabled != self._enabled:
            self._enabled = enabled
            self._pointers.clear()
            self._frame.toggleAttribute("data-zoomable", enabled)
            self._see(Lens())

    def zoom(self, factor: float, around: Box | None = None) -> None:
        """Show the board larger or smaller; a part of it stays where it is seen, if given."""
        x, y = self._lens.seen(around).centre if around else (0.5, 0.5)
        self._see(self._lens.zoomed(factor, x, y))

    def reset(self) -> None:
        """Show the whole board."""
        self._see(Lens())

    def show(self, part: Box) -> None:
        """Shift the board as far as needed to see a part of it."""
        self._see(self._lens.showing(part))

    def _see(self, lens: Lens) -> None:
        if lens == self._lens:
            return
        self._lens = lens
        self._apply()

    def _apply(self) -> None:
        lens = self._lens
        style = self._frame.style
        style.setProperty("--zoom", f"{lens.scale:.4f}")
        style.setProperty("--pan-x", f"{lens.x:.4%}")
        style.setProperty("--pan-y", f"{lens.y:.4%}")
        self._frame.toggleAttribute("data-zoomed", lens.scale > 1)

    def _press(self, event: Any) -> None:
        if not self._pointers:
            self.dragged = False
            self._start = (event.clientX, event.clientY)
        if self._enabled:
            self._pointers[event.pointerId] = self._place(event)

    def _move(self, event: Any) -> None:
        old = self._pointers.get(event.pointerId)
        if old is None:
            return
        others = [place for key, place in self._pointers.items() if key != event.pointerId]
        new = self._place(event)
        if others:
            self._pinch(others[0], old, new)
        elif self._lens.scale > 1:
            away = math.dist(self._start, (event.clientX, event.clientY))
            if not self.dragged and away < SLOP:
                return
            self._see(self._lens.moved(new[0] - old[0], new[1] - old[1]))
        else:
            return
        self.dragged = True
        self._pointers[event.pointerId] = new

    def _pinch(
        self, other: tuple[float, float], old: tuple[float, float], new: tuple[float, float]
    ) -> None:
        """Keep what is under two fingers under them, while one of them moves."""
        before, after = math.dist(other, old), math.dist(other, new)
        middle = (other[0] + new[0]) / 2, (other[1] + new[1]) / 2
        moved = self._lens.moved((new[0] - old[0]) / 2, (new[1] - old[1]) / 2)
        self._see(moved.zoomed(after / before if before else 1.0, *middle))

    def _place(self, event: Any) -> tuple[float, float]:
        """Return where an event is, as fractions of the frame."""
        box = self._frame.getBoundingClientRect()
        return (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height

    def _keep_page(self, event: Any) -> None:
        if self._enabled and event.touches.length > 1:
            event.preventDefault()
