"""The compiled half of `solver.enumeration`: finds, values and counts all positions of a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tic_tac_toe.solver.kernels.bits import U0, U1, U3, U7, Word, Words, called, inlined
from tic_tac_toe.solver.kernels.compiling import Compiled

U5, U32, BYTE = np.uint64(5), np.uint64(32), np.uint64(255)
LOWER = (U1 << U32) - U1
#: The columns of what `count_plies` counts; three are by result, in the order of `results`.
GAMES, FINAL, FINAL_CLASSES, ENDED, VALUES, COUNTED = 0, 1, 4, 7, 10, 13
#: In the table of boards: the number to the base three, and above it whether there is a line.
LINE = U1 << np.uint64(63)
#: Bytes: not a position of the game; not yet valued; else a score with its zero here.
UNSEEN, SEEN, ZERO = U0, U1, np.uint64(128)
#: `scores.MATE` in bytes: a win in n plies is WON - n.
WON = 64


class Board(NamedTuple):
    """What the kernels know of the game."""

    cells: Word
    columns: Word
    gravity: Word  # 0 or 1, as the next
    misere: Word
    images: Word  # how many symmetries the board has; 0 if they are not asked for


@inlined
def byte_at(values: Words, index: Word) -> Word:
    """Return one of eight bytes of a word."""
    return (values[index >> U3] >> ((index & U7) << U3)) & BYTE


@inlined
def put_byte(values: Words, index: Word, byte: Word) -> None:
    """Set one of eight bytes of a word."""
    shift = (index & U7) << U3
    values[index >> U3] = (values[index >> U3] & ~(BYTE << shift)) | (byte << shift)


@inlined
def open_cells(occupied: Word, board: Board) -> Word:
    """Return the cells that a mark may enter."""
    full = (U1 << board.cells) - U1
    if board.gravity == U0:
        return full & ~occupied
    return full & ~occupied & ((occupied >> board.columns) | ~(full >> board.columns))


@called
def find_positions(
    positions: Words, starts: Words, values: Words, boards: Words, board: Board
) -> Word:
    """List all positions ply by ply, and return how many of them end the game.

    Args:
        positions: crosses, and from bit 32 naughts; the empty board is there.
        starts: for each ply where its positions begin.
        boards: for each bit board its number to the base three, and `LINE` if it has a line.
    """
    found, ended = np.int64(1), np.int64(0)
    starts[0], starts[1] = 0, 1
    put_byte(values, U0, SEEN)
    for ply in range(np.int64(board.cells) + 1):
        turn = np.uint64(ply & 1)
        for at in range(starts[ply], starts[ply + 1]):
            crosses, naughts = positions[at] & LOWER, positions[at] >> U32
            crosses_there, naughts_there = boards[crosses], boards[naughts]
            rest = open_cells(crosses | naughts, board)
            if (naughts_there if turn == U0 else crosses_there) & LINE != U0:
                rest = U0
            if rest == U0:
                ended += 1
            number = (crosses_there & ~LINE) + ((naughts_there & ~LINE) << U1)
            while rest != U0:
                bit = rest & (U0 - rest)
                rest ^= bit
                # A mark adds a power of three once or twice.
                child = number + ((boards[bit] & ~LINE) << turn)
                if byte_at(values, child) == UNSEEN:
                    put_byte(values, child, SEEN)
                    positions[found] = positions[at] | (bit << (U32 * turn))
                    found += 1
        starts[ply + 2] = found
    return ended


@called
def value_positions(
    positions: Words, starts: Words, values: Words, boards: Words, results: Words, board: Board
) -> Word:
    """Give each position its score, from the last ply to the first.

    Args:
        results: receives how many positions cross wins, are drawn, naught wins.
    """
    for back in range(np.int64(board.cells) + 1):
        ply = np.int64(board.cells) - back
        turn = np.uint64(ply & 1)
        for at in range(starts[ply], starts[ply + 1]):
            crosses, naughts = positions[at] & LOWER, positions[at] >> U32
            crosses_there, naughts_there = boards[crosses], boards[naughts]
            rest = open_cells(crosses | naughts, board)
            number = (crosses_there & ~LINE) + ((naughts_there & ~LINE) << U1)
            score = np.int64(0)
            if (naughts_there if turn == U0 else crosses_there) & LINE != U0:
                score = np.int64(WON) if board.misere != U0 else np.int64(-WON)
            elif rest != U0:
                worst = np.int64(WON + 1)
                while rest != U0:
                    bit = rest & (U0 - rest)
                    rest ^= bit
                    child = number + ((boards[bit] & ~LINE) << turn)
                    worst = min(worst, np.int64(byte_at(values, child)) - np.int64(ZERO))
                score = 1 - worst if worst > 0 else (-1 - worst if worst < 0 else np.int64(0))
            put_byte(values, number, np.uint64(score + np.int64(ZERO)))
            winner = 1 if score == 0 else (0 if (score > 0) == (turn == U0) else 2)
            results[winner] += 1
    return np.int64(0)


@inlined
def is_representative(crosses: Word, naughts: Word, images: Words, board: Board) -> Word:
    """Return whether a position is the smallest of its images under the symmetries."""
    number, smallest = images[crosses] + (images[naughts] << U1), True
    for image in range(1, board.images):
        base = np.uint64(image) << board.cells
        smallest &= images[base + crosses] + (images[base + naughts] << U1) >= number
    return smallest


@called
def count_classes(
    positions: Words, starts: Words, images: Words, classes: Words, board: Board
) -> Word:
    """Count the positions of each ply that are the smallest of their images under the symmetries.

    Args:
        images: for each symmetry, for each bit board, the number of its image to the base three.
    """
    for ply in range(np.int64(board.cells) + 1):
        for at in range(starts[ply], starts[ply + 1]):
            crosses, naughts = positions[at] & LOWER, positions[at] >> U32
            classes[ply] += 1 if is_representative(crosses, naughts, images, board) else 0
    return np.int64(0)


@called
def count_plies(
    positions: Words,
    starts: Words,
    values: Words,
    boards: Words,
    images: Words,
    places: Words,
    ways: Words,
    counts: Words,
    board: Board,
) -> Word:
    """Count the games of each ply, what ends there, and the positions by their value.

    Args:
        images: see `count_classes`.
        places: for each number to the base three, half a word for its place in ``positions``.
        ways: receives for each position how many games lead to it.
        counts: receives the columns that are named above, a row a ply.
    """
    ways[0] = 1
    for ply in range(np.int64(board.cells) + 1):
        turn, row = np.uint64(ply & 1), np.int64(ply) * COUNTED
        for at in range(starts[ply + 1], starts[ply + 2]):
            crosses, naughts = positions[at] & LOWER, positions[at] >> U32
            number = (boards[crosses] & ~LINE) + ((boards[naughts] & ~LINE) << U1)
            places[number >> U1] |= np.uint64(at) << ((number & U1) << U5)
        for at in range(starts[ply], starts[ply + 1]):
            crosses, naughts = positions[at] & LOWER, positions[at] >> U32
            crosses_there, naughts_there = boards[crosses], boards[naughts]
            number = (crosses_there & ~LINE) + ((naughts_there & ~LINE) << U1)
            counts[row + GAMES] += ways[at]
            score = np.int64(byte_at(values, number)) - np.int64(ZERO)
            winner = 1 if score == 0 else (0 if (score > 0) == (turn == U0) else 2)
            counts[row + VALUES + winner] += 1
            rest = open_cells(crosses | naughts, board)
            if (naughts_there if turn == U0 else crosses_there) & LINE != U0:
                rest = U0
            if rest == U0:
                counts[row + FINAL + winner] += 1
                counts[row + ENDED + winner] += ways[at]
                if is_representative(crosses, naughts, images, board):
                    counts[row + FINAL_CLASSES + winner] += 1
            while rest != U0:
                bit = rest & (U0 - rest)
                rest ^= bit
                child = number + ((boards[bit] & ~LINE) << turn)
                place = (places[child >> U1] >> ((child & U1) << U5)) & LOWER
                ways[np.int64(place)] += ways[at]
    return np.int64(0)


class EnumerationCode(NamedTuple):
    """The functions, as machine code or as they stand."""

    find_positions: Callable[..., int]
    value_positions: Callable[..., int]
    count_classes: Callable[..., int]
    count_plies: Callable[..., int]


PLAIN = EnumerationCode(find_positions, value_positions, count_classes, count_plies)
MACHINE_CODE = EnumerationCode(*map(Compiled, PLAIN))
