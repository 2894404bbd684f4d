"""A match: an authority that refuses without changing anything."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.records import first_state
from tic_tac_toe.logic.repetition import settle
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.rules.placements import count_moves, placement


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


TestMatch = MatchMachine.TestCase
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
    assert repr(match).startswith("Match(ply=0, turn=<Mark.CROSS: 'X'>, state=GameState(")


def test_a_stale_move_is_told_how_far_the_game_has_got() -> None:
    match = Match()
    match.submit(Mark.CROSS, 4, 0)
    with pytest.raises(InvalidMove, match="The game has moved on: 1 moves have been played"):
        match.submit(Mark.NAUGHT, 0, 0)
