"""Every position of a small game, with its exact score: counted forward, valued backward.

From the empty board all positions are found ply by ply, each once; then, from the last ply to the
first, each gets the score of its best move (retrograde analysis, as endgame tables are made since
Ströhlein, 1970). A position is a number to the base three, a digit a cell, and an array over all
such numbers holds a byte for each. So this is for boards of at most 17 cells.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidVariant
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import starter_of
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import Misere, without_misere
from tic_tac_toe.logic.search.census import Census
from tic_tac_toe.logic.search.scores import MATE
from tic_tac_toe.logic.shapes import layout
from tic_tac_toe.solver.kernels.bits import U0, U1, U3, U7
from tic_tac_toe.solver.kernels.compiling import Compiled
from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined
from tic_tac_toe.solver.limits import MAXIMUM_CELLS
from tic_tac_toe.solver.support import check_support

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
        boards: see `_boards`.
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


_find_positions = Compiled(find_positions)
_value_positions = Compiled(value_positions)
_count_classes = Compiled(count_classes)
_count_plies = Compiled(count_plies)


class Enumeration:
    """A small game in full; it serves as a `Solver` (see `logic.search.verdict`).

    Attributes:
        rules: the game.
        positions: how many positions games from the empty board reach, by ply.
        classes: the same, up to the symmetries of the board; empty unless asked for.
        terminal: how many of all positions end the game.
        results: how many of all positions the player who began wins, are drawn, the other wins.
    """

    def __init__(
        self,
        rules: Rules,
        positions: tuple[int, ...],
        classes: tuple[int, ...],
        terminal: int,
        results: tuple[int, int, int],
        values: NDArray[np.uint64],
    ) -> None:
        self.rules = rules
        self.positions = positions
        self.classes = classes
        self.terminal = terminal
        self.results = results
        self._values = values.view(np.uint8)

    def score(self, position: Position) -> int:
        """Return the exact score of a position, in the terms of `logic.search.scores`.

        Raises:
            InvalidGameState: no game from the empty board reaches the position.
        """
        # What one who begins with naughts does is what one who begins with crosses does.
        first, second = position.stones[:: 1 if starter_of(position) == 0 else -1]
        digits = int(f"{first:b}", 3) + 2 * int(f"{second:b}", 3)
        byte = int(self._values[digits]) if digits < 3**self.rules.shape.cells else 0
        if byte == UNSEEN:
            raise InvalidGameState("No game from the empty board reaches the position")
        score = byte - int(ZERO)
        return score + (MATE - WON) * ((score > 0) - (score < 0))

    def reaches(self, position: Position, bound: int) -> bool:
        """Return whether the exact score is at least ``bound``."""
        return self.score(position) >= bound


def enumerate_game(rules: Rules, *, symmetry: bool = False) -> Enumeration:
    """Return every position that can follow from the empty board, counted and valued.

    Args:
        rules: a game of lines with or without gravity, in normal or misère play, on a board of at
            most 17 cells. 4,4,4 takes some 130 MB; a board of 17 cells some 400 MB.
        symmetry: count the positions up to symmetry as well.

    Raises:
        InvalidVariant: the game is another, or too large.
    """
    game = _enumerate(rules)
    classes = np.zeros(rules.shape.cells + 1, np.int64)
    if symmetry:
        _count_classes(game.positions, game.starts, game.images, classes, game.board)
    counts = np.diff(game.starts[: rules.shape.cells + 2])
    return Enumeration(
        rules,
        tuple(map(int, counts)),
        tuple(map(int, classes)) if symmetry else (),
        game.terminal,
        (int(game.results[0]), int(game.results[1]), int(game.results[2])),
        game.values,
    )


def enumerate_plies(rules: Rules, *, symmetric: bool, values: bool) -> list[Census]:
    """Return what `logic.search.census.walk_census` yields, from the empty board.

    Beside what `enumerate_game` takes this needs 8 bytes a position, and 4 for each number to the
    base three: 4,4,4 takes some 500 MB, a board of 17 cells 1.5 GB.

    Raises:
        InvalidVariant: as `enumerate_game`.
    """
    game, cells = _enumerate(rules), rules.shape.cells
    classes = np.zeros(cells + 1, np.int64)
    places = np.zeros(3**cells // 2 + 1, np.uint64)
    ways = np.zeros(int(game.starts[cells + 1]), np.int64)
    counts = np.zeros((cells + 1) * COUNTED, np.int64)
    board = game.board if symmetric else game.board._replace(images=U1)
    _count_classes(game.positions, game.starts, game.images, classes, board)
    _count_plies(
        game.positions,
        game.starts,
        game.values,
        game.boards,
        game.images,
        places,
        ways,
        counts,
        board,
    )
    found = []
    for ply, row in enumerate(counts.reshape(-1, COUNTED).tolist()):
        positions = int(game.starts[ply + 1] - game.starts[ply])
        if positions:
            final, final_classes, ended, valued = (
                Counter({winner: n for winner, n in zip((0, None, 1), row[at : at + 3]) if n})
                for at in (FINAL, FINAL_CLASSES, ENDED, VALUES)
            )
            found.append(
                Census(
                    ply,
                    positions,
                    int(classes[ply]),
                    final,
                    final_classes,
                    row[GAMES],
                    ended,
                    valued if values else None,
                )
            )
    return found


class _Enumerated(NamedTuple):
    """All positions of a game as the kernels hold them; see `find_positions`."""

    board: Board
    boards: NDArray[np.uint64]
    images: NDArray[np.uint64]
    positions: NDArray[np.uint64]
    starts: NDArray[np.int64]
    values: NDArray[np.uint64]
    results: NDArray[np.int64]
    terminal: int


def _enumerate(rules: Rules) -> _Enumerated:
    """Find and value every position; see `enumerate_game` for what is refused."""
    check_support(rules)
    line = without_misere(rules)
    assert isinstance(line, LineRules), "nothing else is supported"
    cells = rules.shape.cells
    if cells > MAXIMUM_CELLS:
        raise InvalidVariant(f"only boards of at most {MAXIMUM_CELLS} cells can be enumerated")
    table = layout(line.shape)
    symmetries = (table.symmetries[0], table.mirror) if line.gravity else table.symmetries
    board = Board(
        *map(
            np.uint64,
            (cells, line.shape.columns, line.gravity, isinstance(rules, Misere), len(symmetries)),
        )
    )
    boards = _boards(line, range(cells))
    values = np.zeros(3**cells // 8 + 1, np.uint64)
    positions = np.zeros(_most_positions(cells), np.uint64)
    starts = np.zeros(cells + 3, np.int64)
    results = np.zeros(3, np.int64)
    terminal = _find_positions(positions, starts, values, boards, board)
    _value_positions(positions, starts, values, boards, results, board)
    images = np.concatenate([_boards(line, image) & ~LINE for image in symmetries])
    return _Enumerated(board, boards, images, positions, starts, values, results, int(terminal))


def _most_positions(cells: int) -> int:
    """Return how many ways there are to set alternating marks on a board: no game has more."""
    total = ways = 1
    for ply in range(cells):
        # C(cells, p) * C(p, p // 2) marks of both sides at ply p.
        ways = ways * (cells - ply) // (ply // 2 + 1)
        total += ways
    return total


def _boards(line: LineRules, image: tuple[int, ...] | range) -> NDArray[np.uint64]:
    """Return for each bit board its image's number to the base three, and whether it has a line."""
    cells = line.shape.cells
    numbers = np.zeros(1 << cells, np.uint64)
    for cell in range(cells):
        numbers[1 << cell : 2 << cell] = numbers[: 1 << cell] + np.uint64(3 ** image[cell])
    stones = np.arange(1 << cells, dtype=np.uint64)
    for place in line.lines.places:
        mask = np.uint64(place.mask)
        numbers[stones & mask == mask] |= LINE
    return numbers
