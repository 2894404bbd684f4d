"""A state drawn on a canvas of any size."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Collection, Iterable

from tic_tac_toe.game.geometry import (
    Box,
    Point,
    SmallBoard,
    geometry,
    lit_cells,
    small_boards,
    strikes,
)
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import NAMES as LETTERS
from tic_tac_toe.logic.rules.placements import chooses_letter, placement
from tic_tac_toe.logic.rules.traits import leaving_cells, traits_of
from tic_tac_toe.logic.shapes import layout

from .brush import Brush
from .marks import RADIUS, Marks
from .palettes import Palette
from .plan import LARGEST, NAMES, Plan, plan_of

#: Cells smaller than this have no names.
NAMED = 11
#: How thick strokes are, as parts of a cell: the least, and the most in pixels.
STRIKE, FRAME, RING, GRID = (0.1, 3, 12), (0.03, 1.6, 3), (0.05, 1.5, 4), (0.012, 1, 2)
#: How strongly a mark is drawn that is not there yet, one in a small board that is decided, and
#: one that leaves the board next.
GHOST, DECIDED, LEAVING = 0.35, 0.4, 0.4

LAST, STRUCK, OVER = "last", "struck", "over"


class Scene:
    """Draws on a canvas.

    Args:
        family: the font of the names of rows and columns.
    """

    def __init__(self, canvas: tk.Canvas, palette: Palette, family: str) -> None:
        self._canvas = canvas
        self._brush = Brush(canvas)
        self._palette = palette
        self._family = family
        self._marks = Marks(canvas)
        self.plan = Plan(0, 0, LARGEST)

    def draw(self, state: GameState, last: int | None, best: Collection[int]) -> None:
        """Draw a state in place of whatever was drawn before.

        Args:
            last: the cell of the last move, which is shaded; its mark is tagged `LAST`.
            best: good moves, which are marked by a ring around their cells; where the mover chooses
                the letter, it stands in the ring.
        """
        brush, palette = self._brush, self._palette
        brush.erase("all")
        width, height = self._canvas.winfo_width(), self._canvas.winfo_height()
        self.plan = plan_of(state.rules, width, height)
        board, smalls = geometry(state.rules), small_boards(state)
        self._fill(board.boards, palette.paper)
        lit = [small.box for small in smalls if small.open]
        if len(lit) == len(smalls):
            lit = []
        self._fill(lit, palette.lit)
        decisive = [board.boxes[cell] for cell in lit_cells(state)]
        self._fill(decisive, palette.lit)
        if last is not None:
            self._fill([board.boxes[last]], palette.last, inset=0.04)
        grid = round(self.plan.thickness(GRID))
        for stroke in board.grid:
            self._draw_line(self.plan.stroke(stroke), palette.line, grid)
        frame = self.plan.thickness(FRAME)
        self._frame(board.boards, palette.line, frame)
        self._frame([*lit, *decisive], palette.ink, frame + 1)
        self._draw_marks(state, last, smalls)
        self._draw_barred(state)
        self._draw_best(state, best)
        self._draw_names(state.rules)
        self._draw_strikes(state, 1.0)
        brush.paint()
        self._marks.forget_old()

    def draw_strikes(self, state: GameState, part: float) -> None:
        """Draw the lines that decided the game, one after the other, as far as they have got."""
        self._brush.erase(STRUCK)
        self._draw_strikes(state, part)
        self._brush.paint()

    def draw_over(self, state: GameState, ghost: int | None, cursor: int | None) -> None:
        """Draw what follows the pointer and the keys.

        Args:
            ghost: the move to show, by the mark that would come.
            cursor: the cell that the keyboard is at.
        """
        brush, boxes = self._brush, geometry(state.rules).boxes
        brush.erase(OVER)
        if ghost is not None and (placed := placement(state.rules, state.position.turn, ghost)):
            self._draw_mark(placed.mark, boxes[placed.cell], GHOST, OVER)
        if cursor is not None:
            width = 3 if self.plan.cell > 24 else 2
            corners = self.plan.box(boxes[cursor], inset=0.06)
            colour = self._palette.focus
            brush.draw("rectangle", corners, outline=colour, width=width, tags=OVER)
        brush.paint()

    def close(self) -> None:
        """Drop all pictures, in the thread that made them."""
        self._canvas.delete("all")
        self._marks.forget_all()

    def _fill(self, boxes: Iterable[Box], colour: str, inset: float = 0.0) -> None:
        for box in boxes:
            self._brush.draw("rectangle", self.plan.box(box, inset), fill=colour, outline="")

    def _frame(self, boxes: Iterable[Box], colour: str, width: float) -> None:
        for box in boxes:
            self._brush.draw("rectangle", self.plan.box(box), outline=colour, width=round(width))

    def _draw_line(self, ends: tuple[float, ...], colour: str, width: float, tag: str = "") -> None:
        self._brush.draw("line", ends, fill=colour, width=width, capstyle="round", tags=tag)

    def _draw_marks(
        self, state: GameState, last: int | None, smalls: Collection[SmallBoard]
    ) -> None:
        """Draw all marks, faint where they count no more or soon, and those of won small boards.

        Where won small boards stay playable, their own marks are the faint ones.
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
                self._draw_mark(side, box, strength, LAST if cell == last else "")
        for small in won:
            assert small.owner is not None
            self._draw_mark(small.owner, small.box, GHOST if stays_open else 1.0)

    def _draw_barred(self, state: GameState) -> None:
        """Hatch empty cells in which the mover may place nothing, as in Renju.

        Where boards are lit it is seen already, and under gravity marks find their cells.
        """
        board, traits = geometry(state.rules), traits_of(state.rules)
        if board.is_divided or traits.gravity or state.game_over:
            return
        empty = {cell for cell, mark in enumerate(state.grid.cells) if mark == " "}
        for cell in empty.difference(state.legal_cells):
            corners, colour = self.plan.box(board.boxes[cell], inset=0.15), self._palette.muted
            self._brush.draw("rectangle", corners, fill=colour, stipple="gray25", outline="")

    def _draw_best(self, state: GameState, best: Iterable[int]) -> None:
        letters: dict[int, str] = {}
        for move in sorted(best):
            if placed := placement(state.rules, state.position.turn, move):
                letters[placed.cell] = letters.get(placed.cell, "") + LETTERS[placed.mark]
        pixels = max(8, self.plan.cell // 4)
        for cell, text in letters.items():
            box = geometry(state.rules).boxes[cell]
            self._draw_ring(box)
            if chooses_letter(state.rules):
                self._write(*self.plan.point(box.centre), text, pixels, self._palette.win)

    def _draw_mark(self, side: int, box: Box, strength: float = 1.0, tag: str = "") -> None:
        size = int(min(box.width, box.height) * self.plan.cell)
        colour = (self._palette.x, self._palette.o)[side]
        picture = self._marks.picture(side, size, colour, strength)
        self._brush.draw("image", self.plan.point(box.centre), image=picture, tags=tag)

    def _draw_ring(self, box: Box) -> None:
        (x, y), radius = self.plan.point(box.centre), (RADIUS + 0.13) * self.plan.cell
        corners = (x - radius, y - radius, x + radius, y + radius)
        width = self.plan.thickness(RING)
        dash = f"{round(2 + 3 * width)} {round(2 + 2 * width)}"
        self._brush.draw("oval", corners, outline=self._palette.win, width=width, dash=dash)

    def _draw_strikes(self, state: GameState, part: float) -> None:
        """Draw each with a paler rim, which makes its edge look smooth."""
        segments, colour = strikes(state), self._palette.strike
        has_owners = traits_of(state.rules).owners is not None
        rim = mixed(self._palette.paper, colour, 0.4)
        for index, segment in enumerate(segments):
            done = min(max(part * len(segments) - index, 0.0), 1.0)
            if done:
                ends = self.plan.stroke(segment, done)
                is_long = has_owners and index > 0 and index == len(segments) - 1
                width = self.plan.thickness(STRIKE) * (1.7 if is_long else 1)
                self._draw_line(ends, rim, width + 1, STRUCK)
                self._draw_line(ends, colour, width - 0.5, STRUCK)

    def _draw_names(self, rules: Rules) -> None:
        """Write letters above and numbers to the left, or the numbers of columns alone.

        The number of a layer is above its letters.
        """
        if self.plan.cell < NAMED:
            return
        board, size = geometry(rules), min(14, max(8, self.plan.cell // 3))
        for column, x in enumerate(board.column_centres()):
            left, top = self.plan.point(Point(x, 0))
            text = str(column + 1) if board.is_numbered else board.column_names[column]
            self._write(left, top - NAMES / 2 - 2, text, size)
        for row, y in enumerate([] if board.is_numbered else board.row_centres()):
            left, top = self.plan.point(Point(0, y))
            self._write(left - NAMES / 2 - 3, top, board.row_names[row], size)
        for number, x in board.layers:
            left, top = self.plan.point(Point(x, 0))
            self._write(left, top - NAMES * 1.5 - 4, number, size + 2, self._palette.ink)

    def _write(self, x: float, y: float, text: str, pixels: int, colour: str = "") -> None:
        font = f"{{{self._family}}} -{pixels}"  # a negative size is one in pixels
        fill = colour or self._palette.muted
        self._brush.draw("text", (x, y), text=text, fill=fill, font=font)


def mixed(one: str, other: str, part: float) -> str:
    """Return a colour between two: the first where the part is 0, the second where it is 1."""
    pairs = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)
