"""Exact answers: the best solver there is, and the fast one that Numba compiles from Python.

The fast solver needs NumPy and Numba; `verdict`, `analyse` and `supports` answer without, too::

    >>> from tic_tac_toe import GameState, find_rules
    >>> from tic_tac_toe.solver import verdict
    >>> verdict(GameState.new(find_rules("connect-four-5x4"))).outcome
    'draw'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tic_tac_toe.limits import Limits, Progress
from tic_tac_toe.logic.search.tables import solve_table
from tic_tac_toe.solver.answers import analyse, solve, solve_outcome, take_census, verdict
from tic_tac_toe.solver.support import (
    FAST_SOLVER,
    PACKAGES,
    check_support,
    is_fast,
    is_installed,
    objection,
    require_packages,
    supports,
)

if TYPE_CHECKING:
    from tic_tac_toe.certificate_check import check as check_certificate
    from tic_tac_toe.solver.book import Book, book_for
    from tic_tac_toe.solver.certificates import write_certificate
    from tic_tac_toe.solver.checkpoint import Checkpoint, InvalidCheckpoint
    from tic_tac_toe.solver.enumeration import Enumeration, enumerate_game
    from tic_tac_toe.solver.session import FastSolver, solve_many

#: The module of each name that needs packages, and is imported when it is first used.
_HOME_OF = {
    "Book": "book",
    "Checkpoint": "checkpoint",
    "Enumeration": "enumeration",
    "FastSolver": "session",
    "InvalidCheckpoint": "checkpoint",
    "book_for": "book",
    "enumerate_game": "enumeration",
    "solve_many": "session",
    "write_certificate": "certificates",
}

__all__ = [
    "FAST_SOLVER",
    "PACKAGES",
    "Book",
    "Checkpoint",
    "Enumeration",
    "FastSolver",
    "InvalidCheckpoint",
    "Limits",
    "Progress",
    "analyse",
    "book_for",
    "check_certificate",
    "check_support",
    "enumerate_game",
    "is_fast",
    "is_installed",
    "objection",
    "require_packages",
    "solve",
    "solve_many",
    "solve_outcome",
    "solve_table",
    "supports",
    "take_census",
    "verdict",
    "write_certificate",
]


def __getattr__(name: str) -> object:
    if name == "check_certificate":  # which needs no packages
        from tic_tac_toe.certificate_check import check

        return check
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    require_packages()
    value: object = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
