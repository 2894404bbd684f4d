"""Drawings of a board as lines of text: as in the classic, tighter, or for plain streams."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from tic_tac_toe.game.geometry import geometry
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import Digits, cell_signs, leaving_cells, side_name, traits_of
from tic_tac_toe.logic.shapes import Shape

#: Boards with more rows than this are lettered below as well, when they are drawn tight.
TALL = 9

#: Makes the text of a cell stand out, or leaves it alone.
Emphasis = Callable[[int, str], str]


@dataclass(frozen=True)
class Style:
    """How a board is drawn.

    Args:
        pitch: how many columns of text a column of the board takes.
        edge: what parts the numbers of the rows from the cells.
        open: shows an empty cell where a mark may go; ``shut``, where none may go now.
        wall: what parts small boards in a row; ``floor``, what parts them in a column, if anything.
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
    emphasis: Emphasis = lambda cell, text: text,
    written: Mapping[int, str] = MappingProxyType({}),
) -> Iterator[str]:
    """Yield the lines of a drawing, from the letters over the columns down.

    Args:
        emphasis: is given each cell that holds a mark, and its text, and returns what to write.
        written: signs of empty cells.
    """
    shape, traits = state.rules.shape, traits_of(state.rules)
    local, letters = traits.blocks, geometry(state.rules).column_names
    margin = " " * len(str(shape.rows))
    if traits.layered and local is not None:
        yield _layer_numbers(shape, style, local, margin)
    yield from _letters(letters, style, local, margin)
    if style.lined:
        yield f"{margin}  {'-' * (style.pitch * shape.columns)}"
    texts = list(_cell_texts(state, style, emphasis, written))
    for row in range(shape.rows):
        if row:
            yield from _between_rows(shape, style, local, margin, row)
        cells = texts[row * shape.columns : (row + 1) * shape.columns]
        yield f"{row + 1:>{len(margin)}}{style.edge}{_joined(cells, style, local)}".rstrip()
    if traits.digits is Digits.COLUMNS:
        yield from _numbers(shape, style, margin)
    elif shape.rows > TALL and not style.lined:
        yield from _letters(letters, style, local, margin)


def _cell_texts(
    state: GameState, style: Style, emphasis: Emphasis, written: Mapping[int, str]
) -> Iterator[str]:
    """Yield the text of each cell; empty ones have signs in classic style only to tell them apart.

    Under gravity they need none: a mark that is dropped finds its cell. The marks that leave the
    board next are small letters.
    """
    signs = cell_signs(state.rules, state.position, state.grid.cells)
    leaving = () if state.game_over else leaving_cells(state.rules, state.position)
    legal = set(state.legal_cells)
    empty = {cell for cell, mark in enumerate(state.grid.cells) if mark == " "}
    alike = state.game_over or empty <= legal or traits_of(state.rules).gravity
    for cell, mark in enumerate(state.grid.cells):
        if mark != " ":
            text = signs[cell].lower() if cell in leaving else signs[cell]
        elif cell in written:
            text = written[cell]
        elif alike:
            text = " " if style.lined else style.open
        else:
            text = style.open if cell in legal else style.shut
        text = f" {text} " if style.lined else text
        yield emphasis(cell, text) if mark != " " else text


def _joined(cells: Sequence[str], style: Style, local: Shape | None) -> str:
    """Return the cells of a row with what parts them."""
    between = "│" if style.lined else " " * (style.pitch - 1)
    if local is None:
        return between.join(cells)
    groups = [cells[at : at + local.columns] for at in range(0, len(cells), local.columns)]
    wall = style.wall if style.lined else between + style.wall
    return wall.join(between.join(group) for group in groups)


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


def _layer_numbers(shape: Shape, style: Style, local: Shape, margin: str) -> str:
    """Return the line above the letters with the number of each layer over its first column."""
    texts = [" "] * shape.columns
    for number in range(shape.columns // local.columns):
        texts[number * local.columns] = str(number + 1)
    return next(_letters(texts, style, local, margin)).rstrip()


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


def describe(state: GameState) -> str:
    """Return a plain drawing of a state, and below it whose turn it is or how the game ended."""
    if not state.game_over:
        standing = f"{side_name(state.rules, state.current_mark.side)} to move"
    else:
        winner = state.winner
        won = "" if winner is None else f"{side_name(state.rules, winner.side)} has won"
        standing = won or "a draw"
    return "\n".join([*draw(state, PRINTED), "", standing])
