"""Line games and ultimate: what they refuse, how they end, and the slow oracle beside them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from tests import oracles
from tests.theorems import stones_of
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove
from tic_tac_toe.logic.models import GameState, Grid
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, TIC_TAC_TOE, VARIANTS, find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import Misere
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.search.census import perft
from tic_tac_toe.logic.search.verdict import find_verdict
from tic_tac_toe.logic.shapes import Shape

ULTIMATE, OPEN = Ultimate(), Ultimate(stays_open=True)


def position(cells: str, turn: int = 0) -> Position:
    return Position(stones_of(cells), turn)


def test_a_wrongly_typed_shape_harms_nobody_else() -> None:
    assert list(LineRules((7, 8), 4).moves(Position())) == list(range(56))  # type: ignore[arg-type]
    assert find_rules("mnk:8,7,4").shape == Shape(7, 8)


def test_what_derives_from_line_rules_is_solved_by_its_own_rules() -> None:
    class NoCentreOpening(LineRules):
        def moves(self, position: Position) -> Sequence[int]:
            cells = LineRules.moves(self, position)
            return cells if position.marks else [cell for cell in cells if cell != 4]

    rules = NoCentreOpening()
    assert 4 not in find_verdict(rules, Position()).best
    assert Misere(rules).moves(Position()) == rules.moves(Position())


def test_a_state_of_another_shape_than_its_rules_is_refused() -> None:
    with pytest.raises(InvalidGameState, match="another shape"):
        GameState(Grid(), rules=VARIANTS["4x4"])


def test_a_line_longer_than_needed_is_shown_whole() -> None:
    rules = find_rules("mnk:7,1,3")
    assert rules.outcome(position("XXXXXOO", 0)) == Outcome(0, (0, 1, 2, 3, 4))


def test_misere_exchanges_the_winner_and_nothing_else() -> None:
    for plain in (TIC_TAC_TOE, CONNECT_FOUR, ULTIMATE):
        turned, rng = Misere(plain), random.Random(1)
        for _ in range(20):
            here = Position()
            while cells := plain.moves(here):
                assert list(turned.moves(here)) == list(cells)
                move = rng.choice(list(cells))
                assert turned.play(here, move) == plain.play(here, move)
                here = plain.play(here, move)
            plainly, misere = plain.outcome(here), turned.outcome(here)
            assert plainly is not None
            assert misere is not None
            assert misere.cells == plainly.cells
            assert misere.winner == {0: 1, 1: 0, None: None}[plainly.winner]


def test_marks_fall_to_the_lowest_empty_cell() -> None:
    state = GameState.new(CONNECT_FOUR)
    assert state.legal_cells == tuple(range(35, 42))
    state = state.make_move_to(38).after_state
    assert state.legal_cells == (31, 35, 36, 37, 39, 40, 41)
    with pytest.raises(InvalidMove, match="A mark falls to the lowest empty cell of its column"):
        state.make_move_to(3)


# -- ultimate, against a plain retelling -----------------------------------------------------------


class Naive(NamedTuple):
    """Ultimate as one would tell it: nine grids, who first had a line in each, where to play."""

    stays_open: bool
    grids: tuple[str, ...] = (" " * 9,) * 9
    owners: str = " " * 9
    mover: str = "X"
    forced: int | None = None

    def moves(self) -> list[tuple[int, int]]:
        """Return the boards and the cells in them that can be played."""
        if oracles.winner(self.owners):
            return []
        boards = range(9) if self.forced is None else [self.forced]
        return [(board, cell) for board in boards for cell in range(9) if self.is_free(board, cell)]

    def is_free(self, board: int, cell: int) -> bool:
        return self.grids[board][cell] == " " and (self.stays_open or self.owners[board] == " ")

    def after(self, board: int, cell: int) -> Naive:
        """Return what a move leads to."""
        grid = oracles.put(self.grids[board], cell, self.mover)
        grids = (*self.grids[:board], grid, *self.grids[board + 1 :])
        owners = self.owners
        if owners[board] == " " and self.mover in oracles.owners(grid):
            owners = oracles.put(owners, board, self.mover)
        other = oracles.other(self.mover)
        after = Naive(self.stays_open, grids, owners, other, cell)
        return (
            after
            if any(after.is_free(cell, at) for at in range(9))
            else after._replace(forced=None)
        )

    def perft(self, depth: int) -> int:
        """Return the number of ways to make so many moves."""
        if depth == 0:
            return 1
        return sum(self.after(*move).perft(depth - 1) for move in self.moves())


def number_of(board: int, cell: int) -> int:
    """Return the number of a cell of the whole board, counted by its rows."""
    row, column = board // 3 * 3 + cell // 3, board % 3 * 3 + cell % 3
    return row * 9 + column


@pytest.mark.medium
@pytest.mark.parametrize("rules", [ULTIMATE, OPEN], ids=["closed", "open"])
@pytest.mark.once
def test_whole_games_of_ultimate_have_the_moves_and_the_end_of_the_oracle(rules: Ultimate) -> None:
    ends = set()
    for seed in range(60):
        rng, naive, position = random.Random(seed), Naive(rules is OPEN), Position()
        while moves := naive.moves():
            by_number = {number_of(*move): move for move in moves}
            assert list(rules.moves(position)) == sorted(by_number)
            expected = 0 if naive.forced is None else naive.forced + 1
            assert rules is OPEN or position.memory == expected
            assert rules.outcome(position) is None
            number = rng.choice(sorted(by_number))
            naive, position = naive.after(*by_number[number]), rules.play(position, number)
            rules.validate(position)
        outcome = rules.outcome(position)
        assert outcome is not None
        assert list(rules.moves(position)) == []
        assert outcome.winner == {"X": 0, "O": 1, None: None}[oracles.winner(naive.owners)]
        assert len(outcome.cells) in ((0,) if outcome.winner is None else (9, 10, 11, 12))
        ends.add(outcome.winner)
    assert ends == {None, 0, 1}


@pytest.mark.parametrize("plies", [0, 9, 20, 30, 40, 50])
@pytest.mark.once
def test_perft_of_open_ultimate_is_that_of_the_oracle_early_and_late(plies: int) -> None:
    rng, naive, position = random.Random(plies), Naive(True), Position()
    for _ in range(plies):
        if moves := naive.moves():
            move = rng.choice(moves)
            naive, position = naive.after(*move), OPEN.play(position, number_of(*move))
    for depth in range(4 if plies > 9 else 3):
        assert perft(OPEN, depth, position) == naive.perft(depth)


def test_a_won_board_stays_playable_only_where_the_name_says_so() -> None:
    # X takes the middle row of the first board, and the last answer sends X back to it.
    moves = [number_of(*move) for move in ((0, 3), (3, 0), (0, 4), (4, 0), (0, 5), (5, 0))]
    opened = closed = Position()
    for number in moves:
        opened, closed = OPEN.play(opened, number), ULTIMATE.play(closed, number)
    assert set(OPEN.moves(opened)) == {number_of(0, cell) for cell in (0, 1, 2, 6, 7, 8)}
    assert set(ULTIMATE.moves(closed)).isdisjoint(OPEN.moves(opened))


def test_ultimate_refuses_moves_with_the_reason() -> None:
    state = GameState.new(ULTIMATE).make_move_to(40).after_state  # sends O to the middle board
    for cell, reason in ((40, "Cell is not empty"), (0, "The last move asks for another board")):
        with pytest.raises(InvalidMove, match=reason):
            state.make_move_to(cell)


def test_ultimate_says_that_a_board_is_closed() -> None:
    rng = random.Random(5)
    for _ in range(200):
        here = Position()
        while cells := ULTIMATE.moves(here):
            free = set(range(81)) - set(cells)
            if here.memory == 0 and here.marks:
                empty = [cell for cell in free if not here.occupied >> cell & 1]
                if empty:
                    with pytest.raises(InvalidMove, match="That board is closed"):
                        ULTIMATE.play(here, empty[0])
                    return
            here = ULTIMATE.play(here, rng.choice(cells))
    raise AssertionError("no game came to a free choice beside a closed board")


def test_ultimate_on_boards_of_two_by_two_is_a_game_as_well() -> None:
    rules = Ultimate(LineRules(Shape(2, 2), 2))
    assert rules.shape == Shape(4, 4)
    assert rules.moves(Position()) == list(range(16))


def test_states_of_the_largest_board_need_no_long_decimals() -> None:
    rules = find_rules("mnk:26,26,5")
    state = GameState.new(rules).make_move_to(675).after_state
    assert state.grid.cells == " " * 675 + "X"
    assert GameState(state.grid, rules=rules).position == state.position


def test_lists_that_a_state_hands_out_are_the_callers_own() -> None:
    state = GameState(Grid("XXXOO    "))
    state.winning_cells.clear()
    assert state.winning_cells == [0, 1, 2]
    fresh = GameState.new()
    fresh.possible_moves.clear()
    assert len(fresh.possible_moves) == 9


def test_grids_of_no_possible_shape_are_refused() -> None:
    for shape in (Shape(0, 0), Shape(-1, -1), Shape(10**6, 10**6)):
        with pytest.raises(ValueError, match="1 to 26 rows and columns"):
            Grid("", shape=shape)
