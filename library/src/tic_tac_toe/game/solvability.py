"""What can be solved on this machine while a person waits, as a rule."""

from __future__ import annotations

import sys

from tic_tac_toe.engines.preparing import is_ready
from tic_tac_toe.extras import FAST, install_command
from tic_tac_toe.logic.exceptions import Message, message
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Foretelling, Rules
from tic_tac_toe.logic.rules.traits import plies_left
from tic_tac_toe.logic.search.table import SMALL_CELLS, is_small

#: Plain Python tries to solve positions from which a game takes at most this number of plies ...
SOLVE_PLIES = 16
#: ... or, where a theory tells who wins and only the distance is open, this number ...
FORETOLD_PLIES = 14
#: ... or a few more where there are few legal moves, as under gravity.
SOLVE_PLIES_NARROW, NARROW_MOVES = 20, 7


def plain_python_solves(rules: Rules, position: Position) -> bool:
    """Return whether plain Python solves a position in a few seconds, as a rule."""
    plies = plies_left(rules, position)
    if plies is None:
        return rules.shape.cells <= SMALL_CELLS
    if is_small(rules):
        return True
    moves = len(rules.moves(position))
    most = FORETOLD_PLIES if isinstance(rules, Foretelling) else SOLVE_PLIES
    # Where the mover chooses what to place, there are more moves than plies.
    if plies <= most and (moves <= SOLVE_PLIES or plies <= SOLVE_PLIES // 2):
        return True
    return plies <= SOLVE_PLIES_NARROW and moves <= NARROW_MOVES


def has_fast_solver(rules: Rules) -> bool:
    """Return whether the fast solver is installed and solves this game."""
    from tic_tac_toe.solver.support import is_fast

    return is_fast(rules)


def has_compiled_solver(rules: Rules) -> bool:
    """Return whether the fast solver solves this game, and its machine code is ready."""
    return has_fast_solver(rules) and is_ready(rules)


def could_have_fast_solver(rules: Rules) -> bool:
    """Return whether the fast solver solves this game, and is or can be installed here."""
    return sys.platform != "emscripten" and supported_by_solver(rules)  # browsers do not compile


def supported_by_solver(rules: Rules) -> bool:
    """Return whether the fast solver solves this game, wherever it is installed."""
    from tic_tac_toe.solver import supports

    return supports(rules)


def caveat(name: str, rules: Rules) -> Message | None:
    """Return what a strategy cannot do on a board, as a sentence, or ``None`` if it can do all."""
    searches = name in ("minimax", "hard", "trickster")
    if not searches or plain_python_solves(rules, Position()):
        return None
    if not has_fast_solver(rules) and could_have_fast_solver(rules):
        return message(
            "On this board {strategy} looks some moves ahead until it can solve the rest of the "
            "game. With “{command}” it solves much more.",
            "large_board_without_solver",
            strategy=name,
            command=install_command(FAST),
        )
    return message(
        "On this board {strategy} looks some moves ahead until it can solve the rest of the game.",
        "large_board",
        strategy=name,
    )
