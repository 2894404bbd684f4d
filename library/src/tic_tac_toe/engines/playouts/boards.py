"""Games of lines on any board in compiled code: own marks or letters, gravity, misère, exact lines.

Each place for a line is a word that counts its marks: those of letter 0 in bits 0-7, of letter 1 in
bits 8-15, and above them the sum of its empty cells, so that a place with one empty cell names it.
A place with one empty cell and marks of one letter alone is a threat. Each letter has a stack of its
threats; a place is put on it once and taken off when it is found to be filled.

The tables are, one after the other: the header; for each cell the start of its places in the list
of places, and one entry more; for each cell the one above it under gravity, else -1; for each place
the two cells at its ends, or the number of cells where there is none; the list of places by cell.
"""

from __future__ import annotations

import numpy as np

from tic_tac_toe.engines.playouts.dice import below
from tic_tac_toe.engines.playouts.tree import (
    COUNT,
    DRAW,
    GOES_ON,
    PLIES,
    TURN,
    UNKNOWN,
    GameParts,
)
from tic_tac_toe.logic.search.scores import MATE
from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined

# The header of the tables.
CELLS = 0
PLACES = 1  # how many there are
LENGTH = 2  # of a line, at least 2
ENDS = 3  # what makes a full place no line: OVERLINE, OVERLINE_OR_BOTH, or ANY_ENDS
LETTERS = 4  # among which the mover chooses: 1, its own, or 2
LINE_WINS = 5  # who wins by a line: MOVER, OTHER, or ORDER plus the side
FULL = 6  # the result of a full board without a line
HEADER = 7

ANY_ENDS, OVERLINE, OVERLINE_OR_BOTH = 0, 1, 2
MOVER, OTHER, ORDER = 0, 1, 2

# The state, after the side to move and the plies.
OPEN = 2  # how many cells a mark may enter
THREATS = 3  # how many threats of letter 0 are on its stack, then of letter 1
WORDS = 5  # the words of the places; the other arrays follow

#: What one mark of letter 1 adds to the word of a place, as an exponent, and where the cells begin.
SECOND, SUM = 8, 16
COUNTS = (1 << SUM) - 1

#: How often a random game looks for a better move than one that loses at once.
TRIES = 3


@inlined
def owners_at(tables: Words) -> Word:
    """Return where the letters of the cells begin, 2 for none; a last cell stands for the edge."""
    return WORDS + tables[PLACES]


@inlined
def open_at(tables: Words) -> Word:
    """Return where the list of the cells begins that a mark may enter."""
    return WORDS + tables[PLACES] + tables[CELLS] + 1


@inlined
def index_at(tables: Words) -> Word:
    """Return where the index of each cell in that list begins, -1 if it is not in it."""
    return WORDS + tables[PLACES] + 2 * tables[CELLS] + 1


@inlined
def marked_at(tables: Words) -> Word:
    """Return where it is noted for letter 0, then 1, which cells have ever been its threats."""
    return WORDS + tables[PLACES] + 3 * tables[CELLS] + 1


@inlined
def stack_at(tables: Words, letter: Word) -> Word:
    """Return where the stack of a letter's threats begins; that of letter 1 ends the state."""
    return WORDS + tables[PLACES] * (1 + letter) + 5 * tables[CELLS] + 1


@inlined
def above_at(tables: Words) -> Word:
    """Return where the cells above begin in the tables."""
    return HEADER + tables[CELLS] + 1


@inlined
def ends_at(tables: Words) -> Word:
    """Return where the cells at the ends of places begin in the tables."""
    return HEADER + 2 * tables[CELLS] + 1


@inlined
def through_at(tables: Words) -> Word:
    """Return where the list of places by cell begins in the tables."""
    return HEADER + 2 * tables[CELLS] + 1 + 2 * tables[PLACES]


@inlined
def counts_as_line(state: Words, tables: Words, place: Word, letter: Word) -> Word:
    """Return whether a place full of a letter's marks is a line, by the marks at its ends."""
    if tables[ENDS] == ANY_ENDS:
        return True
    ends, owners = ends_at(tables) + 2 * place, owners_at(tables)
    before, after = state[owners + tables[ends]], state[owners + tables[ends + 1]]
    if before == letter or after == letter:
        return False
    return not (tables[ENDS] == OVERLINE_OR_BOTH and before == after == 1 - letter)


@called
def put(state: Words, tables: Words, cell: Word, letter: Word) -> Word:
    """Put a mark into a cell, and return whether it makes a line."""
    cells, opened, index = tables[CELLS], open_at(tables), index_at(tables)
    state[owners_at(tables) + cell] = letter
    at, above = state[index + cell], tables[above_at(tables) + cell]
    if above < 0:
        state[OPEN] -= 1
        above = state[opened + state[OPEN]]
    state[opened + at] = above
    state[index + above] = at
    state[index + cell] = -1
    one = np.int64(1) << SECOND * letter
    change, line, threat = one - (cell << SUM), one * tables[LENGTH], one * (tables[LENGTH] - 1)
    made, through = False, through_at(tables)
    for entry in range(tables[HEADER + cell], tables[HEADER + cell + 1]):
        place = tables[through + entry]
        word = state[WORDS + place] + change
        state[WORDS + place] = word
        counts = word & COUNTS
        if counts == threat:
            state[stack_at(tables, letter) + state[THREATS + letter]] = place
            state[THREATS + letter] += 1
            state[marked_at(tables) + cells * letter + (word >> SUM)] = 1
        elif counts == line and counts_as_line(state, tables, place, letter):
            made = True
    return made


@inlined
def winner_by_line(tables: Words, turn: Word) -> Word:
    """Return who wins if a side makes a line."""
    wins = tables[LINE_WINS]
    return wins - ORDER if wins >= ORDER else turn ^ wins


@inlined
def play(state: Words, tables: Words, move: Word) -> Word:
    """Make a move and return the result."""
    turn = state[TURN]
    cell, letter = move, turn
    if tables[LETTERS] == 2:
        letter = np.int64(move >= tables[CELLS])
        cell -= letter * tables[CELLS]
    state[TURN] = 1 - turn
    state[PLIES] += 1
    if put(state, tables, cell, letter):
        return winner_by_line(tables, turn)
    return np.int64(GOES_ON) if state[OPEN] > 0 else tables[FULL]


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


@called
def survey(state: Words, tables: Words, moves: Words, control: Words) -> Word:
    """Write the moves to look at; see `tree`."""
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
    # A line of the other side's next move has to be stopped, and a mark at its end may do so too
    # where ends count for both sides.
    if tables[ENDS] != OVERLINE_OR_BOTH and winner_by_line(tables, 1 - turn) != turn:
        if letters == 1:
            count = add_threats(state, tables, 1 - turn, np.int64(0), moves, count)
        elif tables[LINE_WINS] >= ORDER:
            count = add_threats(state, tables, np.int64(0), cells, moves, count)
            count = add_threats(state, tables, np.int64(1), np.int64(0), moves, count)
        if count > 0:
            control[COUNT] = count
            return np.int64(2 - MATE if count > 1 else UNKNOWN)
    opened = open_at(tables)
    for index in range(state[OPEN]):
        cell = state[opened + index]
        for letter in range(letters):
            moves[2 * count] = cell + letter * cells
            moves[2 * count + 1] = 50
            count += 1
    control[COUNT] = count
    return np.int64(UNKNOWN)


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
def forced_move(state: Words, tables: Words) -> Word:
    """Return a move that wins at once, else one that stops the other side from it, else -1."""
    turn, letters = state[TURN], tables[LETTERS]
    if winner_by_line(tables, turn) == turn:
        for letter in range(2):
            if letters == 2 or letter == turn:
                at = next_threat(state, tables, letter, state[THREATS + letter])
                if at >= 0:
                    cell = cell_of_threat(state, tables, letter, at)
                    return cell + (tables[CELLS] * letter if letters == 2 else 0)
    if winner_by_line(tables, 1 - turn) != turn and (letters == 1 or tables[LINE_WINS] >= ORDER):
        for letter in range(2):
            if letters == 2 or letter != turn:
                at = next_threat(state, tables, letter, state[THREATS + letter])
                if at >= 0:
                    cell = cell_of_threat(state, tables, letter, at)
                    return cell + (tables[CELLS] * (1 - letter) if letters == 2 else 0)
    return np.int64(-1)


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
