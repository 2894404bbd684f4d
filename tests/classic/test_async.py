"""What the classic promises of asynchronous play: the same game, awaited."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests import oracles
from tests.classic.scripts import Recorder, ScriptedPlayer, take
from tic_tac_toe.game.engine import TicTacToe
from tic_tac_toe.game.engine_async import AsyncTicTacToe
from tic_tac_toe.game.players import MinimaxComputerPlayer, Player
from tic_tac_toe.game.players_async import (
    AsyncComputerPlayer,
    AsyncMinimaxComputerPlayer,
    AsyncPlayer,
    AsyncRandomComputerPlayer,
)
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.minimax import find_best_move
from tic_tac_toe.logic.models import GameState, Grid, Mark, Move

COMPUTERS = pytest.mark.parametrize(
    "computer", [AsyncRandomComputerPlayer, AsyncMinimaxComputerPlayer]
)


class AsyncScriptedPlayer(AsyncPlayer):
    """An asynchronous player with a script, who lets others run before each move."""

    def __init__(self, mark: Mark, *script: int | None) -> None:
        super().__init__(mark)
        self.script = list(script)
        self.asked = 0

    async def get_move(self, game_state: GameState) -> Move | None:
        """Return the move to the next cell."""
        self.asked += 1
        await asyncio.sleep(0)
        return take(self.script, game_state)


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


# The engine


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


def test_play_is_a_coroutine_function() -> None:
    assert inspect.iscoroutinefunction(AsyncTicTacToe.play)


@pytest.mark.parametrize("mark", list(Mark))
def test_two_players_with_the_same_mark_are_refused(mark: Mark) -> None:
    with pytest.raises(ValueError, match=r"^Players must use different marks$"):
        AsyncTicTacToe(AsyncScriptedPlayer(mark), ScriptedPlayer(mark), Recorder())


def test_a_synchronous_player_who_waits_lets_the_others_run() -> None:
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


def test_only_synchronous_players_go_through_the_injected_run_blocking() -> None:
    threads: set[int] = set()
    calls = 0

    class Local(ScriptedPlayer):
        def get_move(self, game_state: GameState) -> Move | None:
            threads.add(threading.get_ident())
            return super().get_move(game_state)

    async def run_inline(call: Callable[..., GameState], *arguments: object) -> GameState:
        nonlocal calls
        calls += 1
        return call(*arguments)

    cross, naught = Local(Mark.CROSS, 0, 3, 1, 2), AsyncScriptedPlayer(Mark.NAUGHT, 3, 4)
    renderer = Recorder()
    asyncio.run(AsyncTicTacToe(cross, naught, renderer, run_blocking=run_inline).play())

    assert calls == 4
    assert threads == {threading.get_ident()}
    assert renderer.states[-1].winner is Mark.CROSS


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


def test_any_other_exception_of_a_player_leaves_the_game() -> None:
    class Leaver(AsyncPlayer):
        async def get_move(self, game_state: GameState) -> Move | None:
            raise EOFError

    errors: list[Exception] = []
    game = AsyncTicTacToe(Leaver(Mark.CROSS), Leaver(Mark.NAUGHT), Recorder(), errors.append)
    with pytest.raises(EOFError):
        asyncio.run(game.play())
    assert errors == []


# The players


@pytest.mark.parametrize("kind", [AsyncPlayer, AsyncComputerPlayer])
def test_an_asynchronous_player_must_know_how_to_move(kind: Callable[..., object]) -> None:
    with pytest.raises(TypeError, match="abstract"):
        kind(Mark.CROSS)


def test_a_move_leads_to_the_state_after_it() -> None:
    player = AsyncScriptedPlayer(Mark.NAUGHT, 4)

    after = asyncio.run(player.make_move(GameState(Grid("X        "))))

    assert after == GameState(Grid("X   O    "))


@pytest.mark.parametrize(
    ("mark", "cell", "message", "asked"),
    [
        (Mark.CROSS, 4, "It's the other player's turn", 0),
        (Mark.NAUGHT, None, "No more possible moves", 1),
        (Mark.NAUGHT, 0, "Cell is not empty", 1),
    ],
)
def test_an_asynchronous_player_is_refused_with_the_words_of_a_synchronous_one(
    mark: Mark, cell: int | None, message: str, asked: int
) -> None:
    player = AsyncScriptedPlayer(mark, cell)

    with pytest.raises(InvalidMove) as refusal:
        asyncio.run(player.make_move(GameState(Grid("X        "))))

    assert str(refusal.value) == message
    assert player.asked == asked


@COMPUTERS
def test_an_asynchronous_computer_player_is_an_asynchronous_player(computer: type[object]) -> None:
    assert issubclass(computer, AsyncComputerPlayer)
    assert issubclass(computer, AsyncPlayer)


@pytest.mark.parametrize(
    "kind", [AsyncComputerPlayer, AsyncRandomComputerPlayer, AsyncMinimaxComputerPlayer]
)
def test_a_computer_player_waits_a_quarter_of_a_second_unless_told_otherwise(
    kind: Callable[..., object],
) -> None:
    parameters = inspect.signature(kind).parameters

    assert list(parameters)[:2] == ["mark", "delay_seconds"]
    assert parameters["delay_seconds"].default == 0.25


def test_others_run_while_a_computer_player_waits() -> None:
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


@COMPUTERS
def test_a_computer_player_has_no_move_when_the_game_is_over(
    computer: Callable[..., AsyncComputerPlayer],
) -> None:
    state = GameState(Grid("XXXOO    "))

    assert asyncio.run(computer(Mark.NAUGHT, delay_seconds=0).get_move(state)) is None


def test_a_random_player_may_make_any_possible_move_and_no_other() -> None:
    state = GameState(Grid("X O XO   "))
    player = AsyncRandomComputerPlayer(Mark.CROSS, delay_seconds=0)

    async def ask() -> list[Move | None]:
        # One of the five cells stays unseen with a chance of 5 * 0.8**200 < 1e-18.
        return [await player.get_move(state) for _ in range(200)]

    moves = asyncio.run(ask())
    assert {move.cell_index for move in moves if move is not None} == {1, 3, 6, 7, 8}
    assert all(move in state.possible_moves for move in moves)


def test_a_perfect_player_opens_anywhere_and_then_makes_the_best_move() -> None:
    player = AsyncMinimaxComputerPlayer(Mark.CROSS, delay_seconds=0)

    async def ask(states: list[GameState]) -> list[Move | None]:
        return [await player.get_move(state) for state in states]

    # One of the nine cells stays unseen in 400 moves with a chance of 9 * (8/9)**400 < 1e-19.
    openings = asyncio.run(ask([GameState(Grid())] * 400))
    assert {move.cell_index for move in openings if move is not None} == set(range(9))

    states = [
        GameState(Grid(grid))
        for grid in oracles.unfinished("X")[1:]
        if oracles.to_move(grid, "X") == "X"
    ]
    assert asyncio.run(ask(states)) == [find_best_move(state) for state in states]


@pytest.mark.parametrize("starting_mark", list(Mark))
def test_two_perfect_players_tie_one_of_them_synchronous(starting_mark: Mark) -> None:
    renderer = Recorder()
    cross = AsyncMinimaxComputerPlayer(Mark.CROSS, delay_seconds=0)
    naught = MinimaxComputerPlayer(Mark.NAUGHT, delay_seconds=0)

    asyncio.run(AsyncTicTacToe(cross, naught, renderer).play(starting_mark))

    assert renderer.states[-1].tie
