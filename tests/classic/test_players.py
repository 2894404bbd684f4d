"""What the classic promises of players, synchronous and not: scripted, random and perfect ones."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests import oracles
from tests.classic.scripts import AsyncScriptedPlayer, ScriptedPlayer, awaited
from tic_tac_toe.game.players import (
    ComputerPlayer,
    MinimaxComputerPlayer,
    Player,
    RandomComputerPlayer,
)
from tic_tac_toe.game.players_async import (
    AsyncComputerPlayer,
    AsyncMinimaxComputerPlayer,
    AsyncPlayer,
    AsyncRandomComputerPlayer,
)
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.minimax import find_best_move
from tic_tac_toe.logic.models import GameState, Grid, Mark, Move

SCRIPTED = pytest.mark.parametrize("kind", [ScriptedPlayer, AsyncScriptedPlayer])
RANDOM = pytest.mark.parametrize("kind", [RandomComputerPlayer, AsyncRandomComputerPlayer])
MINIMAX = pytest.mark.parametrize("kind", [MinimaxComputerPlayer, AsyncMinimaxComputerPlayer])
Kind = Callable[..., Any]


class Clock(ComputerPlayer):
    """A computer player that notes when it starts to think."""

    started = 0.0

    def get_computer_move(self, game_state: GameState) -> Move | None:
        """Return the move to the first free cell."""
        self.started = time.perf_counter()
        return game_state.possible_moves[0]


def moves_in(player: Any, states: list[GameState]) -> list[Move | None]:
    """Return what a player answers to states, one after the other."""

    async def ask() -> list[Move | None]:
        return [await player.get_move(state) for state in states]

    return awaited(ask()) if isinstance(player, AsyncPlayer) else list(map(player.get_move, states))


# Player


@pytest.mark.parametrize("kind", [ScriptedPlayer, RandomComputerPlayer, AsyncRandomComputerPlayer])
@pytest.mark.parametrize("mark", list(Mark))
def test_a_player_has_a_mark(kind: Kind, mark: Mark) -> None:
    assert kind(mark=mark).mark is mark


@pytest.mark.parametrize("kind", [Player, ComputerPlayer, AsyncPlayer, AsyncComputerPlayer])
def test_a_player_must_know_how_to_move(kind: Kind) -> None:
    with pytest.raises(TypeError, match="abstract"):
        kind(Mark.CROSS)


@SCRIPTED
def test_a_move_leads_to_the_state_after_it(kind: Kind) -> None:
    after = awaited(kind(Mark.NAUGHT, 4).make_move(GameState(Grid("X        "))))

    assert after == GameState(Grid("X   O    "))


@pytest.mark.parametrize(
    ("mark", "cell", "message", "asked"),
    [
        (Mark.CROSS, 4, "It's the other player's turn", 0),
        (Mark.NAUGHT, None, "No more possible moves", 1),
        (Mark.NAUGHT, 0, "Cell is not empty", 1),
    ],
)
@SCRIPTED
def test_a_player_is_refused_out_of_turn_without_a_move_and_on_a_taken_cell(
    kind: Kind, mark: Mark, cell: int | None, message: str, asked: int
) -> None:
    player = kind(mark, cell)

    with pytest.raises(InvalidMove) as refusal:
        awaited(player.make_move(GameState(Grid("X        "))))

    assert str(refusal.value) == message
    assert len(player.asked) == asked


# Computer players


@pytest.mark.parametrize(
    ("kinds", "bases"),
    [
        ((RandomComputerPlayer, MinimaxComputerPlayer), (ComputerPlayer, Player)),
        (
            (AsyncRandomComputerPlayer, AsyncMinimaxComputerPlayer),
            (AsyncComputerPlayer, AsyncPlayer),
        ),
    ],
)
def test_a_computer_player_is_a_player(kinds: tuple[type, ...], bases: tuple[type, ...]) -> None:
    assert all(issubclass(kind, base) for kind in kinds for base in bases)


@pytest.mark.parametrize(
    "kind",
    [
        ComputerPlayer,
        RandomComputerPlayer,
        MinimaxComputerPlayer,
        AsyncComputerPlayer,
        AsyncRandomComputerPlayer,
        AsyncMinimaxComputerPlayer,
    ],
)
def test_a_computer_player_waits_a_quarter_of_a_second_unless_told_otherwise(kind: Kind) -> None:
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


def test_others_run_while_an_asynchronous_computer_player_waits() -> None:
    order: list[str] = []

    class Thinker(AsyncMinimaxComputerPlayer):
        async def get_move(self, game_state: GameState) -> Move | None:
            order.append("asked")
            move = await super().get_move(game_state)
            order.append("moved")
            return move

    async def other() -> None:
        order.append("other")

    async def run() -> None:
        thinker = Thinker(Mark.CROSS, delay_seconds=0.01)
        await asyncio.gather(thinker.make_move(GameState(Grid())), other())

    asyncio.run(run())
    assert order == ["asked", "other", "moved"]


@pytest.mark.parametrize("cells", ["XXXOO    ", "XOXXOOOXX"])
@pytest.mark.parametrize("kind", [*RANDOM.args[1], *MINIMAX.args[1]])
def test_a_computer_player_has_no_move_when_the_game_is_over(kind: Kind, cells: str) -> None:
    state = GameState(Grid(cells))
    player = kind(state.current_mark, delay_seconds=0)

    assert awaited(player.get_move(state)) is None
    with pytest.raises(InvalidMove) as refusal:
        awaited(player.make_move(state))
    assert str(refusal.value) == "No more possible moves"


@RANDOM
def test_a_random_player_may_make_any_possible_move_and_no_other(kind: Kind) -> None:
    state = GameState(Grid("X O XO   "))

    # One of the five cells stays unseen in 200 moves with a chance of 5 * 0.8**200 < 1e-18.
    moves = moves_in(kind(Mark.CROSS, delay_seconds=0), [state] * 200)

    assert {move.cell_index for move in moves if move is not None} == {1, 3, 6, 7, 8}
    assert all(move in state.possible_moves for move in moves)


@MINIMAX
@pytest.mark.parametrize("mark", list(Mark))
def test_a_perfect_player_opens_anywhere(kind: Kind, mark: Mark) -> None:
    # One of the nine cells stays unseen in 400 moves with a chance of 9 * (8/9)**400 < 1e-19.
    moves = moves_in(kind(mark, delay_seconds=0), [GameState(Grid(), mark)] * 400)

    assert {move.cell_index for move in moves if move is not None} == set(range(9))


@MINIMAX
@pytest.mark.parametrize("starter", "XO")
@pytest.mark.medium
def test_after_the_opening_a_perfect_player_makes_the_best_move(kind: Kind, starter: str) -> None:
    for mark in Mark:
        states = [
            GameState(Grid(grid), Mark(starter))
            for grid in oracles.unfinished(starter)[1:]
            if oracles.to_move(grid, starter) == mark
        ]
        moves = moves_in(kind(mark, delay_seconds=0), states)
        assert moves == [find_best_move(state) for state in states]
