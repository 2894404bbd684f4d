"""Where a board lies on a canvas of any size."""

from __future__ import annotations

from typing import NamedTuple

from tic_tac_toe.game.geometry import Box, Point, Segment, geometry
from tic_tac_toe.logic.rules import Rules

#: Space around the board, and for a line of the names of rows, columns or layers, in pixels.
MARGIN, NAMES = 10, 20
#: No cell is larger or smaller, in pixels.
LARGEST, SMALLEST = 200, 4


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


def plan_of(rules: Rules, width: int, height: int) -> Plan:
    """Return how a board fills a canvas, with its names around it."""
    board = geometry(rules)
    extent, left = board.extent, MARGIN if board.is_numbered else MARGIN + NAMES
    names = 2 * NAMES if board.layers else NAMES
    top = MARGIN + names
    across = (width - left - MARGIN) / extent.width
    down = (height - top - MARGIN) / extent.height
    cell = int(max(SMALLEST, min(across, down, LARGEST)))
    # The names to the left do not push the board out of the middle where there is room.
    middle = max(float(left), (width - extent.width * cell) / 2)
    return Plan(middle, max(float(top), (height - extent.height * cell + names) / 2), cell)
