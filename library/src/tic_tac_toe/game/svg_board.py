"""The parts of a board's picture, as SVG elements: ground, pieces, values and the winning line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from html import escape
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
from tic_tac_toe.game.looks import Look, star_points
from tic_tac_toe.game.signs import OUTCOMES, best_outcome, by_cell, sign_of
from tic_tac_toe.logic.models import MARKS, GameState
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import NAMES
from tic_tac_toe.logic.rules.traits import cell_of, cell_signs, leaving_cells, letter_of, traits_of
from tic_tac_toe.logic.search.evaluation import MoveEvaluation

#: How long the side of a cell is, in the units of the picture.
CELL = 40
#: The radii of a hole in the panel before the discs, of a disc and of a stone, in cells.
HOLE, DISC, STONE = 0.43, 0.385, 0.44
#: How far the panel before the discs reaches beyond the cells, in cells.
RIM = 0.08


class Shown(NamedTuple):
    """What a picture shows: a state, and what is marked in it; see `svg`."""

    state: GameState
    last: int | None
    best: Collection[int]
    values: Iterable[MoveEvaluation]
    written: Mapping[int, str]


def draw_marks(shown: Shown) -> Iterator[str]:
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


def draw_discs(shown: Shown) -> Iterator[str]:
    """Yield a board of discs that stand behind a panel with a hole for each cell."""
    state, last = shown.state, shown.last
    plan = geometry(state.rules)
    yield f'<rect class="ttt-well" {_corner(plan.extent)} rx="6" />'
    yield from _washes(shown, plan)
    yield from _pieces(shown, Look.DISCS)
    holes = "".join(_hole(box.centre) for box in plan.boxes)
    yield f'<path class="ttt-panel" d="{_rounded(plan.extent, RIM, 0.25)}{holes}" />'
    decided = lit_cells(state)
    yield from (_circle("ttt-lit", plan.boxes[cell], HOLE) for cell in decided)
    if last is not None and last not in decided:
        yield _circle("ttt-last", plan.boxes[last], HOLE)
    yield from _advice(shown, plan)
    yield from _edged_strikes(state)


def draw_stones(shown: Shown) -> Iterator[str]:
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


def _pieces(shown: Shown, look: Look) -> Iterator[str]:
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


def _advice(shown: Shown, plan: Geometry) -> Iterator[str]:
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


def _washes(shown: Shown, plan: Geometry) -> Iterator[str]:
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
        letter = letter_of(rules, move.cell)
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


def _hole(centre: Point) -> str:
    return _ring(*scaled(centre), HOLE * CELL)


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


def scaled(point: Point) -> Point:
    """Return a point of the plan in the units of the picture."""
    return Point(round(point.x * CELL, 2), round(point.y * CELL, 2))


def _corner(box: Box, inset: float = 0.0) -> str:
    """Return the attributes of a rectangle, a little smaller than a box if wanted."""
    x, y = scaled(Point(box.x + inset, box.y + inset))
    width, height = scaled(Point(box.width - 2 * inset, box.height - 2 * inset))
    return f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
