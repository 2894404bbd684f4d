"""The layout of a board in the page: its parts, their sizes, and the overlay.

Nothing here needs a browser: the build draws the first board with it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from gettext import NullTranslations
from html import escape
from typing import NamedTuple

from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.notation import cell_below
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import NAMES
from tic_tac_toe.logic.rules.traits import letter_of, letters, placement
from tic_tac_toe.logic.search.evaluation import MoveEvaluation
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.pictures.board import GAP, Box, Geometry, Look, by_cell, geometry, sign_of
from tic_tac_toe.pictures.svg import CELL, LAYERS, piece
from tic_tac_toe.pictures.svg import placement as picture_placement


@dataclass(frozen=True)
class BoardView:
    """What a board shows, and what can be done on it.

    Attributes:
        look, names, last, best, values, numbers, from_bottom: see `svg`.
        written: the signs in empty cells, see `svg`.
        is_open: whether a person may move now.
        letter: the person's next letter, in games with a choice of letters.
        pending: a move that the server has not confirmed yet.
    """

    state: GameState
    language: NullTranslations
    look: Look
    names: bool = True
    last: int | None = None
    best: tuple[int, ...] = ()
    values: tuple[MoveEvaluation, ...] = ()
    written: tuple[tuple[int, str], ...] = ()
    is_open: bool = True
    letter: str = ""
    pending: int | None = None
    numbers: tuple[Move, ...] = ()
    from_bottom: bool = False


#: The margins around the board in cells, with names and without.
NAMED, BARE = 0.65, 0.1
#: The height of the lane above the board, for the mark that falls next, in cells.
LANE = 1.0
#: A media query: there is no room around the board.
SMALL_SCREEN = "(max-width: 34rem), (orientation: landscape) and (max-height: 35rem)"
#: Seconds that a mark takes to fall by one cell; four cells take twice as long.
FALL = 0.17
#: The maximum number of columns side by side of a board in blocks, on wide and narrow screens.
SIDE_BY_SIDE, NARROW = 10, 8


class Part(NamedTuple):
    """A part of the picture and its place in the page.

    Attributes:
        source: the part, in cells from the board's upper left corner.
        x, y: its place in the page, in cells from the upper left corner of all parts.
    """

    source: Box
    x: float = 0.0
    y: float = 0.0

    def place_of(self, box: Box) -> Box:
        """Return the place of a box of this part in the page."""
        return box._replace(x=box.x - self.source.x + self.x, y=box.y - self.source.y + self.y)


class Plan:
    """The layout of a game's board.

    Many blocks side by side are wrapped into rows, each with names of its rows and columns::

          A B   C D   E F               A B   C D
        1 . .   . .   . .             1 . .   . .
        2 . .   . .   . .             2 . .   . .
                                        E F
                                      1 . .
                                      2 . .

    Attributes:
        width, height: of all parts, in cells.
        has_lane: whether there is a lane above the board, for the mark that falls next.
        boxes: the place of each cell.
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
        beyond = BARE if is_small else before  # centre the board if there is room
        whole = Box(-before, -above, before + extent.width + beyond, above + extent.height + below)
        self._board = picture_placement(rules, names=names).board
        self.parts: tuple[Part, ...] = (Part(whole),)
        most = NARROW if is_narrow else SIDE_BY_SIDE
        if rules.shape.columns > most and _lie_side_by_side(plan):
            self.parts = tuple(_wrapped(plan, whole, most))
        self.width: float = max(part.x + part.source.width for part in self.parts)
        self.height: float = max(part.y + part.source.height for part in self.parts)
        self.boxes: tuple[Box, ...] = tuple(self._place_of(box) for box in plan.boxes)

    def view_box(self, part: Part) -> str:
        """Return the ``viewBox`` of a part."""
        x, y = self._board.x + part.source.x * CELL, self._board.y + part.source.y * CELL
        numbers = (x, y, part.source.width * CELL, part.source.height * CELL)
        return " ".join(f"{number:g}" for number in numbers)

    def place(self, box: Box) -> str:
        """Return the place of a box as CSS."""
        return (
            f"left:{box.x / self.width:.4%};top:{box.y / self.height:.4%};"
            f"width:{box.width / self.width:.4%};height:{box.height / self.height:.4%}"
        )

    def _place_of(self, box: Box) -> Box:
        return next(part.place_of(box) for part in self.parts if part.source.holds(box.centre))


def _lie_side_by_side(plan: Geometry) -> bool:
    return len(plan.boards) > 1 and len({board.y for board in plan.boards}) == 1


def _wrapped(plan: Geometry, whole: Box, most: int) -> list[Part]:
    """Return parts of the blocks in as few rows as possible, and of the names left of each row.

    Args:
        most: the maximum number of columns of cells in a row.
    """
    rows = 1
    while (count := math.ceil(len(plan.boards) / rows)) * plan.boards[0].width > most and count > 1:
        rows += 1
    margin = min(BARE, GAP / 2)
    parts: list[Part] = []
    for row, first in enumerate(range(0, len(plan.boards), count)):
        blocks, y = plan.boards[first : first + count], row * whole.height
        left, right = blocks[0].x - margin, blocks[-1].x + blocks[-1].width + margin
        beside = max(-whole.x - margin, 0.0)
        if beside:
            parts.append(Part(Box(whole.x, whole.y, beside, whole.height), 0, y))
        parts.append(Part(Box(left, whole.y, right - left, whole.height), beside, y))
    return parts


#: The maximum zoom, relative to the whole board in its frame.
LARGEST = 4.0


class Lens(NamedTuple):
    """The zoom and shift of a board in its frame.

    Points and lengths are fractions of the frame. A point of the board, (0, 0) to (1, 1), appears
    at ``scale * point + (x, y)``; the board always fills its frame.
    """

    scale: float = 1.0
    x: float = 0.0
    y: float = 0.0

    def zoomed(self, factor: float, x: float = 0.5, y: float = 0.5) -> Lens:
        """Return a lens of another scale around a fixed point of the frame."""
        scale = min(max(self.scale * factor, 1.0), LARGEST)
        growth = scale / self.scale
        return Lens(scale, x - growth * (x - self.x), y - growth * (y - self.y))._within()

    def moved(self, right: float, down: float) -> Lens:
        """Return a lens that shifts the board right and down."""
        return Lens(self.scale, self.x + right, self.y + down)._within()

    def showing(self, part: Box) -> Lens:
        """Return a lens that is shifted just enough to show a part of the board."""
        seen = self.seen(part)
        right = max(-seen.x, 0.0) or min(1.0 - seen.x - seen.width, 0.0)
        down = max(-seen.y, 0.0) or min(1.0 - seen.y - seen.height, 0.0)
        return self.moved(right, down)

    def seen(self, part: Box) -> Box:
        """Return the place of a part of the board in the frame."""
        x, y, width, height = part
        scale = self.scale
        return Box(scale * x + self.x, scale * y + self.y, scale * width, scale * height)

    def _within(self) -> Lens:
        least = 1.0 - self.scale
        return self._replace(x=min(max(self.x, least), 0.0), y=min(max(self.y, least), 0.0))


def signs_by_cell(rules: Rules, values: Iterable[MoveEvaluation]) -> dict[int, str]:
    """Return the evaluations of the moves into each cell, as “+3”, or “X+3, O=4” with letters."""
    return {
        cell: ", ".join(letter_of(rules, move.move) + sign_of(move) for move in moves)
        for cell, moves in by_cell(rules, values).items()
    }


#: The width of the lines through a selected cell, in cells.
HAIR = 0.14

_UNIT = Box(0, 0, 1, 1)


@dataclass(frozen=True)
class Overlay:
    """The overlay over the picture of a state.

    Attributes:
        pointed: the playable cell under the pointer or the focus.
        selected: the cell in which the next tap places a mark.
        letter: the person's next letter, in games with a choice.
        pending: a move that the server has not confirmed yet.
        valued: the cells with values or signs, which no ghost may hide.
    """

    pointed: int | None = None
    selected: int | None = None
    letter: str = ""
    pending: int | None = None
    valued: Collection[int] = ()


def ghost_of(state: GameState, cell: int, letter: str) -> str:
    """Return the letter that the side to move would place in a cell.

    Args:
        letter: the chosen letter, in games with a choice.
    """
    if letter:
        return letter
    placed = placement(state.rules, state.current_mark.side, cell)
    return NAMES[placed.mark] if placed and not letters(state.rules) else ""


def draw_overlay(state: GameState, plan: Plan, look: Look, overlay: Overlay) -> str:
    """Return the elements of an overlay as HTML."""
    return "".join(_parts(state, plan, look, overlay))


def _parts(state: GameState, plan: Plan, look: Look, overlay: Overlay) -> Iterator[str]:
    boxes, shape = plan.boxes, state.rules.shape
    if overlay.selected is not None:
        box = boxes[overlay.selected]
        middle = (1 - HAIR) / 2
        first, last = boxes[0], boxes[-1]
        across = Box(first.x, box.y + middle, last.x + 1 - first.x, HAIR)
        down = Box(box.x + middle, first.y, HAIR, last.y + 1 - first.y)
        yield from (_band(plan, line, "hair") for line in (across, down))
        sign = ghost_of(state, overlay.selected, overlay.letter)
        yield _ghost(plan, look, sign, box, "ghost")
    if overlay.pointed is not None:
        lands = cell_below(state, overlay.pointed)
        sign = ghost_of(state, lands, overlay.letter)
        if geometry(state.rules).is_numbered:
            top = boxes[lands % shape.columns]
            yield _band(plan, Box(top.x, top.y, 1, boxes[-1].y + 1 - top.y))
            if plan.has_lane:
                yield _ghost(plan, look, sign, top._replace(y=top.y - LANE), "waiting")
        if lands not in overlay.valued and lands != overlay.selected:
            yield _ghost(plan, look, sign, boxes[lands], "ghost")
    if overlay.pending is not None:
        placed = placement(state.rules, state.current_mark.side, overlay.pending)
        if placed is not None:
            yield _ghost(plan, look, NAMES[placed.mark], boxes[placed.cell], "pending")


def _ghost(plan: Plan, look: Look, sign: str, box: Box, kind: str) -> str:
    if not sign:
        return ""
    known = sign in NAMES
    drawn = piece(look, NAMES.index(sign) if known else 0, _UNIT, "" if known else sign)
    opening = f'<svg class="ttt {kind}" viewBox="0 0 {CELL} {CELL}" style="{plan.place(box)}">'
    return f"{opening}{drawn}</svg>"


@cache
def small_piece(look: Look, side: int) -> str:
    """Return the piece of a side as a picture between words."""
    opening = f'<svg class="ttt piece" viewBox="0 0 {CELL} {CELL}" aria-hidden="true">'
    return f"{opening}{piece(look, side, _UNIT)}</svg>"


def _band(plan: Plan, box: Box, kind: str = "band") -> str:
    return f'<div class="{kind}" style="{plan.place(box)}"></div>'


#: The XML namespace of SVG files, which HTML does not need.
_NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'
_VIEW_BOX = re.compile(r'viewBox="[^"]*"')


def ratio(plan: Plan) -> str:
    """Return the aspect ratio of a board as CSS."""
    return f"{plan.width / plan.height:.5f}"


def picture_markup(drawing: str, plan: Plan) -> str:
    """Return the parts of a plan, cut from a drawing.

    Args:
        drawing: the result of `svg`.
    """
    return "".join(_part_markup(drawing, plan, part) for part in plan.parts)


def cells_markup(shape: Shape, plan: Plan, labels: Sequence[str] = ()) -> str:
    """Return the markup of a button over each cell.

    Args:
        labels: of the cells, all of which must be playable.
    """
    rows = []
    for row in range(shape.rows):
        buttons = []
        for cell in range(row * shape.columns, (row + 1) * shape.columns):
            attributes = (
                f' aria-label="{escape(labels[cell])}" aria-disabled="false"' if labels else ""
            )
            buttons.append(
                f'<button type="button" role="gridcell" data-cell="{cell}"{attributes} '
                f'tabindex="{0 if cell == shape.middle else -1}" '
                f'style="{escape(plan.place(plan.boxes[cell]))}"></button>'
            )
        rows.append(f'<div role="row">{"".join(buttons)}</div>')
    return "".join(rows)


def _part_markup(drawing: str, plan: Plan, part: Part) -> str:
    style = f"--width:{plan.width * CELL:g}"
    if len(plan.parts) > 1:
        style += f";{plan.place(part.place_of(part.source))}"
    drawing = drawing.replace(_NAMESPACE, "", 1)
    return _VIEW_BOX.sub(f'viewBox="{plan.view_box(part)}" style="{style}"', drawing, count=1)
