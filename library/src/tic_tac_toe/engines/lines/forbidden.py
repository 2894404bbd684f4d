"""Which moves Renju forbids to X; `logic.rules.forbidden` has the definitions and their source.

The kind of a place says so, but for two open threes: these count only if each can become a straight
four by a move that is itself allowed, which is looked at with the stone in its place.
"""

from __future__ import annotations

from tic_tac_toe.engines.lines.board import place_stone, take_stone
from tic_tac_toe.engines.lines.frame import (
    BARS,
    BARS_DEPTH,
    COMBINATIONS,
    DIRECTIONS,
    EMPTY,
    FORBIDDING,
    KINDS,
    STEP,
    STONES,
    Game,
)
from tic_tac_toe.engines.lines.kinds import DOUBLE_THREE, FORBIDDEN, MAKES_FIVE
from tic_tac_toe.engines.lines.shapes import OPEN_FOUR, OPEN_THREE, RICH_THREE
from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined

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
