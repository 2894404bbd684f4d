"""What an engine is asked and what it answers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, Protocol

from tic_tac_toe.engines.progress import Tell
from tic_tac_toe.logic.positions import Position

#: No estimate is nearer than this to a certain loss or win.
LEAST_CHANCE = 0.02


@dataclass(frozen=True)
class Budget:
    """What an answer may cost.

    Args:
        seconds: the time that an ordinary machine takes. Each engine knows how many of its nodes or
            playouts that is, and counts those: the same budget gives the same answer everywhere.
        stop: asked every few milliseconds, ends the thinking when true: a clock or a cancel
            button. An answer that it ended need not come out the same again.
        tell: is told now and then how far the thought has come; the answer does not depend on it.
        elapsed: which part of the time is over, from 0 to 1, where ``stop`` is a clock.
    """

    seconds: float = 0.5
    stop: Callable[[], bool] | None = None
    tell: Tell | None = None
    elapsed: Callable[[], float] | None = None

    @property
    def is_watched(self) -> bool:
        """Whether somebody may end the thinking, or is told about it."""
        return self.stop is not None or self.tell is not None


class Thought(NamedTuple):
    """What an engine answers.

    Attributes:
        best: the moves that look best, ascending; at least one.
        score: what is proved for the side to move, on the scale of `logic.search.scores`: a win or
            a loss in that many plies *at most*, or a draw; ``None`` where nothing is proved.
        line: the moves that the engine expects, from the position on, its own first.
        proof: how the score was proved: ``fours``, ``threats`` or ``search``; empty if it was not.
        depth: how many plies were looked ahead, 0 where that means nothing.
        nodes: the positions or playouts that it took.
        chance: where nothing is proved, what the side to move can expect by the engine's judgement,
            from 0, a loss, to 1, a win; ``None`` where the engine has not judged.
    """

    best: tuple[int, ...]
    score: int | None = None
    line: tuple[int, ...] = ()
    proof: str = ""
    depth: int = 0
    nodes: int = 0
    chance: float | None = None


class Engine(Protocol):
    """Thinks about the positions of one game."""

    def think(self, position: Position, budget: Budget, rng: Random) -> Thought:
        """Return what looks best within the budget; all chance comes from ``rng``.

        A win in one is never missed, and a loss in the next ply is stopped wherever it can be,
        however small the budget. Engines for large boards of lines stop an open three, too.

        Raises:
            ValueError: the game is over.
        """
        ...


def chance_of(value: float, unit: float) -> float:
    """Return what can be expected where an evaluation has a value.

    Args:
        unit: the difference that multiplies the odds of winning by 2.7.
    """
    return bounded(0.5 + 0.5 * math.tanh(value / (2 * unit)))


def bounded(chance: float) -> float:
    """Return a chance that claims no certainty."""
    return min(max(chance, LEAST_CHANCE), 1 - LEAST_CHANCE)
