"""Games won by a line: tic-tac-toe, every m,n,k game, gomoku, Connect Four."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from operator import index
from typing import TYPE_CHECKING, TypeAlias

from tic_tac_toe.logic.exceptions import (
    InvalidGameState,
    InvalidMove,
    InvalidVariant,
    message,
    require,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.alternation import check_alternation, check_last_mover, starter_of
from tic_tac_toe.logic.rules.lines import PLANE, TORUS, Layers, Lines, Topology, lines
from tic_tac_toe.logic.rules.traits import Traits
from tic_tac_toe.logic.shapes import MAXIMUM_SIDE, Shape, Symmetry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: The bit boards of crosses and of naughts.
Stones: TypeAlias = tuple[int, int]
#: Boards of at most this many cells have the answers for all bit boards in tables: 512 on 3x3.
TABLED_CELLS = 9

#: The numbers that define a line game, as messages call them.
COLUMNS = message("columns", "columns")
ROWS = message("rows", "rows")
LINE_LENGTH = message("line length", "line_length")

DRAW = Outcome(None)
_new = tuple.__new__


@dataclass(frozen=True, slots=True)
class LineRules:
    """Players alternate; the first to own ``length`` marks in a row, column or diagonal wins.

        >>> connect_four = LineRules(Shape(6, 7), 4, gravity=True)
        >>> connect_four.moves(Position())
        [35, 36, 37, 38, 39, 40, 41]

    Args:
        shape: the board, at most 26 x 26.
        length: marks in a row that win; a longer row wins too unless ``exact``.
        gravity: a mark falls to the lowest empty cell of its column.
        exact: exactly ``length`` in a row win; an overline does not count.
        topology: where rows run: on a `PLANE`, on a `TORUS` or through `Layers`.

    Raises:
        InvalidVariant: the board is empty or too large, a line of that length does not fit, or the
            topology knows no gravity.
    """

    shape: Shape = Shape()
    length: int = 3
    gravity: bool = False
    exact: bool = False
    topology: Topology = PLANE

    lines: Lines = field(init=False, repr=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)
    #: On small boards, by bit board: its first line if any, and the cells that stay open.
    line_table: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    open_table: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require(self.shape, tuple, "a Shape(rows, columns)")
        rows, columns = self.shape
        object.__setattr__(self, "shape", Shape(rows, columns))
        named = ((COLUMNS, columns), (ROWS, rows), (LINE_LENGTH, self.length))
        for name, value in named:
            if type(value) is not int:
                raise InvalidVariant(
                    "{what} must be a whole number, not {text}",
                    "number_kind",
                    what=name,
                    text=type(value).__name__,
                )
        for name, value in named[:2]:
            if not 1 <= value <= MAXIMUM_SIDE:
                raise InvalidVariant(
                    "{what} must be from 1 to {most}, not {text}",
                    "side_range",
                    what=name,
                    most=MAXIMUM_SIDE,
                    text=value,
                )
        most = self.topology.longest_row(self.shape)
        if self.length > most:
            raise InvalidVariant(
                "no line of {count} fits {columns} columns and {rows} rows, "
                "so every game would be a draw: line length must be from 1 to {most}",
                "long_line",
                count=self.length,
                columns=columns,
                rows=rows,
                most=most,
            )
        if self.length < 1:
            raise InvalidVariant(
                "line length must be 1 or more, not {text}", "short_line", text=self.length
            )
        if self.gravity and self.topology.stacks(self.shape) is None:
            raise InvalidVariant(
                "a torus has no floor that marks could fall to, so torus and gravity do not go "
                "together",
                "no_floor",
            )
        found = lines(self.shape, self.length, self.exact, self.topology)
        small = rows * columns <= TABLED_CELLS
        line_table, open_table = _tables(found, self.gravity) if small else ((), ())
        object.__setattr__(self, "lines", found)
        parameters = self.shape, self.length, self.gravity, self.exact, self.topology
        object.__setattr__(self, "_hash", hash(parameters))
        object.__setattr__(self, "line_table", line_table)
        object.__setattr__(self, "open_table", open_table)

    def __hash__(self) -> int:
        """Return a hash that is worked out once, for tables are kept by rules."""
        return self._hash

    def __repr__(self) -> str:
        topology = "" if self.topology == PLANE else f", topology={self.topology!r}"
        return (
            f"{type(self).__name__}(shape={self.shape!r}, length={self.length}, "
            f"gravity={self.gravity}, exact={self.exact}{topology})"
        )

    def __reduce__(self) -> tuple[type[LineRules], tuple[object, ...]]:
        """Pickle the parameters without the tables."""
        return type(self), (self.shape, self.length, self.gravity, self.exact, self.topology)

    @property
    def traits(self) -> Traits:
        """Properties for notation, pictures and screens."""
        layer = self.topology.layer if isinstance(self.topology, Layers) else None
        return Traits(
            self.length,
            self.gravity,
            self.exact,
            torus=self.topology == TORUS,
            blocks=layer,
            layered=layer is not None,
            stacks=self.topology.stacks(self.shape) if self.gravity else None,
            lines=self.list_lines,
            symmetries=self.list_symmetries,
        )

    def list_lines(self) -> tuple[tuple[int, ...], ...]:
        """Return the cells of each place for a line."""
        return tuple(line.cells for line in self.lines.places)

    def list_symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Return the permutations of the cells that keep rows, and under gravity stacks."""
        return self.topology.symmetries(self.shape, self.gravity)

    def moves(self, position: Position) -> Sequence[int]:
        """Return the legal cells in ascending order; none once the game is over.

        Only the side that moved last can own a line, so only its stones are examined.
        """
        (crosses, naughts), turn, _ = position
        last = crosses if turn else naughts
        table = self.line_table
        if table:
            return () if table[last] else self.open_table[crosses | naughts]
        if self.lines.found_in(last):
            return ()
        return _open_cells(self.lines, self.gravity, crosses | naughts)

    def play(self, position: Position, move: int) -> Position:
        """Return the position after a move; see `Rules.play`."""
        (crosses, naughts), turn, memory = position
        stone = 1 << index(move)
        occupied = crosses | naughts
        if occupied & stone or (self.gravity and not self.lines.supported(occupied) & stone):
            self.check_placement(occupied, move)
        # Position(...) would run a Python-level __new__: this is the same value in half the time.
        if turn:
            return _new(Position, ((crosses, naughts | stone), 0, memory))
        return _new(Position, ((crosses | stone, naughts), 1, memory))

    def outcome(self, position: Position) -> Outcome | None:
        """Return how the game ended, or ``None`` while it goes on."""
        crosses, naughts = position[0]
        for side in (0, 1):
            if cells := self.winning_line(position[0], side):
                return Outcome(side, cells)
        return DRAW if crosses | naughts == self.lines.layout.full else None

    def validate(self, position: Position) -> None:
        """Raise `InvalidGameState` unless marks alternate, float nowhere and ended with the line.

        Every position that a game reaches passes. Two kinds pass although no game reaches them:
        under gravity a stack whose marks cannot have come in turn, and with exact lines on a torus
        a ring of cells that is filled further than a line is long.
        """
        counts = check_alternation(position, self.shape)
        if position.memory:
            raise InvalidGameState("Nothing is remembered in this game", "no_memory")
        if self.floats(position.occupied):
            raise InvalidGameState("A mark floats above an empty cell", "mark_floats")
        winners = [side for side in (0, 1) if self.winning_line(position.stones, side)]
        if len(winners) == 2:
            raise InvalidGameState("Both players own a line", "two_winners")
        for winner in winners:
            check_last_mover(*counts, starter_of(position), winner)
            if not self._ended_at_once(position, winner):
                raise InvalidGameState("The game went on after a line", "moves_after_end")

    def canonical(self, position: Position) -> Position:
        """Return the representative under the board's symmetries and the exchange of colours.

        The stones of the side to move come first and the turn is 0; of all reflections and turns
        that the rules allow, the one with the smallest stones is taken.
        """
        crosses, naughts = position.stones
        own, other = (naughts, crosses) if position.turn else (crosses, naughts)
        best = (own, other)
        for image in self._images:
            own_image = image(own)
            if own_image <= best[0]:
                best = min(best, (own_image, image(other)))
        return _new(Position, (best, 0, 0))

    def orbit(self, position: Position) -> int:
        """Return how many positions the board's symmetries make of this one, itself included."""
        return len(set(self.images(position.stones)))

    @property
    def _images(self) -> tuple[Symmetry, ...]:
        """The symmetries that the rules keep, but for the identity."""
        return self.lines.images_under_gravity if self.gravity else self.lines.images

    def has_line(self, stones: int) -> bool:
        """Return whether the stones of one side hold a winning line."""
        table = self.line_table
        return bool(table[stones]) if table else self.lines.found_in(stones)

    def line_cells(self, stones: int) -> tuple[int, ...]:
        """Return the cells of the first winning line among the stones of one side, if any."""
        table = self.line_table
        if table:
            return table[stones]
        return self.lines.first_in(stones) if self.lines.found_in(stones) else ()

    def winning_line(self, stones: Stones, side: int) -> tuple[int, ...]:
        """Return the cells of the line with which a side has won; none if it has not."""
        return self.line_cells(stones[side])

    def _ended_at_once(self, position: Position, winner: int) -> bool:
        """Return whether one stone of the winner can have been the last, and made the line."""
        for cell in self.winning_line(position.stones, winner):
            stones = [*position.stones]
            stones[winner] ^= 1 << cell
            crosses, naughts = stones
            goes_on = not self.winning_line((crosses, naughts), winner)
            if goes_on and not self.floats(crosses | naughts):
                return True
        return False

    # -- for other games on such a board -----------------------------------------------------------

    def open_cells(self, occupied: int) -> Sequence[int]:
        """Return the cells that a mark may enter, ascending, given all marks."""
        table = self.open_table
        return table[occupied] if table else _open_cells(self.lines, self.gravity, occupied)

    def check_placement(self, occupied: int, cell: int) -> None:
        """Raise `InvalidMove` if the board does not allow a mark in a cell."""
        cell = index(cell)
        if occupied >> cell & 1:
            raise InvalidMove("Cell is not empty", "cell_taken")
        if self.gravity and not self.lines.supported(occupied) >> cell & 1:
            raise InvalidMove("A mark falls to the lowest empty cell of its column", "mark_falls")

    def floats(self, occupied: int) -> bool:
        """Return whether a mark has nothing below it although marks fall."""
        return self.gravity and bool(occupied & ~self.lines.supported(occupied))

    def images(self, stones: Stones) -> Iterator[Stones]:
        """Yield two bit boards as each of the board's symmetries shows them, themselves first."""
        yield stones
        for image in self._images:
            yield image(stones[0]), image(stones[1])


def _open_cells(found: Lines, gravity: bool, occupied: int) -> list[int]:
    """Return the cells that a mark may enter, given all marks."""
    board = found.layout
    empty = board.full & ~occupied
    return board.cells(empty & found.supported(occupied) if gravity else empty)


@lru_cache(maxsize=64)
def _tables(
    found: Lines, gravity: bool
) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """Return by bit board the first line in it, and the cells that stay open, on a small board."""
    boards = range(found.layout.full + 1)
    line_table = tuple(map(found.first_in, boards))
    return line_table, tuple(tuple(_open_cells(found, gravity, one)) for one in boards)
