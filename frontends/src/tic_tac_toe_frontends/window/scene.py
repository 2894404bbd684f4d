"""Draws a state on a canvas of any size."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Collection, Iterable
from typing import NamedTuple

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import NAMES as LETTERS
from tic_tac_toe.logic.rules.traits import (
    chooses_letter,
    leaving_cells,
    letter_of,
    placement,
    traits_of,
)
from tic_tac_toe.logic.search.evaluation import MoveEvaluation
from tic_tac_toe.logic.shapes import layout
from tic_tac_toe.pictures.board import (
    Box,
    Geometry,
    Look,
    Point,
    Segment,
    SmallBoard,
    best_outcome,
    by_cell,
    geometry,
    sign_of,
    small_boards,
    star_points,
    strikes,
)

from .marks import (
    RADIUS,
    Layers,
    Marks,
    cross,
    disc,
    halo,
    holed,
    naught,
    rim,
    small_cross,
    small_naught,
)
from .palettes import Palette
from .plan import LARGEST, NAMES, Plan, Zoom, plan_of


class Picture(NamedTuple):
    """A state with its decorations.

    Attributes:
        last: the cell of the last move.
        names: whether to show coordinates.
    """

    state: GameState
    last: int | None = None
    best: Collection[int] = ()
    values: Collection[MoveEvaluation] = ()
    look: Look = Look.MARKS
    names: bool = True


class Brush:
    """Collects drawing commands, and runs them in one call to Tk.

    Each call to Tk releases the GIL. While a computer player searches in another thread, this one
    gets it back only after `SWITCH_SECONDS`, once for each mark of a large board.
    """

    def __init__(self, canvas: tk.Canvas) -> None:
        self._canvas = canvas
        self._commands: list[str] = []

    def paint(self) -> None:
        """Run the collected commands."""
        commands, self._commands = self._commands, []
        self._canvas.tk.eval("\n".join(commands))

    def erase(self, tag: str) -> None:
        """Delete the items with a tag."""
        self._add("delete", tag)

    def draw(self, kind: str, numbers: tuple[float, ...], **options: object) -> None:
        """Draw an item.

        Args:
            kind: Tk's name, such as ``rectangle``.
            numbers: the coordinates in pixels.
            options: Tk's. The caller must keep a reference to a picture.
        """
        words = [f"-{name} {{{value}}}" for name, value in options.items()]
        self._add("create", kind, *(f"{number:.2f}" for number in numbers), *words)

    def _add(self, *words: str) -> None:
        self._commands.append(" ".join([str(self._canvas), *words]))


#: The thickness of strokes: a fraction of a cell, and limits in pixels.
STRIKE, FRAME, RING, GRID = (0.1, 3, 12), (0.03, 1.6, 3), (0.05, 1.5, 4), (0.012, 1, 2)


class Pen:
    """Draws by a plan, in the colours of a palette.

    Args:
        family: the font of texts.
    """

    def __init__(self, canvas: tk.Canvas, palette: Palette, family: str) -> None:
        self.brush = Brush(canvas)
        self.palette = palette
        self.plan = Plan(0, 0, LARGEST)
        self.look = Look.MARKS
        self.marks = Marks(canvas)
        self._family = family

    def fill(self, boxes: Iterable[Box], colour: str, inset: float = 0.0) -> None:
        """Fill boxes with a colour."""
        for box in boxes:
            self.brush.draw("rectangle", self.plan.box(box, inset), fill=colour, outline="")

    def frame(self, boxes: Iterable[Box], colour: str, width: float, inset: float = 0.0) -> None:
        """Draw frames around boxes."""
        for box in boxes:
            corners = self.plan.box(box, inset)
            self.brush.draw("rectangle", corners, outline=colour, width=max(1, round(width)))

    def circle(
        self, box: Box, part: float, colour: str, width: float = 0.0, dash: str = ""
    ) -> None:
        """Draw a circle in the middle of a box; fill it if it has no width.

        Args:
            part: its radius as a fraction of the box.
        """
        (x, y), radius = self.plan.point(box.centre), part * box.width * self.plan.cell
        corners = (x - radius, y - radius, x + radius, y + radius)
        if width:
            self.brush.draw("oval", corners, outline=colour, width=width, dash=dash)
        else:
            self.brush.draw("oval", corners, fill=colour, outline="")

    def line(self, ends: tuple[float, ...], colour: str, width: float, tag: str = "") -> None:
        """Draw a stroke between two points in pixels."""
        self.brush.draw("line", ends, fill=colour, width=width, capstyle="round", tags=tag)

    def stroke(self, segment: Segment, colour: str, width: float) -> None:
        """Draw a stroke of the board."""
        self.line(self.plan.stroke(segment), colour, width)

    def write(
        self, x: float, y: float, text: str, pixels: int, colour: str, *, bold: bool = False
    ) -> None:
        """Write a text centred at a point in pixels."""
        font = f"{{{self._family}}} -{pixels}{' bold' if bold else ''}"  # negative: in pixels
        self.brush.draw("text", (x, y), text=text, fill=colour, font=font)

    def piece(self, side: int, box: Box, strength: float = 1.0, tag: str = "") -> None:
        """Draw a mark of a side, 0 or 1, in the game's look."""
        size = int(min(box.width, box.height) * self.plan.cell)
        self._place(box, layers_of(self.look, side, self.palette), size, strength, tag)

    def halo(self, box: Box, colour: str) -> None:
        """Draw a ring around a round mark."""
        self._place(box, ((colour, halo),), self.plan.cell)

    def well(self, box: Box) -> None:
        """Draw the front of a well, with a hole."""
        self._place(box, ((self.palette.panel, holed),), self.plan.cell)

    def _place(
        self, box: Box, layers: Layers, size: int, strength: float = 1.0, tag: str = ""
    ) -> None:
        picture = self.marks.picture(layers, size, strength)
        x, y = self.plan.point(box.centre)
        # Anchored at its corner: Tk rounds the middle of an odd size up.
        corner = (x - size / 2, y - size / 2)
        self.brush.draw("image", corner, image=picture, anchor="nw", tags=tag)


def layers_of(look: Look, side: int, palette: Palette) -> Layers:
    """Return the shapes of the mark of a side, 0 or 1."""
    if look is Look.DISCS and side == 0:
        relief = palette.disc_x_relief
        return ((palette.disc_x, disc), (relief, rim), (relief, small_cross))
    if look is Look.DISCS:
        relief = palette.disc_o_relief
        return ((palette.disc_o, disc), (relief, rim), (relief, small_naught))
    if look is Look.STONES:
        colour = (palette.stone_x, palette.stone_o)[side]
        return ((colour, disc), (palette.stone_edge, rim))
    return (((palette.x, cross), (palette.o, naught))[side],)


#: Boards with smaller cells, in pixels, have no coordinates.
NAMED = 11
#: The rim of a board of wells: a fraction of a cell, and the maximum in pixels.
WALL = (0.08, 0.0, 6.0)
#: The size of star points in cells.
STAR = 0.09


def draw_ground(pen: Pen, picture: Picture) -> None:
    """Draw everything below the marks."""
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
    """Draw everything above the marks: the front of a board of wells."""
    if pen.look is Look.DISCS:
        board = geometry(picture.state.rules)
        for box in board.boxes:
            pen.well(box)
        pen.frame([_grown(board.extent, pen)], pen.palette.disc_edge, 1)


def draw_names(pen: Pen, rules: Rules) -> None:
    """Write letters above and numbers to the left, or the numbers of columns alone.

    The number of a layer is above its letters. Numbers of a board of wells are below it: the next
    disc is above.
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
    """Draw a board of lines, with playable small boards highlighted."""
    palette, smalls = pen.palette, small_boards(picture.state)
    pen.fill(board.boards, palette.paper)
    lit = [small.box for small in smalls if small.open]
    if len(lit) == len(smalls):
        lit = []
    pen.fill(lit, palette.lit)
    decisive = [board.boxes[cell] for cell in picture.state.winning_cells]
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
    """Tint the cells with values by the best value in each."""
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


#: The opacity of a mark that would be placed, of one in a decided small board, and of one that
#: leaves next.
GHOST, DECIDED, LEAVING = 0.35, 0.4, 0.4

LAST, STRUCK, OVER = "last", "struck", "over"


class Scene:
    """Draws on a canvas.

    Args:
        family: the font of coordinates.
    """

    def __init__(self, canvas: tk.Canvas, palette: Palette, family: str) -> None:
        self._canvas = canvas
        self._pen = Pen(canvas, palette, family)

    @property
    def plan(self) -> Plan:
        """The layout of the board."""
        return self._pen.plan

    def draw(self, picture: Picture, zoom: Zoom | None = None) -> None:
        """Draw a picture in place of the previous one.

        The last mark is highlighted and tagged `LAST`. Moves of the hint have a ring around their
        cells, with the letter in games with a choice.
        """
        pen, state = self._pen, picture.state
        pen.brush.erase("all")
        width, height = self._canvas.winfo_width(), self._canvas.winfo_height()
        pen.look = picture.look
        pen.plan = plan_of(state.rules, width, height, picture.look, names=picture.names, zoom=zoom)
        draw_ground(pen, picture)
        self._draw_marks(state, picture.last, small_boards(state))
        draw_front(pen, picture)
        self._draw_last(picture)
        self._draw_barred(state)
        self._draw_advice(picture)
        if picture.names:
            draw_names(pen, state.rules)
        self._draw_strikes(state, 1.0)
        pen.brush.paint()
        pen.marks.forget_old()

    def draw_strikes(self, state: GameState, part: float) -> None:
        """Draw the first part of the lines that decided the game, one after the other."""
        self._pen.brush.erase(STRUCK)
        self._draw_strikes(state, part)
        self._pen.brush.paint()

    def draw_over(self, state: GameState, ghost: int | None, cursor: int | None) -> None:
        """Draw the decorations of pointer and keyboard.

        Args:
            ghost: the move to preview by its mark; on a board of wells by the disc above it.
            cursor: the cell of the keyboard's cursor.
        """
        pen, boxes = self._pen, geometry(state.rules).boxes
        pen.brush.erase(OVER)
        if ghost is not None and (placed := placement(state.rules, state.position.turn, ghost)):
            box = boxes[placed.cell]
            pen.piece(placed.mark, box, GHOST, OVER)
            if pen.look is Look.DISCS:
                pen.piece(placed.mark, Box(box.x, -1.05, 1, 1), 1.0, OVER)
        if cursor is not None:
            width = 3 if pen.plan.cell > 24 else 2
            corners = pen.plan.box(boxes[cursor], inset=0.06)
            colour = pen.palette.focus if pen.look is Look.MARKS else self._sign(None)
            pen.brush.draw("rectangle", corners, outline=colour, width=width, tags=OVER)
        pen.brush.paint()

    def close(self) -> None:
        """Drop all pictures, in the thread that created them."""
        self._canvas.delete("all")
        self._pen.marks.forget_all()

    def _draw_marks(
        self, state: GameState, last: int | None, smalls: Collection[SmallBoard]
    ) -> None:
        """Draw all marks, faint if they do not count or leave next, and marks of won small boards.

        If won small boards stay playable, the marks inside are not faint, but theirs are.
        """
        board, stays_open = geometry(state.rules), "open" in traits_of(state.rules).words
        won = [small for small in smalls if small.owner is not None]
        closed = [] if stays_open else [small.box for small in won]
        leaving = () if state.game_over else leaving_cells(state.rules, state.position)
        for side, stones in enumerate(state.position.stones):
            for cell in layout(board.shape).cells(stones):
                box, strength = board.boxes[cell], 1.0
                if cell in leaving:
                    strength = LEAVING
                elif any(around.holds(box.centre) for around in closed):
                    strength = DECIDED
                self._pen.piece(side, box, strength, LAST if cell == last else "")
        for small in won:
            assert small.owner is not None
            self._pen.piece(small.owner, small.box, GHOST if stays_open else 1.0)

    def _draw_last(self, picture: Picture) -> None:
        """Mark the last disc or stone, and the deciding ones if no line can show them."""
        if picture.look is Look.MARKS:
            return
        pen, state, last = self._pen, picture.state, picture.last
        boxes = geometry(state.rules).boxes
        if last is not None and picture.look is Look.STONES:
            pen.circle(boxes[last], 0.13, self._sign(state.grid.cells[last]))
        elif last is not None:
            pen.halo(boxes[last], self._sign(None))
        frame = pen.plan.thickness(FRAME) + 2
        pen.frame(
            [boxes[cell] for cell in state.winning_cells], self._sign(None), frame, inset=0.04
        )

    def _sign(self, mark: str | None) -> str:
        """Return the colour of a sign on a mark or an empty cell."""
        palette = self._pen.palette
        if self._pen.look is Look.DISCS:
            return palette.disc_sign
        if mark is None:
            return palette.stone_strike
        return palette.stone_x_sign if mark == "X" else palette.stone_o_sign

    def _draw_barred(self, state: GameState) -> None:
        """Hatch empty cells that are forbidden for the mover, as in Renju.

        Not needed if boards are highlighted, or under gravity.
        """
        pen, board, traits = self._pen, geometry(state.rules), traits_of(state.rules)
        if board.is_divided or traits.gravity or state.game_over:
            return
        empty = {cell for cell, mark in enumerate(state.grid.cells) if mark == " "}
        colour = pen.palette.stone_strike if pen.look is Look.STONES else pen.palette.muted
        for cell in empty.difference(state.legal_cells):
            corners = pen.plan.box(board.boxes[cell], inset=0.15)
            pen.brush.draw("rectangle", corners, fill=colour, stipple="gray25", outline="")

    def _draw_advice(self, picture: Picture) -> None:
        """Write the values of moves into their cells, and draw rings around the best moves."""
        state, best = picture.state, set(picture.best)
        values = by_cell(state.rules, picture.values)
        letters = _letters_of_best(state, best)
        for cell in sorted(values.keys() | letters.keys()):
            if cell in letters:
                self._draw_ring(geometry(state.rules).boxes[cell])
            lines = [
                (f"{letter_of(state.rules, move.move)}{sign_of(move)}", move.outcome)
                for move in values.get(cell, ())
            ]
            if not lines and chooses_letter(state.rules):
                lines = [(letters[cell], "win")]
            self._write_lines(geometry(state.rules).boxes[cell], lines)

    def _write_lines(self, box: Box, lines: Collection[tuple[str, str]]) -> None:
        """Write lines into a cell, each in the colour of an outcome."""
        pen = self._pen
        palette, cell = pen.palette, pen.plan.cell
        colours = {
            "win": palette.win,
            "draw": palette.draw,
            "open": palette.ink,
            "loss": palette.loss,
        }
        pixels = max(8, min(28, cell // (3 if len(lines) < 2 else 4)))
        x, y = pen.plan.point(box.centre)
        y -= (len(lines) - 1) * pixels * 0.6
        for text, outcome in lines:
            pen.write(x, y, text, pixels, colours[outcome], bold=True)
            y += pixels * 1.2

    def _draw_ring(self, box: Box) -> None:
        pen = self._pen
        width = pen.plan.thickness(RING)
        dash = f"{round(2 + 3 * width)} {round(2 + 2 * width)}"
        colours = {Look.DISCS: pen.palette.disc_sign, Look.STONES: pen.palette.stone_best}
        pen.circle(box, RADIUS + 0.13, colours.get(pen.look, pen.palette.win), width, dash)

    def _draw_strikes(self, state: GameState, part: float) -> None:
        """Draw each line with a rim; on paper a paler one, which smooths the edge."""
        segments, pen, palette = strikes(state), self._pen, self._pen.palette
        has_owners = traits_of(state.rules).owners is not None
        colour, rim, more = palette.strike, mixed(palette.paper, palette.strike, 0.4), 1.0
        if pen.look is Look.DISCS:
            colour, rim, more = palette.disc_sign, palette.disc_edge, 4.0
        elif pen.look is Look.STONES:
            colour, rim, more = palette.stone_strike, palette.stone_strike_edge, 4.0
        for index, segment in enumerate(segments):
            done = min(max(part * len(segments) - index, 0.0), 1.0)
            if done:
                ends = pen.plan.stroke(segment, done)
                is_long = has_owners and index > 0 and index == len(segments) - 1
                width = pen.plan.thickness(STRIKE) * (1.7 if is_long else 1)
                pen.line(ends, rim, width + more, STRUCK)
                pen.line(ends, colour, width - 0.5, STRUCK)


def _letters_of_best(state: GameState, best: Iterable[int]) -> dict[int, str]:
    letters: dict[int, str] = {}
    for move in sorted(best):
        if placed := placement(state.rules, state.position.turn, move):
            letters[placed.cell] = letters.get(placed.cell, "") + LETTERS[placed.mark]
    return letters


def mixed(one: str, other: str, part: float) -> str:
    """Return a mix of two colours: the first at part 0, the second at part 1."""
    pairs = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)
