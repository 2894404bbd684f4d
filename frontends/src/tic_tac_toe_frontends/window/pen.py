"""What draws the parts of a board: boxes, strokes, marks and words, where a plan puts them."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterable

from tic_tac_toe.game.geometry import Box, Segment
from tic_tac_toe.game.looks import Look

from .brush import Brush
from .marks import Layers, Marks, cross, disc, halo, holed, naught, rim, small_cross, small_naught
from .palettes import Palette
from .plan import LARGEST, Plan

#: How thick strokes are, as parts of a cell: the least, and the most in pixels.
STRIKE, FRAME, RING, GRID = (0.1, 3, 12), (0.03, 1.6, 3), (0.05, 1.5, 4), (0.012, 1, 2)


class Pen:
    """Draws where the plan says, in the colours of a palette.

    Args:
        family: the font of words.

    Attributes:
        plan: where the board lies.
        look: how marks are drawn.
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
        """Draw a circle in the middle of a box, or fill it where it has no width.

        Args:
            part: its radius as a part of the box.
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
        """Write words in the middle of a point in pixels."""
        font = f"{{{self._family}}} -{pixels}{' bold' if bold else ''}"  # negative: in pixels
        self.brush.draw("text", (x, y), text=text, fill=colour, font=font)

    def piece(self, side: int, box: Box, strength: float = 1.0, tag: str = "") -> None:
        """Draw a mark of a side, 0 or 1, as it looks in the game."""
        size = int(min(box.width, box.height) * self.plan.cell)
        self._place(box, layers_of(self.look, side, self.palette), size, strength, tag)

    def halo(self, box: Box, colour: str) -> None:
        """Draw a ring around a round mark."""
        self._place(box, ((colour, halo),), self.plan.cell)

    def well(self, box: Box) -> None:
        """Draw the front of a well: what is behind it is seen through its hole."""
        self._place(box, ((self.palette.panel, holed),), self.plan.cell)

    def _place(
        self, box: Box, layers: Layers, size: int, strength: float = 1.0, tag: str = ""
    ) -> None:
        """Draw a picture in the middle of a box."""
        picture = self.marks.picture(layers, size, strength)
        x, y = self.plan.point(box.centre)
        # By its corner, because Tk rounds the middle of a picture with an odd size up.
        corner = (x - size / 2, y - size / 2)
        self.brush.draw("image", corner, image=picture, anchor="nw", tags=tag)


def layers_of(look: Look, side: int, palette: Palette) -> Layers:
    """Return the shapes that the mark of a side, 0 or 1, is made of."""
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
