"""The entries of compiled code, and how a position gets into their arrays."""

from __future__ import annotations

from tic_tac_toe.engines.lines.board import count_place, look_up
from tic_tac_toe.engines.lines.fours import win_by_fours
from tic_tac_toe.engines.lines.frame import (
    AREA,
    COUNTS,
    DIRECTIONS,
    EMPTY,
    FRAMES,
    KEYS,
    PLACES,
    REACH,
    SIDE,
    SIZE,
    STEP,
    STONES,
    WALL,
    Game,
)
from tic_tac_toe.engines.lines.search import search
from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined


@inlined
def key_of(state: Words, cell: Word, direction: Word) -> Word:
    """Return the key of a place in one direction."""
    key, shift = 0, 0
    for half in range(2):
        step = state[STEP + direction] * (2 * half - 1)
        place, is_wall = cell, False
        for _ in range(state[REACH]):
            place += step
            is_wall = is_wall or state[STONES + place] == WALL
            key |= (WALL if is_wall else state[STONES + place]) << shift
            shift += 2
            if is_wall:
                place -= step
    return key


@called
def read_stones(game: Game) -> None:
    """Fill in all that follows from the stones."""
    state = game.state
    for index in range(36):
        state[COUNTS + index] = 0
    for index in range(state[SIZE]):
        cell = state[PLACES + index]
        crosses, naughts = 0, 0
        for direction in range(DIRECTIONS):
            key = key_of(state, cell, direction)
            state[KEYS + direction * AREA + cell] = key
            classes = int(game.shapes[key])
            crosses |= (classes & 15) << 4 * direction
            naughts |= (classes >> 4) << 4 * direction
        look_up(game, cell, 0, crosses)
        look_up(game, cell, 1, naughts)
        if state[STONES + cell] == EMPTY:
            count_place(state, cell, 1)


def begin_position(
    state: Words,
    words: Words,
    shapes: Words,
    kinds: Words,
    values: Words,
    table: Words,
    stop: Words,
) -> int:
    """Fill in all that follows from the stones; return 0."""
    read_stones(Game(state, words, shapes, kinds, values, table, stop))
    return 0


def search_position(
    state: Words,
    words: Words,
    shapes: Words,
    kinds: Words,
    values: Words,
    table: Words,
    stop: Words,
) -> int:
    """Call `search`."""
    return search(Game(state, words, shapes, kinds, values, table, stop))


def search_fours(
    state: Words,
    words: Words,
    shapes: Words,
    kinds: Words,
    values: Words,
    table: Words,
    stop: Words,
    limit: Word,
) -> int:
    """Call `win_by_fours` for the side to move in the first frame."""
    game = Game(state, words, shapes, kinds, values, table, stop)
    return int(win_by_fours(game, int(state[FRAMES + SIDE]), limit))
