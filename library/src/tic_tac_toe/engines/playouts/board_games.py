"""Random games on boards of lines, in compiled code."""

from __future__ import annotations

import numpy as np

from tic_tac_toe.engines.playouts.board_threats import forced_move, survey
from tic_tac_toe.engines.playouts.boards import (
    CELLS,
    COUNTS,
    HEADER,
    LENGTH,
    LETTERS,
    LINE_WINS,
    OPEN,
    OTHER,
    SECOND,
    WORDS,
    above_at,
    marked_at,
    open_at,
    play,
    through_at,
    winner_by_line,
)
from tic_tac_toe.engines.playouts.dice import below
from tic_tac_toe.engines.playouts.tree import GOES_ON, TURN, GameParts
from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined

#: How often a random game looks for a better move than one that loses at once.
TRIES = 3


@inlined
def gives_win(state: Words, tables: Words, move: Word) -> Word:
    """Return whether a move probably loses at once, in games where that is quickly seen."""
    turn, cells = state[TURN], tables[CELLS]
    marked = marked_at(tables)
    if tables[LETTERS] == 1:
        if tables[LINE_WINS] == OTHER:
            return state[marked + turn * cells + move] > 0
        above = tables[above_at(tables) + move]
        return above >= 0 and state[marked + (1 - turn) * cells + above] > 0
    if tables[LINE_WINS] == OTHER:
        return state[marked + move] > 0
    if winner_by_line(tables, 1 - turn) == turn:
        return False
    return makes_threat(state, tables, move)


@called
def makes_threat(state: Words, tables: Words, move: Word) -> Word:
    """Return whether a move makes a line, or a place that one more mark of the letter fills."""
    letter = np.int64(move >= tables[CELLS])
    cell = move - letter * tables[CELLS]
    through = through_at(tables)
    one = np.int64(1) << SECOND * letter
    for entry in range(tables[HEADER + cell], tables[HEADER + cell + 1]):
        counts = state[WORDS + tables[through + entry]] & COUNTS
        if counts == (tables[LENGTH] - 2) * one or counts == (tables[LENGTH] - 1) * one:
            return True
    return False


@inlined
def random_move(state: Words, tables: Words, dice: Words) -> Word:
    """Return one of the moves, each as likely as the others."""
    pick = below(dice, state[OPEN] * tables[LETTERS])
    letter = np.int64(pick >= state[OPEN])
    return state[open_at(tables) + pick - letter * state[OPEN]] + letter * tables[CELLS]


@called
def simulate(state: Words, tables: Words, dice: Words) -> Word:
    """Play a random game: each side wins at once if it can, and rather does not let the other."""
    result = np.int64(GOES_ON)
    while result == GOES_ON:
        move = forced_move(state, tables)
        if move < 0:
            move = random_move(state, tables, dice)
            for _ in range(TRIES):
                if not gives_win(state, tables, move):
                    break
                move = random_move(state, tables, dice)
        result = play(state, tables, move)
    return result


BOARDS = GameParts("playouts-boards", play, survey, simulate)
