"""Where a board lies on a canvas of any size."""

from __future__ import annotations

from typing import NamedTuple

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.pictures.board import Box, Look, Point, Segment, geometry

#: Space around the board, and for a line of the names of rows, columns or layers, in pixels.
MARGIN, NAMES = 10, 20
#: No cell is larger or smaller, in pixels.
LARGEST, SMALLEST = 420, 4
#: Above a board of wells there is room for the disc that falls next, in cells.
HAND = 1
#: Where the wheel has brought the board close, cells are about this large at most, in pixels.
CLOSEST = 56


class Zoom(NamedTuple):
    """How close a board is looked at.

    Attributes:
        factor: how many times larger than it fits its cells are; 1 for the whole board.
        centre: the point of the board that is in the middle.
    """

    factor: float = 1.0
    centre: Point = Point(0, 0)


class Plan(NamedTuple):
    """Where a board lies on a canvas: its upper left corner, and the side of a cell, in pixels."""

    left: float
    top: float
    cell: int

    def point(self, point: Point) -> tuple[float, float]:
        """Return where a point of the board lies."""
        return self.left + point.x * self.cell, self.top + point.y * self.cell

    def box(self, box: Box, inset: float = 0.0) -> tuple[float, float, float, float]:
        """Return the corners of a box, a little smaller if wanted."""
        (left, top), part = self.point(Point(box.x, box.y)), inset * self.cell
        right, bottom = self.point(Point(box.x + box.width, box.y + box.height))
        return left + part, top + part, right - part, bottom - part

    def stroke(self, segment: Segment, part: float = 1.0) -> tuple[float, float, float, float]:
        """Return the ends of a stroke, or of its first part."""
        (x, y), (end_x, end_y) = self.point(segment.start), self.point(segment.end)
        return x, y, x + (end_x - x) * part, y + (end_y - y) * part

    def thickness(self, of: tuple[float, float, float]) -> float:
        """Return how thick a stroke is here."""
        part, least, most = of
        return min(max(part * self.cell, least), most)


def plan_of(
    rules: Rules,
    width: int,
    height: int,
    look: Look = Look.MARKS,
    *,
    names: bool = True,
    zoom: Zoom | None = None,
) -> Plan:
    """Return how a board fills a canvas, with its names around it.

    Args:
        names: whether rows and columns have names.
        zoom: how close the board is looked at; the whole of it unless given.
    """
    board = geometry(rules)
    extent, name = board.extent, NAMES if names else 0
    left = MARGIN if board.is_numbered else MARGIN + name
    above = (NAMES if board.layers else 0) + (0 if look is Look.DISCS else name)
    below = name if look is Look.DISCS else 0
    hand = HAND if look is Look.DISCS else 0
    across = (width - left - MARGIN) / extent.width
    down = (height - above - below - 2 * MARGIN) / (extent.height + hand)
    cell = int(max(SMALLEST, min(across, down, LARGEST)))
    if zoom is not None and zoom.factor > 1:
        return _close_up(extent, width, height, round(cell * zoom.factor), zoom.centre)
    # The names to the left do not push the board out of the middle where there is room.
    x = max(left, round((width - extent.width * cell) / 2))
    top, used = MARGIN + above + hand * cell, extent.height * cell
    return Plan(x, max(top, round((height - used + top - below - MARGIN) / 2)), cell)


def _close_up(extent: Box, width: int, height: int, cell: int, centre: Point) -> Plan:
    """Return where a board lies of which a part fills the canvas, without a gap at its edges."""

    def begin(room: int, cells: float, at: float) -> int:
        size, margin = cells * cell, MARGIN + NAMES
        if size + 2 * margin <= room:
            return round((room - size) / 2)
        return round(min(margin, max(room / 2 - at * cell, room - margin - size)))

    x, y = begin(width, extent.width, centre.x), begin(height, extent.height, centre.y)
    return Plan(x, y, cell)
