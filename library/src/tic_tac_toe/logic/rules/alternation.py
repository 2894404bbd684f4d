"""Checks of the numbers of marks under alternating turns, with the classic messages."""

from __future__ import annotations

from tic_tac_toe.logic.exceptions import InvalidGameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.shapes import Shape, layout

NAMES = "XO"


def starter_of(position: Position) -> int:
    """Return the side that moved first, 0 or 1, if each move has added one mark to the board."""
    return (position.turn + position.marks) % 2


def check_board(position: Position, shape: Shape) -> None:
    """Raise `InvalidGameState` if marks overlap or lie outside the board, or no side is to move."""
    crosses, naughts = position.stones
    if min(crosses, naughts) < 0 or crosses & naughts or position.occupied & ~layout(shape).full:
        raise InvalidGameState("Marks overlap or lie outside the board", "marks_overlap")
    if position.turn not in (0, 1):
        raise InvalidGameState("The turn is 0 or 1", "no_side")


def check_alternation(position: Position, shape: Shape) -> tuple[int, int]:
    """Return the numbers of crosses and naughts of a position in which players took turns.

    Raises:
        InvalidGameState: marks overlap, lie outside the board, or one side has too many.
    """
    check_board(position, shape)
    counts = position.stones[0].bit_count(), position.stones[1].bit_count()
    check_counts(*counts)
    check_starter(*counts, starter_of(position))
    return counts


def check_counts(crosses: int, naughts: int) -> None:
    """Raise `InvalidGameState` if one side has two marks or more beyond the other."""
    if abs(crosses - naughts) > 1:
        raise InvalidGameState("Wrong number of Xs and Os", "wrong_numbers")


def check_starter(crosses: int, naughts: int, starter: int) -> None:
    """Raise `InvalidGameState` if the side that did not start has the extra mark."""
    counts = (crosses, naughts)
    if counts[1 - starter] > counts[starter]:
        raise InvalidGameState("Wrong starting mark", "wrong_starter")


def check_last_mover(crosses: int, naughts: int, starter: int, mover: int) -> None:
    """Raise `InvalidGameState` if ``mover`` cannot have placed the last mark."""
    own, other = (naughts, crosses) if mover else (crosses, naughts)
    if own <= other if mover == starter else own != other:
        raise InvalidGameState("Wrong number of {mark}s", "wrong_number", mark=NAMES[mover])
