"""What the classic promises of the engine that lets two players play, awaited or not."""

from __future__ import annotations

import asyncio
import dataclasses
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.classic.scripts import AsyncScriptedPlayer, Recorder, ScriptedPlayer, awaited
from tic_tac_toe.game.engine import TicTacToe
from tic_tac_toe.game.engine_async import AsyncTicTacToe
from tic_tac_toe.game.players import MinimaxComputerPlayer, Player
from tic_tac_toe.game.players_async import AsyncMinimaxComputerPlayer, AsyncPlayer
from tic_tac_toe.game.renderers import Renderer
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState, Grid, Mark, Move

ENGINES = pytest.mark.parametrize("engine", [TicTacToe, AsyncTicTacToe])
Engine = Callable[..., Any]


def cross_and_naught(
    cross: list[int | None], naught: list[int | None]
) -> tuple[ScriptedPlayer, ScriptedPlayer]:
    """Return two players with a script each."""
    return ScriptedPlayer(Mark.CROSS, *cross), ScriptedPlayer(Mark.NAUGHT, *naught)


@ENGINES
@pytest.mark.parametrize("mark", list(Mark))
def test_two_players_with_the_same_mark_are_refused(engine: Engine, mark: Mark) -> None:
    with pytest.raises(ValueError, match=r"^Players must use different marks$"):
        engine(ScriptedPlayer(mark), ScriptedPlayer(mark), Recorder())


def test_a_game_keeps_what_it_was_given_and_needs_no_error_handler() -> None:
    cross, naught = cross_and_naught([], [])
    renderer = Recorder()

    game = TicTacToe(player1=cross, player2=naught, renderer=renderer)

    assert (game.player1, game.player2, game.renderer) == (cross, naught, renderer)
    assert game.error_handler is None


@pytest.mark.parametrize("name", ["player1", "player2", "renderer", "error_handler"])
def test_a_game_cannot_be_changed(name: str) -> None:
    game = TicTacToe(*cross_and_naught([], []), Recorder())

    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(game, name, None)


def test_crosses_start_and_the_players_are_asked_by_turns_until_a_win() -> None:
    renderer = Recorder()
    cross, naught = cross_and_naught([0, 1, 2], [3, 4])

    TicTacToe(cross, naught, renderer).play()

    assert renderer.grids == [
        "         ",
        "X        ",
        "X  O     ",
        "XX O     ",
        "XX OO    ",
        "XXXOO    ",
    ]
    assert all(state.starting_mark is Mark.CROSS for state in renderer.states)
    assert (cross.asked, naught.asked) == (renderer.states[0:-1:2], renderer.states[1:-1:2])


def test_naught_starts_when_asked_to() -> None:
    renderer = Recorder()

    TicTacToe(*cross_and_naught([0, 1], [3, 4, 5]), renderer).play(starting_mark=Mark("O"))

    assert renderer.grids[:3] == ["         ", "   O     ", "X  O     "]
    assert renderer.grids[-1] == "XX OOO   "
    assert all(state.starting_mark is Mark.NAUGHT for state in renderer.states)


@pytest.mark.parametrize("starting_mark", list(Mark))
def test_the_mark_and_not_the_place_among_the_players_decides_whose_turn_it_is(
    starting_mark: Mark,
) -> None:
    script: list[int | None] = [0, 2, 3, 7, 8]
    opponent: list[int | None] = [1, 4, 5, 6, 8]
    one, two = Recorder(), Recorder()

    cross, naught = cross_and_naught(script, opponent)
    TicTacToe(cross, naught, one).play(starting_mark)
    cross, naught = cross_and_naught(script, opponent)
    TicTacToe(naught, cross, two).play(starting_mark)

    assert one.states == two.states
    assert one.states[1].grid.cells == ("X        " if starting_mark == "X" else " O       ")
    assert len(one.states) == 10


def test_nobody_is_asked_after_a_tie() -> None:
    renderer = Recorder()
    cross, naught = cross_and_naught([0, 2, 3, 7, 8], [1, 4, 5, 6])

    TicTacToe(cross, naught, renderer).play()

    assert renderer.grids[-1] == "XOXXOOOXX"
    assert renderer.states[-1].tie
    assert (len(cross.asked), len(naught.asked)) == (5, 4)


def test_an_invalid_move_reaches_the_error_handler_and_the_same_player_is_asked_again() -> None:
    errors: list[Exception] = []
    renderer = Recorder()
    cross, naught = cross_and_naught([0, 1, 2], [0, None, 9, 3, 4])

    TicTacToe(cross, naught, renderer, errors.append).play()

    assert [type(error) for error in errors] == [InvalidMove] * 3
    assert [str(error) for error in errors[:2]] == ["Cell is not empty", "No more possible moves"]
    assert [state.grid.cells for state in naught.asked] == ["X        "] * 4 + ["XX O     "]
    assert renderer.states[-1].winner is Mark.CROSS


def test_without_an_error_handler_an_invalid_move_is_passed_over() -> None:
    renderer = Recorder()

    TicTacToe(*cross_and_naught([0, 1, 2], [0, 0, 3, 4]), renderer).play()

    assert renderer.grids.count("X        ") == 3
    assert renderer.states[-1].winner is Mark.CROSS


def test_the_error_handler_may_end_the_game_by_raising() -> None:
    def give_up(error: Exception) -> None:
        raise RuntimeError("enough") from error

    renderer = Recorder()
    with pytest.raises(RuntimeError, match=r"^enough$"):
        TicTacToe(*cross_and_naught([0], [0]), renderer, give_up).play()

    assert renderer.grids == ["         ", "X        "]


@pytest.mark.parametrize(
    ("engine", "error"),
    [
        *((TicTacToe, error) for error in (KeyboardInterrupt, EOFError, ValueError, StopIteration)),
        (AsyncTicTacToe, EOFError),
    ],
)
def test_any_other_exception_of_a_player_leaves_the_game(
    engine: Engine, error: type[BaseException]
) -> None:
    class Leaver(Player):
        def get_move(self, game_state: GameState) -> Move | None:
            raise error

    class AsyncLeaver(AsyncPlayer):
        async def get_move(self, game_state: GameState) -> Move | None:
            raise error

    errors: list[Exception] = []
    leaver: Callable[[Mark], object] = Leaver if engine is TicTacToe else AsyncLeaver
    game = engine(leaver(Mark.CROSS), leaver(Mark.NAUGHT), Recorder(), errors.append)
    with pytest.raises(error):
        awaited(game.play())
    assert errors == []


def test_one_game_can_be_played_twice() -> None:
    renderer = Recorder()
    cross, naught = cross_and_naught([0, 1, 2, 0, 1, 2], [3, 4, 3, 4])
    game = TicTacToe(cross, naught, renderer)

    game.play()
    game.play()

    assert renderer.grids[:6] == renderer.grids[6:]
    assert len(renderer.grids) == 12


def test_a_player_moves_through_make_move() -> None:
    class Jumper(Player):
        """A player that fills the board at once."""

        def make_move(self, game_state: GameState) -> GameState:
            return GameState(Grid("XXXOO    "))

        def get_move(self, game_state: GameState) -> Move | None:
            raise AssertionError

    renderer = Recorder()
    TicTacToe(Jumper(Mark.CROSS), ScriptedPlayer(Mark.NAUGHT), renderer).play()

    assert renderer.grids == ["         ", "XXXOO    "]


def test_a_renderer_must_render() -> None:
    make: Callable[[], object] = Renderer
    with pytest.raises(TypeError, match="abstract"):
        make()


@pytest.mark.parametrize("starting_mark", list(Mark))
@pytest.mark.parametrize(
    ("engine", "cross"),
    [(TicTacToe, MinimaxComputerPlayer), (AsyncTicTacToe, AsyncMinimaxComputerPlayer)],
)
def test_two_perfect_players_tie_also_if_one_of_them_is_awaited(
    engine: Engine, cross: Callable[..., object], starting_mark: Mark
) -> None:
    for _ in range(20):
        renderer = Recorder()
        players = cross(Mark.CROSS, delay_seconds=0), MinimaxComputerPlayer(Mark.NAUGHT, 0)
        awaited(engine(*players, renderer).play(starting_mark))
        assert renderer.states[-1].tie


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
