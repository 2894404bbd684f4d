"""Strategies that think for a given time, and thoughts that can be followed and ended."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from dataclasses import replace

from tic_tac_toe.game.strategies import (
    HARD_SHARE,
    MEDIUM_LIMITS,
    STRATEGIES,
    Strategy,
    hard_limits,
    mcts,
)
from tic_tac_toe.limits import MOMENT, Limits, Tell
from tic_tac_toe.logic.models import GameState, Move

#: The strategies that think for as long as they are told, and all that search.
TIMED = ("hard", "mcts", "minimax", "trickster")
SEARCHING = ("medium", *TIMED)


def thinking_for(
    seconds: float, *, name: str = "minimax", clock: Callable[[], float] = time.monotonic
) -> Strategy:
    """Return a strategy that thinks for ``seconds`` by the clock before each move, if it thinks.

    What it solves sooner it plays at once. ``hard`` takes its share of the time, and strategies
    that do not search are as they are.

    Raises:
        KeyError: no strategy has that name.
    """
    return watched(name, seconds=seconds, clock=clock)


def watched(
    name: str,
    *,
    seconds: float | None = None,
    clock: Callable[[], float] = time.monotonic,
    stop: Callable[[], bool] | None = None,
    tell: Tell | None = None,
) -> Strategy:
    """Return a strategy whose thoughts can be ended and followed.

    It moves as the strategy of that name does, unless it is stopped: then it makes the move that
    looks best by then. Strategies that do not search are as they are.

    Args:
        seconds: see `thinking_for`; as each strategy is made for unless given.
        stop: asked now and then, ends a thought when true.
        tell: is told now and then how far a thought has come.

    Raises:
        KeyError: no strategy has that name.
    """
    strategy = STRATEGIES[name]
    if name not in TIMED and (seconds is not None or name not in SEARCHING):
        return strategy
    thinking: Callable[..., Move | None] = strategy

    def limits_for(state: GameState) -> Limits:
        if seconds is not None:
            part = HARD_SHARE if name == "hard" else 1.0
            return Limits(seconds * part, cancelled=stop, progress=tell, clock=clock)
        work = {"hard": hard_limits(state.rules), "medium": MEDIUM_LIMITS}.get(name, MOMENT)
        return replace(work, cancelled=stop, progress=tell)

    def think(state: GameState, rng: random.Random | None = None, /) -> Move | None:
        limits = limits_for(state)
        if name != "mcts":
            return thinking(state, rng, limits=limits)
        return mcts(state, rng, playouts=None if seconds is None else sys.maxsize, limits=limits)

    return think
