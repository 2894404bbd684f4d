"""What the classic promises of marks, grids, moves and game states, checked on every 3x3 state."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from tests import oracles
from tic_tac_toe.logic.exceptions import InvalidMove, UnknownGameScore
from tic_tac_toe.logic.models import GameState, Grid, Mark, Move


@pytest.fixture(scope="module")
def states() -> list[GameState]:
    """Return every state that a game can reach, for either starting mark."""
    return [
        GameState(Grid(cells), Mark(starter))
        for starter in "XO"
        for cells in oracles.reachable(starter)
    ]


# Mark


def test_a_mark_is_the_string_of_its_letter_and_knows_the_other() -> None:
    assert isinstance(Mark.CROSS, str)
    assert list(Mark) == ["X", "O"] == [Mark.CROSS, Mark.NAUGHT]
    assert (Mark("X"), Mark("O")) == (Mark.CROSS, Mark.NAUGHT)
    assert (Mark.CROSS.other, Mark.NAUGHT.other) == (Mark.NAUGHT, Mark.CROSS)
    assert list(map(repr, Mark)) == ["<Mark.CROSS: 'X'>", "<Mark.NAUGHT: 'O'>"]
    assert json.dumps(list(Mark)) == '["X", "O"]'


@pytest.mark.parametrize("letter", ["x", "o", " ", "", "XO", "0", "Х", "CROSS", None, 0])
def test_nothing_but_the_two_letters_is_a_mark(letter: Any) -> None:
    with pytest.raises(ValueError, match="is not a valid Mark"):
        Mark(letter)


# Grid


def test_a_grid_is_empty_and_crosses_start_unless_told_otherwise() -> None:
    assert Grid() == Grid(" " * 9) == Grid(cells=" " * 9)
    assert Grid().cells == " " * 9
    assert GameState(Grid()).starting_mark is Mark.CROSS
    assert GameState(Grid()) == GameState(grid=Grid(), starting_mark=Mark.CROSS)
    assert GameState(Grid()) != GameState(Grid(), Mark.NAUGHT)


def test_a_grid_counts_its_crosses_naughts_and_empty_cells() -> None:
    for cells in oracles.all_grids():
        grid = Grid(cells)
        counts = (grid.x_count, grid.o_count, grid.empty_count)
        assert counts == (cells.count("X"), cells.count("O"), cells.count(" "))


# GameState


def test_grids_states_and_moves_are_represented_by_their_fields() -> None:
    before = GameState(Grid())
    move = before.make_move_to(0)

    assert repr(Grid("XXO O X O")) == "Grid(cells='XXO O X O')"
    assert repr(GameState(Grid("X  O     "))) == (
        "GameState(grid=Grid(cells='X  O     '), starting_mark=<Mark.CROSS: 'X'>)"
    )
    assert repr(GameState(Grid(), Mark.NAUGHT)) == (
        "GameState(grid=Grid(cells='         '), starting_mark=<Mark.NAUGHT: 'O'>)"
    )
    assert repr(move) == (
        f"Move(mark=<Mark.CROSS: 'X'>, cell_index=0, before_state={before!r}, "
        f"after_state={move.after_state!r})"
    )


def test_what_was_asked_of_a_state_does_not_show_in_it() -> None:
    asked, fresh = (GameState(Grid("X  O    O"), Mark.NAUGHT) for _ in range(2))
    _ = asked.winner, asked.winning_cells, asked.tie, asked.possible_moves, asked.current_mark

    assert asked == fresh
    assert hash(asked) == hash(fresh)
    assert repr(asked) == repr(fresh)


def test_the_grid_and_the_starting_mark_are_the_first_fields_of_a_state() -> None:
    assert [field.name for field in dataclasses.fields(GameState)][:2] == ["grid", "starting_mark"]


def test_the_diagonal_of_the_example_wins() -> None:
    state = GameState(Grid("XOXOXOXXO"), starting_mark=Mark("X"))

    assert state.winning_cells == [2, 4, 6]
    assert state.winner is Mark.CROSS
    assert state.game_over
    assert not state.tie


def test_the_example_has_two_moves_by_naught() -> None:
    moves = GameState(Grid("XXOXOX  O")).possible_moves

    assert [(move.mark, move.cell_index) for move in moves] == [(Mark.NAUGHT, 6), (Mark.NAUGHT, 7)]
    assert [move.after_state.grid.cells for move in moves] == ["XXOXOXO O", "XXOXOX OO"]


@pytest.mark.parametrize(
    ("cells", "line"),
    [
        ("XXXOXOXOO", [0, 1, 2]),  # a row and the anti-diagonal
        ("XXXXOOXOO", [0, 1, 2]),  # a row and a column
        ("XOOOXXXOX", [0, 4, 8]),  # one line only
        ("XOXOXOXOX", [0, 4, 8]),  # both diagonals
        ("XOXOXXOOX", [2, 5, 8]),  # a column and the main diagonal
    ],
)
def test_of_two_lines_rows_come_before_columns_and_these_before_diagonals(
    cells: str, line: list[int]
) -> None:
    assert GameState(Grid(cells)).winning_cells == line


def test_what_a_state_tells_is_right_in_every_state(states: list[GameState]) -> None:
    for state in states:
        cells = state.grid.cells
        letter = oracles.winner(cells)
        assert state.winner is (None if letter is None else Mark(letter)), state
        assert state.winning_cells == oracles.winning_line(cells), state
        assert isinstance(state.winning_cells, list)
        assert state.game_over is oracles.over(cells), state
        assert state.tie is (" " not in cells and not oracles.owners(cells)), state
        assert state.game_not_started is (cells == oracles.EMPTY), state
        assert state.current_mark is Mark(oracles.to_move(cells, state.starting_mark.value)), state


@pytest.mark.medium
def test_the_possible_moves_are_right_in_every_state(states: list[GameState]) -> None:
    for state in states:
        cells, mark = state.grid.cells, state.current_mark
        expected = [
            Move(
                mark=mark,
                cell_index=cell,
                before_state=state,
                after_state=GameState(
                    Grid(oracles.put(cells, cell, mark.value)), state.starting_mark
                ),
            )
            for cell in oracles.free_cells(cells)
        ]
        assert state.possible_moves == expected, state
        assert isinstance(state.possible_moves, list)


@pytest.mark.medium
def test_a_game_has_a_score_for_either_mark_once_it_is_over(states: list[GameState]) -> None:
    scores = {"X": (1, -1), "O": (-1, 1), None: (0, 0)}
    for state in states:
        if state.game_over:
            found = state.evaluate_score(mark=Mark.CROSS), state.evaluate_score(Mark.NAUGHT)
            assert found == scores[oracles.winner(state.grid.cells)], state
            continue
        for mark in Mark:
            with pytest.raises(UnknownGameScore, match=r"^Game is not over yet$"):
                state.evaluate_score(mark)


# Moves


def test_a_move_says_who_marked_which_cell_of_what() -> None:
    state = GameState(Grid("X  O     "))

    move = state.make_move_to(index=4)

    assert move == Move(Mark.CROSS, 4, state, GameState(Grid("X  OX    ")))
    assert move.mark is Mark.CROSS
    assert move.cell_index == 4
    assert move.before_state is state
    assert move.after_state.grid.cells == "X  OX    "


def test_every_possible_move_is_the_move_to_its_cell(states: list[GameState]) -> None:
    for state in states[::7]:
        for move in state.possible_moves:
            assert state.make_move_to(move.cell_index) == move


@pytest.mark.medium
def test_a_taken_cell_is_refused_in_every_state(states: list[GameState]) -> None:
    for state in states:
        if not state.game_over:
            for cell, content in enumerate(state.grid.cells):
                if content != " ":
                    with pytest.raises(InvalidMove) as refusal:
                        state.make_move_to(cell)
                    assert str(refusal.value) == "Cell is not empty"


@pytest.mark.parametrize(
    ("value", "name", "content"),
    [
        (Grid(), "cells", "X        "),
        (GameState(Grid()), "grid", Grid("X        ")),
        (GameState(Grid()), "starting_mark", Mark.NAUGHT),
        (GameState(Grid()).make_move_to(0), "cell_index", 1),
    ],
)
def test_grids_states_and_moves_cannot_be_changed(
    value: object, name: str, content: object
) -> None:
    before = repr(value)

    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, name, content)

    assert repr(value) == before


def test_equal_grids_states_and_moves_are_one_in_a_set() -> None:
    def make() -> list[object]:
        state = GameState(Grid("X  O     "), Mark.CROSS)
        return [state.grid, state, state.make_move_to(4)]

    assert len({*make(), *make()}) == 3
