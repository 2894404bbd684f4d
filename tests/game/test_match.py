"""A match refuses without changing anything; one loop has two drivers; swap2."""

from __future__ import annotations

import asyncio
import random
import threading
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.classic.scripts import AsyncScriptedPlayer
from tic_tac_toe.game.engine import TicTacToe, Turn
from tic_tac_toe.game.engine_async import AsyncTicTacToe, run_in_thread, run_inline
from tic_tac_toe.game.match import Match
from tic_tac_toe.game.players import MinimaxComputerPlayer, RandomComputerPlayer, StrategyPlayer
from tic_tac_toe.game.players_async import AsyncRandomComputerPlayer
from tic_tac_toe.game.strategies import OPENINGS, STRATEGIES, answer_swap2
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.records import first_state
from tic_tac_toe.logic.repetition import settle
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.rules.gomoku import Gomoku
from tic_tac_toe.logic.rules.traits import count_moves, placement
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.testing import RecordingRenderer, ScriptedPlayer


class MatchMachine(RuleBasedStateMachine):
    """Drives a match beside a model of two plain lists of moves."""

    match_type: type[Match] = Match

    @initialize(name=st.sampled_from([*sorted(VARIANTS), "4x4,pie"]), starter=st.sampled_from(Mark))
    def begin(self, name: str, starter: Mark) -> None:
        self.start = first_state(find_rules(name), starter)
        self.match = self.match_type(self.start)
        self.played: list[int] = []
        self.undone: list[int] = []
        self.resigned: Mark | None = None

    def model_state(self) -> GameState:
        state = self.start
        earlier = []
        for move in self.played:
            earlier.append(state)
            state = settle(state.make_move_to(move).after_state, earlier)
        return state

    def refused(self, *moves: tuple[Mark, int, int | None]) -> None:
        before = (self.match.state, self.match.history, self.match.can_redo, self.match.turn)
        for mark, number, ply in moves:
            with pytest.raises(InvalidMove):
                self.match.submit(mark, number, ply)
            now = (self.match.state, self.match.history, self.match.can_redo, self.match.turn)
            assert now == before

    @precondition(lambda self: self.match.turn is not None)
    @rule(data=st.data(), with_ply=st.booleans())
    def submit(self, data: st.DataObject, with_ply: bool) -> None:
        state, mark = self.match.state, self.match.state.current_mark
        number = data.draw(st.sampled_from(state.legal_moves))
        everything = range(count_moves(state.rules))
        illegal = next((move for move in everything if move not in state.legal_moves), -1)
        self.refused(
            (mark.other, number, None),
            (mark, illegal, None),
            (mark, number, self.match.ply + 1),
            (mark, number, self.match.ply - 1),
        )
        move = self.match.submit(mark, number, self.match.ply if with_ply else None)
        assert isinstance(move, Move)
        assert (move.player, move.number, move.before_state) == (mark, number, state)
        placed = placement(state.rules, mark.side, number)
        assert placed is None or placed == (move.cell_index, move.mark.side)
        self.played.append(number)
        self.undone.clear()

    @precondition(lambda self: self.match.can_undo)
    @rule()
    def undo(self) -> None:
        assert self.match.undo().number == self.played[-1]
        self.undone.append(self.played.pop())

    @precondition(lambda self: self.match.can_redo)
    @rule()
    def redo(self) -> None:
        assert self.match.redo().number == self.undone[-1]
        self.played.append(self.undone.pop())

    @precondition(lambda self: not self.match.can_undo)
    @rule()
    def cannot_undo(self) -> None:
        with pytest.raises(InvalidMove, match="There is no move to take back"):
            self.match.undo()

    @precondition(lambda self: not self.match.can_redo)
    @rule()
    def cannot_redo(self) -> None:
        with pytest.raises(InvalidMove, match="There is no move to play again"):
            self.match.redo()

    @precondition(lambda self: not self.match.over)
    @rule(mark=st.sampled_from(Mark), rarely=st.integers(0, 9))
    def resign(self, mark: Mark, rarely: int) -> None:
        if rarely == 0:
            self.match.resign(mark)
            self.resigned = mark

    @precondition(lambda self: self.match.over)
    @rule(mark=st.sampled_from(Mark))
    def nothing_goes_once_it_is_over(self, mark: Mark) -> None:
        with pytest.raises(InvalidMove, match="The game is over"):
            self.match.resign(mark)
        self.refused((mark, 0, None), (mark.other, 0, None))

    @invariant()
    def match_and_model_agree(self) -> None:
        match, state = self.match, self.model_state()
        assert match.state == state
        assert [move.number for move in match.history] == self.played
        assert match.ply == len(self.played)
        assert match.resigned is self.resigned
        assert match.over == (state.game_over or self.resigned is not None)
        assert match.turn is (None if match.over else state.current_mark)
        assert match.winner is (self.resigned.other if self.resigned else state.winner)
        assert match.can_undo == (bool(self.played) and self.resigned is None)
        assert match.can_redo == (bool(self.undone) and self.resigned is None)


TestMatch = pytest.mark.medium(MatchMachine.TestCase)
TestMatch.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)


def test_a_letter_is_as_good_as_its_mark_and_anything_else_is_refused() -> None:
    match: Any = Match()  # as a program without types holds it
    match.submit("X", 4)
    for mark in (None, "Z", "x"):
        with pytest.raises(InvalidMove, match="The mark must be X or O"):
            match.submit(mark, 0)
        with pytest.raises(InvalidMove, match="The mark must be X or O"):
            match.resign(mark)
    match.resign("X")
    assert match.winner is Mark.NAUGHT


def test_a_match_begins_on_the_empty_classic_grid() -> None:
    match = Match()
    assert match.state == GameState.new()
    assert match.turn is Mark.CROSS
    assert repr(match) == "<Match tic-tac-toe: no moves, not finished>"


def test_a_stale_move_is_told_how_far_the_game_has_got() -> None:
    match = Match()
    match.submit(Mark.CROSS, 4, 0)
    with pytest.raises(InvalidMove, match="The game has moved on: 1 moves have been played"):
        match.submit(Mark.NAUGHT, 0, 0)


# -- the loop --------------------------------------------------------------------------------------


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


BOARD = Gomoku.EXACT.on(Shape(9, 9))


def after(*cells: str) -> GameState:
    """Return the state after stones at ``x,y``, X first."""
    state = GameState.new(BOARD)
    for column, row in (cell.split(",") for cell in cells):
        state = state.make_move_to(int(row) * 9 + int(column)).after_state
    return state


@pytest.mark.parametrize("shape", [Shape(5, 5), Shape(9, 6), Shape(26, 26)])
def test_the_first_three_stones_are_one_of_the_openings_on_any_board(shape: Shape) -> None:
    cells = answer_swap2(GameState.new(Gomoku.EXACT.on(shape)), stop=lambda: True)
    middle = divmod(shape.middle, shape.columns)
    placed = tuple(
        (cell // shape.columns - middle[0], cell % shape.columns - middle[1]) for cell in cells
    )
    assert placed in OPENINGS


@pytest.mark.medium
def test_the_side_whose_stones_are_better_is_taken() -> None:
    x_attacks = after("4,4", "0,0", "4,5", "8,0", "4,3")
    assert answer_swap2(x_attacks) == ()
    o_attacks = after("0,0", "4,4", "8,8", "4,5", "0,8")
    assert len(answer_swap2(o_attacks)) == 1


@pytest.mark.medium
def test_after_three_stones_that_are_level_the_other_side_is_asked() -> None:
    level = after("4,4", "5,4", "6,6")
    own, other = answer_swap2(level)
    assert own != other
    assert level.grid.cells[own] == level.grid.cells[other] == " "
    assert answer_swap2(after("4,4", "0,0", "4,5")) == ()
