"""What the classic promises of players: people, random ones and perfect ones."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable

import pytest

from tests import oracles
from tic_tac_toe.game.players import (
    ComputerPlayer,
    MinimaxComputerPlayer,
    Player,
    RandomComputerPlayer,
)
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.minimax import find_best_move
from tic_tac_toe.logic.models import GameState, Grid, Mark, Move

COMPUTERS = pytest.mark.parametrize("computer", [RandomComputerPlayer, MinimaxComputerPlayer])


class CellPlayer(Player):
    """A player who wants one cell, or None for no move at all."""

    def __init__(self, mark: Mark, cell: int | None) -> None:
        super().__init__(mark)
        self.cell = cell
        self.asked = 0

    def get_move(self, game_state: GameState) -> Move | None:
        """Return the move to the cell."""
        self.asked += 1
        return None if self.cell is None else game_state.make_move_to(self.cell)


class Clock(ComputerPlayer):
    """A computer player who notes when it starts to think."""

    started = 0.0

    def get_computer_move(self, game_state: GameState) -> Move | None:
        """Return the move to the first free cell."""
        self.started = time.perf_counter()
        return game_state.possible_moves[0]


# Player


@pytest.mark.parametrize("mark", list(Mark))
def test_a_player_has_a_mark(mark: Mark) -> None:
    assert CellPlayer(mark, 0).mark is mark
    assert RandomComputerPlayer(mark=mark).mark is mark


@pytest.mark.parametrize("kind", [Player, ComputerPlayer])
def test_a_player_must_know_how_to_move(kind: Callable[..., object]) -> None:
    with pytest.raises(TypeError, match="abstract"):
        kind(Mark.CROSS)


def test_a_move_leads_to_the_state_after_it() -> None:
    state = GameState(Grid("X        "))

    assert CellPlayer(Mark.NAUGHT, 4).make_move(state) == GameState(Grid("X   O    "))


def test_a_player_may_not_move_out_of_turn() -> None:
    player = CellPlayer(Mark.NAUGHT, 4)

    with pytest.raises(InvalidMove) as refusal:
        player.make_move(GameState(Grid()))

    assert str(refusal.value) == "It's the other player's turn"
    assert player.asked == 0


def test_a_player_who_returns_no_move_has_no_more_moves() -> None:
    with pytest.raises(InvalidMove) as refusal:
        CellPlayer(Mark.CROSS, None).make_move(GameState(Grid()))

    assert str(refusal.value) == "No more possible moves"


def test_a_move_to_a_taken_cell_is_invalid() -> None:
    with pytest.raises(InvalidMove) as refusal:
        CellPlayer(Mark.NAUGHT, 0).make_move(GameState(Grid("X        ")))

    assert str(refusal.value) == "Cell is not empty"


# ComputerPlayer


@COMPUTERS
def test_a_computer_player_is_a_player(computer: type[object]) -> None:
    assert issubclass(computer, ComputerPlayer)
    assert issubclass(computer, Player)


@pytest.mark.parametrize("kind", [ComputerPlayer, RandomComputerPlayer, MinimaxComputerPlayer])
def test_a_computer_player_waits_a_quarter_of_a_second_unless_told_otherwise(
    kind: Callable[..., object],
) -> None:
    parameters = inspect.signature(kind).parameters

    assert list(parameters)[:2] == ["mark", "delay_seconds"]
    assert parameters["delay_seconds"].default == 0.25


def test_a_computer_player_keeps_its_delay() -> None:
    assert Clock(Mark.CROSS, 0.5).delay_seconds == 0.5
    assert RandomComputerPlayer(Mark.CROSS).delay_seconds == 0.25


def test_a_computer_player_waits_before_it_thinks() -> None:
    player = Clock(Mark.CROSS, delay_seconds=0.02)
    asked = time.perf_counter()

    move = player.get_move(GameState(Grid()))

    assert player.started - asked >= 0.015  # clocks differ in how finely they tick
    assert move == GameState(Grid()).make_move_to(0)


@COMPUTERS
@pytest.mark.parametrize("cells", ["XXXOO    ", "XOXXOOOXX"])
def test_a_computer_player_has_no_move_when_the_game_is_over(
    computer: Callable[..., ComputerPlayer], cells: str
) -> None:
    state = GameState(Grid(cells))
    player = computer(state.current_mark, delay_seconds=0)

    assert player.get_move(state) is None
    with pytest.raises(InvalidMove) as refusal:
        player.make_move(state)
    assert str(refusal.value) == "No more possible moves"


# Random


def test_a_random_player_may_make_any_possible_move_and_no_other() -> None:
    state = GameState(Grid("X O XO   "))
    player = RandomComputerPlayer(Mark.CROSS, delay_seconds=0)

    # One of the five cells stays unseen in 200 moves with a chance of 5 * 0.8**200 < 1e-18.
    moves = [player.get_computer_move(state) for _ in range(200)]

    assert {move.cell_index for move in moves if move is not None} == {1, 3, 6, 7, 8}
    assert all(move in state.possible_moves for move in moves)


# Minimax


@pytest.mark.parametrize("mark", list(Mark))
def test_a_perfect_player_opens_anywhere(mark: Mark) -> None:
    state = GameState(Grid(), mark)
    player = MinimaxComputerPlayer(mark, delay_seconds=0)

    # One of the nine cells stays unseen in 400 moves with a chance of 9 * (8/9)**400 < 1e-19.
    moves = [player.get_computer_move(state) for _ in range(400)]

    assert {move.cell_index for move in moves if move is not None} == set(range(9))


@pytest.mark.parametrize("starter", "XO")
def test_after_the_opening_a_perfect_player_makes_the_best_move(starter: str) -> None:
    players = {mark: MinimaxComputerPlayer(mark, delay_seconds=0) for mark in Mark}
    for grid in oracles.unfinished(starter)[1:]:
        state = GameState(Grid(grid), Mark(starter))
        best = find_best_move(state)
        assert players[state.current_mark].get_computer_move(state) == best, grid
