"""How a question is posed to the m,n,k kernel, and what its answer means."""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.kernels.bits import U0, U1, popcount
from tic_tac_toe.solver.kernels.control import (
    ALPHA,
    DEPTH,
    VALUE,
    open_range,
    settle,
    top_of,
    worth,
)
from tic_tac_toe.solver.kernels.inlining import Word, Words, called
from tic_tac_toe.solver.kernels.mnk.board import (
    Game,
)
from tic_tac_toe.solver.kernels.mnk.frame import (
    ATTACK,
    ATTACKS,
    DEFEND,
    DEFENDS,
    LEFT,
    OTHER,
    OWN,
    PLACES,
    POSITION,
    STRONG,
    TURN,
)


@called
def fill_root(
    frames: Words, numbers: Words, constants: Words, game: Game, control: Words, weak: Word
) -> None:
    """Fill the first frame with the question that is asked, about the weak game or the real one."""
    position = game.scratch + POSITION
    own, other = frames[position], frames[position + U1]
    ply, alpha, cells = np.int64(popcount(own | other)), control[ALPHA], np.int64(game.cells)
    top, turn = top_of(cells), np.int64(0)
    if alpha >= 0:
        left = min(top - alpha - 1 - (ply >> 1), (cells - ply + 1) >> 1)
    else:
        left = min(top + alpha - ((ply + 1) >> 1), (cells - ply) >> 1)
        own, other, turn = other, own, np.int64(1)
    empty = game.board & ~(own | other)
    count = count_other = U0
    for index in range(game.lines):
        line = constants[PLACES + np.uint64(index)]
        missing = np.int64(popcount(line & empty))
        if line & other == U0 and missing <= left:
            frames[ATTACK + count] = line
            count += U1
        if line & own == U0 and missing <= left - 1 + turn and not weak:
            frames[DEFEND + count_other] = line
            count_other += U1
    frames[OWN], frames[OTHER], frames[ATTACKS], frames[DEFENDS] = own, other, count, count_other
    numbers[LEFT], numbers[TURN], numbers[STRONG] = left, turn, 0 if weak else 1
    control[DEPTH] = 0


@called
def pose(frames: Words, numbers: Words, constants: Words, game: Game, control: Words) -> None:
    """Pose a question about the weak game."""
    fill_root(frames, numbers, constants, game, control, True)


@called
def begin(
    own: Word,
    other: Word,
    frames: Words,
    numbers: Words,
    constants: Words,
    game: Game,
    control: Words,
) -> None:
    """Set the search to a position that is not over; the range takes in what is seen at once.

    On the empty board the second player cannot win, for the first could win by its strategy (John
    Nash's strategy stealing).
    """
    cells, ply = np.int64(game.cells), np.int64(popcount(own | other))
    top = top_of(cells)
    low = -worth(top, ply + 2) if ply > 0 and ply + 2 <= cells else 0
    high = worth(top, ply + 3) if ply + 3 <= cells else 0
    for index in range(game.lines):
        line = constants[PLACES + np.uint64(index)]
        if line & other == U0 and popcount(line & ~own) == U1:
            low = high = worth(top, ply + 1)
    open_range(control, low, high)
    position = game.scratch + POSITION
    frames[position], frames[position + U1] = own, other


@called
def answer(frames: Words, numbers: Words, constants: Words, game: Game, control: Words) -> None:
    """Narrow the range by the answer of the last search; a win in the weak game is asked again."""
    if control[VALUE] > 0 and numbers[STRONG] == 0:
        fill_root(frames, numbers, constants, game, control, False)
        if frames[DEFENDS] != U0:
            return
    marks, alpha, cells = control[VALUE], control[ALPHA], np.int64(game.cells)
    position = game.scratch + POSITION
    ply = np.int64(popcount(frames[position] | frames[position + U1]))
    top = top_of(cells)
    if alpha >= 0:
        control[VALUE] = worth(top, ply + 2 * marks - 1) if marks > 0 else alpha
    else:
        control[VALUE] = -worth(top, ply + 2 * marks) if marks > 0 else alpha + 1
    settle(control)
