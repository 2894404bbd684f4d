"""Strategies that do what strategies should not, in the processes that think."""

from __future__ import annotations

import os
import time

from tic_tac_toe_frontends.server.computers import Question
from tic_tac_toe_frontends.server.computers import choose as choose_well

#: What the names stand for here.
ENDLESS, DYING, FAULTY, SLOW = "mcts", "trickster", "hard", "medium"
SLOW_SECONDS = 1.5
#: What an endless thought prints when it begins.
BEGUN = "thinking without an end"


def choose(question: Question, seed: int, _think: float | None = None, _program: str = "") -> int:
    """Return a move, unless the strategy's name stands for something worse."""
    strategy = question.strategy
    if strategy == ENDLESS:
        print(BEGUN, flush=True)
        while True:
            time.sleep(0.01)
    if strategy == DYING:
        os._exit(3)
    if strategy == FAULTY:
        raise RuntimeError("a fault in a strategy")
    if strategy == SLOW:
        time.sleep(SLOW_SECONDS)
    return choose_well(question._replace(strategy="rules"), seed)
