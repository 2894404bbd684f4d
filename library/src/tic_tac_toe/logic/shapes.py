"""Board shapes, and the one mapping between cells and bits that everything shares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

MAXIMUM_SIDE = 26  # one letter of the alphabet a column


class Shape(NamedTuple):
    """The size of a board: rows counted from the top, columns from the left.

    A cell is an index in reading order, ``cell = row * columns + column``::

        Shape(rows=3, columns=4)     0  1  2  3
                                     4  5  6  7
                                     8  9 10 11
    """

    rows: int = 3
    columns: int = 3

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.rows * self.columns

    @property
    def middle(self) -> int:
        """The cell in the middle, or below and to the right of it."""
        return self.rows // 2 * self.columns + self.columns // 2


@dataclass(frozen=True)
class Blocks:
    """A board that is divided into blocks of one shape, numbered in reading order.

    Drawn for blocks of 2 x 3 on a board of 4 x 6::

         0  1  2 |  3  4  5
         6  7  8 |  9 10 11      block 0 | block 1
        ---------+---------
        12 13 14 | 15 16 17      block 2 | block 3
        18 19 20 | 21 22 23

    Args:
        shape: the whole board.
        block: each block; its rows and columns divide those of the board.
    """

    shape: Shape
    block: Shape

    @property
    def grid(self) -> Shape:
        """How many blocks lie below and beside each other; a block's number is a cell of it."""
        return Shape(self.shape.rows // self.block.rows, self.shape.columns // self.block.columns)

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """For each cell of the board, its block and its cell within that block."""
        rows, columns = self.block
        found = []
        for cell in range(self.shape.cells):
            row, column = divmod(cell, self.shape.columns)
            block = row // rows * self.grid.columns + column // columns
            found.append((block, row % rows * columns + column % columns))
        return tuple(found)

    def cell(self, block: int, local_cell: int) -> int:
        """Return the cell of the board that a cell of a block is: the inverse of `places`."""
        rows, columns = self.block
        block_row, block_column = divmod(block, self.grid.columns)
        row, column = divmod(local_cell, columns)
        return (block_row * rows + row) * self.shape.columns + block_column * columns + column


class Direction(NamedTuple):
    """A direction in which lines run: the rows down and the columns right from cell to cell."""

    down: int
    right: int


#: Rows, columns, falling diagonals, rising diagonals: the order in which lines are searched.
DIRECTIONS = (Direction(0, 1), Direction(1, 0), Direction(1, 1), Direction(1, -1))


@dataclass(frozen=True)
class Layout:
    """The bit layout of a shape: bit *i* of a bit board is cell *i*.

    There are no guard columns; a shifted board is masked by the cells at which a line may start,
    so that nothing wraps around an edge. Drawn for 3 x 4, bit 0 being the least significant::

         0  1  2  3        stepping right  adds 1
         4  5  6  7        stepping down   adds 4  (columns)
         8  9 10 11        falling ↘ adds 5, rising ↙ adds 3

    A layout holds tables and never changes: take it from `layout`, which keeps one for each shape.

    Attributes:
        full: the bit board of all cells.
    """

    shape: Shape
    full: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rows, columns = self.shape
        if not (1 <= rows <= MAXIMUM_SIDE and 1 <= columns <= MAXIMUM_SIDE):
            raise ValueError(f"A board has 1 to {MAXIMUM_SIDE} rows and columns")
        object.__setattr__(self, "full", (1 << rows * columns) - 1)

    def __reduce__(self) -> tuple[Callable[[Shape], Layout], tuple[Shape]]:
        """Pickle the shape without the tables."""
        return layout, (self.shape,)

    def step(self, direction: Direction) -> int:
        """Return how far the bit moves when the cell moves one step in this direction."""
        return direction.down * self.shape.columns + direction.right

    def starts(self, direction: Direction, length: int) -> int:
        """Return the cells, as a bit board, from which ``length`` cells in a row fit the board."""
        rows, columns = self.shape
        reach = length - 1
        first = reach if direction.right < 0 else 0
        last = columns - (reach if direction.right > 0 else 0)
        in_row = (1 << last) - (1 << first) if first < last else 0
        return sum(in_row << row * columns for row in range(rows - reach * direction.down))

    def ray(self, cell: int, direction: Direction) -> tuple[int, ...]:
        """Return the cells from this one to the edge of the board, in one direction."""
        rows, columns = self.shape
        row, column = divmod(cell, columns)
        cells = []
        while 0 <= row < rows and 0 <= column < columns:
            cells.append(row * columns + column)
            row, column = row + direction.down, column + direction.right
        return tuple(cells)

    @cached_property
    def _cells_by_byte(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each byte of a bit board and each of its 256 values, the cells that it names."""
        return tuple(
            tuple(tuple(base + i for i in range(8) if value >> i & 1) for value in range(256))
            for base in range(0, self.shape.cells, 8)
        )

    def cells(self, bits: int) -> list[int]:
        """Return the cells of a bit board, ascending."""
        found: list[int] = []
        tables = self._cells_by_byte
        for table, value in zip(tables, bits.to_bytes(len(tables), "little")):
            found += table[value]
        return found

    def spread(self, bits: int) -> int:
        """Return the cells of a bit board and all their neighbours, diagonal ones too."""
        columns = self.shape.columns
        bits |= (bits & ~self._right_edge) << 1 | (bits & ~(self._right_edge >> columns - 1)) >> 1
        return (bits | bits << columns | bits >> columns) & self.full

    @cached_property
    def _right_edge(self) -> int:
        rows, columns = self.shape
        return sum(1 << row * columns + columns - 1 for row in range(rows))

    def supported(self, occupied: int) -> int:
        """Return the cells, taken or not, that lie on the floor or on a taken cell."""
        columns = self.shape.columns
        floor = self.full & ~(self.full >> columns)
        return occupied >> columns | floor

    @cached_property
    def turns(self) -> tuple[tuple[int, ...], ...]:
        """Every turn and reflection of the bare rectangle; `rules.symmetries` has those of a game.

        Entry *i* of each is the cell that cell *i* goes to.

        The identity comes first. A square has eight, any other rectangle four; equal
        images, as on a board one cell wide, are listed once.
        """
        rows, columns = self.shape
        images: dict[tuple[int, ...], None] = {}
        for transposed in (False, True) if rows == columns else (False,):
            for flip_rows in (False, True):
                for flip_columns in (False, True):
                    image = []
                    for cell in range(rows * columns):
                        row, column = divmod(cell, columns)
                        if transposed:
                            row, column = column, row
                        if flip_rows:
                            row = rows - 1 - row
                        if flip_columns:
                            column = columns - 1 - column
                        image.append(row * columns + column)
                    images[tuple(image)] = None
        return tuple(images)

    @cached_property
    def mirror(self) -> tuple[int, ...]:
        """The left-right reflection: the only symmetry that gravity leaves."""
        columns = self.shape.columns
        return tuple(
            cell - cell % columns + columns - 1 - cell % columns for cell in range(self.shape.cells)
        )


@lru_cache(maxsize=64)
def blocks(shape: Shape, block: Shape) -> Blocks:
    """Return the division of a board into blocks, made once."""
    return Blocks(shape, block)


@lru_cache(maxsize=256)
def layout(shape: Shape) -> Layout:
    """Return the layout of a shape, made once.

    Raises:
        ValueError: the shape is empty or larger than 26 x 26.
    """
    return Layout(Shape(*shape))


class Symmetry:
    """A permutation of cells that moves whole bit boards by table, a byte at a time."""

    def __init__(self, permutation: tuple[int, ...]) -> None:
        self._tables = tuple(
            tuple(
                sum(
                    1 << cell
                    for i, cell in enumerate(permutation[base : base + 8])
                    if value >> i & 1
                )
                for value in range(256)
            )
            for base in range(0, len(permutation), 8)
        )

    def __call__(self, bits: int) -> int:
        """Return the image of a bit board."""
        image = 0
        for table in self._tables:
            image |= table[bits & 255]
            bits >>= 8
        return image
