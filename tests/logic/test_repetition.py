"""The third time that a position comes, the game is a draw: in matches, games and records."""

from __future__ import annotations

import pytest

from tic_tac_toe.game.engine import TicTacToe
from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.records import Record
from tic_tac_toe.logic.repetition import REPETITIONS, is_repeated, settle
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe.logic.rules.vanishing import Departure, Vanishing
from tic_tac_toe.testing import RecordingRenderer, ScriptedPlayer

RULES = Vanishing(Departure.REUSED)
#: Three marks each, and then each oldest mark in turn to its own cell, until all are as before.
ROUND = (0, 4, 1, 8, 5, 3)
#: Where the position after the first round has come for the third time.
DRAWN = ROUND * REPETITIONS


def match_after(moves: tuple[int, ...]) -> Match:
    match = Match(GameState.new(RULES))
    for move in moves:
        assert match.turn is not None
        match.submit(match.turn, move)
    return match


def test_a_match_is_a_draw_when_a_position_comes_for_the_third_time() -> None:
    match = match_after(DRAWN[:-1])
    assert not match.over
    match.submit(Mark.NAUGHT, DRAWN[-1])
    assert match.over
    assert (match.winner, match.turn) == (None, None)
    assert match.state.tie
    assert match.state.drawn
    with pytest.raises(InvalidMove, match="The game is over"):
        match.submit(Mark.CROSS, 0)


def test_a_match_goes_on_when_the_last_move_of_a_draw_is_taken_back() -> None:
    match = match_after(DRAWN)
    match.undo()
    assert not match.over
    match.submit(Mark.NAUGHT, 2)
    assert not match.over
    match.undo()
    match.submit(Mark.NAUGHT, DRAWN[-1])
    assert match.over


def test_the_same_marks_in_another_order_are_another_position() -> None:
    match = match_after(DRAWN[:-1])
    stones = [move.after_state.position.stones for move in match.history]
    assert max(map(stones.count, stones)) > REPETITIONS


@pytest.mark.parametrize("count", [6, 12, 17, 18])
def test_a_record_ends_as_its_match_did(count: int) -> None:
    match = match_after(DRAWN[:count])
    record = match.record()
    assert record.final_state == match.state
    assert [*record.states()] == [match.start, *(move.after_state for move in match.history)]
    assert record.result == ("draw" if count == len(DRAWN) else "*")


def test_a_record_that_plays_on_after_the_draw_is_refused_with_the_move() -> None:
    with pytest.raises(InvalidMove, match="19") as refusal:
        Record(RULES, moves=(*DRAWN, 0))
    assert "The game is over" in str(refusal.value)


def test_nobody_resigns_after_the_draw() -> None:
    Record(RULES, moves=DRAWN[:-1], resigned=Mark.CROSS)
    with pytest.raises(InvalidGameState, match="Nobody resigns once the game is over"):
        Record(RULES, moves=DRAWN, resigned=Mark.CROSS)


def test_a_record_from_a_later_position_counts_from_there() -> None:
    start = match_after(ROUND).state
    record = Record.from_moves(start, ROUND * 2)
    assert record.result == "draw"
    assert Record.from_moves(start, ROUND).result == "*"
    with pytest.raises(InvalidMove, match="The game is over"):
        Record.from_moves(record.final_state, (0,))


def test_the_engine_ends_the_game_as_a_draw() -> None:
    renderer = RecordingRenderer()
    cross = ScriptedPlayer(Mark.CROSS, [*DRAWN[::2], 0])
    naught = ScriptedPlayer(Mark.NAUGHT, DRAWN[1::2])
    end = TicTacToe(cross, naught, renderer).play(state=GameState.new(RULES))
    assert end.drawn
    assert end == match_after(DRAWN).state
    assert renderer.states[-1] == end


def test_games_that_end_by_themselves_know_no_repetition() -> None:
    start = GameState.new()
    assert not is_repeated(TIC_TAC_TOE, Position(), [Position()] * 5)
    assert settle(start, [start] * 5) is start


def test_a_position_repeats_for_the_third_time_with_two_before() -> None:
    assert is_repeated(RULES, Position(), [Position(), Position((1, 0), 1, 1_000), Position()])
    assert not is_repeated(RULES, Position(), [Position()])
    assert not is_repeated(RULES, Position(), [Position(turn=1)] * 5)


def test_a_won_game_is_won_however_often_its_position_is_said_to_have_come() -> None:
    won = match_after((0, 3, 1, 4, 2)).state
    assert settle(won, [won] * 5) is won
    assert won.winner is Mark.CROSS
