"""Boards as SVG text: the one renderer of every picture, in pages, notebooks and files."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from html import escape as escape_markup
from types import MappingProxyType
from typing import NamedTuple

from tic_tac_toe.game.geometry import Box, Geometry, Point, geometry
from tic_tac_toe.game.looks import Look, look_of, looks_for
from tic_tac_toe.game.svg_board import CELL, Shown, draw_discs, draw_marks, draw_stones, scaled
from tic_tac_toe.game.svg_style import STYLE
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import StateLike, format_state, state_of
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import side_name
from tic_tac_toe.logic.search.evaluation import MoveEvaluation

#: Space around the board: plain, and where the names of rows and columns stand, in cells.
MARGIN, LABELLED = 0.3, 0.8
#: The height of the line with the numbers of layers, in cells.
LAYERS = 0.5
#: The height of the line of text below, in cells.
CAPTION = 0.9
#: How wide a picture is shown at most where the page does not say, in pixels.
WIDEST = 480

_PAINTERS = {Look.MARKS: draw_marks, Look.DISCS: draw_discs, Look.STONES: draw_stones}

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
        values: what moves are worth, written into their cells: ``+3`` wins in three plies, ``=4``
            draws, a minus sign loses; after the letter where the mover chooses it, ``X+3``. Of a
            `MoveEstimate`, the chance in percent, ``62%``.
        written: what stands in empty cells.
        caption: a line of text below the board.
        label: what the picture says to those who do not see it; the position unless given.
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
    shown = Shown(state, last, best, tuple(values), written)
    drawn = "\n".join(_PAINTERS[look](shown))
    return drawn if look is Look.MARKS else f'<g class="ttt-{look.value}">\n{drawn}\n</g>'


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
