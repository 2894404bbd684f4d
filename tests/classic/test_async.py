"""What the classic promises of asynchronous play: the same game, awaited."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.classic.scripts import AsyncScriptedPlayer, Recorder, ScriptedPlayer
from tic_tac_toe.game.engine import TicTacToe
from tic_tac_toe.game.engine_async import AsyncTicTacToe
from tic_tac_toe.game.players import Player
from tic_tac_toe.game.players_async import AsyncMinimaxComputerPlayer
from tic_tac_toe.logic.models import GameState, Mark, Move

CROSS_SCRIPT: tuple[int | None, ...] = (0, 0, 1, 2, 8)
NAUGHT_SCRIPT: tuple[int | None, ...] = (0, None, 9, 3, 4, 5)


def play_sync(starting_mark: Mark) -> tuple[list[GameState], list[str]]:
    """Return what a synchronous game of the scripts shows and complains of."""
    renderer, errors = Recorder(), list[str]()
    TicTacToe(
        ScriptedPlayer(Mark.CROSS, *CROSS_SCRIPT),
        ScriptedPlayer(Mark.NAUGHT, *NAUGHT_SCRIPT),
        renderer,
        lambda error: errors.append(str(error)),
    ).play(starting_mark)
    return renderer.states, errors


@pytest.mark.parametrize("starting_mark", list(Mark))
@pytest.mark.parametrize("cross", [ScriptedPlayer, AsyncScriptedPlayer])
@pytest.mark.parametrize("naught", [ScriptedPlayer, AsyncScriptedPlayer])
def test_an_awaited_game_shows_and_complains_of_the_same_whoever_plays(
    cross: Callable[..., Any], naught: Callable[..., Any], starting_mark: Mark
) -> None:
    renderer, errors = Recorder(), list[str]()

    asyncio.run(
        AsyncTicTacToe(
            cross(Mark.CROSS, *CROSS_SCRIPT),
            naught(Mark.NAUGHT, *NAUGHT_SCRIPT),
            renderer,
            lambda error: errors.append(str(error)),
        ).play(starting_mark)
    )

    assert (renderer.states, errors) == play_sync(starting_mark)
    assert "Cell is not empty" in errors
    assert "No more possible moves" in errors
    assert renderer.states[-1].game_over


def test_a_synchronous_player_that_waits_lets_the_others_run() -> None:
    pushed = threading.Event()

    class Waiter(Player):
        def get_move(self, game_state: GameState) -> Move | None:
            # If the event loop stood still meanwhile, nobody could push.
            assert pushed.wait(timeout=10)
            return game_state.possible_moves[0]

    async def push() -> None:
        pushed.set()

    async def play() -> None:
        naught = AsyncMinimaxComputerPlayer(Mark.NAUGHT, delay_seconds=0)
        game = AsyncTicTacToe(Waiter(Mark.CROSS), naught, Recorder())
        playing = asyncio.create_task(game.play())
        await asyncio.gather(playing, push())

    asyncio.run(play())
    assert pushed.is_set()


def test_a_player_may_do_its_thinking_while_another_game_goes_on() -> None:
    order: list[str] = []

    class Named(AsyncScriptedPlayer):
        async def get_move(self, game_state: GameState) -> Move | None:
            order.append(f"{self.mark}{id(self) == id(first)}")
            return await super().get_move(game_state)

    first = Named(Mark.CROSS, 0, 1, 2)
    second = Named(Mark.CROSS, 0, 1, 2)

    async def play() -> None:
        await asyncio.gather(
            *(
                AsyncTicTacToe(player, AsyncScriptedPlayer(Mark.NAUGHT, 3, 4), Recorder()).play()
                for player in (first, second)
            )
        )

    asyncio.run(play())
    assert order == ["XTrue", "XFalse"] * 3


def test_a_cancelled_game_ends_at_once() -> None:
    errors: list[Exception] = []
    renderer = Recorder()

    async def play() -> None:
        players = (AsyncMinimaxComputerPlayer(mark, delay_seconds=3) for mark in Mark)
        cross, naught = players
        game = asyncio.create_task(AsyncTicTacToe(cross, naught, renderer, errors.append).play())
        while not renderer.states:
            await asyncio.sleep(0)
        game.cancel()
        with pytest.raises(asyncio.CancelledError):
            await game

    asyncio.run(play())
    assert errors == []
    assert len(renderer.states) == 1
