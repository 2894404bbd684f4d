"""The layout of a board in characters, at several scales."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.pictures.board import Look, geometry, looks_for, star_points

#: Boards with more rows repeat the letters of columns below.
TALL = 12
#: With fewer rows or columns crossings are not recognisable as a board.
FEWEST_CROSSINGS = 5


class Scale(NamedTuple):
    """The scale of a drawing.

    Attributes:
        width, height: of a cell in characters and lines.
        glyph: the lines of a mark's picture; 0 for one letter.
        lined: whether lines separate the cells.
        crossed: whether lines cross in the middle of each cell.
    """

    width: int
    height: int
    glyph: int = 0
    lined: bool = True
    crossed: bool = False


#: From large to small.
SCALES = (
    Scale(26, 13, 9),
    Scale(22, 11, 7),
    Scale(18, 9, 7),
    Scale(14, 7, 5),
    Scale(10, 5, 3),
    Scale(8, 3, 3),
    Scale(5, 1),
    Scale(3, 1),
    Scale(2, 1, lined=False),
    Scale(1, 1, lined=False),
)
#: The same for stones on crossings.
CROSSED_SCALES = tuple(
    Scale(width, height, glyph, lined=False, crossed=True)
    for width, height, glyph in (
        *((26, 13, 9), (14, 7, 5), (8, 4, 3)),
        *((4, 2, 0), (2, 1, 0), (1, 1, 0)),
    )
)


class Place(NamedTuple):
    """A rectangle of the drawing: first column and line, width and height."""

    x: int
    y: int
    width: int
    height: int

    def letters(self) -> Iterator[tuple[int, int]]:
        """Return the column and line of each character, row by row."""
        for y in range(self.y, self.y + self.height):
            for x in range(self.x, self.x + self.width):
                yield x, y


class Text(NamedTuple):
    """Characters outside the cells: a label, a thin line or a wall between boards."""

    x: int
    y: int
    text: str
    part: str


class LetterPlan:
    """The layout of a game's board at a scale; use `plan_of`, which caches it.

    Letters of columns are above the board, numbers of rows to the left, and numbers of columns, in
    games that use them, below. Layers are side by side, each below its number. A board of wells has
    a line above it for the next disc.

    Attributes:
        width, height: of the whole drawing in characters and lines.
        boards: the places of small boards; the whole board if it is undivided.
    """

    def __init__(
        self, rules: Rules, scale: Scale, look: Look = Look.MARKS, *, names: bool = True
    ) -> None:
        self.scale = scale
        self.look = look
        self._rules = rules
        self._named = names
        self.shape = shape = rules.shape
        self._local = local = traits_of(rules).blocks or shape
        self._names = geometry(rules)
        falls = look is Look.DISCS
        self._top = top = int(names or falls) + int(bool(self._names.layers))
        margin = len(str(shape.rows)) + 1 if names and not falls else 1
        self._columns = [
            margin + self._offset(column, scale.width, local.columns, min(scale.width, 2))
            for column in range(shape.columns)
        ]
        self._rows = [
            top + self._offset(row, scale.height, local.rows, 1) for row in range(shape.rows)
        ]
        self._right = self._columns[-1] + scale.width
        self._bottom = self._rows[-1] + scale.height
        self.places = tuple(
            Place(x, y, scale.width, scale.height) for y in self._rows for x in self._columns
        )
        width = self._columns[local.columns - 1] - margin + scale.width
        height = self._rows[local.rows - 1] - top + scale.height
        self.boards = tuple(
            Place(x, y, width, height)
            for y in self._rows[:: local.rows]
            for x in self._columns[:: local.columns]
        )
        self.width = self._right + (1 if scale.lined else 0)
        self.height = self._bottom + len(self._lines_below())
        self._cells = {
            spot: cell for cell, place in enumerate(self.places) for spot in place.letters()
        }

    def cell_at(self, x: int, y: int) -> int | None:
        """Return the cell at a column and line; ``None`` outside all cells."""
        return self._cells.get((x, y))

    def bracketed(self, cell: int) -> Place:
        """Return a cell's place; a cell two characters wide gets the gaps on both sides.

        Of a crossing it is the middle character with one on each side.
        """
        place = self.places[cell]
        if self.scale.crossed and not self.scale.glyph:
            return Place(place.x + (place.width - 1) // 2 - 1, place.y, 3, 1)
        return Place(place.x - 1, place.y, 3, 1) if place.width == 2 else place

    def inner(self, cell: int) -> Place:
        """Return the place of a cell's mark; of a crossing the middle character."""
        around = self.bracketed(cell)
        if self.scale.crossed and not self.scale.glyph:
            return Place(around.x + 1, around.y, 1, 1)
        return self.places[cell]

    def above(self, cell: int) -> Place:
        """Return the place of the next disc above a cell's column."""
        return Place(self.places[cell].x, 0, self.scale.width, 1)

    def texts(self) -> Iterator[Text]:
        """Yield the texts that do not depend on the state."""
        for (number, _), board in zip(self._names.layers, self.boards):
            yield Text(board.x + (board.width - 1) // 2, 0, number, "label")
        if self._named and self.look is not Look.DISCS:
            yield Text(0, self._top - 1, self._spread(self._names.column_names), "label")
            for name, y in zip(self._names.row_names, self._rows):
                number = name.rjust(len(self._names.row_names[-1]))
                yield Text(0, y + (self.scale.height - 1) // 2, number, "label")
        for y, line in enumerate(self._lines_below(), start=self._bottom):
            yield Text(0, y, line, "label")
        yield from self._crossings() if self.scale.crossed else self._strokes()

    def _offset(self, index: int, size: int, group: int, wall: int) -> int:
        """Return the start of a column or row, relative to the first one."""
        if self.scale.lined:
            return index * (size + 1)
        return index * size + index // group * wall

    def _lines_below(self) -> list[str]:
        if not self._named:
            return []
        if self._names.is_numbered:
            numbers = [str(column + 1) for column in range(self.shape.columns)]
            if self.scale.width > 2 or self.shape.columns <= 9:
                return [self._spread(numbers)]
            # Too narrow for two digits: write them one above the other.
            tens = [number[:-1] for number in numbers]
            return [self._spread(tens), self._spread([number[-1] for number in numbers])]
        if self.shape.rows > TALL and not self.scale.lined:
            return [self._spread(self._names.column_names)]
        return []

    def _spread(self, labels: Iterable[str]) -> str:
        line = ""
        for x, label in zip(self._columns, labels):
            line = line.ljust(x + (self.scale.width - 1) // 2) + label
        return line

    def _strokes(self) -> Iterator[Text]:
        gap = 2 if self.scale.width == 2 else 1
        walls_down = self._partings(self._columns, self._local.columns, gap)
        walls_across = self._partings(self._rows, self._local.rows, 1)
        for y in range(self._rows[0], self._bottom):
            for x in range(self._columns[0], self._right):
                walls = walls_across.get(y), walls_down.get(x)
                if walls in _SIGNS:
                    yield Text(x, y, _SIGNS[walls], "wall" if any(walls) else "grid")

    def _crossings(self) -> Iterator[Text]:
        """Yield lines through the middle of the cells, and star points."""
        xs = [x + (self.scale.width - 1) // 2 for x in self._columns]
        ys = [y + (self.scale.height - 1) // 2 for y in self._rows]
        stars = {divmod(cell, self.shape.columns) for cell in star_points(self._rules)}
        for y in range(ys[0], ys[-1] + 1):
            for x in range(xs[0], xs[-1] + 1):
                if y in ys and x in xs:
                    row, column = ys.index(y), xs.index(x)
                    ends = (
                        (row == 0) - (row == len(ys) - 1),
                        (column == 0) - (column == len(xs) - 1),
                    )
                    yield Text(x, y, STAR if (row, column) in stars else _CROSSINGS[ends], "grid")
                elif y in ys or x in xs:
                    yield Text(x, y, "─" if y in ys else "│", "grid")

    def _partings(self, starts: list[int], group: int, gap: int) -> dict[int, bool]:
        """Return the separators of columns or rows: position, and whether it is a wall.

        Args:
            group: their number between two walls.
            gap: the characters from a separator to the next start.
        """
        walls = {start - gap: index % group == 0 for index, start in enumerate(starts) if index}
        return {at: wall for at, wall in walls.items() if wall or self.scale.lined}


#: Crossing characters between cells, by whether the horizontal and the vertical line is a wall;
#: ``None`` for no line.
_SIGNS = {
    (None, False): "│",
    (None, True): "┃",
    (False, None): "─",
    (False, False): "┼",
    (False, True): "╂",
    (True, None): "━",
    (True, False): "┿",
    (True, True): "╋",
}


#: Crossing characters by edge: upper (1) or lower (-1), left (1) or right (-1); a single row or
#: column is at neither.
_CROSSINGS = {
    (1, 1): "┌",
    (1, 0): "┬",
    (1, -1): "┐",
    (0, 1): "├",
    (0, 0): "┼",
    (0, -1): "┤",
    (-1, 1): "└",
    (-1, 0): "┴",
    (-1, -1): "┘",
}
STAR = "╋"


@lru_cache(maxsize=64)
def plan_of(
    rules: Rules, scale: Scale, look: Look = Look.MARKS, *, names: bool = True
) -> LetterPlan:
    """Return the layout of a game's board at a scale."""
    return LetterPlan(rules, scale, look, names=names)


def looks_in_letters(rules: Rules) -> tuple[Look, ...]:
    """Return the possible looks of a game in characters, the default first."""
    small = min(rules.shape.rows, rules.shape.columns) < FEWEST_CROSSINGS
    return tuple(look for look in looks_for(rules) if look is not Look.STONES or not small)


def fitting_plan(
    rules: Rules, columns: int, lines: int, look: Look = Look.MARKS, *, names: bool = True
) -> LetterPlan:
    """Return the largest layout that fits; if none does, the smallest legible one.

    Args:
        names: whether to show coordinates.
    """
    scales = CROSSED_SCALES if look is Look.STONES else SCALES
    for scale in scales:
        plan = plan_of(rules, scale, look, names=names)
        if plan.width <= columns and plan.height <= lines:
            return plan
    # One character a cell is only for too wide boards: too high ones are scrolled.
    roomier = plan_of(rules, scales[-2], look, names=names)
    if roomier.width <= columns:
        return roomier
    return plan_of(rules, scales[-1], look, names=names)
