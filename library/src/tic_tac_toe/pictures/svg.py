"""Boards as SVG text: the one renderer of every picture, in pages, notebooks and files."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from tic_tac_toe.logic.models import MARKS, GameState
from tic_tac_toe.logic.notation import StateLike, format_state, state_of
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import NAMES
from tic_tac_toe.logic.rules.traits import (
    cell_of,
    cell_signs,
    leaving_cells,
    letter_of,
    side_name,
    traits_of,
)
from tic_tac_toe.logic.search.evaluation import MoveEvaluation
from tic_tac_toe.pictures.board import (
    OUTCOMES,
    Box,
    Geometry,
    Look,
    Point,
    Segment,
    best_outcome,
    by_cell,
    geometry,
    lit_cells,
    look_of,
    looks_for,
    sign_of,
    small_boards,
    star_points,
    strikes,
)

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
#: The radii of a hole in the panel before the discs, of a disc and of a stone, in cells.
HOLE, DISC, STONE = 0.43, 0.385, 0.44
#: How far the panel before the discs reaches beyond the cells, in cells.
RIM = 0.08
_UNKNOWN_TO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def svg(
    state: StateLike,
    *,
    last: int | None = None,
    best: Collection[int] = (),
    values: Iterable[MoveEvaluation] = (),
    written: Mapping[int, str] = MappingProxyType({}),
    caption: str = "",
    label: str | None = None,
    names: bool = True,
    look: Look | None = None,
    styled: bool = True,
) -> str:
    """Return a picture of a state as one ``<svg>`` element that needs nothing else.

    The winning line is struck through, or its cells are lit where they are not neighbours; in
    ultimate the boards that may be played in are lit. The marks that leave next are pale. Colours
    follow the reader's light or dark scheme; nothing is told by colour alone: of discs, those of
    the first side bear a cross, the others a ring.

    Args:
        last: the cell of the last move: a shaded cell, a ring around a disc, a dot on a stone.
        best: the moves to mark as good, by a dashed ring around their cells.
        values: what moves are worth, written into their cells: ``+3`` wins with the third move
            from here, ``=`` draws, a minus sign loses; where players choose the letter it stands
            before, ``X+3``. Where nothing is proved it is the chance in percent, ``62%``.
        written: what stands in empty cells.
        caption: a line of text below the board.
        label: what a screen reader says; the position unless given.
        names: whether the names of rows and columns stand around the board; where moves are told
            by the number of a column, these numbers stand below it.
        look: one of those that `looks_for` returns; the usual one unless given.
        styled: whether the picture brings its `STYLE`; a page that has it already needs no more.

    Raises:
        ValueError: the game cannot be drawn in this look.
    """
    state = state_of(state)
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
        board(
            state,
            last=last,
            best=best,
            values=values,
            written=written,
            look=look or look_of(state.rules),
        ),
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
    before = LABELLED if names and not plan.is_numbered else MARGIN
    above = before + (LAYERS if names and plan.layers else 0)
    below = (LABELLED if names and plan.is_numbered else MARGIN) + captioned * CAPTION
    corner = scaled(Point(before, above))
    size = scaled(Point(extent.width, extent.height))
    paper = scaled(Point(before + extent.width + MARGIN, above + extent.height + below))
    return Placement(Box(*corner, *size), paper)


def board(
    state: GameState,
    *,
    last: int | None = None,
    best: Collection[int] = (),
    values: Iterable[MoveEvaluation] = (),
    written: Mapping[int, str] = MappingProxyType({}),
    look: Look = Look.MARKS,
) -> str:
    """Return the board of a state as SVG elements, to be placed in a larger picture.

    Its upper left corner is at 0, 0; a cell is `CELL` wide. The classes are those of `STYLE`, and
    an element around it needs the class ``ttt``. For the arguments see `svg`.
    """
    if look not in looks_for(state.rules):
        raise ValueError(f"this game cannot be drawn with {look.value}")
    shown = _Shown(state, last, best, tuple(values), written)
    paint = {Look.MARKS: _draw_marks, Look.DISCS: _draw_discs, Look.STONES: _draw_stones}[look]
    drawn = "\n".join(paint(shown))
    return drawn if look is Look.MARKS else f'<g class="ttt-{look.value}">\n{drawn}\n</g>'


def piece(look: Look, side: int, box: Box, sign: str = "", more: str = "") -> str:
    """Return the piece of a side, 0 or 1, that fills most of a box.

    Args:
        sign: what to write instead of a cross or a naught, where the look is marks.
        more: another class that the element gets.
    """
    (x, y), size, name = scaled(box.centre), _size(box), NAMES[side].lower()
    also = f" {more}" if more else ""
    if look is Look.STONES:
        return _circle(f"ttt-stone-{name}{also}", box, STONE)
    if look is Look.DISCS:
        arm = 0.13 * size
        relief = _cross(x, y, arm) if side == 0 else _ring(x, y, 0.19 * size)
        inner = f'<path class="ttt-relief" d="{relief}" />'
        return f'<g class="ttt-disc-{name}{also}">{_circle("", box, DISC)}{inner}</g>'
    if sign:
        style = f"font-size: {0.62 * size:g}px; fill: var(--ttt-{name})"
        kind = f' class="{more}"' if more else ""
        return f'<text{kind} x="{x:g}" y="{y:g}" style="{style}">{escape(sign)}</text>'
    if side:
        return f'<circle class="ttt-o{also}" cx="{x:g}" cy="{y:g}" r="{0.29 * size:g}" />'
    return f'<path class="ttt-x{also}" d="{_cross(x, y, 0.26 * size)}" />'


def describe(state: GameState) -> str:
    """Return a state in words, for screen readers."""
    if state.winner is not None:
        end = f"{side_name(state.rules, state.winner.side)} wins"
    elif state.game_over:
        end = "a draw"
    else:
        end = f"{side_name(state.rules, state.current_mark.side)} to move"
    return f"{format_state(state)}: {end}"


def escape(text: str) -> str:
    """Return text as it stands in a picture: nothing in it is markup, or unknown to XML."""
    return html.escape(_UNKNOWN_TO_XML.sub("\N{REPLACEMENT CHARACTER}", text))


def scaled(point: Point) -> Point:
    """Return a point of the plan in the units of the picture."""
    return Point(round(point.x * CELL, 2), round(point.y * CELL, 2))


class _Shown(NamedTuple):
    """What a picture shows: a state, and what is marked in it; see `svg`."""

    state: GameState
    last: int | None
    best: Collection[int]
    values: Iterable[MoveEvaluation]
    written: Mapping[int, str]


def _draw_marks(shown: _Shown) -> Iterator[str]:
    """Yield a board of crosses and naughts between lines."""
    state, last = shown.state, shown.last
    plan = geometry(state.rules)
    smalls = small_boards(state)
    lit = [small.box for small in smalls if small.open and not all(one.open for one in smalls)]
    decided = lit_cells(state)
    lit += [plan.boxes[cell] for cell in decided]
    yield from (f'<rect class="ttt-lit" {_corner(box)} />' for box in lit)
    worth = by_cell(state.rules, shown.values)
    for cell, moves in worth.items():
        yield f'<rect class="{_wash(moves)}" {_corner(plan.boxes[cell], inset=0.05)} />'
    if last is not None and last not in decided:
        yield f'<rect class="ttt-last" {_corner(plan.boxes[last], inset=0.05)} rx="4" />'
    yield f'<path class="ttt-grid" d="{"".join(map(_stroke, plan.grid))}" />'
    if plan.is_framed:
        yield from (f'<rect class="ttt-frame" {_corner(box)} />' for box in plan.boards)
    yield from _pieces(shown, Look.MARKS)
    for small in smalls:
        if small.owner is not None:
            yield f'<g class="ttt-owner">{piece(Look.MARKS, small.owner, small.box)}</g>'
    yield from _advice(shown, plan)
    yield from (f'<path class="ttt-strike" d="{_stroke(line)}" />' for line in strikes(state))


def _draw_discs(shown: _Shown) -> Iterator[str]:
    """Yield a board of discs that stand behind a panel with a hole for each cell."""
    state, last = shown.state, shown.last
    plan = geometry(state.rules)
    yield f'<rect class="ttt-well" {_corner(plan.extent)} rx="6" />'
    yield from _washes(shown, plan)
    yield from _pieces(shown, Look.DISCS)
    holes = "".join(_ring(*scaled(box.centre), HOLE * CELL) for box in plan.boxes)
    yield f'<path class="ttt-panel" d="{_rounded(plan.extent, RIM, 0.25)}{holes}" />'
    decided = lit_cells(state)
    yield from (_circle("ttt-lit", plan.boxes[cell], HOLE) for cell in decided)
    if last is not None and last not in decided:
        yield _circle("ttt-last", plan.boxes[last], HOLE)
    yield from _advice(shown, plan)
    yield from _edged_strikes(state)


def _draw_stones(shown: _Shown) -> Iterator[str]:
    """Yield a board of stones on the crossings of lines, which go through the cells' centres."""
    state, last = shown.state, shown.last
    plan = geometry(state.rules)
    yield f'<rect class="ttt-wood" {_corner(plan.extent)} rx="4" />'
    reach = 0.5 if traits_of(state.rules).torus else 0.0
    yield f'<path class="ttt-grid" d="{"".join(map(_stroke, _crossing_lines(plan, reach)))}" />'
    stars = star_points(state.rules)
    yield from (_circle("ttt-star", plan.boxes[cell], 0.13) for cell in stars)
    yield from _washes(shown, plan)
    yield from _pieces(shown, Look.STONES)
    decided = lit_cells(state)
    for cell in decided:
        yield _circle(_on_stone("ttt-lit", state, cell), plan.boxes[cell], STONE - 0.06)
    if last is not None and last not in decided:
        yield _circle(_on_stone("ttt-last", state, last), plan.boxes[last], 0.14)
    yield from _advice(shown, plan)
    yield from _edged_strikes(state)


def _pieces(shown: _Shown, look: Look) -> Iterator[str]:
    """Yield the pieces of X and then those of O, those pale that leave next."""
    state = shown.state
    boxes = geometry(state.rules).boxes
    leaving = () if state.game_over else leaving_cells(state.rules, state.position)
    signs = cell_signs(state.rules, state.position, "")
    for mark in MARKS:
        for cell, box in enumerate(boxes):
            if state.grid.cells[cell] == mark:
                latest = "ttt-latest" if cell == shown.last else ""
                drawn = piece(look, mark.side, box, signs[cell] if signs else "", latest)
                yield f'<g class="ttt-leaving">{drawn}</g>' if cell in leaving else drawn


def _advice(shown: _Shown, plan: Geometry) -> Iterator[str]:
    """Yield rings around the best moves, and what moves are worth."""
    rules = shown.state.rules
    ringed = (cell_of(rules, move) for move in shown.best)
    for cell in sorted({cell for cell in ringed if cell is not None}):
        yield _circle("ttt-best", plan.boxes[cell], 0.42)
    for cell, moves in by_cell(rules, shown.values).items():
        yield from _values(rules, plan.boxes[cell], moves)
    for cell, text in shown.written.items():
        x, y = scaled(plan.boxes[cell].centre)
        yield f'<text class="ttt-value" x="{x:g}" y="{y:g}">{escape(text)}</text>'


def _on_stone(kind: str, state: GameState, cell: int) -> str:
    """Return a class, and with it the one that is for white stones where the cell holds one."""
    return f"{kind} {kind}-o" if state.grid.cells[cell] == NAMES[1] else kind


def _washes(shown: _Shown, plan: Geometry) -> Iterator[str]:
    """Yield a disc behind each sign and value, which has the colour of the best move there."""
    for cell, moves in by_cell(shown.state.rules, shown.values).items():
        yield _circle(_wash(moves), plan.boxes[cell], HOLE)
    yield from (_circle("ttt-wash-open", plan.boxes[cell], HOLE) for cell in shown.written)


def _wash(moves: Iterable[MoveEvaluation]) -> str:
    return f"ttt-wash-{best_outcome(moves)}"


def _values(rules: Rules, box: Box, moves: list[MoveEvaluation]) -> Iterator[str]:
    """Yield what the moves into a cell are worth, one below the other; of many, a best one."""
    x, y = scaled(box.centre)
    if len(moves) > 2:  # there is no room for more
        moves = sorted(moves, key=lambda move: OUTCOMES.index(move.outcome))[:1]
    for number, move in enumerate(moves):
        letter = letter_of(rules, move.move)
        kind = f"ttt-value ttt-value-{move.outcome}" + (" ttt-half" if letter else "")
        down = (number - (len(moves) - 1) / 2) * CELL * 0.4
        text = f"{letter}{sign_of(move)}"
        yield f'<text class="{kind}" x="{x:g}" y="{y + down:g}">{text}</text>'


def _edged_strikes(state: GameState) -> Iterator[str]:
    """Yield the winning lines with an edge, which stands out from pieces of either colour."""
    for line in strikes(state):
        yield f'<path class="ttt-strike-edge" d="{_stroke(line)}" />'
        yield f'<path class="ttt-strike" d="{_stroke(line)}" />'


def _crossing_lines(plan: Geometry, reach: float) -> Iterator[Segment]:
    """Yield the lines through the centres of cells.

    Args:
        reach: how far they go beyond the outer centres, in cells.
    """
    across, down = plan.column_centres(), plan.row_centres()
    for x in across:
        yield Segment(Point(x, down[0] - reach), Point(x, down[-1] + reach))
    for y in down:
        yield Segment(Point(across[0] - reach, y), Point(across[-1] + reach, y))


def _names(plan: Geometry) -> Iterator[str]:
    """Yield what rows, columns and layers are called; only columns where they have numbers."""
    if plan.is_numbered:
        for column, x in enumerate(plan.column_centres(), start=1):
            yield _text(x, plan.extent.height + 0.42, str(column))
        return
    for number, x in plan.layers:
        yield _text(x, -0.42 - LAYERS, number)
    for column, x in enumerate(plan.column_centres()):
        yield _text(x, -0.42, plan.column_names[column])
    for row, y in enumerate(plan.row_centres()):
        yield _text(-0.42, y, str(row + 1))


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x * CELL:g}" y="{y * CELL:g}">{text}</text>'


def _circle(kind: str, box: Box, radius: float) -> str:
    (x, y), named = scaled(box.centre), f' class="{kind}"' if kind else ""
    return f'<circle{named} cx="{x:g}" cy="{y:g}" r="{radius * _size(box):g}" />'


def _cross(x: float, y: float, arm: float) -> str:
    return (
        f"M{x - arm:g} {y - arm:g}l{2 * arm:g} {2 * arm:g}m0 {-2 * arm:g}l{-2 * arm:g} {2 * arm:g}"
    )


def _ring(x: float, y: float, radius: float) -> str:
    half = f"{radius:g} {radius:g} 0 1 0"
    return f"M{x - radius:g} {y:g}a{half} {2 * radius:g} 0a{half} {-2 * radius:g} 0z"


def _rounded(box: Box, beyond: float, radius: float) -> str:
    """Return the path of a rectangle with round corners, larger than a box; lengths in cells."""
    x, y = scaled(Point(box.x - beyond, box.y - beyond))
    wide, high = scaled(
        Point(box.width + 2 * (beyond - radius), box.height + 2 * (beyond - radius))
    )
    r = radius * CELL
    turn = f"a{r:g} {r:g} 0 0 1"
    return (
        f"M{x + r:g} {y:g}h{wide:g}{turn} {r:g} {r:g}v{high:g}{turn} {-r:g} {r:g}"
        f"h{-wide:g}{turn} {-r:g} {-r:g}v{-high:g}{turn} {r:g} {-r:g}z"
    )


def _stroke(segment: Segment) -> str:
    start, end = scaled(segment.start), scaled(segment.end)
    return f"M{start.x:g} {start.y:g}L{end.x:g} {end.y:g}"


def _size(box: Box) -> float:
    return min(box.width, box.height) * CELL


def _corner(box: Box, inset: float = 0.0) -> str:
    """Return the attributes of a rectangle, a little smaller than a box if wanted."""
    x, y = scaled(Point(box.x + inset, box.y + inset))
    width, height = scaled(Point(box.width - 2 * inset, box.height - 2 * inset))
    return f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'


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
#: The colours of discs and stones and of their boards, the same on light and dark pages.
PIECES = """\
--ttt-panel: #2f6bd0; --ttt-well: #0b1730;
  --ttt-disc-x: #ff6a5e; --ttt-disc-x-relief: #7d0f0b;
  --ttt-disc-o: #ffd23f; --ttt-disc-o-relief: #6b4c00;
  --ttt-disc-sign: #ffffff; --ttt-disc-edge: #0b1730;
  --ttt-wood: #d9b06c; --ttt-wood-line: #5e4018; --ttt-stone-x: #16181c; --ttt-stone-o: #fdfdfb;
  --ttt-stone-edge: #26292e; --ttt-stone-x-sign: #ff9d7a; --ttt-stone-o-sign: #b3261e;
  --ttt-stone-best: #0b4a1e; --ttt-stone-strike: #b3141f; --ttt-stone-strike-edge: #ffffff"""
#: What the classes of the parts of a picture mean, without the colours of a page.
CLASSES = (
    f".ttt {{ {PIECES} }}\n"
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
.ttt-wash-open { fill: var(--ttt-last) }
.ttt-well { fill: var(--ttt-well) }
.ttt-panel { fill: var(--ttt-panel); fill-rule: evenodd }
.ttt-disc-x { fill: var(--ttt-disc-x); stroke: var(--ttt-disc-x-relief) }
.ttt-disc-o { fill: var(--ttt-disc-o); stroke: var(--ttt-disc-o-relief) }
.ttt-relief { fill: none; stroke-width: 3; stroke-linecap: round }
.ttt-discs .ttt-lit, .ttt-discs .ttt-last { fill: none; stroke: var(--ttt-disc-sign) }
.ttt-discs .ttt-lit, .ttt-stones .ttt-lit { stroke-width: 4 }
.ttt-discs .ttt-last { stroke-width: 2.5 }
.ttt-discs .ttt-best { stroke: var(--ttt-disc-sign); stroke-width: 3 }
.ttt-discs .ttt-strike { stroke: var(--ttt-disc-sign); opacity: 1 }
.ttt-discs .ttt-strike-edge { stroke: var(--ttt-disc-edge) }
.ttt-strike-edge { stroke-width: 9; stroke-linecap: round }
.ttt-wood { fill: var(--ttt-wood) }
.ttt-stones .ttt-grid { stroke: var(--ttt-wood-line); stroke-linecap: square }
.ttt-star { fill: var(--ttt-wood-line) }
.ttt-stone-x { fill: var(--ttt-stone-x); stroke: var(--ttt-stone-edge) }
.ttt-stone-o { fill: var(--ttt-stone-o); stroke: var(--ttt-stone-edge); stroke-width: 1.5 }
.ttt-stones .ttt-last { fill: var(--ttt-stone-x-sign) }
.ttt-stones .ttt-last-o { fill: var(--ttt-stone-o-sign) }
.ttt-stones .ttt-lit { fill: none; stroke: var(--ttt-stone-x-sign) }
.ttt-stones .ttt-lit-o { stroke: var(--ttt-stone-o-sign) }
.ttt-stones .ttt-best { stroke: var(--ttt-stone-best); stroke-width: 3 }
.ttt-stones .ttt-strike { stroke: var(--ttt-stone-strike); opacity: 1 }
.ttt-stones .ttt-strike-edge { stroke: var(--ttt-stone-strike-edge) }
.ttt text { font: 14px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
  text-anchor: middle; dominant-baseline: central; fill: var(--ttt-ink) }
.ttt .ttt-value { font-weight: 600 }
.ttt .ttt-half { font-size: 11px }
.ttt .ttt-value-win { fill: var(--ttt-win) }
.ttt .ttt-value-draw { fill: var(--ttt-draw) }
.ttt .ttt-value-loss { fill: var(--ttt-loss) }"""
)
#: What pictures look like, light or dark as the reader's system is.
STYLE = f"""\
.ttt {{ {LIGHT} }}
@media (prefers-color-scheme: dark) {{
  .ttt {{ {DARK} }}
}}
{CLASSES}"""
