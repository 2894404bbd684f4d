"""Boards as SVG text: the one renderer of every picture, in pages, notebooks and files."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.notation import StateLike, cell_name, format_state, state_of
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import side_name
from tic_tac_toe.logic.search.evaluation import MoveEvaluation
from tic_tac_toe.pictures.board import Box, Look, Point, Segment, geometry, look_of, looks_for
from tic_tac_toe.pictures.shapes import (
    DESIGNS,
    INKS,
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
    move_numbers,
    names_of,
    piece_of,
    shapes_of,
)

#: How long the side of a cell is, in the units of the picture.
CELL = UNITS
#: Space around the board: plain, and where the names of rows and columns stand, in cells.
MARGIN, LABELLED = 0.3, 0.8
#: The height of the line with the numbers of layers, in cells.
LAYERS = 0.5
#: The height of the first line of text below, and of each more, in cells.
CAPTION, LINE = 0.9, 0.45
#: How wide a letter is about, in the units of the picture.
LETTER = 8.5
#: How wide a picture is shown at most where the page does not say, in pixels.
WIDEST = 480
_UNKNOWN_TO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def svg(
    state: StateLike,
    *,
    last: int | None = None,
    best: Collection[int] = (),
    values: Iterable[MoveEvaluation] = (),
    written: Mapping[int, str] = MappingProxyType({}),
    numbers: Iterable[Move] = (),
    caption: str = "",
    label: str | None = None,
    names: bool = True,
    from_bottom: bool = False,
    look: Look | None = None,
    styled: bool = True,
) -> str:
    """Return a picture of a state as one ``<svg>`` element that needs nothing else.

    At the end the marks that decided the game are lit, with a line through neighbours, and all
    others are pale, as are marks that leave next. In ultimate the boards that may be played in are
    lit. Colours follow the reader's light or dark scheme; nothing is told by colour alone: of
    discs, those of the first side bear a cross, the others a ring.

    Args:
        last: the cell of the last move: a shaded cell, a ring around a disc, a dot on a stone.
        best: the moves to mark as good, by a dashed ring around their cells.
        values: what moves are worth, written into their cells: ``+3`` wins with the third move
            from here, ``=`` draws, a minus sign loses; where players choose the letter it stands
            before, ``X+3``. Where nothing is proved it is the chance in percent, ``62%``.
        written: what stands in empty cells.
        numbers: the moves whose numbers stand on their marks, such as `Match.history`.
        caption: a text below the board; see `wrapped`.
        label: what a screen reader says; the position unless given.
        names: whether the names of rows and columns stand around the board; where moves are told
            by the number of a column, these numbers stand below it.
        from_bottom: whether rows are counted from the bottom, as on a go board, except on a board
            of boards. Names of moves, as in records, go on counting them from the top.
        look: one of those that `looks_for` returns; the usual one unless given.
        styled: whether the picture brings its `STYLE`; a page that has it already needs no more.

    Raises:
        InvalidNotation: the board has no such cell.
        ValueError: the game cannot be drawn in this look.
    """
    state = state_of(state)
    for cell in (*written, *(() if last is None else (last,))):
        cell_name(state.rules.shape, cell)
    picture = Picture(
        state,
        last,
        best,
        tuple(values),
        look or look_of(state.rules),
        written=written,
        numbers=move_numbers(numbers),
    )
    lines = caption.split("\n") if caption else []
    board_box, paper = placement(state.rules, names=names, lines=len(lines))
    (width, height), (x, y) = paper, board_box[:2]
    text = label if label is not None else describe(state)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ttt" viewBox="0 0 {width:g} {height:g}" '
        f'width="{min(width, WIDEST):g}" role="img" aria-label="{escape(text)}">',
        f"<title>{escape(text)}</title>",
        *([f"<style>\n{STYLE}\n</style>"] if styled else []),
        f'<rect class="ttt-paper" width="{width:g}" height="{height:g}" rx="8" />',
        f'<g transform="translate({x:g} {y:g})">',
        *(_names(state.rules, from_bottom=from_bottom) if names else []),
        board(picture),
        "</g>",
    ]
    for i, line in enumerate(reversed(lines)):
        at = f'x="{width / 2:g}" y="{height - (CAPTION / 2 + i * LINE) * CELL - 4:g}"'
        parts.append(f"<text {at}>{escape(line)}</text>")
    return "\n".join([*parts, "</svg>\n"])


def wrapped(text: str, rules: Rules) -> str:
    """Return a text in lines that are about as wide as the picture of a board, for its caption."""
    return "\n".join(textwrap.wrap(text, int(placement(rules).paper.x / LETTER)))


class Placement(NamedTuple):
    """Where the board stands in its picture, in the units of the picture.

    Attributes:
        board: the board, within the picture.
        paper: the width and height of the picture.
    """

    board: Box
    paper: Point


def placement(rules: Rules, *, names: bool = True, lines: int = 0) -> Placement:
    """Return where `svg` puts the board, for pages that lay something over its cells.

    Args:
        lines: how many lines of text there are below.
    """
    plan = geometry(rules)
    extent = plan.extent
    before = LABELLED if names and not plan.is_numbered else MARGIN
    above = before + (LAYERS if names and plan.layers else 0)
    below = LABELLED if names and plan.is_numbered else MARGIN
    below += CAPTION + (lines - 1) * LINE if lines else 0
    corner = scaled(Point(before, above))
    size = scaled(Point(extent.width, extent.height))
    paper = scaled(Point(before + extent.width + MARGIN, above + extent.height + below))
    return Placement(Box(*corner, *size), paper)


def board(picture: Picture) -> str:
    """Return a board as SVG elements, to be placed in a larger picture.

    Its upper left corner is at 0, 0; a cell is `CELL` wide. The classes are those of `STYLE`, and
    an element around it needs the class ``ttt``.

    Raises:
        ValueError: the game cannot be drawn in this look.
    """
    look = picture.look
    if look not in looks_for(picture.state.rules):
        raise ValueError(f"this game cannot be drawn with {look.value}")
    drawn = "\n".join(map(_printed, shapes_of(picture)))
    return drawn if look is Look.MARKS else f'<g class="ttt-{look.value}">\n{drawn}\n</g>'


def piece(look: Look, side: int, box: Box, sign: str = "") -> str:
    """Return the piece of a side, 0 or 1, that fills most of a box.

    Args:
        sign: what to write instead of a cross or a naught, where the look is marks.
    """
    return _printed(piece_of(DESIGNS[look], side, box, sign))


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


def _printed(shape: Shape) -> str:
    """Return a shape as an element; a piece of one shape is one element."""
    match shape:
        case Rect(role, box, radius):
            (x, y), (width, height) = scaled(Point(*box[:2])), scaled(Point(*box[2:]))
            corner = f' rx="{radius * CELL:g}"' if radius else ""
            size = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
            return f"<rect{_kind(role)} {size}{corner} />"
        case Circle(role, centre, radius):
            x, y = scaled(centre)
            return f'<circle{_kind(role)} cx="{x:g}" cy="{y:g}" r="{radius * CELL:g}" />'
        case Cross(role, centre, arm):
            return f'<path{_kind(role)} d="{_cross(centre, arm)}" />'
        case Lines(role, segments):
            # A page that draws a winning line bit by bit need not know its length.
            whole = ' pathLength="1"' if role.startswith("strike") else ""
            return f'<path{_kind(role)} d="{"".join(map(_stroke, segments))}"{whole} />'
        case Panel(role, box, radius, holes):
            inner = "".join(map(_hole, holes))
            return f'<path{_kind(role)} d="{_rounded(box, radius)}{inner}" />'
        case Text(role, at, text, size):
            (x, y), side = scaled(at), role.split()[0]
            if not size:
                return f'<text{_kind(role)} x="{x:g}" y="{y:g}">{escape(text)}</text>'
            style = f"font-size: {size * CELL:g}px; fill: var(--ttt-{side})"
            more = role.removeprefix(side).strip()
            return f'<text{_kind(more)} x="{x:g}" y="{y:g}" style="{style}">{escape(text)}</text>'
        case Piece(role, _, _, (alone,)):
            return _printed(alone._replace(role=role))
        case Piece(role, _, _, shapes):
            return f"<g{_kind(role)}>{''.join(map(_printed, shapes))}</g>"


def _kind(role: str) -> str:
    names = " ".join(f"ttt-{name}" for name in role.split())
    return f' class="{names}"' if names else ""


def _names(rules: Rules, *, from_bottom: bool) -> Iterator[str]:
    """Yield the names around the board."""
    away = {"above": (0, -1), "below": (0, 1), "before": (-1, 0), "layer": (0, -1)}
    for name in names_of(rules, from_bottom=from_bottom):
        side = name.role.split()[1]
        right, down = (part * (0.42 + LAYERS * (side == "layer")) for part in away[side])
        x, y = name.at.x + right, name.at.y + down
        yield f'<text x="{x * CELL:g}" y="{y * CELL:g}">{name.text}</text>'


def _cross(centre: Point, reach: float) -> str:
    (x, y), arm = scaled(centre), reach * CELL
    return (
        f"M{x - arm:g} {y - arm:g}l{2 * arm:g} {2 * arm:g}m0 {-2 * arm:g}l{-2 * arm:g} {2 * arm:g}"
    )


def _hole(circle: Circle) -> str:
    (x, y), radius = scaled(circle.centre), circle.radius * CELL
    half = f"{radius:g} {radius:g} 0 1 0"
    return f"M{x - radius:g} {y:g}a{half} {2 * radius:g} 0a{half} {-2 * radius:g} 0z"


def _rounded(box: Box, radius: float) -> str:
    """Return the path of a rectangle with round corners."""
    x, y = scaled(Point(box.x, box.y))
    wide, high = scaled(Point(box.width - 2 * radius, box.height - 2 * radius))
    r = radius * CELL
    turn = f"a{r:g} {r:g} 0 0 1"
    return (
        f"M{x + r:g} {y:g}h{wide:g}{turn} {r:g} {r:g}v{high:g}{turn} {-r:g} {r:g}"
        f"h{-wide:g}{turn} {-r:g} {-r:g}v{-high:g}{turn} {r:g} {-r:g}z"
    )


def _stroke(segment: Segment) -> str:
    start, end = scaled(segment.start), scaled(segment.end)
    return f"M{start.x:g} {start.y:g}L{end.x:g} {end.y:g}"


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


def _classes() -> Iterator[str]:
    """Yield a rule of CSS for each role, and for what it looks like in each look."""
    yield f".ttt {{ {PIECES} }}"
    yield """\
.ttt-panel { fill-rule: evenodd }
.ttt text { font: 14px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
  text-anchor: middle; dominant-baseline: central; fill: var(--ttt-ink) }"""
    yield from (_rule(role, ink) for role, ink in INKS.items())
    for look, design in DESIGNS.items():
        parts = {
            part for role, shapes in design.pieces for part in (role, *(s.role for s in shapes))
        }
        for role, ink in design.inks.items():
            # A piece has its ink where there is no board around it, too.
            yield _rule(role, ink, "" if role in parts else f".ttt-{look.value} ")


def _rule(role: str, ink: Ink, where: str = "") -> str:
    said = {
        "fill": _colour(ink.fill),
        "stroke": _colour(ink.stroke),
        "stroke-width": f"{ink.width:g}" if ink.width else "",
        "stroke-linecap": ink.ends,
        "stroke-dasharray": ink.dashes,
        "opacity": f"{ink.opacity:g}" if ink.opacity else "",
        "font-size": f"{ink.size:g}px" if ink.size else "",
        "font-weight": "600" if ink.bold else "",
    }
    inside = "; ".join(f"{name}: {value}" for name, value in said.items() if value)
    is_text = role.startswith(("value", "half", "number"))
    return f"{'.ttt ' if is_text else ''}{where}.ttt-{role} {{ {inside} }}"


def _colour(name: str) -> str:
    return name if name in ("", "none") else f"var(--ttt-{name})"


#: What the classes of the parts of a picture mean, without the colours of a page.
CLASSES = "\n".join(_classes())
#: What pictures look like, light or dark as the reader's system is.
STYLE = f"""\
.ttt {{ {LIGHT} }}
@media (prefers-color-scheme: dark) {{
  .ttt {{ {DARK} }}
}}
{CLASSES}"""
