"""Answers in the opening Swap2: three stones, then the choice of colours.

One player places two stones of X and one of O. The other one takes X, or stays with O and moves, or
places one stone of each side and lets the first player choose a colour.
"""

from __future__ import annotations

from collections.abc import Callable

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.deepening import look_ahead

#: The stones of openings that neither side is known to win by: rows and columns from the middle.
OPENINGS = (
    ((0, 0), (0, 1), (2, 2)),
    ((0, 0), (1, 1), (-1, 2)),
    ((0, 0), (2, 1), (-1, -2)),
    ((-2, -2), (0, 1), (2, -1)),
)
#: A position is level where its value for the side to move is at most this: less than what an open
#: row of two is worth.
LEVEL = 6.0
#: The plies of the two searches whose mean is the value of a position: what it is worth to be on
#: move is counted for one side by even depths, and for the other side by odd ones.
_DEPTHS = (2, 3)


def answer_swap2(state: GameState, stop: Callable[[], bool] | None = None) -> tuple[int, ...]:
    """Return what the side to move does in Swap2 after 0, 3 or 5 stones.

    Args:
        state: of a game of five in a row.
        stop: ends the search when true; see `look_ahead`.

    Returns:
        three cells on the empty board; else none to take the other colour, one to move, or, after
        three stones, two to let the other player choose.

    Raises:
        ValueError: the game is over.
    """
    if state.game_not_started:
        openings = [_placed(state, stones) for stones in OPENINGS]
        values = [abs(_value(_after(state, cells), stop)) for cells in openings]
        return openings[values.index(min(values))]
    value = _value(state, stop)
    has_choice = state.position.marks == len(OPENINGS[0])
    if has_choice and abs(value) <= LEVEL:
        own = _best(state, stop)
        other = _best(_after(state, (own,)), stop)
        return own, other
    return (_best(state, stop),) if value >= 0 else ()


def _placed(state: GameState, stones: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    shape = state.rules.shape
    row, column = divmod(shape.middle, shape.columns)
    return tuple((row + down) * shape.columns + column + right for down, right in stones)


def _after(state: GameState, cells: tuple[int, ...]) -> GameState:
    for cell in cells:
        state = state.make_move_to(cell).after_state
    return state


def _value(state: GameState, stop: Callable[[], bool] | None) -> float:
    """Return how good a position looks for the side to move; 0 is level."""
    found = (
        look_ahead(state.rules, state.position, depth_limit=depth, stop=stop) for depth in _DEPTHS
    )
    return sum(each.value for each in found) / len(_DEPTHS)


def _best(state: GameState, stop: Callable[[], bool] | None) -> int:
    return look_ahead(state.rules, state.position, depth_limit=_DEPTHS[0], stop=stop).best[0]
