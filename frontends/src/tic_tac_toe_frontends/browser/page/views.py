"""Which parts of a board's picture the page shows, and where: small screens wrap wide boards."""

from __future__ import annotations

import math
from typing import NamedTuple

from tic_tac_toe.game.geometry import GAP, Box, Geometry, geometry
from tic_tac_toe.game.svg import LAYERS, placement
from tic_tac_toe.game.svg_board import CELL
from tic_tac_toe.logic.rules import Rules

#: What is shown around the board, in cells: where names stand, and where none do.
NAMED, BARE = 0.65, 0.1
#: The height of the room in which a mark waits above the column that it is to fall into, in cells.
LANE = 1.0
#: The most columns of a board in blocks that stand side by side, and those on a narrow screen.
SIDE_BY_SIDE, NARROW = 10, 8


class View(NamedTuple):
    """A part of the picture, and where the page shows it.

    Attributes:
        part: in cells from the board's upper left corner.
        x, y: where its upper left corner is shown, in cells from that of all views.
    """

    part: Box
    x: float = 0.0
    y: float = 0.0

    def shown(self, box: Box) -> Box:
        """Return where a box in this part is shown."""
        return box._replace(x=box.x - self.part.x + self.x, y=box.y - self.part.y + self.y)


class Plan:
    """How the page shows the board of a game.

    Where many blocks lie side by side, they are shown in rows, each with the names of its rows and
    columns::

          A B   C D   E F               A B   C D
        1 . .   . .   . .             1 . .   . .
        2 . .   . .   . .             2 . .   . .
                                        E F
                                      1 . .
                                      2 . .

    Attributes:
        views: the parts that are shown.
        width, height: of all of them, in cells.
        has_lane: whether there is room above the board for a mark that waits to fall.
        boxes: where each cell is shown.
    """

    def __init__(
        self, rules: Rules, *, is_small: bool, names: bool = True, is_narrow: bool = False
    ) -> None:
        plan = geometry(rules)
        extent = plan.extent
        self.has_lane: bool = plan.is_numbered and not is_small
        before = NAMED if names and not plan.is_numbered else BARE
        above = LANE if self.has_lane else before + (LAYERS if names and plan.layers else 0)
        below = NAMED if names and plan.is_numbered else BARE
        beyond = BARE if is_small else before  # the board stands in the middle where there is room
        whole = Box(-before, -above, before + extent.width + beyond, above + extent.height + below)
        self._board = placement(rules, names=names).board
        self.views: tuple[View, ...] = (View(whole),)
        most = NARROW if is_narrow else SIDE_BY_SIDE
        if rules.shape.columns > most and _lie_side_by_side(plan):
            self.views = tuple(_wrapped(plan, whole, most))
        self.width: float = max(view.x + view.part.width for view in self.views)
        self.height: float = max(view.y + view.part.height for view in self.views)
        self.boxes: tuple[Box, ...] = tuple(self._shown(box) for box in plan.boxes)

    def view_box(self, view: View) -> str:
        """Return a part of the picture as SVG knows it."""
        x, y = self._board.x + view.part.x * CELL, self._board.y + view.part.y * CELL
        numbers = (x, y, view.part.width * CELL, view.part.height * CELL)
        return " ".join(f"{number:g}" for number in numbers)

    def place(self, box: Box) -> str:
        """Return where a box of this plan lies, as CSS."""
        return (
            f"left:{box.x / self.width:.4%};top:{box.y / self.height:.4%};"
            f"width:{box.width / self.width:.4%};height:{box.height / self.height:.4%}"
        )

    def _shown(self, box: Box) -> Box:
        return next(view.shown(box) for view in self.views if view.part.holds(box.centre))


def _lie_side_by_side(plan: Geometry) -> bool:
    return len(plan.boards) > 1 and len({board.y for board in plan.boards}) == 1


def _wrapped(plan: Geometry, whole: Box, most: int) -> list[View]:
    """Return views of blocks in as few rows as possible, and of the names left of each row.

    Args:
        most: the columns of cells that a row has room for.
    """
    rows = 1
    while (count := math.ceil(len(plan.boards) / rows)) * plan.boards[0].width > most and count > 1:
        rows += 1
    margin = min(BARE, GAP / 2)
    views: list[View] = []
    for row, first in enumerate(range(0, len(plan.boards), count)):
        blocks, y = plan.boards[first : first + count], row * whole.height
        left, right = blocks[0].x - margin, blocks[-1].x + blocks[-1].width + margin
        beside = max(-whole.x - margin, 0.0)
        if beside:
            views.append(View(Box(whole.x, whole.y, beside, whole.height), 0, y))
        views.append(View(Box(left, whole.y, right - left, whole.height), beside, y))
    return views
