"""Games of k in a row: tic-tac-toe first of all, with an unbeatable computer player.

People hold a `GameState`, searches hold a `Position`, and only `Rules` varies::

    >>> from tic_tac_toe import GameState, play, verdict
    >>> verdict("XXO/O.X/.O.").outcome
    'draw'
    >>> GameState.new("connect-four").play("4").play("4").legal_moves
    (24, 35, 36, 37, 39, 40, 41)
    >>> play("minimax", "trickster", "tic-tac-toe", seed=1).result
    'draw'

These names are public, and so are the modules ``rules``, ``search``, ``solver``, ``insight``,
``contest`` and ``testing``; what else there is may change in any release, see
``docs/reference/public.md``. The names are loaded when first used, so that ``import tic_tac_toe``
costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

if _TYPE_CHECKING:
    from tic_tac_toe.contest.playing import MatchResult, match, play
    from tic_tac_toe.game.engine import TicTacToe
    from tic_tac_toe.game.evaluate import ReviewedMove, evaluate, evaluate_moves, review
    from tic_tac_toe.game.match import Match
    from tic_tac_toe.game.strategies import STRATEGIES
    from tic_tac_toe.game.tree import GameTree, tree
    from tic_tac_toe.insight.explain import Explanation, explain
    from tic_tac_toe.insight.puzzles import puzzles
    from tic_tac_toe.limits import Kept, Limits
    from tic_tac_toe.loading import find_game
    from tic_tac_toe.logic.exceptions import (
        GameError,
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
    from tic_tac_toe.logic.notation import (
        cell_name,
        clickable_cells,
        format_state,
        has_lookalikes,
        move_at,
        move_name,
        parse_cell,
        parse_move,
        parse_moves,
        parse_state,
        play_moves,
    )
    from tic_tac_toe.logic.positions import Position
    from tic_tac_toe.logic.record_json import records_from_json, records_to_json
    from tic_tac_toe.logic.records import Record, format_records, parse_records
    from tic_tac_toe.logic.rules import Outcome, Rules
    from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules, register, variant_name
    from tic_tac_toe.logic.rules.line import LineRules
    from tic_tac_toe.logic.rules.traits import Traits
    from tic_tac_toe.logic.rules.ultimate import Ultimate
    from tic_tac_toe.logic.rules.wrappers import Misere
    from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation
    from tic_tac_toe.logic.shapes import Shape
    from tic_tac_toe.opponents import find_strategy
    from tic_tac_toe.pictures.svg import svg
    from tic_tac_toe.solver.answers import analyse, solve, verdict
    from tic_tac_toe.version import __version__ as __version__

_HOMES = {
    "contest.playing": "MatchResult match play",
    "game.engine": "TicTacToe",
    "game.evaluate": "ReviewedMove evaluate evaluate_moves review",
    "game.match": "Match",
    "game.strategies": "STRATEGIES",
    "game.tree": "GameTree tree",
    "insight.explain": "Explanation explain",
    "insight.puzzles": "puzzles",
    "limits": "Kept Limits",
    "loading": "find_game",
    "logic.exceptions": "GameError InvalidGameState InvalidMove InvalidNotation "
    "InvalidStrategy InvalidVariant SearchLimitReached UnknownGameScore",
    "logic.minimax": "find_best_move",
    "logic.models": "GameState Grid Mark Move",
    "logic.notation": "cell_name clickable_cells format_state has_lookalikes move_at move_name "
    "parse_cell parse_move parse_moves parse_state play_moves",
    "logic.record_json": "records_from_json records_to_json",
    "logic.positions": "Position",
    "logic.records": "Record format_records parse_records",
    "logic.rules": "Outcome Rules",
    "logic.rules.catalogue": "VARIANTS find_rules register variant_name",
    "logic.rules.line": "LineRules",
    "logic.rules.wrappers": "Misere",
    "logic.rules.traits": "Traits",
    "logic.rules.ultimate": "Ultimate",
    "logic.search.evaluation": "Evaluation MoveEvaluation",
    "logic.shapes": "Shape",
    "opponents": "find_strategy",
    "pictures.svg": "svg",
    "solver.answers": "analyse solve verdict",
    "version": "__version__",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "STRATEGIES",
    "VARIANTS",
    "Evaluation",
    "Explanation",
    "GameError",
    "GameState",
    "GameTree",
    "Grid",
    "InvalidGameState",
    "InvalidMove",
    "InvalidNotation",
    "InvalidStrategy",
    "InvalidVariant",
    "Kept",
    "Limits",
    "LineRules",
    "Mark",
    "Match",
    "MatchResult",
    "Misere",
    "Move",
    "MoveEvaluation",
    "Outcome",
    "Position",
    "Record",
    "ReviewedMove",
    "Rules",
    "SearchLimitReached",
    "Shape",
    "TicTacToe",
    "Traits",
    "Ultimate",
    "UnknownGameScore",
    "analyse",
    "cell_name",
    "clickable_cells",
    "evaluate",
    "evaluate_moves",
    "explain",
    "find_best_move",
    "find_game",
    "find_rules",
    "find_strategy",
    "format_records",
    "format_state",
    "has_lookalikes",
    "match",
    "move_at",
    "move_name",
    "parse_cell",
    "parse_move",
    "parse_moves",
    "parse_records",
    "parse_state",
    "play",
    "play_moves",
    "puzzles",
    "records_from_json",
    "records_to_json",
    "register",
    "review",
    "solve",
    "svg",
    "tree",
    "variant_name",
    "verdict",
]


def __getattr__(name: str) -> object:
    if name in _HOME_OF:
        value: object = getattr(_import_module(f"tic_tac_toe.{_HOME_OF[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({"__version__", *__all__})
