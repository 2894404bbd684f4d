"""Games won by a line: tic-tac-toe, every m,n,k game, gomoku, Connect Four."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, InvalidVariant, message
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.alternation import check_alternation, check_last_mover, starter_of
from tic_tac_toe.logic.rules.lines import Lines, lines
from tic_tac_toe.logic.rules.traits import Traits
from tic_tac_toe.logic.shapes import MAXIMUM_SIDE, Layout, Shape, Symmetry, layout

if TYPE_CHECKING:
    from collections.abc import Sequence

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

    Args:
        shape: the board, at most 26 x 26.
        length: marks in a row that win; a longer row wins too unless ``exact``.
        gravity: a mark falls to the lowest empty cell of its column.
        exact: exactly ``length`` in a row win; an overline does not count.

    Raises:
        InvalidVariant: the board is empty or too large, or a line of that length does not fit.
    """

    shape: Shape = Shape()
    length: int = 3
    gravity: bool = False
    exact: bool = False

    lines: Lines = field(init=False, repr=False, compare=False)
    #: On small boards, by bit board: its first line if any, and the cells that stay open.
    line_table: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    open_table: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
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
        if self.length > max(rows, columns):
            raise InvalidVariant(
                "no line of {count} fits {columns} columns and {rows} rows, "
                "so every game would be a draw: line length must be from 1 to {most}",
                "long_line",
                count=self.length,
                columns=columns,
                rows=rows,
                most=max(rows, columns),
            )
        if self.length < 1:
            raise InvalidVariant(
                "line length must be 1 or more, not {text}", "short_line", text=self.length
            )
        found = lines(self.shape, self.length, self.exact)
        small = rows * columns <= TABLED_CELLS
        line_table, open_table = _tables(found, self.gravity) if small else ((), ())
        object.__setattr__(self, "lines", found)
        object.__setattr__(self, "line_table", line_table)
        object.__setattr__(self, "open_table", open_table)

    def __reduce__(self) -> tuple[type[LineRules], tuple[object, ...]]:
        """Pickle the four parameters without the tables."""
        return type(self), (self.shape, self.length, self.gravity, self.exact)

    @property
    def traits(self) -> Traits:
        """What notation and screens need to know."""
        return Traits(self.length, self.gravity, self.exact)

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
        return _open_cells(self.lines.layout, self.gravity, crosses | naughts)

    def play(self, position: Position, move: int) -> Position:
        """Return the position after a move; see `Rules.play`."""
        (crosses, naughts), turn, memory = position
        stone = 1 << move
        if (crosses | naughts) & stone:
            raise InvalidMove("Cell is not empty", "cell_taken")
        if self.gravity and not self.lines.layout.supported(crosses | naughts) & stone:
            raise InvalidMove("A mark falls to the lowest empty cell of its column", "mark_falls")
        # Position(...) would run a Python-level __new__: this is the same value in half the time.
        if turn:
            return _new(Position, ((crosses, naughts | stone), 0, memory))
        return _new(Position, ((crosses | stone, naughts), 1, memory))

    def outcome(self, position: Position) -> Outcome | None:
        """Return how the game ended, or ``None`` while it goes on."""
        crosses, naughts = position[0]
        if cells := self.line_cells(crosses):
            return Outcome(0, cells)
        if cells := self.line_cells(naughts):
            return Outcome(1, cells)
        return DRAW if crosses | naughts == self.lines.layout.full else None

    def validate(self, position: Position) -> None:
        """Raise `InvalidGameState` unless marks alternate, float nowhere and ended with the line.

        The checks are necessary; without gravity they are sufficient, too. Under gravity a stack
        can pass all of them although no order of moves leads to it.
        """
        counts = check_alternation(position, self.shape)
        if position.memory:
            raise InvalidGameState("Nothing is remembered in this game", "no_memory")
        occupied = position.occupied
        if self.gravity and occupied & ~self.lines.layout.supported(occupied):
            raise InvalidGameState("A mark floats above an empty cell", "mark_floats")
        winners = [side for side in (0, 1) if self.has_line(position.stones[side])]
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
        for image in _symmetries(self.shape, self.gravity):
            own_image = image(own)
            if own_image <= best[0]:
                best = min(best, (own_image, image(other)))
        return _new(Position, (best, 0, 0))

    def orbit(self, position: Position) -> int:
        """Return how many positions the board's symmetries make of this one, itself included."""
        crosses, naughts = position.stones
        images = _symmetries(self.shape, self.gravity)
        return len({position.stones, *((image(crosses), image(naughts)) for image in images)})

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

    def _ended_at_once(self, position: Position, winner: int) -> bool:
        """Return whether one stone of the winner can have been the last, and made the line."""
        stones = position.stones[winner]
        covered = position.occupied << self.shape.columns if self.gravity else 0
        last = (1 << cell for cell in self.line_cells(stones))
        return any(not stone & covered and not self.has_line(stones ^ stone) for stone in last)


def _open_cells(board: Layout, gravity: bool, occupied: int) -> list[int]:
    """Return the cells that a mark may enter, given all marks."""
    empty = board.full & ~occupied
    return board.cells(empty & board.supported(occupied) if gravity else empty)


@lru_cache(maxsize=64)
def _tables(
    found: Lines, gravity: bool
) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """Return by bit board the first line in it, and the cells that stay open, on a small board."""
    boards = range(found.layout.full + 1)
    line_table = tuple(map(found.first_in, boards))
    return line_table, tuple(tuple(_open_cells(found.layout, gravity, one)) for one in boards)


@lru_cache(maxsize=256)
def _symmetries(shape: Shape, gravity: bool) -> tuple[Symmetry, ...]:
    """Return the symmetries that the rules keep, but for the identity."""
    table = layout(shape)
    images = (table.mirror,) if gravity else table.symmetries
    return tuple(Symmetry(image) for image in images if image != tuple(range(shape.cells)))
