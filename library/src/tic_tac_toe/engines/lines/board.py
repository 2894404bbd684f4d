"""Stones come and go; what every empty place would make is kept up to date."""

from __future__ import annotations

from tic_tac_toe.engines.lines.frame import (
    AREA,
    COMBINATIONS,
    COUNTS,
    DIRECTIONS,
    EMPTY,
    HASH,
    KEYS,
    KINDS,
    REACH,
    STEP,
    STONES,
    SUMS,
    VALUES,
    WALL,
    ZOBRIST,
    Game,
)
from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined

_SIDE_KINDS = 1 << 4 * DIRECTIONS


@inlined
def count_place(state: Words, cell: Word, sign: Word) -> None:
    """Add what an empty place counts for both sides, or take it away."""
    for side in range(2):
        value = state[VALUES + side * AREA + cell]
        state[COUNTS + side * 16 + (state[KINDS + side * AREA + cell] & 15)] += sign
        state[SUMS + side * 2] += sign * (value & 0xFFFF)
        state[SUMS + side * 2 + 1] += sign * (value >> 16)


@inlined
def look_up(game: Game, cell: Word, side: Word, combination: Word) -> None:
    """Set the kind and value of a place to those of its classes."""
    state = game.state
    state[COMBINATIONS + side * AREA + cell] = combination
    state[KINDS + side * AREA + cell] = game.kinds[side * _SIDE_KINDS + combination]
    state[VALUES + side * AREA + cell] = game.values[side * _SIDE_KINDS + combination]


@inlined
def change_classes(game: Game, cell: Word, shift: Word, classes: Word) -> None:
    """Set the classes of an empty place in one direction, for both sides."""
    state = game.state
    for side in range(2):
        old = state[COMBINATIONS + side * AREA + cell]
        new = old & ~(15 << shift) | (classes >> 4 * side & 15) << shift
        if new != old:
            kind, value = KINDS + side * AREA + cell, VALUES + side * AREA + cell
            before = state[value]
            state[COUNTS + side * 16 + (state[kind] & 15)] -= 1
            look_up(game, cell, side, new)
            after = state[value]
            state[COUNTS + side * 16 + (state[kind] & 15)] += 1
            state[SUMS + side * 2] += (after & 0xFFFF) - (before & 0xFFFF)
            state[SUMS + side * 2 + 1] += (after >> 16) - (before >> 16)


@called
def tell_neighbours(game: Game, cell: Word, code: Word) -> None:
    """Put a stone into the keys of the places around it, or take it out."""
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
                    change_classes(game, place, 4 * direction, int(game.shapes[key]))


@called
def place_stone(game: Game, cell: Word, side: Word) -> None:
    """Put a stone of a side into an empty place."""
    game.state[STONES + cell] = side + 1
    game.words[HASH] ^= game.words[ZOBRIST + side * AREA + cell]
    count_place(game.state, cell, -1)
    tell_neighbours(game, cell, side + 1)


@called
def take_stone(game: Game, cell: Word, side: Word) -> None:
    """Take back the stone that was placed last: a place keeps its classes under a stone."""
    tell_neighbours(game, cell, side + 1)
    game.state[STONES + cell] = EMPTY
    game.words[HASH] ^= game.words[ZOBRIST + side * AREA + cell]
    count_place(game.state, cell, 1)
