"""Where the numbers of the kernels for large boards stand in their arrays.

A board of up to 26 x 26 cells lies in an area of rows of 32, with walls around it; the six cells on
the right of each row are the wall on the left of the next row, too:

    place = (row + 6) * 32 + column
"""

from __future__ import annotations

from typing import NamedTuple

from tic_tac_toe.solver.kernels.inlining import Words

STRIDE = 32
AREA = 38 * STRIDE
#: The first row that belongs to the board.
TOP = 6

# What stands in a place. The stones of side 0 (X) and 1 (O) are `side + 1`.
EMPTY, WALL = 0, 3

# The steps to the next place of a row, a column, a falling and a rising diagonal.
DIRECTIONS = 4
STEPS = (1, STRIDE, STRIDE + 1, STRIDE - 1)

# `state`, int32: blocks of one number a place, then the rest.
STONES = 0
KEYS = AREA  # four blocks: the neighbours in each direction, as an index of `shapes`
COMBINATIONS = 5 * AREA  # two blocks: the classes in the four directions, an index of `kinds`
KINDS = 7 * AREA  # two blocks: the kind of a place, and its rank as a move from bit 4 on
VALUES = 9 * AREA  # two blocks: what the place counts in the evaluation, an entry of `values`
HISTORY = 11 * AREA  # two blocks: how often the move was good
ALLOWED = 13 * AREA  # 1 if the move is legal in the first position
MARKED = 14 * AREA  # 1 while a list of moves is made that holds the place
PLACES = 15 * AREA  # the places of the board, in reading order
_REST = 16 * AREA
COUNTS = _REST  # two rows of 16: how many empty places of each kind a side has
SUMS = _REST + 32  # two pairs: the values of a side to move, and of a side that waits
SIZE = _REST + 36  # how many places the board has
REACH = _REST + 37  # how many neighbours on each side make a key
CLOSING = _REST + 38  # 1 if a stone behind a line can make it count for nothing (Caro)
FORBIDDING = _REST + 39  # 1 if X has forbidden moves (Renju)
ATTACKER = _REST + 40  # the side whose threats are searched; -1 in the search of all moves
CUT = _REST + 41  # 1 once the search of threats has stopped at its depth
WIDTH = _REST + 42  # the most quiet moves that are tried in a position
STEP = _REST + 44  # four: `STEPS`
FOURS = _REST + 64  # the stack of the search of fours
FOURS_DEPTH = 24
FOURS_FRAME = 36
BARS = FOURS + FOURS_DEPTH * FOURS_FRAME  # the stack of the search of forbidden moves
BARS_DEPTH = 30
FRAMES = BARS + 3 * BARS_DEPTH  # the stack of the search

# A frame of the search.
MOVE, SIDE, ALPHA, BETA, DEPTH, BEST, BEST_MOVE, COUNT, INDEX = range(9)
FLOOR = 9  # alpha when the position was entered
STAGE = 10  # how the current move is searched
PRESSURE = 11  # what the side to move must answer
KILLER = 12  # two moves that refuted others at this ply
LENGTH = 14  # of the principal variation
VARIATION = 16
VARIATION_SIZE = 40
LIST = VARIATION + VARIATION_SIZE
LIST_SIZE = 96
RANKS = LIST + LIST_SIZE
FRAME = RANKS + LIST_SIZE
MAXIMUM_PLY = 72
STATE_SIZE = FRAMES + (MAXIMUM_PLY + 2) * FRAME

# `words`, int64.
HASH = 0
NODES = 1
LIMIT = 2  # the count of nodes at which the search ends
STOPPED = 3
ZOBRIST = 16  # two blocks of `AREA`
WORDS_SIZE = ZOBRIST + 2 * AREA

# Scores: a win in n plies from the first position is `WIN - n`.
WIN = 30_000
DECIDED = WIN - 1000
INFINITE = 32_000
UNDECIDED = 1 << 20
#: Depths are counted in quarters of a ply.
PLY = 4


class Game(NamedTuple):
    """The arrays of a search.

    Attributes:
        state: int32, the position and the stacks.
        words: int64, the hash and the counts.
        shapes: uint8, by the key of a place and direction: the class for X; from bit 4 on, for O.
        kinds: int32, by the classes in four directions: the kind; from bit 4 on, the rank. For O
            from 65,536 on.
        values: int32, likewise: what counts for the side to move, and from bit 16 on for the other.
        table: int64, the transposition table, two words an entry.
        stop: int64, becomes 1 when the search shall end.
    """

    state: Words
    words: Words
    shapes: Words
    kinds: Words
    values: Words
    table: Words
    stop: Words
