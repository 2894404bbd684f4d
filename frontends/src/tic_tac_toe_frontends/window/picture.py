"""What the board of the window shows."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from tic_tac_toe.game.looks import Look
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.evaluation import MoveEvaluation


class Picture(NamedTuple):
    """A state, and what is shown of it.

    Attributes:
        last: the cell of the last move.
        best: good moves to mark.
        values: what moves lead to, where that is to be shown.
        look: how the board and the marks are drawn.
        names: whether rows and columns have names.
    """

    state: GameState
    last: int | None = None
    best: Collection[int] = ()
    values: Collection[MoveEvaluation] = ()
    look: Look = Look.MARKS
    names: bool = True
