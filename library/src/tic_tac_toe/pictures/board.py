"""What all screens and pictures of a board share.

That is where its parts lie, in which looks a game can be drawn, and the signs of what moves are
worth. A look changes only what is drawn: positions, moves and texts speak of X and O in every look.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import column_letter
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.lines import PLANE
from tic_tac_toe.logic.rules.traits import (
    Digits,
    cell_of,
    traits_of,
)
from tic_tac_toe.logic.search.evaluation import MoveEvaluation, Outcome
from tic_tac_toe.logic.shapes import Shape

#: The gap between neighbouring blocks of a divided board, in cells.
GAP = 0.3
#: How far a winning line reaches beyond the centres of its first and last cell, in cells.
OVERHANG = 0.38


class Point(NamedTuple):
    """A point: cells to the right of the board's left edge, and down from its upper one."""

    x: float
    y: float


class Segment(NamedTuple):
    """A straight stroke between two points."""

    start: Point
    end: Point


class Box(NamedTuple):
    """A rectangle by its upper left corner and its extent."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> Point:
        """The point in its middle."""
        return Point(self.x + self.width / 2, self.y + self.height / 2)

    def holds(self, point: Point) -> bool:
        """Return whether a point lies in it; its right and lower edges belong to the next box."""
        return self.x <= point.x < self.x + self.width and self.y <= point.y < self.y + self.height


class Geometry:
    """The plan of a game's board, in units of one cell: take it from `geometry`.

    There is a gap between blocks, drawn for ultimate::

         0 1 2   3 4 5   6 7 8        x grows to the right, y down;
         9 . .   . . .   . . .        cell 0 is Box(0, 0, 1, 1)
        18 . .   . . .   . . .        and cell 3 is Box(3 + GAP, 0, 1, 1)

        27 . .   . . .   . . .

    Attributes:
        shape: rows and columns of the whole board.
        boxes: where each cell lies.
        boards: where each block lies; the whole board where it is undivided.
        cells: the cells of each of these boards.
        is_divided: whether the board is divided into blocks.
        is_framed: whether its boards have a frame: blocks, and the well that marks fall into.
        is_numbered: whether its columns have numbers.
        column_names: the letter of each column; where there are layers, within its layer.
        row_names: the number of each row.
        layers: where there are layers, the number of each and where its middle lies, from the left.
        extent: the whole board.
        grid: the strokes between cells, without a frame.
    """

    def __init__(self, rules: Rules) -> None:
        traits = traits_of(rules)
        self.shape: Shape = rules.shape
        self.is_divided: bool = traits.blocks is not None
        self.is_framed: bool = self.is_divided or traits.gravity
        self.is_numbered: bool = traits.digits is Digits.COLUMNS
        self._local = traits.blocks or self.shape
        inner = self._local if traits.layered else self.shape
        self.column_names: tuple[str, ...] = tuple(
            column_letter(column % inner.columns) for column in range(self.shape.columns)
        )
        self.row_names: tuple[str, ...] = tuple(str(row + 1) for row in range(self.shape.rows))
        rows = [_offset(row, self._local.rows) for row in range(self.shape.rows)]
        columns = [_offset(column, self._local.columns) for column in range(self.shape.columns)]
        self.boxes: tuple[Box, ...] = tuple(Box(x, y, 1, 1) for y in rows for x in columns)
        self.boards: tuple[Box, ...] = tuple(
            Box(x, y, self._local.columns, self._local.rows)
            for y in rows[:: self._local.rows]
            for x in columns[:: self._local.columns]
        )
        self.cells: tuple[tuple[int, ...], ...] = tuple(
            tuple(cell for cell, box in enumerate(self.boxes) if board.holds(box.centre))
            for board in self.boards
        )
        self.layers: tuple[tuple[str, float], ...] = tuple(
            (str(number), board.centre.x)
            for number, board in enumerate(self.boards if traits.layered else (), start=1)
        )
        self.extent: Box = Box(0, 0, columns[-1] + 1, rows[-1] + 1)
        self.grid: tuple[Segment, ...] = tuple(
            stroke for board in self.boards for stroke in _strokes(board)
        )

    def cell_at(self, x: float, y: float) -> int | None:
        """Return the cell that a point lies in, ``None`` for a gap or a point off the board."""
        if not self.extent.holds(Point(x, y)):
            return None
        row = _index(y, self._local.rows)
        column = _index(x, self._local.columns)
        cell = row * self.shape.columns + column
        return cell if self.boxes[cell].holds(Point(x, y)) else None

    def column_centres(self) -> list[float]:
        """Return where the middle of each column lies, from the left."""
        return [box.centre.x for box in self.boxes[: self.shape.columns]]

    def row_centres(self) -> list[float]:
        """Return where the middle of each row lies, from the top."""
        return [box.centre.y for box in self.boxes[:: self.shape.columns]]


@lru_cache(maxsize=64)
def geometry(rules: Rules) -> Geometry:
    """Return the plan of a game's board."""
    return Geometry(rules)


def strikes(state: GameState) -> tuple[Segment, ...]:
    """Return the strokes through the cells that decided the game; empty without a winner.

    Where blocks are won, each line in a block gets its stroke, and the line of blocks comes last.
    Cells that are not neighbours on a straight line get none: on a torus, through several layers,
    or in rules of a user's own.
    """
    cells, plan = set(state.winning_cells), geometry(state.rules)
    if not plan.is_divided:
        return _through([plan.boxes[cell] for cell in sorted(cells)])
    won = [
        (board, [plan.boxes[cell] for cell in inner if cell in cells])
        for board, inner in zip(plan.boards, plan.cells, strict=True)
        if not cells.isdisjoint(inner)
    ]
    if plan.layers and len(won) > 1:
        return ()
    small = tuple(stroke for _, boxes in won for stroke in _through(boxes))
    has_owners = traits_of(state.rules).owners is not None
    return (*small, *_through([board for board, _ in won])) if has_owners else small


class SmallBoard(NamedTuple):
    """A block of a divided board in a state of the game.

    Attributes:
        box: where it lies.
        owner: the side that has won it: 0 cross, 1 naught, or ``None``.
        open: whether the side to move may play in it now.
    """

    box: Box
    owner: int | None
    open: bool


def small_boards(state: GameState) -> tuple[SmallBoard, ...]:
    """Return the blocks in reading order; none for an undivided board, and for layers."""
    plan = geometry(state.rules)
    if not plan.is_divided or plan.layers:
        return ()
    legal, owners_of = set(state.legal_cells), traits_of(state.rules).owners
    owners = owners_of(state.position) if owners_of else [None] * len(plan.boards)
    return tuple(
        SmallBoard(box, owner, not legal.isdisjoint(cells))
        for box, owner, cells in zip(plan.boards, owners, plan.cells, strict=True)
    )


def _offset(index: int, group: int) -> float:
    """Return where a row or column begins."""
    return index + index // group * GAP


def _index(offset: float, group: int) -> int:
    """Return the row or column nearest before a point: the inverse of `_offset`."""
    board, within = divmod(offset, group + GAP)
    return int(board) * group + min(int(within), group - 1)


def _strokes(board: Box) -> list[Segment]:
    x, y, width, height = board
    down = [
        Segment(Point(x + column, y), Point(x + column, y + height))
        for column in range(1, int(width))
    ]
    across = [
        Segment(Point(x, y + row), Point(x + width, y + row)) for row in range(1, int(height))
    ]
    return down + across


def _are_neighbours(one: Box, other: Box) -> bool:
    across, down = other.centre.x - one.centre.x, other.centre.y - one.centre.y
    return max(abs(across) - one.width, abs(down) - one.height) < 2 * GAP


def _through(boxes: list[Box]) -> tuple[Segment, ...]:
    """Return the stroke through boxes that lie on a line, a little beyond the outer centres."""
    if not boxes:
        return ()
    first, last = boxes[0].centre, boxes[-1].centre
    right, down = last.x - first.x, last.y - first.y
    bent = any(
        abs(right * (box.centre.y - first.y) - down * (box.centre.x - first.x)) > 1e-9
        for box in boxes
    )
    if bent or not all(map(_are_neighbours, boxes, boxes[1:])):
        return ()
    reach = max(abs(right), abs(down))
    scale = OVERHANG * boxes[0].width
    # A line of one cell has no direction: it is struck through from the left to the right.
    x, y = (right / reach * scale, down / reach * scale) if reach else (scale, 0.0)
    return (Segment(Point(first.x - x, first.y - y), Point(last.x + x, last.y + y)),)


#: A game of lines is usually drawn with stones if its board has this many rows and columns.
LARGE = 9


class Look(str, enum.Enum):
    """How a game is drawn."""

    MARKS = "marks"
    DISCS = "discs"
    STONES = "stones"


def look_of(rules: Rules) -> Look:
    """Return the usual look of a game."""
    return looks_for(rules)[0]


@lru_cache(maxsize=64)
def looks_for(rules: Rules) -> tuple[Look, ...]:
    """Return the looks that a game can be drawn in, the usual one first.

    Every game can be drawn with marks. Discs need marks that fall down in the columns of one board;
    stones need a plain game of lines, in which each side has its own mark.
    """
    traits, shape = traits_of(rules), rules.shape
    if traits.blocks is not None or traits.contents is not None:
        return (Look.MARKS,)
    if traits.gravity:
        falls_in_columns = traits.stacks == PLANE.stacks(shape)
        return (Look.DISCS, Look.MARKS) if falls_in_columns else (Look.MARKS,)
    if traits.length is None or traits.choices is not None:
        return (Look.MARKS,)
    if min(shape.rows, shape.columns) >= LARGE:
        return (Look.STONES, Look.MARKS)
    return (Look.MARKS, Look.STONES)


def fitting_look(rules: Rules, wanted: str | None) -> Look:
    """Return the look of a name if the game can be drawn in it, else its usual one."""
    looks = looks_for(rules)
    return next((look for look in looks if look.value == wanted), looks[0])


@lru_cache(maxsize=64)
def star_points(rules: Rules) -> tuple[int, ...]:
    """Return the cells with star points on a board drawn with stones.

    They are those of go boards: square boards with an odd number of rows from 9 to 19 have a dot
    near each corner and one in the middle, and boards with 19 rows one near each side, too.
    """
    rows, columns = rules.shape.rows, rules.shape.columns
    if rows != columns or rows % 2 == 0 or not LARGE <= rows <= 19:
        return ()
    near, middle = (2 if rows < 13 else 3), rows // 2
    lines = (near, middle, rows - 1 - near)
    return tuple(
        row * columns + column
        for row in lines
        for column in lines
        if rows == 19 or (row == middle) == (column == middle)
    )


#: What stands before the number of a move, so that colour is not needed to tell outcomes apart.
SIGNS = {"win": "+", "draw": "=", "loss": "\N{MINUS SIGN}"}
#: The outcomes of moves, the best first, as pictures rank them.
OUTCOMES: tuple[Outcome, ...] = ("win", "draw", "open", "loss")
#: Stands for the plies where the game goes on for ever.
ENDLESS = "\N{INFINITY}"


def sign_of(move: MoveEvaluation) -> str:
    """Return how good a move is: ``+3`` wins with the third move from there, ``=`` draws.

    ``=∞`` goes on for ever, ``+`` wins at an unknown distance, and ``62%`` is a chance: nothing is
    proved.
    """
    if move.outcome == "open":
        return f"{round(100 * move.chance)}%" if move.is_judged else ""
    number = ENDLESS if move.outcome == "draw" and move.plies == 0 else move.moves
    return f"{SIGNS[move.outcome]}{'' if number is None else number}"


def best_outcome(moves: Iterable[MoveEvaluation]) -> Outcome:
    """Return the best outcome of some moves, of `OUTCOMES`."""
    known = {move.outcome for move in moves}
    return next(outcome for outcome in OUTCOMES if outcome in known)


def by_cell(rules: Rules, moves: Iterable[MoveEvaluation]) -> dict[int, list[MoveEvaluation]]:
    """Return the moves by the cells in which they place something, without those not judged."""
    found: dict[int, list[MoveEvaluation]] = {}
    for move in moves:
        if move.is_judged and (cell := cell_of(rules, move.move)) is not None:
            found.setdefault(cell, []).append(move)
    return found
