"""Wins in one and what stops them, on boards of lines, in compiled code."""

from __future__ import annotations

import numpy as np

from tic_tac_toe.engines.playouts.boards import (
    ANY_ENDS,
    CELLS,
    COUNTS,
    ENDS,
    LENGTH,
    LETTERS,
    LINE_WINS,
    OPEN,
    ORDER,
    OVERLINE_OR_BOTH,
    SECOND,
    SUM,
    THREATS,
    WORDS,
    counts_as_line,
    ends_at,
    index_at,
    open_at,
    owners_at,
    stack_at,
    winner_by_line,
)
from tic_tac_toe.engines.playouts.tree import COUNT, TURN, UNKNOWN
from tic_tac_toe.logic.search.scores import MATE
from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined


@called
def next_threat(state: Words, tables: Words, letter: Word, below_top: Word) -> Word:
    """Return where on its stack a letter's threat stands whose cell can be entered now, or -1.

    Filled places are taken off the stack; the order of the others changes.

    Args:
        below_top: the number of threats at the bottom of the stack to look at.
    """
    stack, index = stack_at(tables, letter), index_at(tables)
    threat = (tables[LENGTH] - 1) << SECOND * letter
    for at in range(below_top - 1, -1, -1):
        place = state[stack + at]
        word = state[WORDS + place]
        if word & COUNTS != threat or not counts_as_line(state, tables, place, letter):
            state[THREATS + letter] -= 1
            state[stack + at] = state[stack + state[THREATS + letter]]
        elif state[index + (word >> SUM)] >= 0:
            return np.int64(at)
    return np.int64(-1)


@inlined
def cell_of_threat(state: Words, tables: Words, letter: Word, at: Word) -> Word:
    """Return the empty cell of a threat on the stack."""
    return state[WORDS + state[stack_at(tables, letter) + at]] >> SUM


@called
def add_threats(
    state: Words, tables: Words, letter: Word, placed: Word, moves: Words, count: Word
) -> Word:
    """Add the moves that put a letter into the cells of another's threats, each once.

    Args:
        placed: what is added to a cell to make the move.
        count: how many moves there are already.

    Returns:
        how many there are then.
    """
    at = next_threat(state, tables, letter, state[THREATS + letter])
    while at >= 0:
        move = cell_of_threat(state, tables, letter, at) + placed
        is_new = True
        for other in range(count):
            if moves[2 * other] == move:
                is_new = False
        if is_new:
            moves[2 * count] = move
            moves[2 * count + 1] = 50
            count += 1
        at = next_threat(state, tables, letter, at)
    return count


@inlined
def stops_lines(tables: Words, turn: Word) -> Word:
    """Return whether a side has to stop the lines of the other."""
    if winner_by_line(tables, 1 - turn) == turn:
        return False
    return tables[LETTERS] == 1 or tables[LINE_WINS] >= ORDER


@inlined
def ends_stop(tables: Words) -> Word:
    """Return whether a mark at the end of a threat may stop it as well as one in its cell."""
    if tables[LETTERS] == 2:
        return tables[ENDS] != ANY_ENDS
    return tables[ENDS] == OVERLINE_OR_BOTH


@called
def stops_letter(state: Words, tables: Words, letter: Word, cell: Word, mark: Word) -> Word:
    """Return whether the letter ``mark`` in an empty cell stops all threats of a letter."""
    owner = owners_at(tables) + cell
    at = next_threat(state, tables, letter, state[THREATS + letter])
    while at >= 0:
        place = state[stack_at(tables, letter) + at]
        if state[WORDS + place] >> SUM == cell:
            goes_on = mark == letter
        else:
            state[owner] = mark
            goes_on = counts_as_line(state, tables, place, letter)
            state[owner] = 2
        if goes_on:
            return False
        at = next_threat(state, tables, letter, at)
    return True


@called
def stopping_move(state: Words, tables: Words, number: Word) -> Word:
    """Return a move that stops all threats of the other side that there are now, or -1.

    Whatever stops all stops the first. So only six moves are looked at, which have numbers: a mark
    of either letter in its cell (0 and 1), and at each of its ends (2 to 5).
    """
    turn, letters, mark = state[TURN], tables[LETTERS], number & 1
    if letters == 1 and mark != turn:
        return np.int64(-1)
    for letter in range(2):
        if letters == 1 and letter == turn:
            continue
        at = next_threat(state, tables, np.int64(letter), state[THREATS + letter])
        if at < 0:
            continue
        place = state[stack_at(tables, np.int64(letter)) + at]
        ends = ends_at(tables) + 2 * place
        cell = state[WORDS + place] >> SUM
        if number > 1:
            cell = tables[ends + (number - 2) // 2]
            is_twice = number > 3 and cell == tables[ends]
            if cell == tables[CELLS] or is_twice or state[index_at(tables) + cell] < 0:
                return np.int64(-1)
        for other in range(2):
            is_theirs = letters == 2 or other != turn
            if is_theirs and not stops_letter(state, tables, np.int64(other), cell, mark):
                return np.int64(-1)
        return cell + (letters - 1) * tables[CELLS] * mark
    return np.int64(-1)


@called
def first_stop(state: Words, tables: Words) -> Word:
    """Return the first stopping move by its number, or -1."""
    for number in range(6):
        move = stopping_move(state, tables, np.int64(number))
        if move >= 0:
            return move
    return np.int64(-1)


@called
def add_forced_moves(state: Words, tables: Words, moves: Words, control: Words) -> Word:
    """Write the moves that win at once, else those that stop the other side; see `survey`."""
    turn, cells, letters = state[TURN], tables[CELLS], tables[LETTERS]
    count = np.int64(0)
    if winner_by_line(tables, turn) == turn:
        if letters == 2:
            count = add_threats(state, tables, np.int64(0), np.int64(0), moves, count)
            count = add_threats(state, tables, np.int64(1), cells, moves, count)
        else:
            count = add_threats(state, tables, turn, np.int64(0), moves, count)
        if count > 0:
            control[COUNT] = count
            return np.int64(MATE - 1)
    score = np.int64(UNKNOWN)
    if stops_lines(tables, turn):
        for number in range(6 if ends_stop(tables) else 2):
            move = stopping_move(state, tables, np.int64(number))
            if move >= 0:
                moves[2 * count] = move
                moves[2 * count + 1] = 50
                count += 1
        if count == 0:  # nothing is threatened, or nothing stops it
            if letters == 2:
                count = add_threats(state, tables, np.int64(0), cells, moves, count)
                count = add_threats(state, tables, np.int64(1), np.int64(0), moves, count)
            else:
                count = add_threats(state, tables, 1 - turn, np.int64(0), moves, count)
            if count > 0:
                score = np.int64(2 - MATE)
    control[COUNT] = count
    return score


@called
def survey(state: Words, tables: Words, moves: Words, control: Words) -> Word:
    """Write the moves to look at; see `tree`."""
    score = add_forced_moves(state, tables, moves, control)
    if control[COUNT] > 0:
        return score
    opened, count = open_at(tables), np.int64(0)
    for letter in range(tables[LETTERS]):
        for index in range(state[OPEN]):
            moves[2 * count] = state[opened + index] + letter * tables[CELLS]
            moves[2 * count + 1] = 50
            count += 1
    control[COUNT] = count
    return score


@called
def threatened_cell(state: Words, tables: Words, letter: Word) -> Word:
    """Return a cell in which a letter makes a line, or -1."""
    at = next_threat(state, tables, letter, state[THREATS + letter])
    return cell_of_threat(state, tables, letter, at) if at >= 0 else at


@inlined
def forced_move(state: Words, tables: Words) -> Word:
    """Return a move that wins at once, else one that stops the other side from it, else -1."""
    turn, letters = state[TURN], tables[LETTERS]
    if winner_by_line(tables, turn) == turn:
        for letter in range(2):
            if letters == 2 or letter == turn:
                cell = threatened_cell(state, tables, np.int64(letter))
                if cell >= 0:
                    return cell + (letters - 1) * tables[CELLS] * letter
    if stops_lines(tables, turn):
        if ends_stop(tables):
            return first_stop(state, tables)
        for letter in range(2):
            if letters == 2 or letter != turn:
                cell = threatened_cell(state, tables, np.int64(letter))
                if cell >= 0:
                    return cell + (letters - 1) * tables[CELLS] * (1 - letter)
    return np.int64(-1)
