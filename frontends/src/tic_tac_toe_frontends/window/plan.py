"""The layout of a board on a canvas of any size."""

from __future__ import annotations

from typing import NamedTuple

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.pictures.board import Box, Look, Point, Segment, geometry
from tic_tac_toe.pictures.shapes import UNITS

#: The margin around the board, and the width of a line of coordinates, in pixels.
MARGIN, NAMES = 10, 20
#: The minimum and maximum side of a cell in pixels.
LARGEST, SMALLEST = 420, 4
#: The space above a board of wells for the next disc, in cells.
HAND = 1
#: The maximum side of a zoomed cell in pixels.
CLOSEST = 56


class Zoom(NamedTuple):
    """The zoom of a board.

    Attributes:
        factor: relative to the whole board.
        centre: the point of the board in the middle of the canvas.
    """

    factor: float = 1.0
    centre: Point = Point(0, 0)


class CanvasPlan(NamedTuple):
    """The place of a board on a canvas: its upper left corner and the side of a cell, in pixels."""

    left: float
    top: float
    cell: int

    def point(self, point: Point) -> tuple[float, float]:
        """Return the place of a point of the board."""
        return self.left + point.x * self.cell, self.top + point.y * self.cell

    def box(self, box: Box, inset: float = 0.0) -> tuple[float, float, float, float]:
        """Return the corners of a box, perhaps inset."""
        (left, top), part = self.point(Point(box.x, box.y)), inset * self.cell
        right, bottom = self.point(Point(box.x + box.width, box.y + box.height))
        return left + part, top + part, right - part, bottom - part

    def stroke(self, segment: Segment, part: float = 1.0) -> tuple[float, float, float, float]:
        """Return the ends of the first part of a stroke."""
        (x, y), (end_x, end_y) = self.point(segment.start), self.point(segment.end)
        return x, y, x + (end_x - x) * part, y + (end_y - y) * part

    def thickness(self, width: float) -> float:
        """Return the thickness of a line in pixels; it grows slower than the cells of large boards.

        Args:
            width: that of an `Ink`.
        """
        return min(max(width * self.cell / UNITS, 1.0), 2 * width)


def plan_of(
    rules: Rules,
    width: int,
    height: int,
    look: Look = Look.MARKS,
    *,
    names: bool = True,
    zoom: Zoom | None = None,
) -> CanvasPlan:
    """Return the layout of a board that fills a canvas.

    Args:
        names: whether to show coordinates.
        zoom: by default the whole board.
    """
    board = geometry(rules)
    extent, name = board.extent, NAMES if names else 0
    left = MARGIN if board.is_numbered else MARGIN + name
    above = (NAMES if board.layers else 0) + (0 if board.is_numbered else name)
    below = name if board.is_numbered else 0
    hand = HAND if look is Look.DISCS else 0
    across = (width - left - MARGIN) / extent.width
    down = (height - above - below - 2 * MARGIN) / (extent.height + hand)
    cell = int(max(SMALLEST, min(across, down, LARGEST)))
    if zoom is not None and zoom.factor > 1:
        return _close_up(extent, width, height, round(cell * zoom.factor), zoom.centre)
    # The coordinates on the left do not push the board out of the middle if there is room.
    x = max(left, round((width - extent.width * cell) / 2))
    top, used = MARGIN + above + hand * cell, extent.height * cell
    return CanvasPlan(x, max(top, round((height - used + top - below - MARGIN) / 2)), cell)


def _close_up(extent: Box, width: int, height: int, cell: int, centre: Point) -> CanvasPlan:
    """Return the layout of a zoomed board, without gaps at its edges."""

    def begin(room: int, cells: float, at: float) -> int:
        size, margin = cells * cell, MARGIN + NAMES
        if size + 2 * margin <= room:
            return round((room - size) / 2)
        return round(min(margin, max(room / 2 - at * cell, room - margin - size)))

    x, y = begin(width, extent.width, centre.x), begin(height, extent.height, centre.y)
    return CanvasPlan(x, y, cell)
