"""Boards in letters, for terminals and for the text of a state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import Digits, side_name, traits_of
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.pictures.board import geometry
from tic_tac_toe.pictures.shapes import ShownMark, marks_of

#: Boards with more rows than this are lettered below as well, when they are drawn tight.
TALL = 9

#: Makes the text of a mark stand out, or leaves it alone.
Emphasis = Callable[[ShownMark, str], str]


@dataclass(frozen=True)
class Style:
    """How a board is drawn.

    Args:
        pitch: how many columns of text a column of the board takes.
        edge: what separates the numbers of the rows from the cells.
        open: the sign of an empty cell that may be marked now; ``shut``, of one that may not.
        wall: what separates small boards in a row; ``floor``, in a column, if anything.
        lined: draw lines between all cells.
    """

    pitch: int
    edge: str
    open: str
    shut: str
    wall: str
    floor: str
    lined: bool = False


CLASSIC = Style(4, " ┆ ", "·", " ", "┃", "━", lined=True)
TIGHT = Style(2, " ┆ ", "·", " ", "┃ ", "━")
TIGHTEST = Style(1, " ", "·", " ", "┃", "━")
PLAIN = Style(2, " ", ".", ".", "  ", "")
PRINTED = replace(PLAIN, shut=" ")


def fitting_style(rules: Rules, columns: int, lines: int) -> Style:
    """Return the most spacious style that fits a screen; where none does, the narrowest."""
    for style in (CLASSIC, TIGHT, TIGHTEST):
        width, height = extent(rules, style)
        fits = width <= columns and (height <= lines or not style.lined)
        if fits:
            return style
    return TIGHTEST


def extent(rules: Rules, style: Style) -> tuple[int, int]:
    """Return the columns and lines that a drawing takes."""
    drawn = list(draw(GameState.new(rules), style))
    return max(map(len, drawn)), len(drawn)


def draw(
    state: GameState,
    style: Style,
    emphasis: Emphasis = lambda mark, text: text,
    written: Mapping[int, str] = MappingProxyType({}),
    last: int | None = None,
) -> Iterator[str]:
    """Yield the lines of a drawing, from the letters over the columns down.

    Args:
        emphasis: gets each mark and its text, and returns what to write.
        written: signs of empty cells.
        last: the cell of the last move.
    """
    shape, traits = state.rules.shape, traits_of(state.rules)
    local, letters = traits.blocks, geometry(state.rules).column_names
    margin = " " * len(str(shape.rows))
    if traits.layered and local is not None:
        numbers = [" "] * shape.columns  # of each layer, over its first column
        for number in range(shape.columns // local.columns):
            numbers[number * local.columns] = str(number + 1)
        yield next(_letters(numbers, style, local, margin)).rstrip()
    yield from _letters(letters, style, local, margin)
    if style.lined:
        yield f"{margin}  {'-' * (style.pitch * shape.columns)}"
    texts = _empty_texts(state, style, written)
    for mark in marks_of(state, last):
        text = mark.sign.lower() if "leaving" in mark.roles else mark.sign
        texts[mark.cell] = emphasis(mark, f" {text} " if style.lined else text)
    for row in range(shape.rows):
        if row:
            yield from _between_rows(shape, style, local, margin, row)
        cells = texts[row * shape.columns : (row + 1) * shape.columns]
        yield f"{row + 1:>{len(margin)}}{style.edge}{_joined(cells, style, local)}".rstrip()
    if traits.digits is Digits.COLUMNS:
        yield from _numbers(shape, style, margin)
    elif shape.rows > TALL and not style.lined:
        yield from _letters(letters, style, local, margin)


def describe(state: GameState) -> str:
    """Return a plain drawing of a state, and below it whose turn it is or how the game ended."""
    if not state.game_over:
        standing = f"{side_name(state.rules, state.current_mark.side)} to move"
    else:
        winner = state.winner
        won = "" if winner is None else f"{side_name(state.rules, winner.side)} has won"
        standing = won or "a draw"
    return "\n".join([*draw(state, PRINTED), "", standing])


def _empty_texts(state: GameState, style: Style, written: Mapping[int, str]) -> list[str]:
    """Return the text of each cell if it is empty; in lines only to tell closed cells from others.

    Under gravity none needs a sign: a mark that is dropped finds its cell.
    """
    legal, cells = set(state.legal_cells), range(state.rules.shape.cells)
    empty = {cell for cell in cells if state.grid.cells[cell] == " "}
    alike = state.game_over or empty <= legal or traits_of(state.rules).gravity
    free = " " if alike and style.lined else style.open
    signs = (free if alike or cell in legal else style.shut for cell in cells)
    texts = (written.get(cell, sign) for cell, sign in enumerate(signs))
    return [f" {text} " if style.lined else text for text in texts]


def _joined(cells: Sequence[str], style: Style, local: Shape | None) -> str:
    """Return the cells of a row with what separates them."""
    between = "│" if style.lined else " " * (style.pitch - 1)
    if local is None:
        return between.join(cells)
    wall = style.wall if style.lined else between + style.wall
    return wall.join(between.join(group) for group in _groups(cells, local.columns))


def _between_rows(
    shape: Shape, style: Style, local: Shape | None, margin: str, row: int
) -> Iterator[str]:
    """Yield the line between two rows, if there is one."""
    heavy = local is not None and row % local.rows == 0
    if style.lined:
        dash, light_cross, heavy_cross = ("━", "┿", "╋") if heavy else ("─", "┼", "╂")
        dashes = [dash * 3] * shape.columns
        parts = [dashes] if local is None else _groups(dashes, local.columns)
        yield f"{margin} ┆ {heavy_cross.join(light_cross.join(part) for part in parts)}"
    elif heavy and style.floor:
        width = len(_joined(["x"] * shape.columns, style, local))
        yield f"{margin}{style.edge}{style.floor * width}"
    elif heavy:
        yield ""


def _letters(
    letters: Sequence[str], style: Style, local: Shape | None, margin: str
) -> Iterator[str]:
    if style.lined:
        yield f"{margin}   {' '.join(f' {letter} ' for letter in letters)}".rstrip()
    else:
        blank = Style(style.pitch, style.edge, "", "", " " * len(style.wall), "")
        yield f"{margin}{' ' * len(style.edge)}{_joined(letters, blank, local)}"


def _numbers(shape: Shape, style: Style, margin: str) -> Iterator[str]:
    """Yield the numbers of the columns; where two digits lack room they stand above each other."""
    numbers = range(1, shape.columns + 1)
    start = f"{margin}{' ' * len(style.edge)}"
    if style.pitch > 2:
        yield f"{start}{' '.join(f'{number:>2} ' for number in numbers)}".rstrip()
        return
    between = " " * (style.pitch - 1)
    if shape.columns > 9:
        yield f"{start}{between.join(f'{number // 10 or chr(32)}' for number in numbers)}"
    yield f"{start}{between.join(str(number % 10) for number in numbers)}"


def _groups(parts: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    return (parts[at : at + size] for at in range(0, len(parts), size))
