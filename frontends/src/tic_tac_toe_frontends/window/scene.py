"""Prints pictures of boards on a canvas of any size."""

from __future__ import annotations

import math
import tkinter as tk
from collections.abc import Iterable
from typing import TypeGuard

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.traits import placement
from tic_tac_toe.pictures.board import Box, Look, Point, geometry
from tic_tac_toe.pictures.shapes import (
    DESIGNS,
    UNITS,
    Circle,
    Cross,
    Ink,
    Lines,
    Panel,
    Picture,
    Piece,
    Rect,
    Shape,
    Text,
    ink_of,
    names_of,
    piece_of,
    shapes_of,
)

from .marks import Layer, Marks, layers_of
from .palettes import Palette
from .plan import LARGEST, NAMES, CanvasPlan, Zoom, plan_of

#: Boards with smaller cells, in pixels, have no coordinates.
NAMED = 11
#: The minimum and maximum height of a text in a cell, in pixels.
TEXT = (8, 28)
#: The opacity of a mark that would be placed.
GHOST = 0.35
#: The tags of the latest mark and of what pointer and keyboard show. Each item is tagged with the
#: roles of its shape.
LATEST, OVER = "latest", "over"


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

    def call(self, *words: str) -> None:
        """Call a command of the canvas, such as ``delete``."""
        self._commands.append(" ".join([str(self._canvas), *words]))

    def draw(self, kind: str, numbers: Iterable[float], **options: object) -> None:
        """Draw an item.

        Args:
            kind: Tk's name, such as ``rectangle``.
            numbers: the coordinates in pixels.
            options: Tk's. The caller must keep a reference to a picture.
        """
        words = [f"-{name} {{{value}}}" for name, value in options.items()]
        self.call("create", kind, *(f"{number:.2f}" for number in numbers), *words)


class Scene:
    """Draws pictures on a canvas, in the colours of a palette.

    Args:
        family: the font of texts.
    """

    def __init__(self, canvas: tk.Canvas, palette: Palette, family: str) -> None:
        self._canvas = canvas
        self._palette = palette
        self._family = family
        self._brush = Brush(canvas)
        self._marks = Marks(canvas)
        self._design = DESIGNS[Look.MARKS]
        self._shapes: tuple[Shape, ...] = ()
        self.plan = CanvasPlan(0, 0, LARGEST)

    def draw(self, picture: Picture, zoom: Zoom | None = None) -> None:
        """Draw a picture in place of the previous one."""
        rules, canvas = picture.state.rules, self._canvas
        size = canvas.winfo_width(), canvas.winfo_height()
        self.plan = plan_of(rules, *size, picture.look, names=picture.names, zoom=zoom)
        self._design = DESIGNS[picture.look]
        self._shapes = shapes_of(picture)
        self._brush.call("delete", "all")
        if not self._design.ground[0]:
            for board in geometry(rules).boards:
                self._print(Rect("paper", board))
        for shape in self._shapes:
            self._print(shape)
        if picture.names and self.plan.cell >= NAMED:
            for name in names_of(rules):
                self._write_name(name)
        self._brush.paint()
        self._marks.forget_old()

    def draw_strikes(self, part: float) -> None:
        """Draw the first part of the lines that decided the game, one after the other."""
        lines = [shape for shape in self._shapes if _is_strike(shape)]
        segments = [*dict.fromkeys(segment for line in lines for segment in line.segments)]
        self._brush.call("delete", "strike", "strike-edge")
        for line in lines:
            index = segments.index(line.segments[0])
            self._stroke(line, min(max(part * len(segments) - index, 0.0), 1.0))
        for above in ("plate", "number"):
            self._brush.call("raise", above)
        self._brush.paint()

    def draw_over(self, state: GameState, ghost: int | None, cursor: int | None) -> None:
        """Draw the decorations of pointer and keyboard.

        Args:
            ghost: the move to preview by its mark; on a board of wells by the disc above it.
            cursor: the cell of the keyboard's cursor.
        """
        boxes, is_well = geometry(state.rules).boxes, self._design is DESIGNS[Look.DISCS]
        self._brush.call("delete", OVER)
        if ghost is not None and (placed := placement(state.rules, state.position.turn, ghost)):
            box = boxes[placed.cell]
            self._stamp(piece_of(self._design, placed.mark, box), GHOST, OVER)
            if is_well:
                above = piece_of(self._design, placed.mark, Box(box.x, -1.05, 1, 1))
                self._stamp(above, 1.0, OVER)
        if cursor is not None:
            on_paper = self._design is DESIGNS[Look.MARKS]
            colour = "" if on_paper else self._colour(ink_of(self._design, "best").stroke)
            options = {"outline": colour or self._palette.focus, "tags": OVER}
            width = 3 if self.plan.cell > 24 else 2
            self._brush.draw(
                "rectangle", self.plan.box(boxes[cursor], 0.06), width=width, **options
            )
        self._brush.paint()

    def close(self) -> None:
        """Drop all pictures, in the thread that created them."""
        self._canvas.delete("all")
        self._marks.forget_all()

    def _print(self, shape: Shape) -> None:
        ink = ink_of(self._design, shape.role)
        match shape:
            case Rect(_, box):
                line = round(self.plan.thickness(ink.width)) if ink.stroke else 0
                colours = {"fill": self._colour(ink.fill), "outline": self._colour(ink.stroke)}
                self._brush.draw("rectangle", self.plan.box(box), width=line, **colours)
            case Circle(_, centre, radius) if ink.dashes:
                (x, y), reach = self.plan.point(centre), radius * self.plan.cell
                width = self.plan.thickness(ink.width)
                self._brush.draw(
                    "oval",
                    (x - reach, y - reach, x + reach, y + reach),
                    outline=self._colour(ink.stroke),
                    width=width,
                    dash=f"{round(2 + 3 * width)} {round(2 + 2 * width)}",
                )
            case Circle(_, centre, reach) | Cross(_, centre, reach):
                layers = tuple(layers_of(shape, ink, self._palette, self.plan.cell))
                margin = ink.width / UNITS
                size = math.ceil(2 * (reach + margin) * self.plan.cell) + 1
                self._place(centre, layers, size, tags=shape.role)
            case Lines():
                self._stroke(shape)
            case Panel():
                self._front(shape, self._colour(ink.fill))
            case Text(_, at, text):
                self._write(self.plan.point(at), text, ink, tags=shape.role)
            case Piece():
                self._stamp(shape, ink.opacity or 1.0, shape.role)

    def _stroke(self, lines: Lines, part: float = 1.0) -> None:
        ink = ink_of(self._design, lines.role)
        width = self.plan.thickness(ink.width)
        # Lines between cells are sharp; those at an angle look smoother with any width.
        width = width if _is_strike(lines) else round(width)
        for segment in lines.segments if part else ():
            ends = self.plan.stroke(segment, part)
            caps = "projecting" if ink.ends == "square" else "round"
            colour = self._colour(ink.stroke)
            self._brush.draw("line", ends, fill=colour, width=width, capstyle=caps, tags=lines.role)

    def _front(self, panel: Panel, colour: str) -> None:
        """Draw the front of a board of wells: a rim, and a square with a hole for each cell."""
        cell = self.plan.cell
        for hole in panel.holes:
            self._place(hole.centre, (Layer("hole", colour, hole.radius * cell),), cell)
        rim = max(2.0, (0.5 + panel.holes[0].centre.x - 1 - panel.box.x) * cell)
        corners = self.plan.box(panel.box, rim / 2 / cell)
        self._brush.draw("rectangle", corners, outline=colour, width=rim)

    def _stamp(self, piece: Piece, strength: float, tags: str) -> None:
        """Draw a piece; all its shapes lie around the middle of its box."""
        layers: list[Layer] = []
        for shape in piece.shapes:
            ink = ink_of(self._design, f"{piece.role} {shape.role}")
            if isinstance(shape, Text):
                centre = self.plan.point(piece.box.centre)
                ink = Ink(ink.stroke, size=shape.size * UNITS)
                self._write(centre, shape.text, ink, tags, strength)
            elif isinstance(shape, Circle | Cross):
                layers += layers_of(shape, ink, self._palette, self.plan.cell)
        if layers:
            size = int(min(piece.box.width, piece.box.height) * self.plan.cell)
            self._place(piece.box.centre, tuple(layers), size, strength, tags)

    def _place(
        self,
        centre: Point,
        layers: tuple[Layer, ...],
        size: int,
        strength: float = 1.0,
        tags: str = "",
    ) -> None:
        picture = self._marks.picture(layers, size, strength)
        x, y = self.plan.point(centre)
        # Anchored at its corner: Tk rounds the middle of an odd size up.
        corner = (x - size / 2, y - size / 2)
        self._brush.draw("image", corner, image=picture, anchor="nw", tags=tags)

    def _write(
        self, at: tuple[float, float], text: str, ink: Ink, tags: str = "", strength: float = 1.0
    ) -> None:
        pixels = round(min(max(ink.size * self.plan.cell / UNITS, TEXT[0]), TEXT[1]))
        font = f"{{{self._family}}} -{pixels}{' bold' if ink.bold else ''}"  # negative: in pixels
        colour = mixed(self._palette.paper, self._colour(ink.fill), strength)
        self._brush.draw("text", at, text=text, fill=colour, font=font, tags=tags)

    def _write_name(self, name: Text) -> None:
        (x, y), side = self.plan.point(name.at), name.role.split()[1]
        right, down = {
            "above": (0, -NAMES / 2 - 2),
            "below": (0, NAMES / 2 + 6),
            "before": (-NAMES / 2 - 3, 0),
            "layer": (0, -NAMES * 1.5 - 4),
        }[side]
        pixels = min(16, max(8, self.plan.cell // 3)) + 2 * (side == "layer")
        colour = self._palette.ink if side == "layer" else self._palette.muted
        font = f"{{{self._family}}} -{pixels}"
        self._brush.draw("text", (x + right, y + down), text=name.text, fill=colour, font=font)

    def _colour(self, name: str) -> str:
        return self._palette.colours.get(name, "")


def _is_strike(shape: Shape) -> TypeGuard[Lines]:
    return isinstance(shape, Lines) and shape.role.startswith("strike")


def mixed(one: str, other: str, part: float) -> str:
    """Return a mix of two colours: the first at part 0, the second at part 1."""
    pairs = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)
