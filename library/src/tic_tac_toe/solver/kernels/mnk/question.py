"""How a question is posed to the m,n,k kernel, and what its answer means."""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.kernels.bits import U0, U1, popcount
from tic_tac_toe.solver.kernels.control import (
    ALPHA,
    DEPTH,
    HIGH,
    LOW,
    NODES,
    VALUE,
    open_range,
    settle,
    top_of,
    worth,
)
from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined
from tic_tac_toe.solver.kernels.mnk.board import Game
from tic_tac_toe.solver.kernels.mnk.frame import (
    ATTACK,
    ATTACKS,
    DEFEND,
    DEFENDS,
    LEFT,
    MOST_LEFT,
    OTHER,
    OWN,
    PLACES,
    POSITION,
    REFUTED,
    SINCE,
    STRONG,
    TURN,
)

#: The first marks that the attacker is given, and the nodes that are spent on giving it one more at
#: a time: many wins are short, and the question whether there is one is then small.
FIRST_LEFT, DEEPENING_NODES = 3, 1 << 15


@inlined
def marks_left(own: Word, other: Word, game: Game, control: Words) -> Word:
    """Return the marks that the attacker may add in the question that is asked."""
    ply, alpha, cells = np.int64(popcount(own | other)), control[ALPHA], np.int64(game.cells)
    top = top_of(cells)
    if alpha >= 0:
        return min(top - alpha - 1 - (ply >> 1), (cells - ply + 1) >> 1)
    return min(top + alpha - ((ply + 1) >> 1), (cells - ply) >> 1)


@called
def fill_root(
    frames: Words,
    numbers: Words,
    constants: Words,
    game: Game,
    control: Words,
    weak: Word,
    left: Word,
) -> None:
    """Fill the first frame with the question that is asked, about the weak game or the real one.

    Args:
        left: the marks that the attacker may add.
    """
    position = game.scratch + POSITION
    own, other, turn = frames[position], frames[position + U1], np.int64(0)
    if control[ALPHA] < 0:
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
    position = game.scratch + POSITION
    most = marks_left(frames[position], frames[position + U1], game, control)
    frames[MOST_LEFT], frames[REFUTED], frames[SINCE] = np.uint64(most), U0, U0
    fill_root(frames, numbers, constants, game, control, True, most)


@inlined
def pose_next(frames: Words, numbers: Words, constants: Words, game: Game, control: Words) -> Word:
    """Pose the question that follows from the answer of the last one, if there is one.

    A win in the weak game is asked again of the real one: with few marks first, for many wins are
    short and then quickly found; at last with all.
    """
    left, most = numbers[LEFT], np.int64(frames[MOST_LEFT])
    is_weak, wins = numbers[STRONG] == 0, control[VALUE] > 0
    if is_weak and left == most:
        if not wins:
            return False
        frames[SINCE] = np.uint64(control[NODES])
        left, weak = min(most, FIRST_LEFT), most > FIRST_LEFT
    elif is_weak and wins:
        weak = False
    elif not wins and left < most:
        frames[REFUTED] = np.uint64(left)
        quick = control[NODES] - np.int64(frames[SINCE]) < DEEPENING_NODES
        left = left + 1 if quick else most
        weak = left < most
    else:
        return False
    fill_root(frames, numbers, constants, game, control, weak, left)
    # Where the defender has no lines to force with, the weak game is the real one.
    return not wins or weak or frames[DEFENDS] != U0


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
    """Narrow the range by the answer of the last search, or pose a harder question."""
    if pose_next(frames, numbers, constants, game, control):
        return
    marks, alpha, cells = control[VALUE], control[ALPHA], np.int64(game.cells)
    position = game.scratch + POSITION
    ply = np.int64(popcount(frames[position] | frames[position + U1]))
    top, is_exact = top_of(cells), marks == np.int64(frames[REFUTED]) + 1
    if alpha >= 0:
        control[VALUE] = worth(top, ply + 2 * marks - 1) if marks > 0 else alpha
    else:
        control[VALUE] = -worth(top, ply + 2 * marks) if marks > 0 else alpha + 1
    settle(control)
    if is_exact and marks > 0 and alpha >= 0:
        control[HIGH] = control[LOW]
    elif is_exact and marks > 0:
        control[LOW] = control[HIGH]
