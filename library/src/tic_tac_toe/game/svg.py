"""Boards as SVG text: the one renderer of every picture, in pages, notebooks and files."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from html import escape as escape_markup
from typing import NamedTuple

from tic_tac_toe.game.geometry import (
    Box,
    Geometry,
    Point,
    Segment,
    geometry,
    lit_cells,
    small_boards,
    strikes,
)
from tic_tac_toe.game.worth import SIGNS, by_cell, sign_of
from tic_tac_toe.logic.models import MARKS, GameState
from tic_tac_toe.logic.notation import format_state
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import NAMES
from tic_tac_toe.logic.rules.placements import cell_of, letter_of
from tic_tac_toe.logic.rules.traits import cell_signs, leaving_cells, side_name
from tic_tac_toe.logic.search.verdict import MoveVerdict

#: How long the side of a cell is, in the units of the picture.
CELL = 40
#: Space around the board: plain, and where the names of rows and columns stand, in cells.
MARGIN, LABELLED = 0.3, 0.8
#: The height of the line with the numbers of layers, in cells.
LAYERS = 0.5
#: The height of the line of text below, in cells.
CAPTION = 0.9
#: How wide a picture is shown at most where the page does not say, in pixels.
WIDEST = 480

#: The colours on a light page and on a dark one, as variables that a page may set on `.ttt`.
LIGHT = """\
--ttt-paper: #ffffff; --ttt-ink: #24292f; --ttt-line: #7d8590; --ttt-x: #0a58ca;
  --ttt-o: #ac4009; --ttt-strike: #24292f; --ttt-lit: #fff3bf; --ttt-last: #e0e5ea;
  --ttt-win: #176f30; --ttt-draw: #6e5a00; --ttt-loss: #c0222c;
  --ttt-win-wash: #d5f2dc; --ttt-draw-wash: #f6ecc3; --ttt-loss-wash: #fbdcdc"""
DARK = """\
--ttt-paper: #1c2128; --ttt-ink: #e6edf3; --ttt-line: #8b949e; --ttt-x: #79b8ff;
  --ttt-o: #ffab70; --ttt-strike: #e6edf3; --ttt-lit: #4a3d10; --ttt-last: #3a424d;
  --ttt-win: #7ee2a0; --ttt-draw: #e8d27a; --ttt-loss: #ffa8a8;
  --ttt-win-wash: #17391f; --ttt-draw-wash: #3a3312; --ttt-loss-wash: #472225"""

#: What pictures look like.
STYLE = (
    f"""\
.ttt {{ {LIGHT} }}
@media (prefers-color-scheme: dark) {{
  .ttt {{ {DARK} }}
}}
"""
    + """\
.ttt-paper { fill: var(--ttt-paper) }
.ttt-grid { stroke: var(--ttt-line); stroke-width: 1.5; stroke-linecap: round; fill: none }
.ttt-frame { stroke: var(--ttt-line); stroke-width: 3; fill: none }
.ttt-lit { fill: var(--ttt-lit) }
.ttt-last { fill: var(--ttt-last) }
.ttt-x, .ttt-o { fill: none; stroke-width: 4.5; stroke-linecap: round }
.ttt-x { stroke: var(--ttt-x) }
.ttt-o { stroke: var(--ttt-o) }
.ttt-owner, .ttt-leaving { opacity: 0.35 }
.ttt-owner * { stroke-width: 11 }
.ttt-strike { stroke: var(--ttt-strike); stroke-width: 5; stroke-linecap: round; opacity: 0.85 }
.ttt-best { fill: none; stroke: var(--ttt-win); stroke-width: 2.5; stroke-dasharray: 3 3.5 }
.ttt-wash-win { fill: var(--ttt-win-wash) }
.ttt-wash-draw { fill: var(--ttt-draw-wash) }
.ttt-wash-loss { fill: var(--ttt-loss-wash) }
.ttt text { font: 14px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
  text-anchor: middle; dominant-baseline: central; fill: var(--ttt-ink) }
.ttt .ttt-value { font-weight: 600 }
.ttt .ttt-half { font-size: 11px }
.ttt .ttt-value-win { fill: var(--ttt-win) }
.ttt .ttt-value-draw { fill: var(--ttt-draw) }
.ttt .ttt-value-loss { fill: var(--ttt-loss) }"""
)

_UNKNOWN_TO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def svg(
    state: GameState,
    *,
    last: int | None = None,
    best: Collection[int] = (),
    values: Iterable[MoveVerdict] = (),
    caption: str = "",
    label: str | None = None,
    names: bool = True,
    styled: bool = True,
) -> str:
    """Return a picture of a state as one ``<svg>`` element that needs nothing else.

    The winning line is struck through, or its cells are lit where they are not neighbours; in
    ultimate the boards that may be played in are lit. The marks that leave next are pale. Colours
    follow the reader's light or dark scheme; nothing is told by colour alone.

    Args:
        last: the cell of the last move, which is shaded.
        best: the moves to mark as good, by a dashed ring around their cells.
        values: what moves are worth, written into their cells: ``+3`` wins in three plies, ``=4``
            draws, a minus sign loses; after the letter where the mover chooses it, ``X+3``.
        caption: a line of text below the board.
        label: what the picture says to those who do not see it; the position unless given.
        names: whether the names of rows and columns stand around the board.
        styled: whether the picture brings its `STYLE`; a page that has it already needs no more.
    """
    board_box, paper = placement(state.rules, names=names, captioned=bool(caption))
    (width, height), (x, y) = paper, board_box[:2]
    text = label if label is not None else describe(state)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ttt" viewBox="0 0 {width:g} {height:g}" '
        f'width="{min(width, WIDEST):g}" role="img" aria-label="{escape(text)}">',
        f"<title>{escape(text)}</title>",
        *([f"<style>\n{STYLE}\n</style>"] if styled else []),
        f'<rect class="ttt-paper" width="{width:g}" height="{height:g}" rx="8" />',
        f'<g transform="translate({x:g} {y:g})">',
        *(_names(geometry(state.rules)) if names else []),
        board(state, last=last, best=best, values=values),
        "</g>",
    ]
    if caption:
        at = f'x="{width / 2:g}" y="{height - CAPTION * CELL / 2 - 4:g}"'
        parts.append(f"<text {at}>{escape(caption)}</text>")
    return "\n".join([*parts, "</svg>\n"])


class Placement(NamedTuple):
    """Where the board stands in its picture, in the units of the picture.

    Attributes:
        board: the board, within the picture.
        paper: the width and height of the picture.
    """

    board: Box
    paper: Point


def placement(rules: Rules, *, names: bool = True, captioned: bool = False) -> Placement:
    """Return where `svg` puts the board, for pages that lay something over its cells."""
    plan = geometry(rules)
    extent = plan.extent
    before = LABELLED if names else MARGIN
    above = before + (LAYERS if names and plan.layers else 0)
    below = (LABELLED if names and plan.is_numbered else MARGIN) + captioned * CAPTION
    corner = _scaled(Point(before, above))
    size = _scaled(Point(extent.width, extent.height))
    paper = _scaled(Point(before + extent.width + MARGIN, above + extent.height + below))
    return Placement(Box(*corner, *size), paper)


def board(
    state: GameState,
    *,
    last: int | None = None,
    best: Collection[int] = (),
    values: Iterable[MoveVerdict] = (),
) -> str:
    """Return the board of a state as SVG elements, to be placed in a larger picture.

    Its upper left corner is at 0, 0; a cell is `CELL` wide. The classes are those of `STYLE`, and
    an element around it needs the class ``ttt``.
    """
    return "\n".join(_board(state, last, best, values))


def escape(text: str) -> str:
    """Return text as it stands in a picture: nothing in it is markup, or unknown to XML."""
    return escape_markup(_UNKNOWN_TO_XML.sub("\N{REPLACEMENT CHARACTER}", text))


def describe(state: GameState) -> str:
    """Return a state in words, for those who do not see the picture."""
    if state.winner is not None:
        end = f"{side_name(state.rules, state.winner.side)} wins"
    elif state.game_over:
        end = "a draw"
    else:
        end = f"{side_name(state.rules, state.current_mark.side)} to move"
    return f"{format_state(state)}: {end}"


def _board(
    state: GameState, last: int | None, best: Collection[int], values: Iterable[MoveVerdict]
) -> Iterator[str]:
    plan = geometry(state.rules)
    smalls = small_boards(state)
    lit = [small.box for small in smalls if small.open and not all(one.open for one in smalls)]
    decided = lit_cells(state)
    lit += [plan.boxes[cell] for cell in decided]
    yield from (f'<rect class="ttt-lit" {_corner(box)} />' for box in lit)
    worth = by_cell(state.rules, values)
    for cell, moves in worth.items():
        wash = f"ttt-wash-{min((move.outcome for move in moves), key=list(SIGNS).index)}"
        yield f'<rect class="{wash}" {_corner(plan.boxes[cell], inset=0.05)} />'
    if last is not None and last not in decided:
        yield f'<rect class="ttt-last" {_corner(plan.boxes[last], inset=0.05)} rx="4" />'
    yield f'<path class="ttt-grid" d="{"".join(map(_stroke, plan.grid))}" />'
    if plan.is_framed:
        yield from (f'<rect class="ttt-frame" {_corner(box)} />' for box in plan.boards)
    yield from _marks(state, plan)
    for small in smalls:
        if small.owner is not None:
            yield f'<g class="ttt-owner">{_mark(small.owner, small.box)}</g>'
    ringed = (cell_of(state.rules, move) for move in best)
    for cell in sorted({cell for cell in ringed if cell is not None}):
        x, y = _scaled(plan.boxes[cell].centre)
        yield f'<circle class="ttt-best" cx="{x:g}" cy="{y:g}" r="{0.42 * CELL:g}" />'
    for cell, moves in worth.items():
        yield from _values(state.rules, plan.boxes[cell], moves)
    yield from (f'<path class="ttt-strike" d="{_stroke(line)}" />' for line in strikes(state))


def _marks(state: GameState, plan: Geometry) -> Iterator[str]:
    """Yield the crosses and then the naughts, those pale that leave next."""
    leaving = () if state.game_over else leaving_cells(state.rules, state.position)
    signs = cell_signs(state.rules, state.position, "")
    for mark in MARKS:
        for cell, box in enumerate(plan.boxes):
            if state.grid.cells[cell] == mark:
                drawn = _mark(mark.side, box, signs[cell] if signs else "")
                yield f'<g class="ttt-leaving">{drawn}</g>' if cell in leaving else drawn


def _values(rules: Rules, box: Box, moves: list[MoveVerdict]) -> Iterator[str]:
    """Yield what the moves into a cell are worth, one below the other; of many, a best one."""
    x, y = _scaled(box.centre)
    if len(moves) > 2:  # there is no room for more
        moves = sorted(moves, key=lambda move: list(SIGNS).index(move.outcome))[:1]
    for number, move in enumerate(moves):
        letter = letter_of(rules, move.cell)
        kind = f"ttt-value ttt-value-{move.outcome}" + (" ttt-half" if letter else "")
        down = (number - (len(moves) - 1) / 2) * CELL * 0.4
        text = f"{letter}{sign_of(move)}"
        yield f'<text class="{kind}" x="{x:g}" y="{y + down:g}">{text}</text>'


def _names(plan: Geometry) -> Iterator[str]:
    """Yield the numbers of layers, the letters of columns, and the numbers of rows and columns."""
    for number, x in plan.layers:
        yield _text(x, -0.42 - LAYERS, number)
    for column, x in enumerate(plan.column_centres()):
        yield _text(x, -0.42, plan.column_names[column])
        if plan.is_numbered:
            yield _text(x, plan.extent.height + 0.42, str(column + 1))
    for row, y in enumerate(plan.row_centres()):
        yield _text(-0.42, y, str(row + 1))


def _mark(side: int, box: Box, sign: str = "") -> str:
    """Return a cross or a naught that fills most of a box, or a sign in the same colour."""
    (x, y), size = _scaled(box.centre), min(box.width, box.height) * CELL
    if sign:
        style = f"font-size: {0.62 * size:g}px; fill: var(--ttt-{NAMES[side].lower()})"
        return f'<text x="{x:g}" y="{y:g}" style="{style}">{escape(sign)}</text>'
    if side:
        return f'<circle class="ttt-o" cx="{x:g}" cy="{y:g}" r="{0.29 * size:g}" />'
    arm = 0.26 * size
    path = (
        f"M{x - arm:g} {y - arm:g}l{2 * arm:g} {2 * arm:g}m0 {-2 * arm:g}l{-2 * arm:g} {2 * arm:g}"
    )
    return f'<path class="ttt-x" d="{path}" />'


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x * CELL:g}" y="{y * CELL:g}">{text}</text>'


def _stroke(segment: Segment) -> str:
    start, end = _scaled(segment.start), _scaled(segment.end)
    return f"M{start.x:g} {start.y:g}L{end.x:g} {end.y:g}"


def _scaled(point: Point) -> Point:
    return Point(round(point.x * CELL, 2), round(point.y * CELL, 2))


def _corner(box: Box, inset: float = 0.0) -> str:
    """Return the attributes of a rectangle, a little smaller than a box if wanted."""
    x, y = _scaled(Point(box.x + inset, box.y + inset))
    width, height = _scaled(Point(box.width - 2 * inset, box.height - 2 * inset))
    return f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
