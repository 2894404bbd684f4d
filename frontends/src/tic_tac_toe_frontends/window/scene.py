"""A state drawn on a canvas of any size."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Collection, Iterable

from tic_tac_toe.game.geometry import Box, SmallBoard, geometry, lit_cells, small_boards, strikes
from tic_tac_toe.game.looks import Look
from tic_tac_toe.game.signs import by_cell, sign_of
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.alternation import NAMES as LETTERS
from tic_tac_toe.logic.rules.placements import chooses_letter, letter_of, placement
from tic_tac_toe.logic.rules.traits import leaving_cells, traits_of
from tic_tac_toe.logic.shapes import layout

from .ground import draw_front, draw_ground, draw_names
from .marks import RADIUS
from .palettes import Palette
from .pen import FRAME, RING, STRIKE, Pen
from .picture import Picture
from .plan import Plan, Zoom, plan_of

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
        self._pen = Pen(canvas, palette, family)

    @property
    def plan(self) -> Plan:
        """Where the board lies."""
        return self._pen.plan

    def draw(self, picture: Picture, zoom: Zoom | None = None) -> None:
        """Draw a picture in place of whatever was drawn before.

        The last move is marked, and its mark is tagged `LAST`. Good moves have a ring around their
        cells; where the mover chooses the letter, it stands in the ring.
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
        """Draw the lines that decided the game, one after the other, as far as they have got."""
        self._pen.brush.erase(STRUCK)
        self._draw_strikes(state, part)
        self._pen.brush.paint()

    def draw_over(self, state: GameState, ghost: int | None, cursor: int | None) -> None:
        """Draw what follows the pointer and the keys.

        Args:
            ghost: the move to show, by the mark that would come; above a board of wells is the
                disc that would fall.
            cursor: the cell that the keyboard is at.
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
        """Drop all pictures, in the thread that made them."""
        self._canvas.delete("all")
        self._pen.marks.forget_all()

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
                self._pen.piece(side, box, strength, LAST if cell == last else "")
        for small in won:
            assert small.owner is not None
            self._pen.piece(small.owner, small.box, GHOST if stays_open else 1.0)

    def _draw_last(self, picture: Picture) -> None:
        """Mark discs and stones: the last one, and those that decided where no line can show it."""
        if picture.look is Look.MARKS:
            return
        pen, state, last = self._pen, picture.state, picture.last
        boxes = geometry(state.rules).boxes
        if last is not None and picture.look is Look.STONES:
            pen.circle(boxes[last], 0.13, self._sign(state.grid.cells[last]))
        elif last is not None:
            pen.halo(boxes[last], self._sign(None))
        frame = pen.plan.thickness(FRAME) + 2
        pen.frame([boxes[cell] for cell in lit_cells(state)], self._sign(None), frame, inset=0.04)

    def _sign(self, mark: str | None) -> str:
        """Return the colour of a sign on a mark, or between the marks."""
        palette = self._pen.palette
        if self._pen.look is Look.DISCS:
            return palette.disc_sign
        if mark is None:
            return palette.stone_strike
        return palette.stone_x_sign if mark == "X" else palette.stone_o_sign

    def _draw_barred(self, state: GameState) -> None:
        """Hatch empty cells in which the mover may place nothing, as in Renju.

        Where boards are lit it is seen already, and under gravity marks find their cells.
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
        """Write the values of moves into their cells, and draw rings around the best ones."""
        state, best = picture.state, set(picture.best)
        values = by_cell(state.rules, picture.values)
        letters = _letters_of_best(state, best)
        for cell in sorted(values.keys() | letters.keys()):
            if cell in letters:
                self._draw_ring(geometry(state.rules).boxes[cell])
            lines = [
                (f"{letter_of(state.rules, move.cell)}{sign_of(move)}", move.outcome)
                for move in values.get(cell, ())
            ]
            if not lines and chooses_letter(state.rules):
                lines = [(letters[cell], "win")]
            self._write_lines(geometry(state.rules).boxes[cell], lines)

    def _write_lines(self, box: Box, lines: Collection[tuple[str, str]]) -> None:
        """Write lines one below the other into a cell, each in the colour of an outcome."""
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
        """Draw each with a rim: on paper a paler one, which makes its edge look smooth."""
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
    """Return the cells of good moves, with the letters that they place there."""
    letters: dict[int, str] = {}
    for move in sorted(best):
        if placed := placement(state.rules, state.position.turn, move):
            letters[placed.cell] = letters.get(placed.cell, "") + LETTERS[placed.mark]
    return letters


def mixed(one: str, other: str, part: float) -> str:
    """Return a colour between two: the first where the part is 0, the second where it is 1."""
    pairs = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)
