"""Connect Four on boards of up to 64 cells in compiled code: the sides' marks as two words.

Bits run up one column after the other. There is no guard bit between two columns, so that 8 x 8
fits a word; masks of rows keep lines from running on into the next column. For 8 x 8::

     7 15 23 31 39 47 55 63
     :  :  :  :  :  :  :  :     up       adds 1
     2 10 18 26 34 42 50 58     right    adds 8 (rows)
     1  9 17 25 33 41 49 57     rising   adds 9
     0  8 16 24 32 40 48 56     falling  adds 7

A threat of a side is a cell in which its next mark makes four in a row, whether the cell can be
entered or not. `boards` plays the same games, and many others, more slowly.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

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
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import PLANE
from tic_tac_toe.logic.search.evaluation import MATE
from tic_tac_toe.logic.shapes import layout
from tic_tac_toe.solver.kernels.bits import (
    ALL,
    U0,
    U1,
    U2,
    U3,
    Word,
    Words,
    called,
    inlined,
    popcount,
)
from tic_tac_toe.solver.support import WORD_BITS

LENGTH = 4
#: Up to here three steps of a diagonal are less than a word.
MOST_ROWS = 20
#: The bound of what is expected of a move, in hundredths of a win.
MOST_EXPECTED = 95

# The tables.
ROWS = 0
BOARD = 1  # all cells
BOTTOM = 2  # the lowest cell of each column
ROOM = 3  # the cells with 3 rows below them; with 2 below and 1 above; 1 and 2; 3 above
ODD = 7  # the cells of the first, third, ... row from below
WORTH = 8  # of threats, in hundredths of the odds' logarithm: see `worth_of`

# The state, after the side to move and the plies.
MARKS = 2  # of side 0, then of side 1
THREATS = 4  # of side 0, then of side 1


@inlined
def threats_along(
    own: Word, step: Word, three_behind: Word, two_behind: Word, two_ahead: Word, three_ahead: Word
) -> Word:
    """Return the threats in a direction.

    Args:
        own: the marks of the side.
        step: what a step of the direction adds to a bit's number.
        three_behind: the cells with room for three marks behind them in the direction; the others
            are those with room for two behind and one ahead, one and two, three ahead.
    """
    two, three = step + step, step + step + step
    behind, ahead = (own << step) & (own << two), (own >> step) & (own >> two)
    found = behind & (own << three) & three_behind
    found |= behind & (own >> step) & two_behind
    found |= ahead & (own << step) & two_ahead
    return found | (ahead & (own >> three) & three_ahead)


@inlined
def threats_of(own: Word, tables: Words) -> Word:
    """Return where one more mark makes four in a row; cells that are taken may be among them."""
    rows = np.uint64(tables[ROWS])
    low, lower = np.uint64(tables[ROOM]), np.uint64(tables[ROOM + 1])
    higher, high = np.uint64(tables[ROOM + 2]), np.uint64(tables[ROOM + 3])
    found = (own << U1) & (own << U2) & (own << U3) & low
    found |= threats_along(own, rows, ALL, ALL, ALL, ALL)
    found |= threats_along(own, rows + U1, low, lower, higher, high)
    return found | threats_along(own, rows - U1, high, higher, lower, low)


@inlined
def open_cells(taken: Word, tables: Words) -> Word:
    """Return the cells that a mark may enter."""
    bottom = np.uint64(tables[BOTTOM])
    above = (taken << U1) & ~bottom
    return (above | bottom) & ~taken & np.uint64(tables[BOARD])


@inlined
def worth_of(threats: Word, worth: Word, tables: Words) -> Word:
    """Return what threats of a side are worth, those in odd rows and those in even rows."""
    odd = np.uint64(tables[ODD])
    in_odd, in_even = np.int64(popcount(threats & odd)), np.int64(popcount(threats & ~odd))
    return in_odd * tables[worth] + in_even * tables[worth + 1]


@inlined
def odds_of(first: Word, second: Word, taken: Word, tables: Words) -> Word:
    """Return the logarithm of the odds, in hundredths, that the side wins which began.

    In each column the lowest threat counts that nobody can enter yet: at the end of the game
    somebody has to enter the cell below it, and who that is depends on the row (Allis, 1988).

    Args:
        first: the threats of the side that began.
        second: the threats of the other side.
        taken: the cells with marks.
    """
    bottom = np.uint64(tables[BOTTOM])
    closed = ~(taken | open_cells(taken, tables)) & np.uint64(tables[BOARD])
    above, rising = U0, (first | second) & closed
    for _ in range(tables[ROWS] - 1):
        rising = (rising << U1) & ~bottom
        above |= rising
    lowest = closed & ~above
    found = tables[WORTH] + worth_of(first & lowest, WORTH + 1, tables)
    return found + worth_of(second & lowest, WORTH + 3, tables)


@called
def expected(own: Word, other: Word, threats: Word, tables: Words) -> Word:
    """Return what a side may expect that has just moved, in hundredths of a win.

    Args:
        own: the marks of the side.
        other: the marks of the other side.
        threats: the threats of the other side.
    """
    mine, taken = threats_of(own, tables), own | other
    if popcount(taken) & U1 != U0:  # the side began the game
        odds = odds_of(mine, threats, taken, tables)
    else:
        odds = -odds_of(threats, mine, taken, tables)
    # Near even odds, a quarter of their logarithm is the chance above a half.
    return min(np.int64(MOST_EXPECTED), max(np.int64(100 - MOST_EXPECTED), 50 + odds // 4))


@called
def play(state: Words, tables: Words, move: Word) -> Word:
    """Make a move and return the result."""
    turn, cell = state[TURN], U1 << np.uint64(move)
    own = np.uint64(state[MARKS + turn])
    wins = np.uint64(state[THREATS + turn]) & cell != U0
    own |= cell
    state[MARKS + turn] = np.int64(own)
    state[THREATS + turn] = np.int64(threats_of(own, tables))
    state[TURN] = 1 - turn
    state[PLIES] += 1
    if wins:
        return turn
    is_full = own | np.uint64(state[MARKS + 1 - turn]) == np.uint64(tables[BOARD])
    return np.int64(DRAW if is_full else GOES_ON)


@called
def add_moves(cells: Word, moves: Words, control: Words) -> None:
    """Write the moves into some cells and no others, all with equal prospects."""
    count = np.int64(0)
    while cells != U0:
        lowest = cells & (~cells + U1)
        moves[2 * count] = np.int64(popcount(lowest - U1))
        moves[2 * count + 1] = 50
        count += 1
        cells ^= lowest
    control[COUNT] = count


@called
def survey(state: Words, tables: Words, moves: Words, control: Words) -> Word:
    """Write the moves to look at; see `tree`.

    Moves after which the other side wins at once stay among them: the search without them was
    weaker by 131 Elo (85 to 182, 100 pairs on 8 x 8 with 12 ms a move), perhaps because the games
    that they lose warn of the position.
    """
    turn = state[TURN]
    own, other = np.uint64(state[MARKS + turn]), np.uint64(state[MARKS + 1 - turn])
    entered = open_cells(own | other, tables)
    wins = np.uint64(state[THREATS + turn]) & entered
    if wins != U0:
        add_moves(wins, moves, control)
        return np.int64(MATE - 1)
    threats = np.uint64(state[THREATS + 1 - turn])
    forced = threats & entered
    add_moves(forced if forced != U0 else entered, moves, control)
    if forced & (forced - U1) != U0:
        return np.int64(2 - MATE)
    for index in range(control[COUNT]):
        moved = own | U1 << np.uint64(moves[2 * index])
        moves[2 * index + 1] = expected(moved, other, threats, tables)
    return np.int64(UNKNOWN)


@inlined
def random_bit(bits: Word, dice: Words) -> Word:
    """Return one of the bits of a word, each as likely as the others."""
    for _ in range(below(dice, np.int64(popcount(bits)))):
        bits &= bits - U1
    return bits & (~bits + U1)


@called
def simulate(state: Words, tables: Words, dice: Words) -> Word:
    """Play a random game: each side wins at once if it can, and else stops the other if it can.

    The last moves of a game that is decided are only counted.
    """
    turn, plies = state[TURN], state[PLIES]
    own, other = np.uint64(state[MARKS + turn]), np.uint64(state[MARKS + 1 - turn])
    mine, theirs = np.uint64(state[THREATS + turn]), np.uint64(state[THREATS + 1 - turn])
    result = np.int64(GOES_ON)
    while result == GOES_ON:
        entered = open_cells(own | other, tables)
        if entered == U0:
            result = np.int64(DRAW)
        elif mine & entered != U0:
            result = turn
            plies += 1
        else:
            forced = theirs & entered
            calm = entered & ~((theirs & ~np.uint64(tables[BOTTOM])) >> U1)
            if forced != U0:
                calm &= forced
            if calm == U0 or forced & (forced - U1) != U0:
                result = 1 - turn
                plies += 2
            else:
                moved = own | random_bit(calm, dice)
                mine, theirs = theirs, threats_of(moved, tables)
                own, other = other, moved
                turn = 1 - turn
                plies += 1
    state[PLIES] = plies
    return result


DROPS = GameParts("playouts-drops", play, survey, simulate)


@cache
def worth_on(rows: int) -> NDArray[np.int64]:
    """Return what threats are worth on boards of that many rows: see `WORTH`.

    The numbers are of the side that began the game: for nothing, for a threat of its own in an odd
    row and in an even one, for a threat of the other side in an odd row and in an even one. They
    were fitted to games (``tools/fit_drops.py``), those for even numbers of rows to games on 8 x 8,
    the others to games on 9 x 7; the files in ``values`` say which.
    """
    name = "odd" if rows % 2 else "even"
    file = files("tic_tac_toe.engines.playouts") / "values" / f"{name}.json"
    return np.array(json.loads(file.read_text(encoding="ascii"))["worth"], np.int64)


class DropGame(Game):
    """Connect Four on a board of some size; `supports` tells which."""

    parts: GameParts = DROPS
    ply_cost: int = 25

    def __init__(self, rules: LineRules) -> None:
        rows, columns = rules.shape
        self.most_moves: int = columns
        self._shape = rules.shape
        column = range(rows)
        room = [
            [row for row in column if row >= below and row + above < rows]
            for below, above in ((3, 0), (2, 1), (1, 2), (0, 3))
        ]
        masks = [
            sum(1 << rows * place + row for place in range(columns) for row in chosen)
            for chosen in (column, (0,), *room, column[::2])
        ]
        words = np.array([rows, *masks], np.uint64).view(np.int64)
        self.tables: NDArray[np.int64] = np.concatenate([words, worth_on(rows)])

    @staticmethod
    def supports(rules: LineRules) -> bool:
        """Return whether these rules, which make any game of lines, make one of this kind."""
        small = rules.shape.cells <= WORD_BITS and rules.shape.rows <= MOST_ROWS
        plain = rules.gravity and not rules.exact and rules.topology == PLANE
        return small and plain and rules.length == LENGTH

    def state(self, position: Position) -> NDArray[np.int64]:
        """Return the words of a position that is not over."""
        cells = layout(self._shape).cells
        marks = [sum(1 << self._bit(cell) for cell in cells(side)) for side in position.stones]
        words = np.array([*marks, 0, 0], np.uint64)
        for side in (0, 1):
            words[2 + side] = threats_of(words[side], self.tables)
        return np.array([position.turn, 0, *words.view(np.int64)], np.int64)

    def move_of(self, code: int) -> int:
        """Return the cell of a bit."""
        column, height = divmod(code, self._shape.rows)
        return (self._shape.rows - 1 - height) * self._shape.columns + column

    def _bit(self, cell: int) -> int:
        row, column = divmod(cell, self._shape.columns)
        return column * self._shape.rows + self._shape.rows - 1 - row
