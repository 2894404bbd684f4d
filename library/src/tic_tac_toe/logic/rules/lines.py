"""How the cells of a board hang together, where lines lie on it, and how to find one.

A topology is a value without tables. `PLANE` is every ordinary board, `TORUS` has no edges, and
`Layers` piles boards up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise, permutations, product, takewhile
from typing import NamedTuple, Protocol, TypeAlias

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.shapes import DIRECTIONS, Direction, Layout, Shape, Symmetry, blocks, layout

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


class Line(NamedTuple):
    """One place for a line, and the cells just before and after it, as bit boards.

    Attributes:
        cells: those of the place, in the order of the row.
        ahead: the cells of the row that follow, the nearest first; ``behind``, those before.
    """

    mask: int
    fence: int
    cells: tuple[int, ...]
    ahead: tuple[int, ...]
    behind: tuple[int, ...]

    def run(self, stones: int) -> tuple[int, ...]:
        """Return the cells of the stones without a gap that the line is a part of, ascending."""
        run = set(self.cells)
        for cells in (self.ahead, self.behind):
            run.update(takewhile(lambda cell: stones >> cell & 1, cells))
        return tuple(sorted(run))


class _Run(NamedTuple):
    """How to find lines in one direction by shifting the board over itself.

    ``stones & stones >> step`` keeps the stones whose next neighbour is a stone too. Shifting what
    is left by as much again doubles the length: five in a row takes three steps and not four.
    """

    shifts: tuple[int, ...]
    starts: int
    step: int
    has_before: int  # the starts that have a cell before them, and so may be inside a longer row
    has_after: int  # the starts of lines that have a cell after them


@dataclass(frozen=True)
class Lines:
    """Every line of a length on a board; ``exact`` means that a longer row is not a line.

    Lines are listed by directions, on ordinary boards in the order of rows, columns, falling and
    rising diagonals, each from the top left. Take one from `lines`, which makes each only once.
    """

    shape: Shape
    length: int
    exact: bool = False
    topology: Topology = PLANE
    layout: Layout = field(init=False, repr=False, compare=False)
    #: Whether rows run straight through the board, so that they can be shifted over it.
    is_plane: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "layout", layout(self.shape))
        object.__setattr__(self, "is_plane", self.topology == PLANE)

    def found_in(self, stones: int) -> bool:
        """Return whether the stones hold a line, looked for by shifting the whole board.

        Places that cannot be found so are looked at one after the other; see `bent`.
        """
        for shifts, starts, step, has_before, has_after in self._runs:
            found = stones
            for shift in shifts:
                found &= found >> shift
                if not found:
                    break
            found &= starts
            if found and self.exact:
                found &= ~(stones << step & has_before | stones >> step * self.length & has_after)
            if found:
                return True
        for mask, fence in self.bent:
            if stones & mask == mask and not (self.exact and stones & fence):
                return True
        return False

    def first_in(self, stones: int) -> tuple[int, ...]:
        """Return the cells of the first line, ascending; a row longer than needed is whole.

        This compares the stones with one place after the other: the plain way to `found_in`.
        """
        for line in self.places:
            if stones & line.mask == line.mask:
                if not stones & line.fence:
                    return tuple(sorted(line.cells))
                if not self.exact:
                    return line.run(stones)
        return ()

    @cached_property
    def places(self) -> tuple[Line, ...]:
        """Every place for a line."""
        groups = list(self.topology.rows(self.shape))
        # A single mark is a line of one in every direction; one direction is enough unless `exact`.
        if self.length == 1 and not self.exact:
            groups = groups[:1]
        found = list[Line]()
        for rows in groups:
            places = [place for row in rows for place in places_in(row, self.length)]
            found += sorted(places, key=lambda place: place.cells[0])
        if self.topology == PLANE:
            return tuple(found)
        # In a small ring directions coincide; the first of equal places stays.
        return tuple({(place.mask, place.fence): place for place in found[::-1]}.values())[::-1]

    @cached_property
    def supported(self) -> Callable[[int], int]:
        """The function from taken cells to the cells on the floor or on a taken one, taken or not.

        Bit boards both; where nothing lies below anything every cell is on the floor.
        """
        stacks = self.topology.stacks(self.shape)
        if stacks is None:
            return lambda _occupied: self.layout.full
        floor, full = _bits(stack[0] for stack in stacks), self.layout.full
        step = stacks[0][1] - stacks[0][0] if len(stacks[0]) > 1 else 0
        if step <= 0:
            return lambda occupied: occupied >> -step | floor
        return lambda occupied: (occupied << step | floor) & full

    @cached_property
    def images(self) -> tuple[Symmetry, ...]:
        """The symmetries of the board but for the identity."""
        return tuple(map(Symmetry, self.topology.symmetries(self.shape, False)[1:]))

    @cached_property
    def images_under_gravity(self) -> tuple[Symmetry, ...]:
        """Those that leave what is up."""
        return tuple(map(Symmetry, self.topology.symmetries(self.shape, True)[1:]))

    @cached_property
    def through(self) -> tuple[int, ...]:
        """For each cell, the number of places for a line that run through it."""
        cells = range(self.layout.shape.cells)
        return tuple(sum(line.mask >> cell & 1 for line in self.places) for cell in cells)

    @cached_property
    def bent(self) -> tuple[tuple[int, int], ...]:
        """The places, with their fences, whose cells do not follow each other by equal steps.

        There are such on a torus; and where rows of an exact length do not end at the edge of the
        board, all places are given here.
        """
        if self.is_plane:
            return ()
        return tuple((line.mask, line.fence) for line in self.places if not self._step_of(line))

    def _step_of(self, line: Line) -> int:
        """Return the step between the cells of a place that shifting finds, else 0."""
        steps = {after - before for before, after in pairwise(line.cells)}
        return abs(steps.pop()) if len(steps) == 1 and not self.exact else 0

    @cached_property
    def windows(self) -> tuple[tuple[int, int], ...]:
        """For each direction that has lines, the step between its cells and the starts."""
        return tuple((run.step, run.starts) for run in self._runs)

    @property
    def _directions(self) -> tuple[Direction, ...]:
        # A single mark is a line of one in every direction; one direction is enough unless `exact`.
        return DIRECTIONS if self.length > 1 or self.exact else DIRECTIONS[:1]

    @cached_property
    def _runs(self) -> tuple[_Run, ...]:
        shifts, reached = [], 1
        while reached < self.length:
            shifts.append(min(reached, self.length - reached))
            reached += shifts[-1]
        return tuple(
            _Run(tuple(step * shift for shift in shifts), starts, step, longer << step, longer)
            for step, starts, longer in (self._flat if self.is_plane else self._folded)()
            if starts
        )

    def _flat(self) -> Iterator[tuple[int, int, int]]:
        """Yield for each direction the step, the starts of lines, and those of longer rows."""
        for direction in self._directions:
            longer = self.layout.starts(direction, self.length + 1)
            yield self.layout.step(direction), self.layout.starts(direction, self.length), longer

    def _folded(self) -> Iterator[tuple[int, int, int]]:
        """Yield the same from the places themselves; longer rows do not matter there."""
        starts = dict[int, int]()
        for line in self.places:
            step = self._step_of(line)
            starts[step] = starts.get(step, 0) | 1 << min(line.cells)
        yield from ((step, cells, 0) for step, cells in starts.items() if step)


@lru_cache(maxsize=256)
def lines(shape: Shape, length: int, exact: bool = False, topology: Topology = PLANE) -> Lines:
    """Return the lines of a length on a board, made once."""
    return Lines(shape, length, exact, topology)


def places_in(row: Row, length: int) -> Iterator[Line]:
    """Yield the places for a line in a row; in a ring they may run across its two ends."""
    size = len(row.cells)
    starts = max(0, size - length + 1)
    if row.is_ring and size > length:
        starts = size  # a line as long as the ring is the same wherever it begins
    for start in range(starts):
        cells = row.cells[start:] + (row.cells[:start] if row.is_ring else ())
        line, ahead = cells[:length], cells[length:]
        behind = (ahead if row.is_ring else row.cells[:start])[::-1]
        yield Line(_bits(line), _bits({*ahead[:1], *behind[:1]}), line, ahead, behind)


def _bits(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)
