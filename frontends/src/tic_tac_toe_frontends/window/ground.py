"""What lies below the marks of a board: paper, panels and wells, or wood with crossings."""

from __future__ import annotations

from tic_tac_toe.game.geometry import (
    Box,
    Geometry,
    Point,
    Segment,
    geometry,
    lit_cells,
    small_boards,
)
from tic_tac_toe.game.looks import Look, star_points
from tic_tac_toe.game.signs import best_outcome, by_cell
from tic_tac_toe.logic.rules import Rules

from .pen import FRAME, GRID, Pen
from .picture import Picture
from .plan import NAMES

#: Cells smaller than this have no names.
NAMED = 11
#: How far a board of wells reaches beyond its cells: the part of a cell, and the most in pixels.
WALL = (0.08, 0.0, 6.0)
#: How large star points are, in cells.
STAR = 0.09


def draw_ground(pen: Pen, picture: Picture) -> None:
    """Draw what is below all marks."""
    board = geometry(picture.state.rules)
    if pen.look is Look.DISCS:
        pen.fill([_grown(board.extent, pen)], pen.palette.panel)
        pen.fill([board.extent], pen.palette.well)
    elif pen.look is Look.STONES:
        pen.fill([board.extent], pen.palette.wood)
        _draw_crossings(pen, picture.state.rules, board)
    else:
        _draw_paper(pen, picture, board)
    _draw_washes(pen, picture, board)


def draw_front(pen: Pen, picture: Picture) -> None:
    """Draw what is above the marks: the front of a board of wells."""
    if pen.look is Look.DISCS:
        board = geometry(picture.state.rules)
        for box in board.boxes:
            pen.well(box)
        pen.frame([_grown(board.extent, pen)], pen.palette.disc_edge, 1)


def draw_names(pen: Pen, rules: Rules) -> None:
    """Write letters above and numbers to the left, or the numbers of columns alone.

    The number of a layer is above its letters. Below a board of wells there is room for a number:
    above it is the disc that falls next.
    """
    if pen.plan.cell < NAMED:
        return
    board, size, plan = geometry(rules), min(16, max(8, pen.plan.cell // 3)), pen.plan
    below = pen.look is Look.DISCS
    for column, x in enumerate(board.column_centres()):
        left, y = plan.point(Point(x, board.extent.height if below else 0))
        y += NAMES / 2 + 6 if below else -NAMES / 2 - 2
        text = str(column + 1) if board.is_numbered else board.column_names[column]
        pen.write(left, y, text, size, pen.palette.muted)
    for row, y in enumerate([] if board.is_numbered else board.row_centres()):
        left, top = plan.point(Point(0, y))
        pen.write(left - NAMES / 2 - 3, top, board.row_names[row], size, pen.palette.muted)
    for number, x in board.layers:
        left, top = plan.point(Point(x, 0))
        pen.write(left, top - NAMES * 1.5 - 4, number, size + 2, pen.palette.ink)


def _draw_paper(pen: Pen, picture: Picture, board: Geometry) -> None:
    """Draw a board of lines; small boards that may be played in are lit."""
    palette, smalls = pen.palette, small_boards(picture.state)
    pen.fill(board.boards, palette.paper)
    lit = [small.box for small in smalls if small.open]
    if len(lit) == len(smalls):
        lit = []
    pen.fill(lit, palette.lit)
    decisive = [board.boxes[cell] for cell in lit_cells(picture.state)]
    pen.fill(decisive, palette.lit)
    if picture.last is not None:
        pen.fill([board.boxes[picture.last]], palette.last, inset=0.04)
    grid = round(pen.plan.thickness(GRID))
    for stroke in board.grid:
        pen.stroke(stroke, palette.line, grid)
    frame = pen.plan.thickness(FRAME)
    pen.frame(board.boards, palette.line, frame)
    pen.frame([*lit, *decisive], palette.ink, frame + 1)


def _draw_crossings(pen: Pen, rules: Rules, board: Geometry) -> None:
    xs, ys, width = board.column_centres(), board.row_centres(), round(pen.plan.thickness(GRID))
    strokes = [Segment(Point(x, ys[0]), Point(x, ys[-1])) for x in xs]
    strokes += [Segment(Point(xs[0], y), Point(xs[-1], y)) for y in ys]
    for stroke in strokes:
        pen.stroke(stroke, pen.palette.wood_line, width)
    for cell in star_points(rules):
        pen.circle(board.boxes[cell], STAR, pen.palette.wood_line)


def _draw_washes(pen: Pen, picture: Picture, board: Geometry) -> None:
    """Tint the cells whose moves have a value, as the best of the values in each."""
    palette = pen.palette
    washes = {
        "win": palette.win_wash,
        "draw": palette.draw_wash,
        "open": palette.last,
        "loss": palette.loss_wash,
    }
    for cell, moves in by_cell(picture.state.rules, picture.values).items():
        inset = 0.14 if pen.look is Look.STONES else 0.02
        pen.fill([board.boxes[cell]], washes[best_outcome(moves)], inset)


def _grown(box: Box, pen: Pen) -> Box:
    wall = pen.plan.thickness(WALL) / pen.plan.cell
    return Box(box.x - wall, box.y - wall, box.width + 2 * wall, box.height + 2 * wall)
