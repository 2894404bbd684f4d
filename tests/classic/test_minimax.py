"""What the classic promises of minimax: textbook scores, and the best move of every 3x3 state."""

from __future__ import annotations

import pytest

from tests import oracles
from tic_tac_toe.logic.minimax import find_best_move, minimax
from tic_tac_toe.logic.models import GameState, Grid, Mark, Move

KNOWN = oracles.published()["classic_3x3"]
STARTERS = pytest.mark.parametrize("starter", "XO")


def late_moves(starter: str, marks: int) -> list[Move]:
    """Return all moves in unfinished grids with that many marks or more."""
    return [
        move
        for grid in oracles.unfinished(starter)
        if 9 - grid.count(" ") >= marks
        for move in GameState(Grid(grid), Mark(starter)).possible_moves
    ]


def stands_for_its_images(move: Move) -> bool:
    """Tell whether the grid before the move is the one that stands for its images."""
    cells = move.before_state.grid.cells
    return cells == oracles.canonical(cells)


# minimax


def test_the_three_moves_of_the_example_win_draw_and_lose() -> None:
    moves = GameState(Grid("XXO O X O"), starting_mark=Mark("X")).possible_moves

    assert [minimax(move, maximizer=Mark("X")) for move in moves] == [1, 0, -1]
    assert [minimax(move, Mark("X"), choose_highest_score=False) for move in moves] == [1, 0, -1]


@pytest.mark.medium
@STARTERS
def test_minimax_gives_each_late_move_its_textbook_score(starter: str) -> None:
    # The textbook takes its time: with five marks, one grid stands for its images.
    moves = [*filter(stands_for_its_images, late_moves(starter, 5)), *late_moves(starter, 6)]
    seen = set()
    for move in moves:
        cells, mover = move.after_state.grid.cells, move.mark.value
        score = oracles.textbook_minimax(cells, oracles.other(mover), mover, highest=False)
        seen.add(score)
        assert minimax(move, move.mark) == score, move
    assert seen == {-1, 0, 1}


@pytest.mark.medium
@STARTERS
@pytest.mark.parametrize("highest", [False, True])
def test_highest_and_lowest_alternate_whoever_the_maximizer_is(starter: str, highest: bool) -> None:
    seen = set()
    for move in filter(stands_for_its_images, late_moves(starter, 6)):
        cells, mover = move.after_state.grid.cells, oracles.other(move.mark.value)
        for maximizer in "XO":
            score = oracles.textbook_minimax(cells, mover, maximizer, highest)
            opposite = oracles.textbook_minimax(cells, mover, maximizer, not highest)
            seen.add(score - opposite)
            assert minimax(move, Mark(maximizer), choose_highest_score=highest) == score, move
    assert len(seen) > 1


@pytest.mark.medium
@STARTERS
def test_the_score_for_the_opponent_is_the_score_with_the_sign_changed(starter: str) -> None:
    for move in filter(stands_for_its_images, late_moves(starter, 6)):
        theirs = minimax(move=move, maximizer=move.mark.other, choose_highest_score=True)
        assert theirs == -minimax(move, move.mark), move


def test_a_win_scores_the_same_however_late_it_comes() -> None:
    state = GameState(Grid("     XOOX"))
    at_once, later = state.make_move_to(2), state.make_move_to(0)

    assert at_once.after_state.winner is Mark.CROSS
    assert not later.after_state.game_over
    assert minimax(at_once, Mark.CROSS) == minimax(later, Mark.CROSS) == 1


# find_best_move


@pytest.mark.medium
@STARTERS
def test_the_best_move_is_the_shortest_win_the_longest_defence_then_the_first_cell(
    starter: str,
) -> None:
    for grid in oracles.unfinished(starter):
        state = GameState(Grid(grid), Mark(starter))
        cell = oracles.best_cells(grid, oracles.to_move(grid, starter))[0]
        assert find_best_move(state) == state.make_move_to(cell), (grid, starter)


def test_the_first_cell_is_the_best_opening() -> None:
    for starting_mark in Mark:
        state = GameState(Grid(), starting_mark)
        assert find_best_move(game_state=state) == state.make_move_to(0)


def test_a_lost_game_is_drawn_out() -> None:
    # Cross wins whatever naught does: after the block at 6 in four plies, else in two.
    move = find_best_move(GameState(Grid("     O XX")))

    assert move is not None
    assert move.cell_index == 6


@STARTERS
def test_there_is_no_best_move_when_the_game_is_over(starter: str) -> None:
    finished = [grid for grid in oracles.reachable(starter) if oracles.over(grid)]

    assert len(finished) == KNOWN["terminal"]["total"]
    for grid in finished:
        assert find_best_move(GameState(Grid(grid), Mark(starter))) is None


@STARTERS
def test_asking_for_the_best_move_changes_nothing(starter: str) -> None:
    state = GameState(Grid("X   O   X" if starter == "X" else "O   X   O"), Mark(starter))
    before = repr(state)

    assert find_best_move(state) == find_best_move(state)
    assert repr(state) == before
