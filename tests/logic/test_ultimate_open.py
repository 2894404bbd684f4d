"""Ultimate in which won boards stay open, beside a slow oracle that shares no code with it."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from tests.oracles import owners, winner
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.logic.search.census import perft

OPEN, CLOSED = VARIANTS["ultimate-open"], VARIANTS["ultimate"]


class Naive(NamedTuple):
    """Nine grids, who had a line first in each, and the board to play in, if any."""

    grids: tuple[str, ...] = (" " * 9,) * 9
    owners: str = " " * 9
    mover: str = "X"
    forced: int | None = None

    def moves(self) -> list[tuple[int, int]]:
        """Return the boards and the cells in them that can be played."""
        if winner(self.owners):
            return []
        boards = range(9) if self.forced is None else [self.forced]
        return [(board, cell) for board in boards for cell in range(9) if self.is_free(board, cell)]

    def is_free(self, board: int, cell: int) -> bool:
        return self.grids[board][cell] == " "

    def after(self, board: int, cell: int) -> Naive:
        """Return what a move leads to."""
        grid = self.grids[board][:cell] + self.mover + self.grids[board][cell + 1 :]
        grids = (*self.grids[:board], grid, *self.grids[board + 1 :])
        owned = self.owners
        if owned[board] == " " and self.mover in owners(grid):
            owned = owned[:board] + self.mover + owned[board + 1 :]
        return Naive(grids, owned, "O" if self.mover == "X" else "X", self.next_board(grids, cell))

    @staticmethod
    def next_board(grids: tuple[str, ...], cell: int) -> int | None:
        return cell if " " in grids[cell] else None

    def perft(self, depth: int) -> int:
        """Return the number of ways to make so many moves."""
        if depth == 0:
            return 1
        return sum(self.after(*move).perft(depth - 1) for move in self.moves())


def number_of(board: int, cell: int) -> int:
    """Return the number of a cell of the whole board, counted by its rows."""
    row, column = board // 3 * 3 + cell // 3, board % 3 * 3 + cell % 3
    return row * 9 + column


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.once
def test_whole_games_have_the_moves_the_owners_and_the_end_of_the_oracle(seed: int) -> None:
    rng, naive, position = random.Random(seed), Naive(), Position()
    while moves := naive.moves():
        by_number = {number_of(*move): move for move in moves}
        assert list(OPEN.moves(position)) == sorted(by_number)
        assert OPEN.outcome(position) is None
        number = rng.choice(sorted(by_number))
        naive, position = naive.after(*by_number[number]), OPEN.play(position, number)
        OPEN.validate(position)
    outcome = OPEN.outcome(position)
    assert outcome is not None
    assert OPEN.moves(position) == []
    assert outcome.winner == {"X": 0, "O": 1, None: None}[winner(naive.owners)]


@pytest.mark.parametrize("plies", [0, 9, 20, 30, 40, 50])
@pytest.mark.once
def test_perft_is_that_of_the_oracle_early_and_late(plies: int) -> None:
    rng, naive, position = random.Random(plies), Naive(), Position()
    for _ in range(plies):
        if moves := naive.moves():
            move = rng.choice(moves)
            naive, position = naive.after(*move), OPEN.play(position, number_of(*move))
    for depth in range(4):
        assert perft(OPEN, depth, position) == naive.perft(depth)


def test_a_won_board_stays_playable_only_where_the_name_says_so() -> None:
    # X takes the middle row of the first board, and the last answer sends X back to it.
    moves = [number_of(*move) for move in ((0, 3), (3, 0), (0, 4), (4, 0), (0, 5), (5, 0))]
    opened = closed = Position()
    for number in moves:
        opened, closed = OPEN.play(opened, number), CLOSED.play(closed, number)
    assert set(OPEN.moves(opened)) == {number_of(0, cell) for cell in (0, 1, 2, 6, 7, 8)}
    assert set(CLOSED.moves(closed)).isdisjoint(OPEN.moves(opened))
