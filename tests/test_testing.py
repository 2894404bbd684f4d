"""The conformance check finds every broken promise."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

import pytest

from tic_tac_toe.game.engine import TicTacToe
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome, Rules
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe.logic.rules.letters import Wild
from tic_tac_toe.logic.rules.traits import Traits
from tic_tac_toe.logic.rules.vanishing import Vanishing
from tic_tac_toe.logic.rules.wrappers import Pie
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


def move_the_mark(self: Pie, position: Position, move: int) -> Position:
    """Let whoever takes over the mark move it to the next cell, too."""
    after = Pie.play(self, position, move)
    crosses, naughts = after.stones
    return after if move < 9 else after._replace(stones=(crosses * 2, naughts * 2))


def broken(
    promise: str, base: type = Borrowed, **members: object
) -> tuple[str, type, dict[str, object]]:
    return promise, base, members


VALUES = "rules are hashable, equal values"
ASCENDING = "moves are numbers, ascending without repeats"
ILLEGAL = "play refuses illegal moves with InvalidMove"
OVER = "moves are over when the game is"
#: Promises of the check, and members by which tic-tac-toe, or another game, breaks them.
BROKEN = [
    broken("play takes every whole number", play=lambda _, p, m: RULES.play(p, 0 + m)),
    broken(VALUES, __hash__=None),
    broken(VALUES, __eq__=lambda self, other: False, __hash__=lambda self: 1),
    broken(VALUES, __eq__=object.__eq__, __hash__=object.__hash__),
    broken(
        "rules do not change while games are played",
        play=play_and_remember,
        __hash__=lambda self: len(PLAYED),
    ),
    broken(ASCENDING, moves=lambda _, p: set(RULES.moves(p))),
    broken(ASCENDING, moves=lambda _, p: [bool(c) if c < 2 else c for c in RULES.moves(p)]),
    broken(ASCENDING, moves=lambda _, p: RULES.moves(p)[::-1]),
    broken(ASCENDING, moves=lambda _, p: [*RULES.moves(p), *[9][: p.marks]]),
    broken(OVER, moves=lambda _, p: free(p)),
    broken(OVER, moves=lambda _, p: () if p.marks == 4 else RULES.moves(p)),
    broken(
        "the same question has the same answer",
        moves=lambda _, p: RULES.moves(p)[: DICE.randrange(1, 10)],
    ),
    broken(
        "play accepts legal moves",
        play=lambda _, p, m: refuse(InvalidMove("No")) if p.marks == 2 else RULES.play(p, m),
    ),
    broken(
        ILLEGAL,
        play=lambda _, p, m: refuse(ValueError()) if p.occupied >> m & 1 else RULES.play(p, m),
    ),
    broken(ILLEGAL, play=overwrite),
    broken("players alternate", play=lambda _, p, m: RULES.play(p, m)._replace(turn=p.turn)),
    broken("a move places the letter that its number says", play=swap),
    broken("a move adds one mark, in its cell", play=lambda _, p, m: p._replace(turn=1 - p.turn)),
    broken("impossible positions are refused", validate=lambda _, p: None),
    broken(
        "reachable positions are valid",
        validate=lambda _, p: refuse(InvalidGameState("No")) if p.marks == 3 else RULES.validate(p),
    ),
    broken("the winner is 0, 1 or None", outcome=ends_with(winner=1.0)),
    broken("the winner is 0, 1 or None", outcome=ends_with(winner=2)),
    broken("the cells of an outcome", outcome=ends_with(cells=(8, 7, 0, 1))),
    broken(
        "a representative stands for itself",
        canonical=lambda _, p: p._replace(stones=(p.stones[0] ^ 1, p.stones[1])),
        orbit=lambda _, p: 1,
    ),
    broken(
        "equivalent positions have as many moves",
        canonical=lambda _, p: Position(),
        orbit=lambda _, p: 1,
    ),
    broken(
        "a game ends within 9 moves|a move adds one mark",
        play=lambda _, p, m: p._replace(turn=1 - p.turn),
        validate=lambda _, p: None,
    ),
    broken("the sides have two names", traits=Traits(3, sides=("Player", "Player"))),
    broken(  # every move places an X
        "a move places the letter that its number says",
        Wild,
        play=lambda self, p, m: Wild.play(self, p, m % 9),
    ),
    broken(  # every move exchanges the letters that are on the board already
        "marks stay where they are",
        Wild,
        play=lambda self, p, m: Wild.play(self, p._replace(stones=p.stones[::-1]), m),
    ),
    broken(  # the swap has the number of a move that there is not
        ASCENDING, Pie, moves=lambda self, p: [m + (m == 9) for m in Pie.moves(self, p)]
    ),
    broken("a move that places nothing leaves the same cells taken", Pie, play=move_the_mark),
    broken(  # no mark is said to leave, and the oldest does
        "only marks that are said to leave do",
        Vanishing,
        traits=Traits(3, longest=None, leaving=lambda _: ()),
    ),
    broken(  # a mark is said to leave a cell that may be empty
        "marks that leave next are on the board",
        Vanishing,
        traits=Traits(3, longest=None, leaving=lambda _: (4,)),
    ),
]


@pytest.mark.parametrize(("promise", "base", "members"), BROKEN)
def test_each_broken_game_fails_with_the_promise_it_breaks(
    promise: str, base: type[Rules], members: dict[str, object]
) -> None:
    rules = type("Broken", (base,), members)(*[TIC_TAC_TOE][: base is Pie])
    with pytest.raises(AssertionError, match=promise):
        check_rules(rules)


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
