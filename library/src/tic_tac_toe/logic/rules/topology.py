"""How the cells of a board hang together: where rows run, what carries a mark, what looks alike.

A topology is a value without tables. `PLANE` is every ordinary board, `TORUS` has no edges, and
`Layers` piles boards up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import NamedTuple, Protocol, TypeAlias

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.shapes import DIRECTIONS, Shape, blocks, layout

#: Where a cell lies in space: its layer, its row and its column.
Point: TypeAlias = tuple[int, int, int]


class Row(NamedTuple):
    """The cells that follow each other in one direction.

    Attributes:
        cells: from one edge of the board to the other; of a ring, once around.
        is_ring: whether the first cell follows the last.
    """

    cells: tuple[int, ...]
    is_ring: bool = False


class Topology(Protocol):
    """How the cells of a board hang together."""

    def __hash__(self) -> int: ...

    def rows(self, shape: Shape, /) -> Iterable[Sequence[Row]]:
        """Return for each direction every row of the board."""
        ...

    def longest_row(self, shape: Shape, /) -> int:
        """Return the most marks that a line can have.

        Raises:
            InvalidVariant: a board of this shape does not hang together so.
        """
        ...

    def stacks(self, shape: Shape, /) -> tuple[tuple[int, ...], ...] | None:
        """Return the cells that lie upon each other, each stack from the floor up.

        ``None`` where nothing lies below anything, so that there can be no gravity.
        """
        ...

    def symmetries(self, shape: Shape, gravity: bool, /) -> tuple[tuple[int, ...], ...]:
        """Return every permutation of the cells that keeps rows, and under gravity stacks.

        Entry *i* of each is the cell that cell *i* goes to; the identity comes first.
        """
        ...


@dataclass(frozen=True)
class Plane:
    """An ordinary board: rows end at its edges, and under gravity marks fall down its columns."""

    def rows(self, shape: Shape) -> Iterator[list[Row]]:
        """Yield the rows, columns, falling and rising diagonals."""
        table = layout(shape)
        for direction in DIRECTIONS:
            starts = set(range(shape.cells))
            for start in range(shape.cells):
                starts.difference_update(table.ray(start, direction)[1:])
            yield [Row(table.ray(start, direction)) for start in sorted(starts)]

    def longest_row(self, shape: Shape) -> int:
        """Return the larger side."""
        return max(shape)

    def stacks(self, shape: Shape) -> tuple[tuple[int, ...], ...]:
        """Return the columns."""
        return tuple(
            tuple(range(shape.cells - shape.columns + column, -1, -shape.columns))
            for column in range(shape.columns)
        )

    def symmetries(self, shape: Shape, gravity: bool) -> tuple[tuple[int, ...], ...]:
        """Return those of the rectangle; gravity leaves the left-right reflection."""
        table = layout(shape)
        if not gravity:
            return table.turns
        return tuple(dict.fromkeys((tuple(range(shape.cells)), table.mirror)))


@dataclass(frozen=True)
class Torus:
    """A board without edges: its right column touches its left, its bottom row its top."""

    def rows(self, shape: Shape) -> Iterator[list[Row]]:
        """Yield the rings of each direction; a diagonal can run around several times."""
        rows, columns = shape
        for direction in DIRECTIONS:
            rings, seen = [], set[int]()
            for start in range(shape.cells):
                ring, cell = list[int](), start
                while cell not in seen:
                    seen.add(cell)
                    ring.append(cell)
                    row, column = divmod(cell, columns)
                    row, column = row + direction.down, column + direction.right
                    cell = row % rows * columns + column % columns
                if ring:
                    rings.append(Row(tuple(ring), is_ring=True))
            yield rings

    def longest_row(self, shape: Shape) -> int:
        """Return the larger side: a longer diagonal would meet itself."""
        return max(shape)

    def stacks(self, shape: Shape) -> None:
        """Return ``None``: a torus has no floor."""
        return

    def symmetries(self, shape: Shape, gravity: bool) -> tuple[tuple[int, ...], ...]:
        """Return those of the rectangle, each followed by every shift along rows and columns."""
        rows, columns = shape
        shifts = [
            tuple(
                (row + down) % rows * columns + (column + right) % columns
                for row, column in product(range(rows), range(columns))
            )
            for down, right in product(range(rows), range(columns))
        ]
        images = (
            tuple(shift[cell] for cell in image)
            for shift in shifts
            for image in layout(shape).turns
        )
        return tuple(dict.fromkeys(images))


@dataclass(frozen=True)
class Layers:
    """Boards of one shape piled up, the lowest first; lines run through them in all directions.

    The layers lie side by side on the board: four layers of 4 x 4 make a board of 4 x 16.

    Args:
        layer: the shape of each layer; as many rows as the board.
    """

    layer: Shape

    def rows(self, shape: Shape) -> Iterator[list[Row]]:
        """Yield the rows in the 13 directions of space."""
        size = self._size(shape)
        points = set(_points(size))
        for step in product((-1, 0, 1), (-1, 0, 1), (-1, 0, 1)):
            if step <= (0, 0, 0):
                continue
            rows = []
            for point in sorted(points):
                if _moved(point, step, -1) in points:
                    continue  # this is not where the row begins
                cells = []
                while point in points:
                    cells.append(self._cell(shape, point))
                    point = _moved(point, step)
                rows.append(Row(tuple(cells)))
            yield rows

    def longest_row(self, shape: Shape) -> int:
        """Return the largest of the three sides."""
        rows, columns = self.layer
        if rows != shape.rows or columns < 1 or shape.columns % columns:
            raise InvalidVariant(
                "layers of {columns} x {rows} do not lie side by side on this board",
                "wrong_layers",
                columns=columns,
                rows=rows,
            )
        return max(self._size(shape))

    def stacks(self, shape: Shape) -> tuple[tuple[int, ...], ...]:
        """Return the cells of all layers above each cell of the lowest."""
        layers, rows, columns = self._size(shape)
        return tuple(
            tuple(self._cell(shape, (layer, row, column)) for layer in range(layers))
            for row, column in product(range(rows), range(columns))
        )

    def symmetries(self, shape: Shape, gravity: bool) -> tuple[tuple[int, ...], ...]:
        """Return the turns and reflections of the solid, 48 of a cube; gravity keeps what is up."""
        size = self._size(shape)
        images: dict[tuple[int, ...], None] = {}
        for order in permutations(range(3)):
            if [size[axis] for axis in order] != list(size) or (gravity and order[0] != 0):
                continue
            for flips in product((False, True), repeat=3):
                if gravity and flips[0]:
                    continue
                image = [0] * shape.cells
                for point in _points(size):
                    turned = (point[axis] for axis in order)
                    layer, row, column = (
                        most - 1 - at if flip else at for at, most, flip in zip(turned, size, flips)
                    )
                    image[self._cell(shape, point)] = self._cell(shape, (layer, row, column))
                images[tuple(image)] = None
        return tuple(images)

    def _size(self, shape: Shape) -> Point:
        """Return the numbers of layers, rows and columns."""
        return blocks(shape, self.layer).grid.cells, self.layer.rows, self.layer.columns

    def _cell(self, shape: Shape, point: Point) -> int:
        layer, row, column = point
        return blocks(shape, self.layer).cell(layer, row * self.layer.columns + column)


def _points(size: Point) -> Iterator[Point]:
    layers, rows, columns = size
    return product(range(layers), range(rows), range(columns))


def _moved(point: Point, step: Point, times: int = 1) -> Point:
    layer, row, column = (at + times * by for at, by in zip(point, step))
    return layer, row, column


#: An ordinary board.
PLANE = Plane()
#: A board without edges.
TORUS = Torus()
