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

from itertools import pairwise

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
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.letters import ORDER as ORDER_SIDE
from tic_tac_toe.logic.rules.letters import LetterRules, OrderAndChaos
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.renju import Caro
from tic_tac_toe.logic.rules.wrappers import Misere, without_misere
from tic_tac_toe.logic.search.evaluation import MATE
from tic_tac_toe.solver.kernels.bits import Word, Words, called, inlined

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


# Wins in one and what stops them.


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


class BoardGame(Game):
    """A game of lines on one board.

    Args:
        line: the board and what a line is.
        rules: the game on it: the same, its misère play, or one in which players choose the letter.
    """

    parts: GameParts = BOARDS

    def __init__(self, line: LineRules, rules: Rules) -> None:
        self._line = line
        inner = without_misere(rules)
        letters = 2 if isinstance(inner, LetterRules) else 1
        cells, places = line.shape.cells, line.lines.places
        self.most_moves: int = cells * letters
        self.ply_cost: int = (60 + 6 * len(places) * line.length // cells) * letters
        misere = isinstance(rules, Misere)
        if isinstance(inner, OrderAndChaos):
            order = 1 - ORDER_SIDE if misere else ORDER_SIDE
            line_wins, full = ORDER + order, 1 - order
        else:
            line_wins, full = OTHER if misere else MOVER, DRAW
        ends = OVERLINE if line.exact else ANY_ENDS
        if isinstance(inner, Caro):  # a letter has no other side whose marks could close an end
            ends = OVERLINE_OR_BOTH
        header = [cells, len(places), line.length, ends, letters, line_wins, full]
        through: list[list[int]] = [[] for _ in range(cells)]
        fences = list[int]()
        self._places: list[int] = []
        for number, place in enumerate(places):
            for cell in place.cells:
                through[cell].append(number)
            self._places.append(sum(place.cells) << SUM)
            ahead, behind = place.ahead[:1] or (cells,), place.behind[:1] or (cells,)
            fences += (*behind, *ahead)
        above = [-1] * cells
        self._floor = list(range(cells))
        if line.gravity:
            stacks = line.topology.stacks(line.shape)
            assert stacks is not None, "the constructor of the rules has seen to it"
            self._floor = [stack[0] for stack in stacks]
            for stack in stacks:
                for cell, upper in pairwise(stack):
                    above[cell] = upper
        starts, listed = [0], list[int]()
        for numbers in through:
            listed += numbers
            starts.append(len(listed))
        self.tables: NDArray[np.int64] = np.array(
            [*header, *starts, *above, *fences, *listed], np.int64
        )
        self._above = above

    def state(self, position: Position) -> NDArray[np.int64]:
        """Return the words of a position that is not over."""
        tables, cells = self.tables, self._line.shape.cells
        size = int(stack_at(tables, 1)) + len(self._places)
        state: NDArray[np.int64] = np.zeros(size, np.int64)
        state[TURN] = position.turn
        state[OPEN] = len(self._floor)
        state[WORDS : WORDS + len(self._places)] = self._places
        owners, opened, index = (int(at(tables)) for at in (owners_at, open_at, index_at))
        state[owners : owners + cells + 1] = 2
        state[opened : opened + len(self._floor)] = self._floor
        state[index : index + cells] = -1
        state[index + np.array(self._floor)] = np.arange(len(self._floor))
        letters = (
            dict.fromkeys(self._line.lines.layout.cells(position.stones[letter]), letter)
            for letter in (0, 1)
        )
        marks = {cell: letter for part in letters for cell, letter in part.items()}
        for floor in self._floor:
            cell = floor
            while cell in marks:
                put(state, tables, np.int64(cell), np.int64(marks[cell]))
                cell = self._above[cell]
        return state
