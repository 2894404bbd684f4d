"""Games of k in a row: tic-tac-toe first of all, with an unbeatable computer player.

People hold a `GameState`, searches hold a `Position`, and only `Rules` varies::

    >>> from tic_tac_toe import GameState, Grid, verdict
    >>> verdict(GameState(Grid("XXO O X O"))).outcome
    'win'

The names below are loaded when first used, so that ``import tic_tac_toe`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tic_tac_toe.game.engine import TicTacToe
    from tic_tac_toe.game.evaluate import evaluate, evaluate_moves
    from tic_tac_toe.game.match import Match
    from tic_tac_toe.game.strategies import STRATEGIES
    from tic_tac_toe.game.tree import GameTree, tree
    from tic_tac_toe.limits import Limits
    from tic_tac_toe.logic.exceptions import (
        InvalidGameState,
        InvalidMove,
        InvalidNotation,
        InvalidStrategy,
        InvalidVariant,
        SearchLimitReached,
        UnknownGameScore,
    )
    from tic_tac_toe.logic.minimax import find_best_move
    from tic_tac_toe.logic.models import GameState, Grid, Mark, Move
    from tic_tac_toe.logic.notation import format_state, parse_moves, parse_state
    from tic_tac_toe.logic.positions import Position
    from tic_tac_toe.logic.records import Record
    from tic_tac_toe.logic.rules import Outcome, Rules
    from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules, variant_name
    from tic_tac_toe.logic.rules.line import LineRules
    from tic_tac_toe.logic.rules.misere import Misere
    from tic_tac_toe.logic.rules.ultimate import Ultimate
    from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation
    from tic_tac_toe.logic.shapes import Layout, Shape
    from tic_tac_toe.opponents.finding import find_strategy
    from tic_tac_toe.pictures.svg import svg
    from tic_tac_toe.solver.answers import analyse, solve, verdict

__version__ = "0.1.0"

_HOMES = {
    "game.engine": ["TicTacToe"],
    "game.evaluate": ["evaluate", "evaluate_moves"],
    "game.match": ["Match"],
    "game.strategies": ["STRATEGIES"],
    "game.tree": ["GameTree", "tree"],
    "limits": ["Limits"],
    "logic.exceptions": [
        "InvalidGameState",
        "InvalidMove",
        "InvalidNotation",
        "InvalidStrategy",
        "InvalidVariant",
        "SearchLimitReached",
        "UnknownGameScore",
    ],
    "logic.minimax": ["find_best_move"],
    "logic.models": ["GameState", "Grid", "Mark", "Move"],
    "logic.notation": ["format_state", "parse_moves", "parse_state"],
    "logic.positions": ["Position"],
    "logic.records": ["Record"],
    "logic.rules": ["Outcome", "Rules"],
    "logic.rules.catalogue": ["VARIANTS", "find_rules", "variant_name"],
    "logic.rules.line": ["LineRules"],
    "logic.rules.misere": ["Misere"],
    "logic.rules.ultimate": ["Ultimate"],
    "logic.search.evaluation": ["Evaluation", "MoveEvaluation"],
    "logic.shapes": ["Layout", "Shape"],
    "opponents.finding": ["find_strategy"],
    "pictures.svg": ["svg"],
    "solver.answers": ["analyse", "solve", "verdict"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "STRATEGIES",
    "VARIANTS",
    "Evaluation",
    "GameState",
    "GameTree",
    "Grid",
    "InvalidGameState",
    "InvalidMove",
    "InvalidNotation",
    "InvalidStrategy",
    "InvalidVariant",
    "Layout",
    "Limits",
    "LineRules",
    "Mark",
    "Match",
    "Misere",
    "Move",
    "MoveEvaluation",
    "Outcome",
    "Position",
    "Record",
    "Rules",
    "SearchLimitReached",
    "Shape",
    "TicTacToe",
    "Ultimate",
    "UnknownGameScore",
    "analyse",
    "evaluate",
    "evaluate_moves",
    "find_best_move",
    "find_rules",
    "find_strategy",
    "format_state",
    "parse_moves",
    "parse_state",
    "solve",
    "svg",
    "tree",
    "variant_name",
    "verdict",
]


def __getattr__(name: str) -> object:
    if name in _HOME_OF:
        value: object = getattr(import_module(f"tic_tac_toe.{_HOME_OF[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
