"""Games of lines on any board in compiled code: own marks or letters, gravity, misère, exact lines.

Each place for a line is a word that counts its marks: those of letter 0 in bits 0-7, of letter 1
in bits 8-15, and above them the sum of its empty cells, so that a place with one empty cell names
it. A place with one empty cell and marks of one letter alone is a threat. Each letter has a stack
of its threats; a place is put on it once and taken off when it is found to be filled.

The tables are, one after the other: the header; for each cell the start of its places in the list
of places, and one entry more; for each cell the one above it under gravity, else -1; for each place
the two cells at its ends, or the number of cells where there is none; the list of places by cell.
"""

from __future__ import annotations

import numpy as np

from tic_tac_toe.engines.playouts.tree import GOES_ON, PLIES, TURN
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
