"""Ultimate tic-tac-toe in compiled code: a bit board for each small board and side.

A move is ``board * 16 + cell of the board``. The tables are, after `HEADER` numbers, whether a bit
board of one side has a line, and then the cells that would complete one; 2**cells numbers each.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.engines.playouts.tree import (
    COUNT,
    DRAW,
    GOES_ON,
    PLIES,
    TURN,
    UNKNOWN,
    Game,
    GameParts,
    below,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.search.evaluation import MATE
from tic_tac_toe.logic.shapes import blocks
from tic_tac_toe.solver.kernels.bits import Word, Words, called, inlined

# The header of the tables.
CELLS = 0  # of a small board, and so the number of small boards
IS_MISERE = 1
STAYS_OPEN = 2
HEADER = 3

# The state, after the side to move and the plies.
FORCED = 2  # the number of the board to play in plus 1; 0 for any
WON = 3  # the boards that side 0 has won, then those of side 1, as bit boards
CLOSED = 5  # the boards that cannot be played in
BOARDS = 6  # the bit boards of side 0 by small board, then those of side 1

#: A move is a board, shifted by this, and a cell.
BOARD_SHIFT = 4
CELL_MASK = (1 << BOARD_SHIFT) - 1

#: By how many hundredths of a win a move is better that wins a small board, or stops the other side
#: from it; and worse that lets it choose the board.
WINS_BOARD, STOPS_BOARD, FREE_CHOICE = 20, 10, 15
#: How often a random game looks for a better move than one that loses at once.
TRIES = 3


@inlined
def lined(tables: Words, bits: Word) -> Word:
    """Return 1 if a bit board has a line, else 0."""
    return tables[HEADER + bits]


@inlined
def completing(tables: Words, bits: Word) -> Word:
    """Return the cells, taken or not, that would complete a line."""
    return tables[HEADER + (np.int64(1) << tables[CELLS]) + bits]


@inlined
def count_bits(bits: Word) -> Word:
    """Return how many bits are set, of 16 at most."""
    bits -= bits >> 1 & 0x5555
    bits = (bits & 0x3333) + (bits >> 2 & 0x3333)
    bits = (bits + (bits >> 4)) & 0x0F0F
    return (bits + (bits >> 8)) & 0x1F


@inlined
def random_bit(bits: Word, dice: Words) -> Word:
    """Return the index of one of the bits that are set; there is one."""
    for _ in range(below(dice, count_bits(bits))):
        bits &= bits - 1
    return count_bits((bits & -bits) - 1)


@inlined
def empty_of(state: Words, tables: Words, board: Word) -> Word:
    """Return the empty cells of a small board."""
    cells = tables[CELLS]
    return ((1 << cells) - 1) & ~(state[BOARDS + board] | state[BOARDS + cells + board])


@inlined
def playable_boards(state: Words, tables: Words) -> Word:
    """Return the boards that may be played in."""
    if state[FORCED] > 0:
        return np.int64(1) << (state[FORCED] - 1)
    return ((np.int64(1) << tables[CELLS]) - 1) & ~state[CLOSED]


@inlined
def play(state: Words, tables: Words, move: Word) -> Word:
    """Make a move and return the result."""
    cells, turn = tables[CELLS], state[TURN]
    board, cell = move >> BOARD_SHIFT, move & CELL_MASK
    at = BOARDS + turn * cells + board
    own = state[at] | np.int64(1) << cell
    state[at] = own
    state[TURN] = 1 - turn
    state[PLIES] += 1
    result = np.int64(GOES_ON)
    here = np.int64(1) << board
    if empty_of(state, tables, board) == 0:
        state[CLOSED] |= here
    if lined(tables, own) and (state[WON] | state[WON + 1]) & here == 0:
        state[WON + turn] |= here
        if tables[STAYS_OPEN] == 0:
            state[CLOSED] |= here
        if lined(tables, state[WON + turn]):
            return turn ^ tables[IS_MISERE]
    if state[CLOSED] == (np.int64(1) << cells) - 1:
        result = np.int64(DRAW)
    state[FORCED] = 0 if state[CLOSED] >> cell & 1 else cell + 1
    return result


@called
def wins_at_once(state: Words, tables: Words, turn: Word, boards: Word) -> Word:
    """Return a move of a side in one of the boards that wins the game, or -1."""
    boards &= completing(tables, state[WON + turn]) & ~(state[WON] | state[WON + 1])
    at = BOARDS + turn * tables[CELLS]
    while boards:
        board = count_bits((boards & -boards) - 1)
        found = completing(tables, state[at + board]) & empty_of(state, tables, board)
        if found:
            return board << BOARD_SHIFT | count_bits((found & -found) - 1)
        boards &= boards - 1
    return np.int64(-1)


@inlined
def gives_win(state: Words, tables: Words, move: Word) -> Word:
    """Return whether the other side wins in the board that a move sends it to.

    Whether the move closes a board is not taken into account.
    """
    cell = move & CELL_MASK
    boards = np.int64(1) << cell
    if state[CLOSED] & boards:
        boards = ((np.int64(1) << tables[CELLS]) - 1) & ~state[CLOSED]
    return wins_at_once(state, tables, 1 - state[TURN], boards) >= 0


@inlined
def expected_of(state: Words, tables: Words, board: Word, cell: Word) -> Word:
    """Return what is expected of a move, in hundredths of a win."""
    expected = np.int64(50)
    if state[CLOSED] >> cell & 1:
        expected -= FREE_CHOICE
    taken = (state[WON] | state[WON + 1]) >> board & 1
    if taken or tables[IS_MISERE]:
        return expected
    at, own = BOARDS + board, state[TURN] * tables[CELLS]
    if completing(tables, state[at + own]) >> cell & 1:
        return expected + WINS_BOARD
    if completing(tables, state[at + tables[CELLS] - own]) >> cell & 1:
        return expected + STOPS_BOARD
    return expected


@called
def add_winning_moves(state: Words, tables: Words, moves: Words, boards: Word) -> Word:
    """Write the moves in some boards that win the game at once; return their number."""
    turn, cells, count = state[TURN], tables[CELLS], np.int64(0)
    boards &= completing(tables, state[WON + turn]) & ~(state[WON] | state[WON + 1])
    for board in range(cells):
        found = completing(tables, state[BOARDS + turn * cells + board])
        found &= empty_of(state, tables, board)
        if boards >> board & 1:
            for cell in range(cells):
                if found >> cell & 1:
                    moves[2 * count] = board << BOARD_SHIFT | cell
                    count += 1
    return count


@called
def survey(state: Words, tables: Words, moves: Words, control: Words) -> Word:
    """Write the moves to look at; see `tree`."""
    boards = playable_boards(state, tables)
    if tables[IS_MISERE] == 0:
        control[COUNT] = add_winning_moves(state, tables, moves, boards)
        if control[COUNT] > 0:
            return np.int64(MATE - 1)
    count = np.int64(0)
    for board in range(tables[CELLS]):
        if boards >> board & 1:
            empty = empty_of(state, tables, board)
            for cell in range(tables[CELLS]):
                if empty >> cell & 1:
                    moves[2 * count] = board << BOARD_SHIFT | cell
                    moves[2 * count + 1] = expected_of(state, tables, board, cell)
                    count += 1
    control[COUNT] = count
    return np.int64(UNKNOWN)


@inlined
def random_move(state: Words, tables: Words, boards: Word, dice: Words) -> Word:
    """Return a random move in one of the boards, each board as likely as the others."""
    board = random_bit(boards, dice)
    return board << BOARD_SHIFT | random_bit(empty_of(state, tables, board), dice)


@called
def simulate(state: Words, tables: Words, dice: Words) -> Word:
    """Play a random game: each side wins at once if it can, and rather does not let the other."""
    result = np.int64(GOES_ON)
    while result == GOES_ON:
        boards = playable_boards(state, tables)
        if tables[IS_MISERE]:
            move = random_move(state, tables, boards, dice)
        else:
            move = wins_at_once(state, tables, state[TURN], boards)
            if move < 0:
                move = random_move(state, tables, boards, dice)
                for _ in range(TRIES):
                    if not gives_win(state, tables, move):
                        break
                    move = random_move(state, tables, boards, dice)
        result = play(state, tables, move)
    return result


ULTIMATE = GameParts("playouts-ultimate", play, survey, simulate)


class UltimateGame(Game):
    """Ultimate tic-tac-toe, or its misère play."""

    parts: GameParts = ULTIMATE
    ply_cost: int = 90

    def __init__(self, rules: Ultimate, *, misere: bool) -> None:
        self._rules = rules
        cells = rules.local.shape.cells
        self.most_moves: int = cells * cells
        has_line = rules.local.has_line
        lined = [int(has_line(bits)) for bits in range(1 << cells)]
        completing = [
            sum(1 << cell for cell in range(cells) if lined[bits | 1 << cell])
            for bits in range(1 << cells)
        ]
        header = [cells, int(misere), int(rules.stays_open)]
        self.tables: NDArray[np.int64] = np.array([*header, *lined, *completing], np.int64)
        self._blocks = blocks(rules.shape, rules.local.shape)

    def state(self, position: Position) -> NDArray[np.int64]:
        """Return the words of a position that is not over."""
        cells = self._rules.local.shape.cells
        sides = [self._rules.side(stones).boards for stones in position.stones]
        won = self._rules.won(position)
        full = (1 << cells) - 1
        taken = [crosses | naughts for crosses, naughts in zip(*sides)]
        closed = sum(1 << board for board, bits in enumerate(taken) if bits == full)
        if not self._rules.stays_open:
            closed |= won[0] | won[1]
        forced = position.memory % (cells + 1)
        return np.array([position.turn, 0, forced, *won, closed, *sides[0], *sides[1]], np.int64)

    def move_of(self, code: int) -> int:
        """Return the cell of a move."""
        return self._blocks.cell(code >> BOARD_SHIFT, code & CELL_MASK)
