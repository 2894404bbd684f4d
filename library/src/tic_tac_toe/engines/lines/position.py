"""A position of the kernels for large boards: arrays of numbers, kept up to date by each stone.

A board of up to 26 x 26 cells lies in an area of rows of 32, with walls around it; the six cells on
the right of each row are the wall on the left of the next row, too:

    place = (row + 6) * 32 + column
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.engines.lines.shapes import (
    DIRECTIONS,
    DOUBLE_THREE,
    FORBIDDEN,
    MAKES_FIVE,
    OPEN_FOUR,
    OPEN_THREE,
    RICH_THREE,
    Ending,
    kind_table,
    reach_of,
    shape_table,
)
from tic_tac_toe.engines.lines.values import (
    KIND_ROWS,
    NO_PLACE,
    START_ROW,
    START_SHIFT,
    SUM_SIZE,
    row_table,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import PLANE
from tic_tac_toe.logic.rules.renju import Caro, Renju
from tic_tac_toe.logic.shapes import layout
from tic_tac_toe.solver.kernels.bits import Word, Words, called, inlined

STRIDE = 32
AREA = 38 * STRIDE
#: The first row that belongs to the board.
TOP = 6

# What stands in a place. The stones of side 0 (X) and 1 (O) are `side + 1`.
EMPTY, WALL = 0, 3

#: The steps to the next place of a row, a column, a falling and a rising diagonal.
STEPS = (1, STRIDE, STRIDE + 1, STRIDE - 1)

# `state`, int32: blocks of one number a place, then the rest.
STONES = 0
KEYS = AREA  # four blocks: the neighbours in each direction, as an index of `Game.shapes`
COMBINATIONS = 5 * AREA  # two blocks: the classes in four directions, an index of `Game.kinds`
KINDS = 7 * AREA  # two blocks: the kind of a place, and its rank as a move from bit 4 on
HISTORY = 9 * AREA  # two blocks: how often the move was good
ALLOWED = 11 * AREA  # 1 if the move is legal in the first position
MARKED = 12 * AREA  # 1 while a list of moves is made that holds the place
PLACES = 13 * AREA  # the places of the board, in reading order
_REST = 14 * AREA
COUNTS = _REST  # two rows of 16: how many empty places of each kind a side has
LEVEL = _REST + 32  # how many stones were placed since the first position
READY = _REST + 33  # up to which level the sums are known
LANES = _REST + 34  # `SUM_SIZE`
SIZE = _REST + 36  # how many places the board has
REACH = _REST + 37  # how many neighbours on each side make a key
CLOSING = _REST + 38  # 1 if a stone behind a line can make it count for nothing (Caro)
FORBIDDING = _REST + 39  # 1 if X has forbidden moves (Renju)
ATTACKER = _REST + 40  # the side whose threats are searched; -1 in the search of all moves
CUT = _REST + 41  # 1 once the search of threats has stopped at its depth
WIDTH = _REST + 42  # the most quiet moves that are tried in a position
STEP = _REST + 44  # four: `STEPS`
HIDDEN = _REST + 48  # what the network computes
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
# What the evaluation sums up, by level, and what each stone changed in it: see `note_change`.
LEVELS = 160
SUMS = FRAMES + (MAXIMUM_PLY + 2) * FRAME
ENDS = SUMS + (LEVELS + 1) * SUM_SIZE  # where the changes up to a level end
CHANGES = ENDS + LEVELS + 1
_MOST_CHANGES = DIRECTIONS + 2 * DIRECTIONS * 6  # of a stone
STATE_SIZE = CHANGES + 2 * (LEVELS + 1) * _MOST_CHANGES

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
        rows: int16, the numbers of the evaluation: see `values.packed`.
        table: int64, the transposition table, two words an entry.
        stop: int64, becomes 1 when the search shall end.
    """

    state: Words
    words: Words
    shapes: Words
    kinds: Words
    rows: Words
    table: Words
    stop: Words


_SIDE_KINDS = 1 << 4 * DIRECTIONS


@inlined
def count_place(state: Words, cell: Word, sign: Word) -> None:
    """Count an empty place among those of its kinds, or no more."""
    for side in range(2):
        state[COUNTS + side * 16 + (state[KINDS + side * AREA + cell] & 15)] += sign


@inlined
def look_up(game: Game, cell: Word, side: Word, combination: Word) -> None:
    """Set the kind of a place to that of its classes."""
    game.state[COMBINATIONS + side * AREA + cell] = combination
    game.state[KINDS + side * AREA + cell] = game.kinds[side * _SIDE_KINDS + combination]


@inlined
def classes_of(state: Words, cell: Word, shift: Word) -> Word:
    """Return the class of a place in one direction for X and, from bit 4 on, for O."""
    crosses, naughts = state[COMBINATIONS + cell], state[COMBINATIONS + AREA + cell]
    return crosses >> shift & 15 | (naughts >> shift & 15) << 4


@inlined
def kinds_of(state: Words, cell: Word) -> Word:
    """Return the kind of a place for X and, from bit 4 on, for O."""
    return state[KINDS + cell] & 15 | (state[KINDS + AREA + cell] & 15) << 4


@inlined
def note_change(state: Words, classes: Word, kinds: Word) -> None:
    """Remember what has changed in an empty place: the old, and from bit 8 on the new."""
    end = state[ENDS + state[LEVEL]]
    state[CHANGES + 2 * end], state[CHANGES + 2 * end + 1] = classes, kinds
    state[ENDS + state[LEVEL]] = end + 1


@inlined
def change_classes(game: Game, cell: Word, shift: Word, classes: Word, is_new: Word) -> None:
    """Set the classes of an empty place in one direction, for both sides.

    Args:
        is_new: whether the change is noted; those of a stone that is taken back are forgotten.
    """
    state = game.state
    old, kinds = classes_of(state, cell, shift), kinds_of(state, cell)
    if old == classes:
        return
    for side in range(2):
        before = state[COMBINATIONS + side * AREA + cell]
        after = before & ~(15 << shift) | (classes >> 4 * side & 15) << shift
        if after != before:
            kind = KINDS + side * AREA + cell
            state[COUNTS + side * 16 + (state[kind] & 15)] -= 1
            look_up(game, cell, side, after)
            state[COUNTS + side * 16 + (state[kind] & 15)] += 1
    if is_new:
        note_change(state, old | classes << 8, kinds | kinds_of(state, cell) << 8)


@called
def tell_neighbours(game: Game, cell: Word, code: Word, is_new: Word) -> None:
    """Put a stone into the keys of the places around it if it ``is_new``, or take it out."""
    state = game.state
    reach = state[REACH]
    for direction in range(DIRECTIONS):
        for half in range(2):
            step = state[STEP + direction] * (1 - 2 * half)
            place, bits = cell, code << 2 * reach * half
            for _ in range(reach):
                place += step
                stone = state[STONES + place]
                if stone == WALL:
                    break
                at = KEYS + direction * AREA + place
                key = state[at] ^ bits
                state[at] = key
                bits <<= 2
                if stone == EMPTY:
                    change_classes(game, place, 4 * direction, int(game.shapes[key]), is_new)


@called
def place_stone(game: Game, cell: Word, side: Word) -> None:
    """Put a stone of a side into an empty place."""
    state = game.state
    state[STONES + cell] = side + 1
    game.words[HASH] ^= game.words[ZOBRIST + side * AREA + cell]
    count_place(state, cell, -1)
    state[LEVEL] += 1
    state[ENDS + state[LEVEL]] = state[ENDS + state[LEVEL] - 1]
    kinds = kinds_of(state, cell)
    for direction in range(DIRECTIONS):
        note_change(
            state, classes_of(state, cell, 4 * direction) | NO_PLACE << 8, kinds | NO_PLACE << 8
        )
        kinds = NO_PLACE
    tell_neighbours(game, cell, side + 1, True)


@called
def take_stone(game: Game, cell: Word, side: Word) -> None:
    """Take back the stone that was placed last: a place keeps its classes under a stone."""
    state = game.state
    tell_neighbours(game, cell, side + 1, False)
    state[STONES + cell] = EMPTY
    game.words[HASH] ^= game.words[ZOBRIST + side * AREA + cell]
    count_place(state, cell, 1)
    state[LEVEL] -= 1
    state[READY] = min(state[READY], state[LEVEL])


# The evaluation. Each empty place adds a row of numbers for the classes of both sides in each
# direction, and one for both kinds. The half of a row that is of X counts where X moves next.


@inlined
def exchange_rows(game: Game, at: Word, old: Word, new: Word) -> None:
    """Take a row out of the sums, and put another one in.

    The compiler makes vectors of a loop whose length it does not know and whose indices are no
    signed numbers; else the row takes more than twice as long.
    """
    state, rows = game.state, game.rows
    sums = np.uint64(at)
    without, others = np.uint64(old * SUM_SIZE), np.uint64(new * SUM_SIZE)
    for lane in range(np.uint64(state[LANES])):
        state[sums + lane] += int(rows[others + lane]) - int(rows[without + lane])


@inlined
def change_sums(game: Game, at: Word, classes: Word, kinds: Word) -> None:
    """Let an empty place count otherwise: see `note_change`."""
    exchange_rows(game, at, classes & 255, classes >> 8)
    if kinds & 255 != kinds >> 8:
        exchange_rows(game, at, KIND_ROWS + (kinds & 255), KIND_ROWS + (kinds >> 8))


@called
def sums_of(game: Game) -> Word:
    """Return where the sums of the position are, for X to move and then for O.

    They are found out when they are asked for first, from those before the last stones.
    """
    state = game.state
    level = state[READY]
    at = SUMS + level * SUM_SIZE
    while level < state[LEVEL]:
        here, there = np.uint64(at), np.uint64(at + SUM_SIZE)
        for lane in range(np.uint64(state[LANES])):
            state[there + lane] = state[here + lane]
        at += SUM_SIZE
        for change in range(state[ENDS + level], state[ENDS + level + 1]):
            change_sums(game, at, state[CHANGES + 2 * change], state[CHANGES + 2 * change + 1])
        level += 1
    state[READY] = level
    return at


# Which moves Renju forbids to X; `logic.rules.renju` has the definitions and their source. The
# kind of a place says so, but for two open threes: these count only if each can become a straight
# four by a move that is itself allowed, which is looked at with the stone in its place.

# A level: the place of the stone, which end of which row is looked at next, the threes so far.
_CELL, _NEXT, _THREES, _LEVEL = 0, 1, 2, 3
_ENDS = 2 * DIRECTIONS


@inlined
def extension_of(state: Words, cell: Word, end: Word) -> Word:
    """Return where a three is extended to a straight four at one end of its row; 0 if nowhere."""
    direction = end // 2
    shape = state[COMBINATIONS + cell] >> 4 * direction & 15
    if shape not in (OPEN_THREE, RICH_THREE):
        return 0
    step = state[STEP + direction] * (1 - 2 * (end & 1))
    place = cell + step
    while state[STONES + place] == 1:
        place += step
    if state[STONES + place] != EMPTY:
        return 0
    return place if state[COMBINATIONS + place] >> 4 * direction & 15 == OPEN_FOUR else 0


@called
def makes_two_threes(game: Game, first: Word) -> Word:
    """Return whether X, where two rows would become open threes, really makes two threes."""
    state = game.state
    level, cell = 0, first
    at = BARS
    state[at + _CELL], state[at + _NEXT], state[at + _THREES] = cell, 0, 0
    place_stone(game, cell, 0)
    while True:
        if state[at + _THREES] == 2 or state[at + _NEXT] == _ENDS:
            is_forbidden = state[at + _THREES] == 2
            take_stone(game, int(state[at + _CELL]), 0)
            if level == 0:
                return is_forbidden
            level, at = level - 1, at - _LEVEL
            if not is_forbidden:
                count_three(state, at)
            continue
        place = int(extension_of(state, state[at + _CELL], state[at + _NEXT]))
        state[at + _NEXT] += 1
        kind = state[KINDS + place] & 15
        if place == 0 or kind in (MAKES_FIVE, FORBIDDEN):
            continue
        if kind == DOUBLE_THREE and level < BARS_DEPTH - 1:
            level, at = level + 1, at + _LEVEL
            state[at + _CELL], state[at + _NEXT], state[at + _THREES] = place, 0, 0
            place_stone(game, place, 0)
        else:
            count_three(state, at)


@inlined
def count_three(state: Words, at: Word) -> None:
    """Count the row that was looked at last, whose other end then does not matter."""
    state[at + _THREES] += 1
    state[at + _NEXT] += state[at + _NEXT] & 1


@inlined
def is_barred(game: Game, cell: Word, side: Word) -> Word:
    """Return whether Renju forbids a side a move."""
    if game.state[FORBIDDING] == 0 or side == 1:
        return False
    kind = game.state[KINDS + cell] & 15
    return kind == FORBIDDEN or (kind == DOUBLE_THREE and makes_two_threes(game, cell))


@inlined
def key_of(state: Words, cell: Word, direction: Word, is_bare: Word) -> Word:
    """Return the key of a place in one direction, on a board without stones if it ``is_bare``."""
    key, shift = 0, 0
    for half in range(2):
        step = state[STEP + direction] * (2 * half - 1)
        place, is_wall = cell, False
        for _ in range(state[REACH]):
            place += step
            is_wall = is_wall or state[STONES + place] == WALL
            if is_wall:
                key |= WALL << shift
            elif not is_bare:
                key |= state[STONES + place] << shift
            shift += 2
            if is_wall:
                place -= step
    return key


@inlined
def read_place(game: Game, cell: Word, is_bare: Word) -> None:
    """Fill in what follows for a place from the stones around it."""
    state = game.state
    crosses, naughts = 0, 0
    for direction in range(DIRECTIONS):
        key = key_of(state, cell, direction, is_bare)
        state[KEYS + direction * AREA + cell] = key
        classes = int(game.shapes[key])
        crosses |= (classes & 15) << 4 * direction
        naughts |= (classes >> 4) << 4 * direction
    look_up(game, cell, 0, crosses)
    look_up(game, cell, 1, naughts)


@inlined
def add_place(game: Game, cell: Word, is_bare: Word) -> None:
    """Let a place count in the sums, or where it ``is_bare`` take away what it counts."""
    state = game.state
    kinds = kinds_of(state, cell)
    for direction in range(DIRECTIONS):
        classes = classes_of(state, cell, 4 * direction)
        if is_bare:
            change_sums(game, SUMS, classes | NO_PLACE << 8, kinds | NO_PLACE << 8)
        else:
            change_sums(game, SUMS, NO_PLACE | classes << 8, NO_PLACE | kinds << 8)
        kinds = NO_PLACE


@called
def read_stones(game: Game) -> None:
    """Fill in all that follows from the stones.

    The sums are those of what differs from the empty board, so that they are alike on all sizes.
    """
    state = game.state
    for index in range(32):
        state[COUNTS + index] = 0
    state[LEVEL], state[READY], state[ENDS] = 0, 0, 0
    for index in range(SUM_SIZE):
        state[SUMS + index] = int(game.rows[START_ROW * SUM_SIZE + index]) << START_SHIFT
    for index in range(state[SIZE]):
        cell = state[PLACES + index]
        read_place(game, cell, True)
        add_place(game, cell, True)
        read_place(game, cell, False)
        if state[STONES + cell] == EMPTY:
            count_place(state, cell, 1)
            add_place(game, cell, False)


def begin_position(
    state: Words,
    words: Words,
    shapes: Words,
    kinds: Words,
    rows: Words,
    table: Words,
    stop: Words,
) -> int:
    """Fill in all that follows from the stones; return 0."""
    read_stones(Game(state, words, shapes, kinds, rows, table, stop))
    return 0


#: The lengths of lines that the tables of shapes are made for.
LENGTHS = range(4, 7)
#: Cells on each side of a place: tables for more would have 4 ** 12 entries.
_MOST_REACH = 5
#: The most quiet moves that are tried in a position.
_WIDTH = 22


def endings_of(rules: LineRules) -> tuple[Ending, Ending]:
    """Return which rows of X and of O are lines."""
    if isinstance(rules, Renju):
        return Ending.BARRED, Ending.FREE
    if isinstance(rules, Caro):
        return Ending.CARO, Ending.CARO
    ending = Ending.EXACT if rules.exact else Ending.FREE
    return ending, ending


def supports(rules: Rules) -> TypeGuard[LineRules]:
    """Return whether the engine plays these rules: lines of four to six on a plane, no gravity."""
    if type(rules) not in (LineRules, Caro, Renju):
        return False
    assert isinstance(rules, LineRules)
    return (
        rules.topology == PLANE
        and not rules.gravity
        and rules.length in LENGTHS
        and reach_of(rules.length, endings_of(rules)) <= _MOST_REACH
    )


@lru_cache(maxsize=1)
def _zobrist() -> NDArray[np.int64]:
    """Return a random word for each side and place, always the same."""
    rng = Random(2 * AREA)
    return np.array([rng.getrandbits(63) for _ in range(2 * AREA)], np.int64)


def new_table(memory: int) -> NDArray[np.int64]:
    """Return an empty transposition table of at most so many bytes, but of 64 words at least."""
    # Pages that are never touched cost nothing.
    return np.zeros(1 << max(6, (memory // 8).bit_length() - 1), np.int64)


class Arrays:
    """The arrays of one search.

    Args:
        rules: the game.
        table: see `new_table`.
        rows: see `Game`; those of the library unless given.
    """

    def __init__(
        self,
        rules: LineRules,
        table: NDArray[np.int64],
        rows: NDArray[np.int16] | None = None,
    ) -> None:
        endings = endings_of(rules)
        self.rules = rules
        self.closing: bool = Ending.CARO in endings
        self.shapes: NDArray[np.uint8] = shape_table(rules.length, endings)
        self.kinds: NDArray[np.int32] = kind_table(endings)
        self.rows: NDArray[np.int16] = row_table(endings) if rows is None else rows
        self.state: NDArray[np.int32] = np.zeros(STATE_SIZE, np.int32)
        self.words: NDArray[np.int64] = np.zeros(WORDS_SIZE, np.int64)
        self.table = table
        self._places = [
            (row + TOP) * STRIDE + column
            for row in range(rules.shape.rows)
            for column in range(rules.shape.columns)
        ]
        self._endings = endings

    def load(
        self, position: Position, legal: Sequence[int], stop: NDArray[np.int64]
    ) -> tuple[Any, ...]:
        """Write a position into the arrays, and return what the kernels are called with."""
        state, words = self.state, self.words
        state[:] = 0
        state[:AREA] = WALL
        places = np.array(self._places)
        state[places] = EMPTY
        for side, stones in enumerate(position.stones):
            state[places[list(layout(self.rules.shape).cells(stones))]] = side + 1
        state[PLACES : PLACES + places.size] = places
        state[ALLOWED + places[list(legal)]] = 1
        state[SIZE] = places.size
        state[REACH] = reach_of(self.rules.length, self._endings)
        state[CLOSING] = self.closing
        state[FORBIDDING] = Ending.BARRED in self._endings
        state[ATTACKER] = -1
        state[WIDTH], state[LANES] = _WIDTH, SUM_SIZE
        state[STEP : STEP + DIRECTIONS] = STEPS
        words[:] = 0
        words[ZOBRIST:] = _zobrist()
        words[LIMIT] = 1 << 62
        for side in range(2):
            block = words[ZOBRIST + side * AREA :]
            words[HASH] ^= np.bitwise_xor.reduce(
                block[places[state[places] == side + 1]], initial=0
            )
        return (state, words, self.shapes, self.kinds, self.rows, self.table, stop)

    def cell_of(self, place: int) -> int:
        """Return the cell of a place."""
        row, column = divmod(place, STRIDE)
        return (row - TOP) * self.rules.shape.columns + column

    def cells_of(self, side: int, kind: int) -> list[int]:
        """Return the empty cells in which a side would make this."""
        return [
            cell
            for cell, place in enumerate(self._places)
            if self.state[place] == EMPTY and self.state[KINDS + side * AREA + place] & 15 == kind
        ]

    def ranked(self, side: int, legal: Sequence[int]) -> list[int]:
        """Return the legal cells by their ranks for both sides, the highest first."""

        def rank(cell: int) -> int:
            place = KINDS + self._places[cell]
            own, other = (int(self.state[place + at * AREA]) >> 4 for at in (side, 1 - side))
            return -3 * own - 2 * other

        return sorted(legal, key=rank)

    def put(self, cell: int, sign: int) -> None:
        """Write a stone, or none, into a cell; what follows from it has to be filled in anew."""
        self.state[self._places[cell]] = sign

    def count(self, side: int, kind: int) -> int:
        """Return in how many empty cells a side would make this."""
        return int(self.state[COUNTS + side * 16 + kind])
