"""How much of a board is seen, and how large: pure numbers, of which the page makes a transform."""

from __future__ import annotations

from typing import NamedTuple

from tic_tac_toe.game.geometry import Box

#: How many times as large as the whole board fits its frame it is shown at most.
LARGEST = 4.0


class Lens(NamedTuple):
    """A board in its frame, enlarged and shifted.

    Points and lengths are fractions of the frame. A point of the board, (0, 0) to (1, 1), is seen
    at ``scale * point + (x, y)``; the board always fills its frame.
    """

    scale: float = 1.0
    x: float = 0.0
    y: float = 0.0

    def zoomed(self, factor: float, x: float = 0.5, y: float = 0.5) -> Lens:
        """Return a lens that shows things larger, with what is seen at a point staying there."""
        scale = min(max(self.scale * factor, 1.0), LARGEST)
        growth = scale / self.scale
        return Lens(scale, x - growth * (x - self.x), y - growth * (y - self.y))._within()

    def moved(self, right: float, down: float) -> Lens:
        """Return a lens through which the board is seen further to the right and down."""
        return Lens(self.scale, self.x + right, self.y + down)._within()

    def showing(self, part: Box) -> Lens:
        """Return a lens moved as little as needed to show a part of the board wholly."""
        seen = self.seen(part)
        right = max(-seen.x, 0.0) or min(1.0 - seen.x - seen.width, 0.0)
        down = max(-seen.y, 0.0) or min(1.0 - seen.y - seen.height, 0.0)
        return self.moved(right, down)

    def seen(self, part: Box) -> Box:
        """Return where a part of the board is seen."""
        x, y, width, height = part
        scale = self.scale
        return Box(scale * x + self.x, scale * y + self.y, scale * width, scale * height)

    def _within(self) -> Lens:
        least = 1.0 - self.scale
        return self._replace(x=min(max(self.x, least), 0.0), y=min(max(self.y, least), 0.0))
