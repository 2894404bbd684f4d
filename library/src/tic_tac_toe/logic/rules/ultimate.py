"""Ultimate tic-tac-toe: a board of boards, where each move chooses the board of the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from operator import index
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

    With ``stays_open`` a won small board can be played in until it is full; it belongs to the side
    that had a line in it first.

    ``Position.memory`` is 0 when any open board may be played in, else the number of the forced
    board plus 1; boards are numbered in reading order. Where won boards stay open, a number of 10
    for 3 x 3 is added for the first board, 20 for the next, 40 and so on, if both sides have a line
    in it and naught was first. Drawn for 3 x 3: cell 40 is the centre::

         0  1  2 |  3  4  5 |  6  7  8
         9 10 11 | 12 13 14 | 15 16 17      board 0 | board 1 | board 2
        18 19 20 | 21 22 23 | 24 25 26
        ---------+----------+---------
        27 28 29 | 30 31 32 | 33 34 35      board 3 | board 4 | board 5

    Args:
        local: the game on each small board, and on the large one.
        stays_open: whether a won small board stays playable.

    Raises:
        InvalidVariant: the local game is not a line game or has gravity, or the whole board is
            larger than 26 x 26.
    """

    local: LineRules = LineRules()
    stays_open: bool = False
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

    def __reduce__(self) -> tuple[type[Ultimate], tuple[LineRules, bool]]:
        """Pickle the parameters without the tables."""
        return type(self), (self.local, self.stays_open)

    @property
    def traits(self) -> Traits:
        """Properties for notation, pictures and screens."""
        local = self.local
        return Traits(
            local.length,
            exact=local.exact,
            blocks=local.shape,
            owners=self.owners,
            memory="block",
            words=("open",) if self.stays_open else (),
            lines=self._lines,
            symmetries=self._symmetries,
            turned=self._turned,
        )

    # -- the interface of Rules ------------------------------------------------------------------

    def moves(self, position: Position) -> list[int]:
        """Return the legal cells in ascending order; none once the game is over."""
        mover = 1 - position.turn
        mine = (
            self.won(position)[mover] if self.stays_open else self.side(position.stones[mover]).won
        )
        if self.local.has_line(mine):
            return []
        return layout(self.shape).cells(self._open_cells(position) & ~position.occupied)

    def play(self, position: Position, move: int) -> Position:
        """Return the position after a move; see `Rules.play`."""
        (crosses, naughts), turn, memory = position
        move = index(move)
        stone = 1 << move
        if (crosses | naughts) & stone:
            raise InvalidMove("Cell is not empty", "cell_taken")
        board, local_cell = self._blocks.places[move]
        late, forced = divmod(memory, self._choices) if self.stays_open else (0, memory)
        if forced and board != forced - 1:
            raise InvalidMove("The last move asks for another board", "other_board")
        if self._is_closed(position.stones, board):
            raise InvalidMove("That board is closed", "closed_board")
        stones = (crosses, naughts | stone) if turn else (crosses | stone, naughts)
        if self.stays_open and turn == 0 and self.won(position)[1] >> board & 1:
            late |= self.side(stones[0]).won & 1 << board
        forced = 0 if self._is_closed(stones, local_cell) else local_cell + 1
        return Position(stones, 1 - turn, late * self._choices + forced)

    def outcome(self, position: Position) -> Outcome | None:
        """Return how the game ended, or ``None`` while it goes on.

        The cells are those of the lines in the small boards that make the line of boards.
        """
        for winner, won in enumerate(self.won(position)):
            if self.local.has_line(won):
                boards = self.side(position.stones[winner]).boards
                cells = [
                    self._blocks.cell(board, local_cell)
                    for board in self.local.line_cells(won)
                    for local_cell in self.local.line_cells(boards[board])
                ]
                return Outcome(winner, tuple(sorted(cells)))
        return None if self._open_cells(position) else DRAW

    def validate(self, position: Position) -> None:
        """Raise `InvalidGameState` if no game can reach the position.

        Marks alternate, no small board has two owners, and the forced board follows from some last
        move. The checks are necessary, not sufficient: the order of moves is not reconstructed.
        """
        counts = check_alternation(position, self.shape)
        crosses, naughts = (self.side(stones).won for stones in position.stones)
        if crosses & naughts and not self.stays_open:
            raise InvalidGameState("Both players own a line in one small board", "two_owners")
        memory = position.memory
        if type(memory) is not int or memory // self._choices & ~(crosses & naughts):
            raise InvalidGameState("No last move leads to this choice of boards", "wrong_boards")
        won = self.won(position)
        winners = [winner for winner in (0, 1) if self.local.has_line(won[winner])]
        if len(winners) == 2:
            raise InvalidGameState("Both players own a line", "two_winners")
        for winner in winners:
            check_last_mover(*counts, starter_of(position), winner)
        if memory % self._choices not in self._possible_choices(position):
            raise InvalidGameState("No last move leads to this choice of boards", "wrong_boards")

    def _lines(self) -> tuple[tuple[int, ...], ...]:
        """Return the lines of the small boards."""
        return tuple(
            tuple(self._blocks.cell(board, cell) for cell in line)
            for board in range(self.local.shape.cells)
            for line in self.local.list_lines()
        )

    def _symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Return the turns of the large board with all small ones: a cell names a board."""
        return tuple(
            tuple(self._blocks.cell(turn[board], turn[cell]) for board, cell in self._blocks.places)
            for turn in self.local.list_symmetries()
        )

    def _turned(self, memory: int, cells: tuple[int, ...]) -> int:
        """Return the memory with the numbers of its boards turned."""
        late, forced = divmod(memory, self._choices)
        boards = [
            self._blocks.places[cells[self._blocks.cell(board, 0)]][0]
            for board in range(self.local.shape.cells)
        ]
        turned = sum(1 << after for board, after in enumerate(boards) if late >> board & 1)
        return turned * self._choices + (boards[forced - 1] + 1 if forced else 0)

    # -- boards ------------------------------------------------------------------------------------

    @cached_property
    def _blocks(self) -> Blocks:
        return blocks(self.shape, self.local.shape)

    def owners(self, position: Position) -> list[int | None]:
        """Return who has won each small board: 0, 1 or ``None``."""
        crosses, naughts = self.won(position)
        return [
            0 if crosses >> board & 1 else 1 if naughts >> board & 1 else None
            for board in range(self.local.shape.cells)
        ]

    def won(self, position: Position) -> tuple[int, int]:
        """Return the small boards that each side has won, as bit boards of the large board."""
        crosses, naughts = (self.side(stones).won for stones in position.stones)
        both = crosses & naughts
        if not both:
            return crosses, naughts
        late = both & position.memory // self._choices
        return crosses & ~late, naughts & ~(both & ~late)

    @cached_property
    def _choices(self) -> int:
        """The number of answers to which board must be played in: each of them, or any."""
        return self.shape.cells // self.local.shape.cells + 1

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
        """Return whether a small board is full, or won where that closes it."""
        crosses, naughts = self.side(stones[0]), self.side(stones[1])
        if not self.stays_open and (crosses.won | naughts.won) >> board & 1:
            return True
        return crosses.boards[board] | naughts.boards[board] == self.local.lines.layout.full

    def _open_cells(self, position: Position) -> int:
        """Return the cells of the boards that may be played in, taken or not, as a bit board."""
        forced = position.memory % self._choices if self.stays_open else position.memory
        if forced:
            return self._board_masks[forced - 1]
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

    def _possible_choices(self, position: Position) -> set[int]:
        """Return what board may be asked for, given that one of the stones was the last move."""
        if not position.occupied:
            return {0}
        last = layout(self.shape).cells(position.stones[1 - position.turn])
        targets = {self._blocks.places[cell][1] for cell in last}
        return {0 if self._is_closed(position.stones, target) else target + 1 for target in targets}
