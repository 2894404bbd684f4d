"""The conformance check finds every broken promise."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import pytest

from tic_tac_toe.game.engine import TicTacToe
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
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


class NoValue(Borrowed):
    """The same, but equal to nothing but itself."""

    __eq__, __hash__ = object.__eq__, object.__hash__


RULES = TIC_TAC_TOE
DICE = random.Random(1)
PLAYED: list[int] = []


def overwrite(_: object, position: Position, move: int) -> Position:
    """Play, and let an illegal move pass without a word."""
    try:
        return RULES.play(position, move)
    except InvalidMove:
        return position


def swap(_: object, position: Position, move: int) -> Position:
    after = RULES.play(position, move)
    return after._replace(stones=after.stones[::-1])


def play_and_remember(_: object, position: Position, move: int) -> Position:
    PLAYED.append(move)
    return RULES.play(position, move)


def refuse(error: Exception) -> NoReturn:
    raise error


def ends_with(**changes: object) -> Callable[..., Outcome | None]:
    """Return an ``outcome`` that says something else of each game that is over."""

    def outcome(_: object, position: Position) -> Outcome | None:
        found = RULES.outcome(position)
        return found and found._replace(**changes)  # type: ignore[arg-type]  # wrong on purpose

    return outcome


def free(position: Position) -> list[int]:
    return [cell for cell in range(9) if not position.occupied >> cell & 1]


VALUES = "rules are hashable, equal values"
ASCENDING = "moves are cells, ascending without repeats"
OVER = "moves are over when the game is"
#: Promises of the check, and members by which tic-tac-toe breaks them.
BROKEN: list[tuple[str, dict[str, Any]]] = [
    (VALUES, {"__hash__": None}),
    (VALUES, {"__eq__": lambda self, other: False, "__hash__": lambda self: 1}),
    (
        "rules do not change while games are played",
        {"play": play_and_remember, "__hash__": lambda self: len(PLAYED)},
    ),
    (ASCENDING, {"moves": lambda _, p: set(RULES.moves(p))}),
    (ASCENDING, {"moves": lambda _, p: [bool(c) if c < 2 else c for c in RULES.moves(p)]}),
    (ASCENDING, {"moves": lambda _, p: RULES.moves(p)[::-1]}),
    ("moves are cells, ascending", {"moves": lambda _, p: [*RULES.moves(p), *[9][: p.marks]]}),
    (OVER, {"moves": lambda _, p: free(p)}),
    (OVER, {"moves": lambda _, p: () if p.marks == 4 else RULES.moves(p)}),
    (
        "the same question has the same answer",
        {"moves": lambda _, p: RULES.moves(p)[: DICE.randrange(1, 10)]},
    ),
    (
        "play accepts legal cells",
        {"play": lambda _, p, m: refuse(InvalidMove("No")) if p.marks == 2 else RULES.play(p, m)},
    ),
    (
        "play refuses illegal cells with InvalidMove",
        {
            "play": lambda _, p, m: (
                refuse(ZeroDivisionError()) if p.occupied >> m & 1 else RULES.play(p, m)
            )
        },
    ),
    ("play refuses illegal cells with InvalidMove", {"play": overwrite}),
    ("players alternate", {"play": lambda _, p, m: RULES.play(p, m)._replace(turn=p.turn)}),
    ("marks stay where they are|a move adds one mark|reachable positions", {"play": swap}),
    ("a move adds one mark, in its cell", {"play": lambda _, p, m: p._replace(turn=1 - p.turn)}),
    ("impossible positions are refused", {"validate": lambda _, p: None}),
    (
        "reachable positions are valid",
        {
            "validate": lambda _, p: (
                refuse(InvalidGameState("No")) if p.marks == 3 else RULES.validate(p)
            )
        },
    ),
    ("the winner is 0, 1 or None", {"outcome": ends_with(winner=1.0)}),
    ("the winner is 0, 1 or None", {"outcome": ends_with(winner=2)}),
    ("the cells of an outcome", {"outcome": ends_with(cells=(8, 7, 0, 1))}),
    (
        "a representative stands for itself",
        {
            "canonical": lambda _, p: p._replace(stones=(p.stones[0] ^ 1, p.stones[1])),
            "orbit": lambda _, p: 1,
        },
    ),
    (
        "equivalent positions have as many moves",
        {"canonical": lambda _, p: Position(), "orbit": lambda _, p: 1},
    ),
]


@pytest.mark.parametrize(("promise", "members"), BROKEN)
def test_each_broken_game_fails_with_the_promise_it_breaks(
    promise: str, members: dict[str, Any]
) -> None:
    with pytest.raises(AssertionError, match=promise):
        check_rules(type("Broken", (Borrowed,), members)())


def test_a_game_that_is_not_a_value_is_refused() -> None:
    with pytest.raises(AssertionError, match="rules are hashable, equal values"):
        check_rules(NoValue())


def test_a_game_without_end_is_found_out() -> None:
    class Endless(Borrowed):
        def play(self, position: Position, move: int) -> Position:
            return position._replace(turn=1 - position.turn)

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
