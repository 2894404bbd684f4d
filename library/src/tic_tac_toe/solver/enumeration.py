"""Every position of a small game, with its exact score: counted forward, valued backward.

From the empty board all positions are found ply by ply, each once; then, from the last ply to the
first, each gets the score of its best move (retrograde analysis, as endgame tables are made since
Ströhlein, 1970). A position is a number to the base three, a digit a cell, and an array over all
such numbers holds a byte for each. So this is for boards of at most 17 cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.limits import MAXIMUM_CELLS
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidVariant
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, rules_of
from tic_tac_toe.logic.rules.alternation import starter_of
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import PLANE
from tic_tac_toe.logic.rules.wrappers import Misere, Pie, without_misere
from tic_tac_toe.logic.search.evaluation import MATE
from tic_tac_toe.logic.search.tables import Census
from tic_tac_toe.logic.shapes import layout
from tic_tac_toe.solver.kernels.bits import U1
from tic_tac_toe.solver.kernels.enumeration import (
    COUNTED,
    ENDED,
    FINAL,
    FINAL_CLASSES,
    GAMES,
    LINE,
    MACHINE_CODE,
    UNSEEN,
    VALUES,
    WON,
    ZERO,
    Board,
    EnumerationCode,
)
from tic_tac_toe.solver.support import check_support

#: How many numbers are looked at together where the positions are yielded.
BLOCK = 1 << 16


class Enumeration:
    """A small game in full: its positions, which it yields, and the score of each.

    It serves as a `Solver` (see `logic.search.exact`). Its length is the number of positions.

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

    def __len__(self) -> int:
        return sum(self.positions)

    def __iter__(self) -> Iterator[Position]:
        cells = self.rules.shape.cells
        for start in range(0, 3**cells, BLOCK):
            numbers = np.flatnonzero(self._values[start : min(start + BLOCK, 3**cells)] != UNSEEN)
            for number in (start + numbers).tolist():
                stones = [0, 0]
                for cell in range(cells):
                    number, digit = divmod(number, 3)
                    if digit:
                        stones[digit - 1] |= 1 << cell
                crosses, naughts = stones
                yield Position((crosses, naughts), int(crosses.bit_count() > naughts.bit_count()))

    def score(self, position: Position) -> int:
        """Return the exact score of a position, in the terms of `logic.search.evaluation`.

        Raises:
            InvalidGameState: no game from the empty board reaches the position.
        """
        # The marks of a game that naughts began are those of a game that crosses began, exchanged.
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


def enumerate_game(
    rules: Rules | str, *, symmetry: bool = False, code: EnumerationCode = MACHINE_CODE
) -> Enumeration:
    """Return every position that can follow from the empty board, counted and valued.

    Example::

        >>> from tic_tac_toe import find_rules
        >>> from tic_tac_toe.solver import enumerate_game
        >>> game = enumerate_game(find_rules("mnk:4,4,4,gravity"))
        >>> len(game), game.results  # who began wins, draws, the other wins
        (161029, (36499, 90120, 34410))
        >>> full = [position for position in game if position.marks == 16]
        >>> len(full), sorted({game.score(position) for position in full})
        (7244, [-1000, 0])

    Args:
        rules: a game of lines with or without gravity, in normal or misère play, on a board of at
            most 17 cells. 4,4,4 takes some 130 MB; a board of 17 cells some 400 MB.
        symmetry: count the positions up to symmetry as well.
        code: the compiled functions, or those in plain Python.

    Raises:
        InvalidVariant: the game is another, or too large.
    """
    rules = rules_of(rules)
    game = _enumerate(rules, code)
    classes = np.zeros(rules.shape.cells + 1, np.int64)
    if symmetry:
        code.count_classes(game.positions, game.starts, game.images, classes, game.board)
    counts = np.diff(game.starts[: rules.shape.cells + 2])
    return Enumeration(
        rules,
        tuple(map(int, counts)),
        tuple(map(int, classes)) if symmetry else (),
        game.terminal,
        (int(game.results[0]), int(game.results[1]), int(game.results[2])),
        game.values,
    )


def enumerate_plies(
    rules: Rules, *, symmetric: bool, values: bool, code: EnumerationCode = MACHINE_CODE
) -> list[Census]:
    """Return the census of a game, as `logic.search.tables.walk_census` yields it.

    This needs 8 bytes a position and 4 bytes a number to the base three more than `enumerate_game`:
    4,4,4 takes some 500 MB, a board of 17 cells 1.5 GB.

    Raises:
        InvalidVariant: as `enumerate_game`.
    """
    game, cells = _enumerate(rules, code), rules.shape.cells
    classes = np.zeros(cells + 1, np.int64)
    places = np.zeros(3**cells // 2 + 1, np.uint64)
    ways = np.zeros(int(game.starts[cells + 1]), np.int64)
    counts = np.zeros((cells + 1) * COUNTED, np.int64)
    board = game.board if symmetric else game.board._replace(images=U1)
    code.count_classes(game.positions, game.starts, game.images, classes, board)
    code.count_plies(
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


def _enumerate(rules: Rules, code: EnumerationCode) -> _Enumerated:
    """Find and value every position; see `enumerate_game` for what is refused."""
    check_support(rules)
    if isinstance(rules, Pie):
        raise InvalidVariant("games with the pie rule cannot be enumerated", "enumeration_pie")
    line = without_misere(rules)
    assert isinstance(line, LineRules), "nothing else is supported"
    if line.topology != PLANE:
        raise InvalidVariant("only flat boards can be enumerated", "enumeration_topology")
    cells = rules.shape.cells
    if cells > MAXIMUM_CELLS:
        raise InvalidVariant(
            "only boards of at most {most} cells can be enumerated",
            "enumeration_cells",
            most=MAXIMUM_CELLS,
        )
    table = layout(line.shape)
    symmetries = (table.turns[0], table.mirror) if line.gravity else table.turns
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
    terminal = code.find_positions(positions, starts, values, boards, board)
    code.value_positions(positions, starts, values, boards, results, board)
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
