"""Ultimate tic-tac-toe: a board of boards, where each move chooses the board of the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, InvalidVariant
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.alternation import check_alternation, check_last_mover, starter_of
from tic_tac_toe.logic.rules.line import DRAW, LineRules
from tic_tac_toe.logic.rules.traits import Traits
from tic_tac_toe.logic.shapes import MAXIMUM_SIDE, Blocks, Shape, blocks, layout

if TYPE_CHECKING:
    from collections.abc import Callable


class Side(NamedTuple):
    """One side's stones board by board, and the boards that it has won."""

    boards: tuple[int, ...]
    won: int


@dataclass(frozen=True)
class Ultimate:
    """Win small boards in a line to win; the cell of a move names the board of the next one.

    Each cell of the large board is a small board with the rules ``local``, and the large board is
    won by a line of won small boards under the same rules. A small board that is won or full is
    closed; a player sent to a closed board plays in any open one. When all boards are closed and
    neither side has a line, the game is a draw.

    ``Position.memory`` is 0 when any open board may be played in, else the number of the forced
    board plus 1; boards are numbered in reading order. Drawn for 3 x 3: cell 40 is the centre::

         0  1  2 |  3  4  5 |  6  7  8
         9 10 11 | 12 13 14 | 15 16 17      board 0 | board 1 | board 2
        18 19 20 | 21 22 23 | 24 25 26
        ---------+----------+---------
        27 28 29 | 30 31 32 | 33 34 35      board 3 | board 4 | board 5

    Raises:
        InvalidVariant: the local game is not a line game or has gravity, or the whole board is
            larger than 26 x 26.
    """

    local: LineRules = LineRules()
    #: The size of the whole board.
    shape: Shape = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.local, LineRules):
            kind = type(self.local).__name__
            raise InvalidVariant(
                "the boards of ultimate need line rules, not {kind}; "
                "misère play wraps the whole: Misere(Ultimate())",
                "no_line_rules",
                kind=kind,
            )
        if self.local.gravity:
            raise InvalidVariant(
                "the boards of ultimate cannot have gravity", "gravity_in_ultimate"
            )
        if max(self.local.shape) ** 2 > MAXIMUM_SIDE:
            raise InvalidVariant(
                "ultimate cannot be larger than {columns} x {rows}",
                "large_ultimate",
                columns=MAXIMUM_SIDE,
                rows=MAXIMUM_SIDE,
            )
        rows, columns = self.local.shape
        # A field, for a type checker takes no cached property for the property of a protocol.
        object.__setattr__(self, "shape", Shape(rows * rows, columns * columns))

    def __reduce__(self) -> tuple[type[Ultimate], tuple[LineRules]]:
        """Pickle the local rules without the tables."""
        return type(self), (self.local,)

    @property
    def traits(self) -> Traits:
        """What notation and screens need to know."""
        local = self.local
        owners = self.owners
        return Traits(
            local.length, exact=local.exact, blocks=local.shape, owners=owners, memory="block"
        )

    # -- the interface of Rules ------------------------------------------------------------------

    def moves(self, position: Position) -> list[int]:
        """Return the legal cells in ascending order; none once the game is over."""
        mover = self.side(position.stones[1 - position.turn])
        if self.local.has_line(mover.won):
            return []
        return layout(self.shape).cells(self._open_cells(position) & ~position.occupied)

    def play(self, position: Position, move: int) -> Position:
        """Return the position after a move; see `Rules.play`."""
        (crosses, naughts), turn, memory = position
        stone = 1 << move
        if (crosses | naughts) & stone:
            raise InvalidMove("Cell is not empty", "cell_taken")
        board, local_cell = self._blocks.places[move]
        if memory and board != memory - 1:
            raise InvalidMove("The last move asks for another board", "other_board")
        if self._is_closed(position.stones, board):
            raise InvalidMove("That board is closed", "closed_board")
        stones = (crosses, naughts | stone) if turn else (crosses | stone, naughts)
        memory = 0 if self._is_closed(stones, local_cell) else local_cell + 1
        return Position(stones, 1 - turn, memory)

    def outcome(self, position: Position) -> Outcome | None:
        """Return how the game ended, or ``None`` while it goes on.

        The cells are those of the lines in the small boards that make the line of boards.
        """
        for winner, stones in enumerate(position.stones):
            side = self.side(stones)
            if self.local.has_line(side.won):
                cells = [
                    self._blocks.cell(board, local_cell)
                    for board in self.local.line_cells(side.won)
                    for local_cell in self.local.line_cells(side.boards[board])
                ]
                return Outcome(winner, tuple(sorted(cells)))
        return None if self._open_cells(position) else DRAW

    def validate(self, position: Position) -> None:
        """Raise `InvalidGameState` if no game can reach the position.

        Marks alternate, no small board has two owners, and the forced board follows from some last
        move. The checks are necessary, not sufficient: the order of moves is not reconstructed.
        """
        counts = check_alternation(position, self.shape)
        sides = [self.side(stones) for stones in position.stones]
        if sides[0].won & sides[1].won:
            raise InvalidGameState("Both players own a line in one small board", "two_owners")
        winners = [winner for winner in (0, 1) if self.local.has_line(sides[winner].won)]
        if len(winners) == 2:
            raise InvalidGameState("Both players own a line", "two_winners")
        for winner in winners:
            check_last_mover(*counts, starter_of(position), winner)
        memory = position.memory
        if type(memory) is not int or memory not in self._possible_memories(position):
            raise InvalidGameState("No last move leads to this choice of boards", "wrong_boards")

    # -- boards ------------------------------------------------------------------------------------

    @cached_property
    def _blocks(self) -> Blocks:
        return blocks(self.shape, self.local.shape)

    def owners(self, position: Position) -> list[int | None]:
        """Return who has won each small board: 0, 1 or ``None``."""
        crosses, naughts = (self.side(stones).won for stones in position.stones)
        return [
            0 if crosses >> board & 1 else 1 if naughts >> board & 1 else None
            for board in range(self.local.shape.cells)
        ]

    @cached_property
    def side(self) -> Callable[[int], Side]:
        """The function from one side's bit board to its `Side`; it keeps the last few thousand."""
        return lru_cache(maxsize=1 << 14)(self._survey)

    def _survey(self, stones: int) -> Side:
        boards = [0] * self.local.shape.cells
        for cell in layout(self.shape).cells(stones):
            board, local_cell = self._blocks.places[cell]
            boards[board] |= 1 << local_cell
        has_line = self.local.has_line
        return Side(tuple(boards), sum(1 << i for i, board in enumerate(boards) if has_line(board)))

    def _is_closed(self, stones: tuple[int, int], board: int) -> bool:
        """Return whether a small board is won or full."""
        crosses, naughts = self.side(stones[0]), self.side(stones[1])
        if (crosses.won | naughts.won) >> board & 1:
            return True
        return crosses.boards[board] | naughts.boards[board] == self.local.lines.layout.full

    def _open_cells(self, position: Position) -> int:
        """Return the cells of the boards that may be played in, taken or not, as a bit board."""
        if position.memory:
            return self._board_masks[position.memory - 1]
        cells = 0
        for board, mask in enumerate(self._board_masks):
            if not self._is_closed(position.stones, board):
                cells |= mask
        return cells

    @cached_property
    def _board_masks(self) -> tuple[int, ...]:
        masks = [0] * self.local.shape.cells
        for cell, (board, _) in enumerate(self._blocks.places):
            masks[board] |= 1 << cell
        return tuple(masks)

    def _possible_memories(self, position: Position) -> set[int]:
        """Return what may be remembered, given that one of the stones was the last move."""
        if not position.occupied:
            return {0}
        last = layout(self.shape).cells(position.stones[1 - position.turn])
        targets = {self._blocks.places[cell][1] for cell in last}
        return {0 if self._is_closed(position.stones, target) else target + 1 for target in targets}
