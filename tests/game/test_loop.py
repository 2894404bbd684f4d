"""The one loop: its generator, its two drivers, players and their pauses."""

from __future__ import annotations

import asyncio
import random
import threading

import pytest

from tests.classic.scripts import AsyncScriptedPlayer
from tic_tac_toe.game.engine import TicTacToe, Turn
from tic_tac_toe.game.engine_async import AsyncTicTacToe, run_in_thread, run_inline
from tic_tac_toe.game.players import MinimaxComputerPlayer, RandomComputerPlayer, StrategyPlayer
from tic_tac_toe.game.players_async import AsyncRandomComputerPlayer
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.records import first_state
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.testing import RecordingRenderer, ScriptedPlayer

X, O = Mark  # noqa: E741 - the marks' own names


def scripted(*cells: int) -> tuple[ScriptedPlayer, ScriptedPlayer]:
    return ScriptedPlayer(X, cells[0::2]), ScriptedPlayer(O, cells[1::2])


def test_the_loop_yields_turns_and_returns_the_final_state() -> None:
    renderer = RecordingRenderer()
    engine = TicTacToe(*scripted(), renderer)
    turns, state = engine.turns(GameState.new()), GameState.new()
    turn = next(turns)
    for cell in (0, 3, 1, 4):
        assert turn == Turn(engine.player_of(state.current_mark), state)
        state = state.make_move_to(cell).after_state
        turn = turns.send(state)
    with pytest.raises(StopIteration) as end:
        turns.send(state.make_move_to(2).after_state)
    assert end.value.value.winner is X
    assert [shown.grid.empty_count for shown in renderer.states] == [9, 8, 7, 6, 5, 4]


def test_a_driver_that_sends_nothing_is_told_so() -> None:
    turns = TicTacToe(*scripted(), RecordingRenderer()).turns(GameState.new())
    next(turns)
    with pytest.raises(TypeError, match="a turn ends in a GameState, not in NoneType"):
        next(turns)


def test_a_driver_may_take_moves_back() -> None:
    turns = TicTacToe(*scripted(), RecordingRenderer()).turns(GameState.new())
    start = next(turns).state
    assert turns.send(start.make_move_to(0).after_state).player.mark is O
    assert turns.send(start).player.mark is X


@pytest.mark.parametrize("name", VARIANTS)
def test_both_drivers_play_the_same_game_of_every_variant(name: str) -> None:
    games = []
    for asynchronous in (False, True):
        rng, renderer = random.Random(5), RecordingRenderer()
        cross, naught = (StrategyPlayer(mark, STRATEGIES["random"], 0, rng=rng) for mark in Mark)
        start = first_state(VARIANTS[name], O)
        if asynchronous:
            loop = AsyncTicTacToe(cross, naught, renderer, run_blocking=run_inline)
            end = asyncio.run(loop.play(state=start))
        else:
            end = TicTacToe(cross, naught, renderer).play(state=start)
        assert end.game_over
        assert renderer.states[-1] is end
        games.append(renderer.states)
    assert games[0] == games[1]


def test_only_synchronous_players_think_in_a_thread_unless_told_otherwise() -> None:
    in_main_thread = list[bool]()

    class Noting(ScriptedPlayer):
        def get_move(self, game_state: GameState) -> Move | None:
            in_main_thread.append(threading.current_thread() is threading.main_thread())
            return super().get_move(game_state)

    for run_blocking in (run_in_thread, run_inline):
        players = Noting(X, (0, 1, 2)), AsyncScriptedPlayer(O, 3, 4)
        loop = AsyncTicTacToe(*players, RecordingRenderer(), run_blocking=run_blocking)
        assert asyncio.run(loop.play()).winner is X
    assert in_main_thread == [False] * 3 + [True] * 3


def test_a_player_that_raises_stop_iteration_in_a_thread_does_not_hang_the_game() -> None:
    class Exhausted(ScriptedPlayer):
        def get_move(self, game_state: GameState) -> Move | None:
            raise StopIteration

    loop = AsyncTicTacToe(Exhausted(X, ()), Exhausted(O, ()), RecordingRenderer())
    with pytest.raises(RuntimeError, match="a player raised StopIteration"):
        asyncio.run(asyncio.wait_for(loop.play(), timeout=30))


def test_computer_players_pause_through_what_they_are_given() -> None:
    pauses: list[float] = []
    for player_type in (RandomComputerPlayer, MinimaxComputerPlayer):
        player_type(X, 1.5, pause=pauses.append).make_move(GameState.new())
        player_type(X, 0, pause=pauses.append).make_move(GameState.new())
    assert pauses == [1.5, 1.5]

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    awaited = AsyncRandomComputerPlayer(X, 2.5, pause=pause)
    asyncio.run(awaited.make_move(GameState.new()))
    assert pauses[-1] == 2.5


def test_computer_players_repeat_their_games_from_a_seed() -> None:
    games = []
    for _ in range(2):
        renderer, rng = RecordingRenderer(), random.Random(11)
        players = RandomComputerPlayer(X, 0, rng=rng), MinimaxComputerPlayer(O, 0, rng=rng)
        TicTacToe(*players, renderer).play()
        games.append(renderer.states)
    assert games[0] == games[1]


def test_players_show_their_mark() -> None:
    assert repr(RandomComputerPlayer(O)) == "RandomComputerPlayer('O')"
