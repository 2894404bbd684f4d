"""The fast solver: exact answers from kernels that Numba compiles from Python.

It needs the extra ``tictactoe-engine[fast]``; `supports` answers without it, too::

    >>> from tic_tac_toe import GameState, find_rules
    >>> from tic_tac_toe.solver import solve
    >>> solve(GameState.new(find_rules("connect-four-5x4"))).outcome
    'draw'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tic_tac_toe.solver.support import check_support, objection, supports

if TYPE_CHECKING:
    from tic_tac_toe.solver.answers import Value, analyse, solve, solve_many, solve_outcome
    from tic_tac_toe.solver.checkpoint import Checkpoint
    from tic_tac_toe.solver.checkpoint_file import InvalidCheckpoint
    from tic_tac_toe.solver.limits import Limits, Progress
    from tic_tac_toe.solver.session import FastSolver

_HOMES = {
    "answers": ["Value", "analyse", "solve", "solve_many", "solve_outcome"],
    "checkpoint": ["Checkpoint"],
    "checkpoint_file": ["InvalidCheckpoint"],
    "limits": ["Limits", "Progress"],
    "session": ["FastSolver"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Checkpoint",
    "FastSolver",
    "InvalidCheckpoint",
    "Limits",
    "Progress",
    "Value",
    "analyse",
    "check_support",
    "is_installed",
    "objection",
    "solve",
    "solve_many",
    "solve_outcome",
    "supports",
]

#: What to tell where the fast solver is wanted and not there.
MISSING = "the fast solver needs NumPy and Numba: pip install 'tictactoe-engine[fast]'"


def is_installed() -> bool:
    """Return whether what the fast solver needs is installed, without importing it."""
    from importlib.util import find_spec

    return find_spec("numpy") is not None and find_spec("numba") is not None


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        value: object = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    except ModuleNotFoundError as error:
        if error.name not in ("numpy", "numba"):
            raise
        raise ModuleNotFoundError(MISSING, name=error.name) from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
