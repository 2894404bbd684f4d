"""The conformance check finds every broken promise."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import pytest

from tic_tac_toe.game.engine import TicTacToe
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome, Rules
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.testing import RecordingRenderer, ScriptedPlayer, check_rules


@dataclass(frozen=True)
class Borrowed:
    """Tic-tac-toe again, for subclasses to break."""

    shape: Shape = Shape()

    def moves(self, position: Position) -> Sequence[int]:
        return TIC_TAC_TOE.moves(position)

    def play(self, position: Position, move: int) -> Position:
        return TIC_TAC_TOE.play(position, move)

    def outcome(self, position: Position) -> Outcome | None:
        return TIC_TAC_TOE.outcome(position)

    def validate(self, position: Position) -> None:
        TIC_TAC_TOE.validate(position)


class Descending(Borrowed):
    def moves(self, position: Position) -> Sequence[int]:
        return TIC_TAC_TOE.moves(position)[::-1]


class OffTheBoard(Borrowed):
    def moves(self, position: Position) -> Sequence[int]:
        return [*TIC_TAC_TOE.moves(position), 9] if position.marks else TIC_TAC_TOE.moves(position)


class PlaysOn(Borrowed):
    def moves(self, position: Position) -> Sequence[int]:
        return [cell for cell in range(9) if not position.occupied >> cell & 1]


class GivesUp(Borrowed):
    def moves(self, position: Position) -> Sequence[int]:
        return () if position.marks == 4 else TIC_TAC_TOE.moves(position)


class MovesTwice(Borrowed):
    def play(self, position: Position, move: int) -> Position:
        return TIC_TAC_TOE.play(position, move)._replace(turn=position.turn)


class TakesAway(Borrowed):
    def play(self, position: Position, move: int) -> Position:
        after = TIC_TAC_TOE.play(position, move)
        return after._replace(stones=(after.stones[1], after.stones[0]))


class NeverEnds(Borrowed):
    def play(self, position: Position, move: int) -> Position:
        return position._replace(turn=1 - position.turn)


class Overwrites(Borrowed):
    def play(self, position: Position, move: int) -> Position:
        try:
            return TIC_TAC_TOE.play(position, move)
        except InvalidMove:
            return position


class NamesNobody(Borrowed):
    def outcome(self, position: Position) -> Outcome | None:
        outcome = TIC_TAC_TOE.outcome(position)
        return outcome and outcome._replace(winner=2)


class PointsAnywhere(Borrowed):
    def outcome(self, position: Position) -> Outcome | None:
        outcome = TIC_TAC_TOE.outcome(position)
        empty = [cell for cell in range(9) if not position.occupied >> cell & 1]
        return outcome and outcome._replace(cells=tuple(empty[:1]) or outcome.cells[::-1])


class RefusesItself(Borrowed):
    def validate(self, position: Position) -> None:
        if position.marks == 3:
            raise InvalidGameState("No")
        TIC_TAC_TOE.validate(position)


class Moody(Borrowed):
    dice = random.Random(1)

    def moves(self, position: Position) -> Sequence[int]:
        return TIC_TAC_TOE.moves(position)[: self.dice.randrange(1, 10)]


class Unequal(Borrowed):
    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 1


class WrongTwin(Borrowed):
    def canonical(self, position: Position) -> Position:
        return position._replace(stones=(position.stones[0] ^ 1, position.stones[1]))

    def orbit(self, position: Position) -> int:
        return 1


class FalseTwin(Borrowed):
    def canonical(self, position: Position) -> Position:
        return Position()

    def orbit(self, position: Position) -> int:
        return 1


class Unhashable(Borrowed):
    __hash__ = None  # type: ignore[assignment]  # what is tested


class SetOfMoves(Borrowed):
    def moves(self, position: Position) -> Sequence[int]:
        return set(TIC_TAC_TOE.moves(position))  # type: ignore[return-value]  # what is tested


class Booleans(Borrowed):
    def moves(self, position: Position) -> Sequence[int]:
        return [bool(cell) if cell < 2 else cell for cell in TIC_TAC_TOE.moves(position)]


class Shy(Borrowed):
    def play(self, position: Position, move: int) -> Position:
        if position.marks == 2:
            raise InvalidMove("No")
        return TIC_TAC_TOE.play(position, move)


class Crashes(Borrowed):
    def play(self, position: Position, move: int) -> Position:
        if position.occupied >> move & 1:
            raise ZeroDivisionError
        return TIC_TAC_TOE.play(position, move)


class AcceptsAnything(Borrowed):
    def validate(self, position: Position) -> None:
        pass


class HalfAWinner(Borrowed):
    def outcome(self, position: Position) -> Outcome | None:
        outcome = TIC_TAC_TOE.outcome(position)
        return outcome and outcome._replace(winner=1.0)  # type: ignore[arg-type]  # what is tested


class Nameless:
    shape = TIC_TAC_TOE.shape
    moves = staticmethod(TIC_TAC_TOE.moves)
    play = staticmethod(TIC_TAC_TOE.play)
    outcome = staticmethod(TIC_TAC_TOE.outcome)
    validate = staticmethod(TIC_TAC_TOE.validate)


class Growing(Borrowed):
    played: ClassVar[list[int]] = []

    def play(self, position: Position, move: int) -> Position:
        self.played.append(move)
        return TIC_TAC_TOE.play(position, move)

    def __hash__(self) -> int:
        return len(self.played)


@pytest.mark.parametrize(
    ("broken", "promise"),
    [
        (Unhashable, "rules are hashable, equal values"),
        (Nameless, "rules are hashable, equal values"),
        (SetOfMoves, "moves are cells, ascending without repeats"),
        (Booleans, "moves are cells, ascending without repeats"),
        (Shy, "play accepts legal cells"),
        (Crashes, "play refuses illegal cells with InvalidMove"),
        (AcceptsAnything, "impossible positions are refused"),
        (HalfAWinner, "the winner is 0, 1 or None"),
        (Growing, "rules do not change while games are played"),
        (Descending, "moves are cells, ascending without repeats"),
        (OffTheBoard, "moves are cells, ascending"),
        (PlaysOn, "moves are over when the game is"),
        (GivesUp, "moves are over when the game is"),
        (MovesTwice, "players alternate"),
        (TakesAway, "marks stay where they are|a move adds one mark|reachable positions"),
        (NeverEnds, "a move adds one mark, in its cell"),
        (Overwrites, "play refuses illegal cells with InvalidMove"),
        (NamesNobody, "the winner is 0, 1 or None"),
        (PointsAnywhere, "the cells of an outcome"),
        (RefusesItself, "reachable positions are valid"),
        (Moody, "the same question has the same answer"),
        (Unequal, "rules are hashable, equal values"),
        (WrongTwin, "a representative stands for itself"),
        (FalseTwin, "equivalent positions have as many moves"),
    ],
)
def test_each_broken_game_fails_with_the_promise_it_breaks(
    broken: type[Rules], promise: str
) -> None:
    with pytest.raises(AssertionError, match=promise):
        check_rules(broken())


def test_a_game_without_end_is_found_out() -> None:
    class Endless(NeverEnds):
        def validate(self, position: Position) -> None:
            pass

    with pytest.raises(AssertionError, match=r"a game ends within 9 moves|a move adds one mark"):
        check_rules(Endless())


def test_a_sound_game_passes() -> None:
    check_rules(Borrowed(), games=3, rng=random.Random(9))


def test_doubles_play_a_script_and_keep_what_they_are_shown() -> None:
    renderer = RecordingRenderer()
    cross, naught = ScriptedPlayer(Mark.CROSS, [0, 1, 2]), ScriptedPlayer(Mark.NAUGHT, [3, 4])
    end = TicTacToe(cross, naught, renderer).play()
    assert end.winner is Mark.CROSS
    assert renderer.states[0] == GameState.new()
    assert renderer.states[-1] == end


def test_a_script_that_is_too_short_fails_instead_of_asking_for_ever() -> None:
    cross, naught = ScriptedPlayer(Mark.CROSS, [0]), ScriptedPlayer(Mark.NAUGHT, [1])
    with pytest.raises(AssertionError, match="the script of X is over after 1 cells"):
        TicTacToe(cross, naught, RecordingRenderer()).play()
