"""Checks of grids, states and pairs of players, with the classic messages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from tic_tac_toe.logic.exceptions import InvalidGameState
from tic_tac_toe.logic.rules.alternation import (
    NAMES,
    check_counts,
    check_last_mover,
    check_starter,
    starter_of,
)
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.shapes import layout

if TYPE_CHECKING:
    from tic_tac_toe.logic.models import GameState, Grid, Mark


class HasMark(Protocol):
    """A player of one of the marks."""

    @property
    def mark(self) -> Mark:
        """The mark of the player."""
        ...


def validate_grid(grid: Grid) -> None:
    """Raise `ValueError` unless the grid has one cell of X, O or space a place on its board."""
    cells = layout(grid.shape).shape.cells  # refuses shapes that no board has
    if not isinstance(grid.cells, str) or not re.fullmatch(f"[XO ]{{{cells}}}", grid.cells):
        raise ValueError(f"Must contain {cells} cells of: X, O, or space")


def validate_game_state(game_state: GameState) -> None:
    """Raise `InvalidGameState` if no game by the state's rules can reach it."""
    if game_state.grid.shape != game_state.rules.shape:
        raise InvalidGameState("The grid has another shape than the rules", "other_shape")
    game_state.rules.validate(game_state.position)
    check_turn(game_state)


def check_turn(game_state: GameState) -> None:
    """Raise `InvalidGameState` if the marks show that another side has started."""
    if traits_of(game_state.rules).tells_starter:
        counted = starter_of(game_state.position)
        if counted != game_state.starting_mark.side:
            raise InvalidGameState("Wrong starting mark", "wrong_starter")


def validate_number_of_marks(grid: Grid) -> None:
    """Raise `InvalidGameState` if one side has two marks or more beyond the other."""
    check_counts(grid.x_count, grid.o_count)


def validate_starting_mark(grid: Grid, starting_mark: Mark) -> None:
    """Raise `InvalidGameState` if the side that did not start has the extra mark."""
    check_starter(grid.x_count, grid.o_count, NAMES.index(starting_mark))


def validate_winner(grid: Grid, starting_mark: Mark, winner: Mark | None) -> None:
    """Raise `InvalidGameState` if the winner cannot have placed the last mark."""
    if winner is not None:
        check_last_mover(
            grid.x_count, grid.o_count, NAMES.index(starting_mark), NAMES.index(winner)
        )


def validate_players(player1: HasMark, player2: HasMark) -> None:
    """Raise `ValueError` if both players play the same mark."""
    if player1.mark == player2.mark:
        raise ValueError("Players must use different marks")
