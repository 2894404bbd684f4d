"""Strategies that do what strategies should not, in the processes that think."""

from __future__ import annotations

import os
import sys
import time

from tic_tac_toe_frontends.command.cli import main
from tic_tac_toe_frontends.server import computers
from tic_tac_toe_frontends.server.computers import choose as choose_well

#: What the names stand for here.
ENDLESS, DYING, FAULTY, SLOW = "mcts", "trickster", "hard", "medium"
SLOW_SECONDS = 1.5


def choose(variant: str, starting: str, moves: tuple[int, ...], strategy: str, seed: int) -> int:
    """Return a move, unless the strategy's name stands for something worse."""
    if strategy == ENDLESS:
        while True:
            time.sleep(0.01)
    if strategy == DYING:
        os._exit(3)
    if strategy == FAULTY:
        raise RuntimeError("a fault in a strategy")
    if strategy == SLOW:
        time.sleep(SLOW_SECONDS)
    return choose_well(variant, starting, moves, "rules", seed)


def think_without_end() -> None:
    """Be the program, with the strategies of this module."""
    computers.choose = choose
    sys.exit(main(sys.argv[1:]))


def stay_behind() -> None:
    """Be the program, but let the processes that think outlive it."""
    computers.end_with_parent = stay
    think_without_end()


def stay(parent: int) -> None:
    """Do not look whether the parent is there."""
